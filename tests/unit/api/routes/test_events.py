"""Events by polling and as a stream; the restart of a real process is in tests/acceptance/test_api.py."""

import json

from fastapi.testclient import TestClient

from api.routes.events import framed
from dissolution.job import JobEvent
from tests.factories import INSTANT
from tests.unit.api.serving import Served, dissolved, problem, stored


def test_polling_tells_what_is_new(api: Served, client: TestClient) -> None:
    stored(client)
    job = dissolved(api, client)

    whole = client.get(f"/v1/dissolutions/{job}/events").json()
    assert (whole["status"], whole["ended"], whole["items"][0]["kind"]) == ("committed", True, "job_queued")
    assert [one["number"] for one in whole["items"]] == list(range(1, len(whole["items"]) + 1))
    rest = client.get(f"/v1/dissolutions/{job}/events?after={len(whole['items']) - 1}").json()
    assert rest["items"] == whole["items"][-1:]
    same = client.get(f"/v1/dissolutions/{job}/events", headers={"last-event-id": "2"}).json()
    assert same["items"] == whole["items"][2:]


def test_a_stream_tells_all_and_ends_with_the_job(api: Served, client: TestClient) -> None:
    stored(client)
    job = dissolved(api, client)
    accept = {"accept": "text/event-stream"}

    reply = client.get(f"/v1/dissolutions/{job}/events", headers=accept)

    blocks = reply.text.strip().split("\n\n")
    assert reply.headers["content-type"].startswith("text/event-stream")
    assert (blocks[0], blocks[-1]) == ("retry: 2000", 'event: end\ndata: {"status": "committed"}')
    assert len(blocks) - 2 == len(client.get(f"/v1/dissolutions/{job}/events").json()["items"])
    last = blocks[-2].split("\n")[0].removeprefix("id: ")
    over = client.get(f"/v1/dissolutions/{job}/events", headers={**accept, "last-event-id": last})
    assert (over.status_code, over.content) == (204, b"")


def test_a_number_that_is_none_is_refused(client: TestClient) -> None:
    stored(client)
    job = client.post("/v1/dissolutions", json={"conversation": "talk"}).json()["id"]
    for given in ("x", "-1", "1.5", "99999999999"):
        told = problem(
            client.get(f"/v1/dissolutions/{job}/events", headers={"last-event-id": given}), 422, "invalid_request"
        )
        assert told["errors"][0]["field"] == "header.last-event-id"
    problem(client.get("/v1/dissolutions/none/events"), 404, "not_found")


def test_an_event_is_three_lines_whatever_its_words() -> None:
    event = JobEvent(job="j", number=7, at=INSTANT, kind="step_failed", detail="a\nid: 9\n\nevent: end")

    lines = framed(event).decode().split("\n")

    assert lines[:2] == ["id: 7", "event: step_failed"]
    assert json.loads(lines[2].removeprefix("data: "))["detail"] == event.detail
    assert lines[3:] == ["", ""]
