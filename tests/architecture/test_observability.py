"""The dashboard and the alerts ask for metrics and labels that exist, and every alert leads to words that help."""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import yaml
from prometheus_client.metrics_core import Metric

from dissolution.answers import FailureClass, FinishReason
from dissolution.findings import Verdict
from dissolution.job import JobStatus
from dissolution.measures import BOUNDS_S, CallCount, Durations, Measures
from tests.architecture.project import ROOT
from tests.factories import INSTANT
from workers.celery.relay import ALL_QUEUES
from workers.checks.metrics import metrics_of, up
from workers.pipeline import STAGE_NAMES

DASHBOARD = ROOT / "deploy" / "grafana" / "dissolution.json"
ALERTS = ROOT / "deploy" / "prometheus" / "alerts.yml"
PAGE = ROOT / "docs" / "observability.md"
NAME = re.compile(r"\bdissolve_\w+")
LABEL = re.compile(r'(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"')


@cache
def series() -> Mapping[str, set[str]]:
    """Every series that a scrape can have, and its labels."""
    took = Durations(count=1, sum_s=1, up_to=(1,) * len(BOUNDS_S))
    found = Measures(
        at=INSTANT,
        jobs={},
        queues=(),
        oldest_step_at=None,
        dead_steps=0,
        leases_ran_out=0,
        calls=(CallCount(model="m", outcome="stop", calls=1, input_tokens=1, output_tokens=1, usd=1),),
        quorum=took,
        stages={STAGE_NAMES[0]: took},
        verdicts={},
        spent_usd=0,
        spent_today_usd=0,
        reserved_usd=0,
        unpriced_calls=0,
    )
    metrics: list[Metric] = [*metrics_of(found), up("database", well=True), up("redis", well=True)]
    names = {sample.name: set(sample.labels) for metric in metrics for sample in metric.samples}
    return {**names, "dissolve_redis_messages": {"queue"}, "dissolve_relays": set(), "dissolve_scrape_seconds": set()}


@cache
def alerts() -> tuple[Mapping[str, Any], ...]:
    groups = yaml.safe_load(ALERTS.read_text(encoding="utf-8"))["groups"]
    return tuple(rule for group in groups for rule in group["rules"])


def questions() -> Iterator[tuple[str, str]]:
    """Everything that is asked of Prometheus, with who asks."""
    for rule in alerts():
        yield rule["alert"], rule["expr"]
    for panel in json.loads(DASHBOARD.read_text(encoding="utf-8"))["panels"]:
        for target in panel["targets"]:
            yield panel["title"], target["expr"]


VALUES: Mapping[str, set[str]] = {
    "status": {status.value for status in JobStatus},
    "verdict": {verdict.value for verdict in Verdict},
    "outcome": {one.value for kind in (FailureClass, FinishReason) for one in kind},
    "queue": set(ALL_QUEUES),
}
"""What a label may say."""


def wrong_in(asked: str) -> Iterator[str]:
    """What a question to Prometheus names that no scrape has."""
    names = NAME.findall(asked)
    if not names:
        yield "no metric of ours"
    yield from (f"no metric {name!r}" for name in names if name not in series())
    labels = set[str]().union(*(series().get(name, set()) for name in names))
    for label, operator, wanted in LABEL.findall(asked):
        if label not in labels:
            yield f"no label {label!r}"
            continue
        for part in wanted.split("|") if "~" in operator else (re.escape(wanted),):
            if not any(re.fullmatch(part, value) for value in VALUES[label]):
                yield f"{label} is never {part!r}"


def test_what_is_asked_for_exists() -> None:
    assert [f"{who}: {wrong}" for who, asked in questions() for wrong in wrong_in(asked)] == []


def test_what_does_not_exist_would_be_found() -> None:
    assert list(wrong_in("up")) == ["no metric of ours"]
    assert list(wrong_in("dissolve_nothing")) == ["no metric 'dissolve_nothing'"]
    assert list(wrong_in('dissolve_jobs{colour="red"}')) == ["no label 'colour'"]
    assert list(wrong_in('dissolve_jobs{status="lost"}')) == ["status is never 'lost'"]
    assert list(wrong_in('dissolve_jobs{status=~"queued|lost.*"}')) == ["status is never 'lost.*'"]


def test_every_metric_is_asked_for_or_explained() -> None:
    asked = {name for _, question in questions() for name in NAME.findall(question)}
    bare = {re.sub(r"_(total|bucket|sum|count)$", "", name) for name in asked}
    page = PAGE.read_text(encoding="utf-8")
    for name in series():
        plain = re.sub(r"_(total|bucket|sum|count)$", "", name)
        assert plain in page or name in page, f"docs/observability.md does not explain {name}"
        assert plain in bare or plain in page


def is_heading(link: str) -> bool:
    """Whether a link leads to a heading of a page."""
    file, _, heading = link.partition("#")
    titles = re.findall(r"^#+ (.+)$", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)
    return heading in {re.sub(r"[^\w\- ]", "", title).lower().replace(" ", "-") for title in titles}


def test_every_alert_leads_to_words_that_help_and_says_how_bad_it_is() -> None:
    links = {rule["alert"]: str(rule["annotations"]["runbook"]) for rule in alerts()}
    assert {alert: link for alert, link in links.items() if not is_heading(link)} == {}
    assert {rule["labels"]["severity"] for rule in alerts()} == {"page", "ticket"}


def test_panels_do_not_lie_on_each_other() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in json.loads(DASHBOARD.read_text(encoding="utf-8"))["panels"]:
        place = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert max(x for x, _ in cells) < 24
        assert not cells & taken, panel["title"]
        taken |= cells
