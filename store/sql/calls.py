"""The calls part of JobStore over SQL: asked before, landed at once, parsed later; what landed stays landed."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, cast

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Row,
    Select,
    Update,
    and_,
    bindparam,
    delete,
    insert,
    literal,
    select,
    true,
    tuple_,
    union_all,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from dissolution.answers import Answer, Call, MemberFailure, Reply
from dissolution.errors import NotFound
from dissolution.ids import JobId
from store.rules.checks import CALL, call_name, check_call, refuse_landed
from store.sql.rows import Seeing, read_reply, reply_values
from store.tables import jobs as tables
from store.tables.columns import utc


def _at(job: JobId, stage: str, member: str, ordinal: int) -> ColumnElement[bool]:
    calls = tables.calls
    return and_(calls.c.job == job, calls.c.stage == stage, calls.c.member == member, calls.c.ordinal == ordinal)


def _landing() -> Update:
    """Stores what came of a call that has not landed; made once, as it is asked for most of all."""
    calls = tables.calls
    place = (calls.c[name] == bindparam(f"of_{name}") for name in ("job", "stage", "member", "ordinal"))
    values = {name: bindparam(f"new_{name}", type_=calls.c[name].type) for name in LANDED}
    return update(calls).where(*place, calls.c.landed_at.is_(None)).values(values)


LANDED = ("reply_text", "finish", "usage", "model_reported", "failure", "landed_at", "late")
"""What is stored of a call when it lands."""

_LANDING = _landing()

BEGUN = ("member", "ordinal", "card", "prompt", "asked_at", "late")
"""What is stored of a call before it is made, besides whose it is."""


class SqlCalls(Seeing):
    """Calls and answers in one transaction."""

    def begin_calls(self, calls_: Sequence[Call]) -> None:
        """As `begin_call` for several at once, in one statement where none of them has landed."""
        self._seen.calls.clear()
        rows = [self._asked(call) for call in calls_]
        begun = self._connection.execute(self._beginning(union_all(*rows)).returning(tables.calls.c.member)).all()
        if len(begun) < len(calls_):
            for call in calls_:
                self.begin_call(call)

    def begin_call(self, call: Call) -> None:
        """Record that a member is about to be asked; repeating it for a call that has not landed is no error.

        Raises:
            IllegalMove: the call has landed: no stored answer is asked again (rule 2).
            NotFound: there is no such step.
        """
        self._seen.calls.clear()
        calls = tables.calls
        statement = self._beginning(self._asked(call))
        if self._connection.execute(statement.returning(calls.c.job)).first() is None:
            place = _at(call.job, call.stage, call.member.name, call.ordinal)
            if self._connection.execute(select(calls.c.job).where(place)).first() is not None:
                refuse_landed(call)
            kind = "step"
            raise NotFound(kind, f"{call.job}/{call.stage}")

    def _asked(self, call: Call) -> Select[Any]:
        """The row of a call, taken from its step's, so that there is none to insert without a step."""
        check_call(call)
        calls, steps = tables.calls, tables.steps
        values = (call.member.name, call.ordinal, call.member, call.prompt, call.asked_at, False)
        given = (literal(value, calls.c[name].type) for name, value in zip(BEGUN, values, strict=True))
        return select(steps.c.job, steps.c.stage, *given).where(steps.c.job == call.job, steps.c.stage == call.stage)

    def _beginning(self, rows: Select[Any] | CompoundSelect[Any]) -> postgresql.Insert | sqlite.Insert:
        calls = tables.calls
        make = postgresql.insert if self._connection.dialect.name == "postgresql" else sqlite.insert
        if self._connection.dialect.name == "sqlite":  # its grammar takes `ON CONFLICT` for a join otherwise
            given = rows.subquery()
            rows = select(given).where(true())
        adding = make(calls).from_select(["job", "stage", *BEGUN], rows)
        return adding.on_conflict_do_update(
            index_elements=list(calls.primary_key),
            set_={name: adding.excluded[name] for name in ("card", "prompt", "asked_at")},
            where=calls.c.landed_at.is_(None),
        )

    def land_call(
        self,
        *,
        job: JobId,
        stage: str,
        member: str,
        ordinal: int,
        at: datetime,
        result: Reply | MemberFailure,
        late: bool,
    ) -> None:
        """Store a reply or failure the moment it lands; what has landed keeps its first result. Raises NotFound."""
        self._seen.calls.pop(job, None)
        reply = result if isinstance(result, Reply) else None
        failure = result if isinstance(result, MemberFailure) else None
        values = {**reply_values(reply), "failure": failure, "landed_at": utc(at), "late": late}
        place = {"of_job": job, "of_stage": stage, "of_member": member, "of_ordinal": ordinal}
        landed = self._connection.execute(_LANDING, place | {f"new_{name}": value for name, value in values.items()})
        if landed.rowcount == 0:
            there = select(tables.calls.c.job).where(_at(job, stage, member, ordinal))
            if self._connection.execute(there).first() is None:
                raise NotFound(CALL, call_name(job, stage, member, ordinal))

    def end_calls(
        self, job: JobId, stage: str, places: Sequence[tuple[str, int]], at: datetime, failure: MemberFailure
    ) -> None:
        """As `land_call` with one failure for several calls of a step, in one statement. Raises NotFound."""
        self._seen.calls.pop(job, None)
        calls = tables.calls
        of_step = and_(calls.c.job == job, calls.c.stage == stage, calls.c.landed_at.is_(None))
        these = tuple_(calls.c.member, calls.c.ordinal).in_(places)
        values = {"failure": failure, "landed_at": utc(at), "late": False}
        if self._connection.execute(update(calls).where(of_step, these).values(values)).rowcount < len(places):
            for member, ordinal in places:  # one has landed before, or is not there
                self.land_call(job=job, stage=stage, member=member, ordinal=ordinal, at=at, result=failure, late=False)

    def calls(self, job: JobId, stage: str | None = None) -> tuple[Call, ...]:
        """All calls of one step, or of all, by member name and ordinal."""
        seen = self._seen.calls.setdefault(job, {})
        if stage not in seen and None in seen:
            seen[stage] = tuple(call for call in seen[None] if call.stage == stage)
        if stage not in seen:
            seen[stage] = self._read_calls(job, stage)
        return seen[stage]

    def _read_calls(self, job: JobId, stage: str | None) -> tuple[Call, ...]:
        calls = tables.calls
        query = select(calls).where(calls.c.job == job)
        rows = self._connection.execute(query if stage is None else query.where(calls.c.stage == stage))
        found = [
            Call(
                job=row.job,
                stage=row.stage,
                member=row.card,
                ordinal=row.ordinal,
                prompt=row.prompt,
                asked_at=row.asked_at,
                landed_at=row.landed_at,
                reply=read_reply(row),
                failure=row.failure,
                late=row.late,
            )
            for row in rows
        ]
        return tuple(sorted(found, key=lambda call: (call.member.name, call.ordinal)))

    def save_answers(self, job: JobId, answers: Sequence[Answer], *, first: bool = False) -> None:
        """Store what was parsed; replaces what an earlier attempt of the same job parsed. Raises NotFound.

        The raw replies are in `calls` as well and stay there: only the reading of them is replaced.
        """
        stored = select(tables.jobs.c.id).where(tables.jobs.c.id == job)
        asked = any(self._seen.calls.get(job, {}).values())  # then it is there
        if not asked and job not in self._seen.jobs and self._connection.execute(stored).first() is None:
            kind = "job"
            raise NotFound(kind, job)
        self._seen.answers.pop(job, None)
        if not first:
            self._connection.execute(delete(tables.answers).where(tables.answers.c.job == job))
        rows = [
            {
                "job": job,
                "ordinal": ordinal,
                "member": answer.member.name,
                "card": answer.member,
                **reply_values(answer.reply),
                "parsed": answer.parsed,
                "late": answer.late,
                "latency_s": answer.latency_s,
            }
            for ordinal, answer in enumerate(answers)
        ]
        if rows:
            self._connection.execute(insert(tables.answers), rows)

    def answers(self, job: JobId) -> tuple[Answer, ...]:
        """The parsed answers of a job, by member name."""
        if job not in self._seen.answers:
            answers = tables.answers
            rows = self._connection.execute(select(answers).where(answers.c.job == job).order_by(answers.c.ordinal))
            self._seen.answers[job] = tuple(sorted(map(_read_answer, rows), key=lambda answer: answer.member.name))
        return self._seen.answers[job]


def _read_answer(row: Row[Any]) -> Answer:
    found = row._mapping  # noqa: SLF001 - SQLAlchemy's public name for a row as a mapping
    reply = cast("Reply", read_reply(row))  # an answer has one: it was parsed from it
    return Answer(
        member=found["card"], reply=reply, parsed=found["parsed"], late=found["late"], latency_s=found["latency_s"]
    )
