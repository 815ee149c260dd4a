"""What the service keeps: keys, answered requests, webhooks, rules and pages; one suite over every adapter."""

import json
import threading
from datetime import timedelta

import pytest

from dissolution.conversation import Conversation, Redaction, chained_digest
from dissolution.errors import IllegalMove, NotFound
from dissolution.job import Job, JobStatus
from dissolution.policy.job_policy import Policy
from dissolution.ports.store import UnitOfWorkFactory
from dissolution.service import ApiKey, ExtraPattern, IntakeRules, KeyScope, Replay
from dissolution.tenancy import scoped
from dissolution.webhooks import Delivery, Notice, WebhookEndpoint
from store.sql.unit_of_work import SqlUnitOfWorkFactory
from tests.factories import INSTANT, a_conversation

ENDPOINT = WebhookEndpoint(id=f"we_{'a' * 24}", tenant="acme", url="https://example.com/hook", created_at=INSTANT)
HOUR = timedelta(hours=1)


def a_key(name: str = "k", tenant: str = "acme") -> ApiKey:
    return ApiKey(
        id=name.ljust(12, "0"),
        tenant=tenant,
        client=f"{tenant}-client",
        name=name,
        hash="0" * 64,
        scopes=(KeyScope.READ, KeyScope.WRITE),
        created_at=INSTANT,
    )


def a_replay(key: str = "once", *, at_hours: float = 0, fingerprint: str = "a" * 64) -> Replay:
    at = INSTANT + at_hours * HOUR
    return Replay(
        client="acme-client",
        key=key,
        tenant="acme",
        fingerprint=fingerprint,
        created_at=at,
        expires_at=at + 24 * HOUR,
    )


def talk_of(tenant: str, name: str = "talk") -> Conversation:
    return a_conversation("We use Postgres.", f"Fine, {tenant}.", name=scoped(tenant, name))


def store_jobs(units: UnitOfWorkFactory, tenant: str, count: int = 1, name: str = "talk") -> list[Job]:
    conversation = talk_of(tenant, name)
    made = [
        Job(
            id=f"{tenant}{name}{number}",
            conversation=conversation.id,
            through=2,
            snapshot_digest=conversation.snapshot().digest,
            fleet="extractive",
            policy=Policy(),
            tenant=tenant,
            created_at=INSTANT + number // 2 * HOUR,  # two at each instant
        )
        for number in range(count)
    ]
    with units() as work:
        work.conversations.extend(conversation)
        for job in made:
            work.jobs.add(job, ("fan_out",))
        work.commit()
    return made


def test_a_key_comes_back_and_ends(units: UnitOfWorkFactory) -> None:
    with units() as work:
        work.service.keys.add(a_key("k"))
        work.service.keys.add(a_key("x", "zeta"))
        with pytest.raises(IllegalMove):
            work.service.keys.add(a_key("k"))
        work.commit()
    with units() as work:
        keys = work.service.keys
        assert keys.get("k00000000000") == a_key("k")
        assert keys.get("nobody") is None
        assert keys.all("acme") == (a_key("k"),)
        assert len(keys.all()) == 2
        ended = keys.end("k00000000000", revoked_at=INSTANT + HOUR)
        assert ended == keys.get("k00000000000")
        assert ended.works_at(INSTANT)
        assert not ended.works_at(INSTANT + HOUR)
        assert not keys.end("k00000000000", expires_at=INSTANT).works_at(INSTANT)
        with pytest.raises(NotFound):
            keys.end("nobody", expires_at=INSTANT)


def test_an_idempotency_key_is_taken_once_and_free_again_when_it_expired(units: UnitOfWorkFactory) -> None:
    with units() as work:
        assert work.service.replays.claim(a_replay()) is None
        work.service.replays.fill("acme-client", "once", "talk", {"job": "j1", "turns": 3})
        work.commit()
    with units() as work:
        standing = work.service.replays.claim(a_replay(fingerprint="b" * 64))
        assert standing is not None
        assert (standing.fingerprint, standing.outcome, standing.conversation) == (
            "a" * 64,
            {"job": "j1", "turns": 3},
            "talk",
        )
        assert work.service.replays.claim(a_replay("another")) is None
        assert work.service.replays.claim(a_replay(at_hours=24, fingerprint="c" * 64)) is None
        with pytest.raises(NotFound):
            work.service.replays.fill("acme-client", "nothing", None, {})
        assert work.service.replays.purge(INSTANT + 24 * HOUR) == 1


def test_of_two_requests_at_once_one_is_let_in(sql: SqlUnitOfWorkFactory) -> None:
    start, let_in = threading.Barrier(4), list[bool]()

    def ask() -> None:
        start.wait()
        with sql() as work:
            standing = work.service.replays.claim(a_replay())
            if standing is None:
                work.service.replays.fill("acme-client", "once", None, {"job": "j1"})
                work.commit()
            else:
                assert standing.outcome == {"job": "j1"}
            let_in.append(standing is None)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(let_in) == [False, False, False, True]


def test_an_end_is_told_to_the_endpoints_that_want_it(units: UnitOfWorkFactory) -> None:
    job, other = *store_jobs(units, "acme"), *store_jobs(units, "zeta")
    picky = ENDPOINT.model_copy(update={"id": f"we_{'b' * 24}", "notices": (Notice.FAILED,)})
    off = ENDPOINT.model_copy(update={"id": f"we_{'c' * 24}", "disabled_at": INSTANT, "disabled_why": "410"})
    with units() as work:
        for endpoint in (ENDPOINT, picky, off):
            work.service.webhooks.add(endpoint)
        work.jobs.move(job.id, JobStatus.RUNNING, INSTANT)
        work.jobs.move(other.id, JobStatus.CANCELLED, INSTANT)
        work.jobs.move(job.id, JobStatus.CANCELLED, INSTANT)
        work.commit()
    with units() as work:
        ((delivery, endpoint),) = work.service.webhooks.take(INSTANT, 10, 60)
        assert (endpoint, delivery.notice, delivery.attempts) == (ENDPOINT, Notice.CANCELLED, 1)
        assert json.loads(delivery.payload) == {
            "type": "dissolution.cancelled",
            "timestamp": INSTANT.isoformat(),
            "data": {"dissolution": job.id, "conversation": "talk", "status": "cancelled"},
        }
        assert work.service.webhooks.take(INSTANT, 10, 60) == ()
        ((again, _),) = work.service.webhooks.take(INSTANT + timedelta(seconds=60), 10, 60)
        assert (again.id, again.attempts, again.payload) == (delivery.id, 2, delivery.payload)
        work.service.webhooks.settle(again.model_copy(update={"delivered_at": INSTANT, "status": 204}))
        assert work.service.webhooks.take(INSTANT + HOUR, 10, 60) == ()
        assert work.service.webhooks.delivery("acme", delivery.id).status == 204
        assert [one.id for one in work.service.webhooks.deliveries("acme", ENDPOINT.id, 5)] == [delivery.id]
        assert work.service.webhooks.deliveries("zeta", ENDPOINT.id, 5) == ()
        for tenant, name in (("zeta", delivery.id), ("acme", "msg_0")):
            with pytest.raises(NotFound):
                work.service.webhooks.delivery(tenant, name)


def test_what_was_rolled_back_is_told_to_nobody(units: UnitOfWorkFactory) -> None:
    (job,) = store_jobs(units, "acme")
    with units() as work:
        work.service.webhooks.add(ENDPOINT)
        work.commit()
    with units() as work:
        work.jobs.move(job.id, JobStatus.CANCELLED, INSTANT)
    with units() as work:
        assert work.service.webhooks.take(INSTANT + HOUR, 10, 60) == ()


def test_endpoints_are_changed_and_removed_by_their_tenant_alone(units: UnitOfWorkFactory) -> None:
    (job,) = store_jobs(units, "acme")
    with units() as work:
        webhooks = work.service.webhooks
        webhooks.add(ENDPOINT)
        changed = ENDPOINT.model_copy(update={"generation": 2, "rotated_at": INSTANT})
        webhooks.add(changed)
        assert webhooks.of_tenant("acme") == (changed,)
        assert webhooks.get("acme", ENDPOINT.id) == changed
        work.jobs.move(job.id, JobStatus.CANCELLED, INSTANT)
        for use in (webhooks.get, webhooks.remove):
            with pytest.raises(NotFound):
                use("zeta", ENDPOINT.id)
        webhooks.remove("acme", ENDPOINT.id)
        assert webhooks.of_tenant("acme") == ()
        assert webhooks.take(INSTANT + HOUR, 10, 60) == ()
        webhooks.settle(A_DELIVERY)  # erased meanwhile: no error


A_DELIVERY = Delivery(
    id=f"msg_{'d' * 24}",
    endpoint=ENDPOINT.id,
    tenant="acme",
    notice=Notice.HELD,
    payload="{}",
    created_at=INSTANT,
    due_at=INSTANT,
)


def test_rules_of_intake_are_each_tenants_own(units: UnitOfWorkFactory) -> None:
    rules = IntakeRules(patterns=(ExtraPattern(kind="badge", pattern=r"B-\d{6}"),), personal_data="presidio")
    with units() as work:
        assert work.service.intake.rules("acme") == IntakeRules()
        work.service.intake.set_rules("acme", IntakeRules(), INSTANT)
        work.service.intake.set_rules("acme", rules, INSTANT)
        work.commit()
    with units() as work:
        assert work.service.intake.rules("acme") == rules
        assert work.service.intake.rules("zeta") == IntakeRules()


def test_pages_of_conversations_hold_one_tenants_alone(units: UnitOfWorkFactory) -> None:
    for tenant, name in (("acme", "a"), ("acme", "b"), ("zeta", "a"), ("default", "a"), ("acme", "c")):
        store_jobs(units, tenant, 0, name)
    with units() as work:
        listing = work.service.listing
        first = listing.conversations("acme", None, 2)
        assert [one.id for one in first] == [scoped("acme", "a"), scoped("acme", "b")]
        assert [one.id for one in listing.conversations("acme", first[-1].id, 2)] == [scoped("acme", "c")]
        assert [one.id for one in listing.conversations("default", None, 9)] == ["a"]
        found = listing.conversation(scoped("zeta", "a"))
        assert (found.turns, found.recorded_at) == (2, INSTANT)
        assert found.digest == chained_digest(talk_of("zeta", "a").turns)
        with pytest.raises(NotFound):
            listing.conversation(scoped("zeta", "b"))
        assert listing.tenants() == ("acme", "default", "zeta")


def test_pages_of_jobs_go_back_in_time_without_gaps(units: UnitOfWorkFactory) -> None:
    made = store_jobs(units, "acme", 5)
    store_jobs(units, "zeta", 2)
    with units() as work:
        listing = work.service.listing
        seen: list[str] = []
        before = None
        while page := listing.jobs("acme", before=before, limit=2):
            seen += [job.id for job in page]
            before = (page[-1].created_at, page[-1].id)
        assert seen == [job.id for job in reversed(made)]
        assert listing.jobs("acme", conversation="talk", limit=9) == ()
        assert len(listing.jobs("acme", conversation=scoped("acme", "talk"), limit=9)) == 5
        assert [listing.unfinished(*asked) for asked in (("acme", 3), ("acme", 99), ("nobody", 9))] == [3, 5, 0]
        work.jobs.move(made[0].id, JobStatus.CANCELLED, INSTANT)
        assert listing.unfinished("acme", 99) == 4
        assert [job.id for job in listing.jobs("acme", status=JobStatus.CANCELLED, limit=9)] == [made[0].id]


def test_what_was_replaced_is_listed_by_turn(units: UnitOfWorkFactory) -> None:
    found = (Redaction(turn=1, kind="token", placeholder="[a]"), Redaction(turn=2, kind="token", placeholder="[b]"))
    with units() as work:
        work.conversations.extend(talk_of("acme").model_copy(update={"redactions": found}))
        assert work.service.listing.redactions(scoped("acme", "talk")) == found
        assert work.service.listing.redactions("talk") == ()


def test_erasing_takes_what_was_told_and_answered_with_it(units: UnitOfWorkFactory) -> None:
    (job,) = store_jobs(units, "acme")
    with units() as work:
        work.service.webhooks.add(ENDPOINT)
        work.jobs.move(job.id, JobStatus.CANCELLED, INSTANT)
        work.service.replays.claim(a_replay())
        work.service.replays.fill("acme-client", "once", job.conversation, {"job": job.id})
        work.ledger.erase(job.conversation, INSTANT, actor="ann", reason="asked")
        work.commit()
    with units() as work:
        assert work.service.webhooks.take(INSTANT + HOUR, 10, 60) == ()
        assert work.service.replays.claim(a_replay()) is None
        assert work.service.webhooks.of_tenant("acme") == (ENDPOINT,)


def test_a_tenant_can_be_forgotten(units: UnitOfWorkFactory) -> None:
    with units() as work:
        for tenant in ("acme", "zeta"):
            work.service.keys.add(a_key(tenant, tenant))
            work.service.intake.set_rules(tenant, IntakeRules(personal_data="presidio"), INSTANT)
        work.service.webhooks.add(ENDPOINT)
        work.service.replays.claim(a_replay())
        work.service.listing.forget("acme")
        assert work.service.listing.tenants() == ("zeta",)
        assert work.service.webhooks.of_tenant("acme") == ()
        assert work.service.intake.rules("acme") == IntakeRules()
        assert work.service.intake.rules("zeta") != IntakeRules()
        assert work.service.replays.claim(a_replay()) is None
