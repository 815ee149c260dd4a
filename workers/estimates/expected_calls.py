"""Every call that a job is expected to make on its path, with its prompt: sizes are expected, words are not.

It follows the stages in running order and asks the renderers that they ask, so a prompt that changes changes here too.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from dissolution.answers import MemberTask, RenderedPrompt
from dissolution.boundary import BoundaryState
from dissolution.claims import Claim, MemberName
from dissolution.conversation import Snapshot
from dissolution.errors import MemberWindowExceeded
from dissolution.policy.job_policy import Policy
from dissolution.ports.models import Member
from dissolution.room import Room
from fleet.answering import can_answer
from frame_agent.challenge.challenger import GOAL_CHARS, MOST_CONSIDERED, SHOWN
from frame_agent.register.fold import empty
from language.tokens import ApproximateTokenCounter
from probe.gate import error_share, expected_questions
from probe.need import questions_wanted
from probe.repair import MOST_TURNS
from prompts.framing import ShownPremise, render_challenge, render_premises
from prompts.held import held_state
from prompts.probing import render_evidence, render_judging, render_reading, render_writing
from prompts.reviewing import REVIEW, ShownClaim
from prompts.spans import REPAIR, render_spans
from workers.estimates import expected_sizes as sizes
from workers.members.arm_source import parts
from workers.members.boundary_room import room_about
from workers.members.context_windows import Asker, Windowed, plan
from workers.members.cycles import cycle_version_of
from workers.members.frame_members import PREMISES_ASKED
from workers.members.named_members import who_accounts
from workers.members.probe_members import JUDGED_AT_ONCE
from workers.members.reviewers import Material, chosen
from workers.probe.question_writer import CHECKED_AT_ONCE, LEAST_ASKED, TOKENS_EACH

STAGE_OF_REPAIRS = "repair"


class ExpectedCall(NamedTuple):
    """One call that is expected."""

    stage: str
    member: Member
    task: MemberTask
    reply_chars: float  # characters that its reply is expected to have


class Path:
    """The expected calls of one job.

    Args:
        members: The fleet, as much of it as is asked for money.
        snapshot: What would be dissolved.
        policy: The job's.
        key: The installation's key, at least 16 bytes; prompts are made with it.
        prior: The boundary that stands, of which a cycle would be made; None in a first dissolution.
    """

    def __init__(
        self,
        members: Sequence[Member],
        snapshot: Snapshot,
        policy: Policy,
        key: bytes,
        prior: BoundaryState | None = None,
    ) -> None:
        self._members = tuple(members)
        self._accounting = who_accounts(policy, self._members)
        self._snapshot = snapshot
        self._policy = policy
        self._key = key
        self._words = sizes.Words(snapshot)
        counter = ApproximateTokenCounter()
        fresh = prior is None or not prior.claims or prior.unread or prior.through >= snapshot.through
        self._prior = None if fresh else prior
        since = 0 if self._prior is None else self._prior.through
        self._room: Room = room_about(policy, snapshot, counter, since=since)
        cycle = None
        if self._prior is not None:
            cycle = held_state(self._prior, policy.rolling.state_tokens, counter, snapshot.turns[since:])
        self._asker = Asker(
            version=policy.prompt_version,
            key=key,
            deadline_s=policy.quorum.hard_deadline_s,
            room=self._room,
            cycle=cycle,
            cycle_version=cycle_version_of(policy),
        )
        self.too_small: list[MemberName] = []
        """Members that the fan-out leaves out; known once it has been told."""

    @property
    def _held(self) -> int:
        return 0 if self._prior is None else len(self._prior.claims)

    def calls(self) -> Iterator[ExpectedCall]:
        """The calls of the whole path without a repair, stage after stage in running order."""
        yield from self._fan_out()
        yield from self._register()
        yield from self._bank("question_bank")
        yield from self._history("history_arm")
        yield from self._audit()
        yield from self._candidate("candidate_arm")

    def repair(self) -> Iterator[ExpectedCall]:
        """The calls of one repair, at most: asked again, a further bank, probed again."""
        yield from self._asked_again()
        yield from self._bank(STAGE_OF_REPAIRS)
        yield from self._history(STAGE_OF_REPAIRS)
        yield from self._candidate(STAGE_OF_REPAIRS)

    def _call(self, stage: str, member: Member, prompt: RenderedPrompt, chars: float) -> ExpectedCall:
        task = MemberTask(snapshot=self._snapshot, prompt=prompt, deadline_s=self._asker.deadline_s)
        return ExpectedCall(stage, member, task, chars)

    def _named(self, name: MemberName | None) -> Member | None:
        return next((one for one in self._members if one.card.name == name), None)

    def _fan_out(self) -> Iterator[ExpectedCall]:
        """Every member in its windows; each but the first carries an account as long as it is expected to be."""
        chars = sizes.answer_chars(self._room, self._held)
        for member in self._accounting:
            try:
                windows = plan(member, self._snapshot, self._asker)
            except MemberWindowExceeded:
                self.too_small.append(member.card.name)
                continue
            for place, window in enumerate(windows):
                carried = self._words.of(chars) if place else None
                task = self._asker.task(self._snapshot, window, carried)
                yield ExpectedCall("fan_out", member, task, chars)

    def _register(self) -> Iterator[ExpectedCall]:
        frame = self._policy.frame
        after = 0 if self._prior is None else self._prior.through
        for name in frame.extractor[: frame.extractor_calls]:
            if (member := self._named(name)) is not None:
                prompt = render_premises(self._snapshot, after=after, count=PREMISES_ASKED, key=self._key)
                yield self._call("register", member, prompt, PREMISES_ASKED * sizes.PREMISE_READ_CHARS)

    def _bank(self, stage: str) -> Iterator[ExpectedCall]:
        """Written, then checked: without any text, and from the evidence alone, each judged."""
        probe = self._policy.probe
        writer, reader = self._named(probe.writer), self._named(probe.reader)
        if not probe.on or writer is None or reader is None:
            return
        asked = self._asked_for(writer)
        prompt = render_writing(self._snapshot, count=asked, key=self._key)
        yield self._call(stage, writer, prompt, asked * sizes.WRITTEN_CHARS)
        shaped = sizes.questions_of(self._words, round(asked * sizes.SHAPED_SHARE))
        yield from self._without_text(stage, reader, shaped)
        resting = list(shaped.items())[: round(asked * sizes.CHECKED_SHARE)]
        turns = sizes.evidence_turns(self._snapshot, len(resting)) if resting else ()
        shown = [(name, text, each) for (name, text), each in zip(resting, turns, strict=True)]
        while shown:
            batch = shown[: self._evidence_held(reader, shown[: CHECKED_AT_ONCE[probe.evidence_version]])]
            prompt = render_evidence(self._snapshot, batch, key=self._key, version=probe.evidence_version)
            yield self._call(stage, reader, prompt, len(batch) * sizes.CHECKED_CHARS)
            shown = shown[len(batch) :]
        yield from self._judging(stage, resting)

    def _without_text(self, stage: str, reader: Member, asked: dict[str, str]) -> Iterator[ExpectedCall]:
        if asked:
            yield self._call(stage, reader, render_reading((), asked, key=self._key), len(asked) * sizes.BLANK_CHARS)

    def _asked_for(self, writer: Member) -> int:
        """Questions that the writer is asked for: as many as the gate wants, or as its longest reply holds."""
        wanted = questions_wanted(self._policy.probe, self._snapshot)
        most = writer.max_output_tokens if isinstance(writer, Windowed) else wanted * TOKENS_EACH
        return min(wanted, max(LEAST_ASKED, most // TOKENS_EACH))

    def _evidence_held(self, reader: Member, shown: Sequence[tuple[str, str, Sequence[int]]]) -> int:
        """How many of them one prompt of the reader holds, by halving: 1 at least."""
        version = self._policy.probe.evidence_version
        held = len(shown)
        while held > 1 and isinstance(reader, Windowed):
            if reader.fits(render_evidence(self._snapshot, shown[:held], key=self._key, version=version)):
                break
            held //= 2
        return held

    def _questions(self) -> int:
        """Questions of the bank when it is sealed."""
        probe = self._policy.probe
        if probe.writer is None:  # masked statements, of which a turn has about two
            return min(questions_wanted(self._policy.probe, self._snapshot), 2 * self._snapshot.through)
        writer = self._named(probe.writer)
        return 0 if writer is None else round(self._asked_for(writer) * sizes.KEPT_QUESTIONS)

    def _history(self, stage: str) -> Iterator[ExpectedCall]:
        """The history answers every question; of masked ones the reader is asked without any text, too."""
        reader = self._named(self._policy.probe.reader)
        if not self._policy.probe.on or reader is None:
            return
        asked = list(sizes.questions_of(self._words, self._questions()).items())
        for part in parts(asked) if asked else ():
            prompt = render_reading(self._snapshot, dict(part), key=self._key)
            yield self._call(stage, reader, prompt, len(part) * sizes.READ_CHARS)
        yield from self._judging(stage, asked)
        if self._policy.probe.writer is None:
            yield from self._without_text(stage, reader, dict(asked))

    def _audit(self) -> Iterator[ExpectedCall]:
        """Each reviewer about as many claims at once as its window holds; then the challenger."""
        frame = self._policy.frame
        material = self._material()
        left = frame.review_calls
        reviewers = [self._named(name) for name in chosen(frame, self._members)] if frame.audit else []
        able = [one for one in reviewers if one is not None and can_answer(one, REVIEW)]
        for member in able:
            start, count = 0, len(material.claims)
            while start < count and left > 0:
                end = self._held_at_once(member, material, start)
                if end == start:
                    break
                new = max(0, end - max(start, self._held))
                chars = new * sizes.REVIEWED_CHARS[0] + (end - start - new) * sizes.REVIEWED_CHARS[1]
                yield self._call("frame_audit", member, material.prompt(start, end, self._key), chars)
                start, left = end, left - 1
        yield from self._challenges()

    def _material(self) -> Material:
        """What reviewers are shown besides the conversation."""
        count = sizes.shown_claims(self._policy.size, self._room, len(self._accounting), self._held)
        new = sizes.claims_of(self._snapshot, self._words, max(0, count - self._held), sizes.CLAIM_CHARS)
        held: tuple[Claim, ...] = () if self._prior is None else self._prior.claims
        turns = self._snapshot.turns
        hints = tuple(
            sizes.hint_about(turns[place % len(turns)], one) for place, one in enumerate(new[: sizes.hints_of(count)])
        )
        version = self._policy.frame.review_version
        return Material(self._snapshot, (*held, *new), empty(self._snapshot.conversation), hints, version)

    def _held_at_once(self, member: Member, material: Material, start: int) -> int:
        """Up to which claim its window holds, by halving; `start` where it holds none."""
        end = len(material.claims)
        while end > start and isinstance(member, Windowed):
            if member.fits(material.prompt(start, end, self._key)):
                break
            end = start + (end - start) // 2
        return end

    def _challenges(self) -> Iterator[ExpectedCall]:
        frame = self._policy.frame
        challenger = self._named(frame.challenger)
        if challenger is None:
            return
        count = max(1, frame.challenges_shown)
        for _ in range(frame.challenger_calls):
            premises = [
                ShownPremise(proposition=one, standing="asserted at turn 12, accepted by silence")
                for one in self._words.each(SHOWN, 2 * sizes.PREMISE_CHARS)
            ]
            considered = self._words.each(MOST_CONSIDERED // 2, 2 * sizes.PREMISE_CHARS)
            goal = self._words.of(GOAL_CHARS / 2)
            prompt = render_challenge(goal, premises, considered, count=count, key=self._key)
            yield self._call("frame_audit", challenger, prompt, count * sizes.CHALLENGE_CHARS)

    def _candidate(self, stage: str) -> Iterator[ExpectedCall]:
        """The held-out questions put to the candidate, batch by batch, as many as a good one needs on average."""
        probe = self._policy.probe
        reader = self._named(probe.reader)
        if not probe.on or reader is None:
            return
        kept = sizes.kept_claims(self._policy.size, self._room, self._held)
        held = [] if self._prior is None else [one.text for one in self._prior.claims]
        passages = [*held, *self._words.each(max(0, kept - len(held)), sizes.CLAIM_CHARS + 10)]
        share = error_share(0, probe.gate.repair_rounds if probe.enforced else 0)
        needed = expected_questions(probe.gate, masked=probe.writer is None, share=share)
        batches = -(-needed // probe.batch)
        held_out = min(round(0.75 * self._questions()), batches * probe.batch)
        asked = list(sizes.questions_of(self._words, held_out).items())
        for start in range(0, len(asked), probe.batch):
            batch = asked[start : start + probe.batch]
            prompt = render_reading(passages, dict(batch), key=self._key)
            yield self._call(stage, reader, prompt, len(batch) * sizes.READ_CHARS)
            yield from self._judging(stage, batch)

    def _judging(self, stage: str, asked: Sequence[tuple[str, str]]) -> Iterator[ExpectedCall]:
        judge = self._named(self._policy.probe.judge)
        if judge is None:
            return
        items = sizes.judged_items(self._words, asked)
        for start in range(0, len(items), JUDGED_AT_ONCE):
            part = items[start : start + JUDGED_AT_ONCE]
            yield self._call(stage, judge, render_judging(part, key=self._key), len(part) * sizes.JUDGED_CHARS)

    def _asked_again(self) -> Iterator[ExpectedCall]:
        """Every member about as many turns as a repair may ask about."""
        turns = [1 + place * self._snapshot.through // MOST_TURNS for place in range(MOST_TURNS)]
        material = self._material()
        shown = [
            ShownClaim(number=place, section=one.section, text=one.text)
            for place, one in enumerate(material.claims, start=1)
        ]
        for member in self._accounting:
            if can_answer(member, REPAIR):
                prompt = render_spans(self._snapshot, sorted(set(turns)), shown, key=self._key)
                yield self._call(STAGE_OF_REPAIRS, member, prompt, len(turns) * sizes.MISSED_CHARS)


def expected_boundary(snapshot: Snapshot, policy: Policy, through: int) -> BoundaryState:
    """The boundary that a first dissolution through this turn (below the snapshot's last) is expected to leave."""
    part = Snapshot(conversation=snapshot.conversation, turns=snapshot.turns[:through])
    room = room_about(policy, part, ApproximateTokenCounter())
    return sizes.held_boundary(part, sizes.Words(part), policy.size, room, through)
