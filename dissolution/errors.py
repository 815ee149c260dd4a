"""Every error the project raises on purpose, and who can act on it.

DissolutionError
├── InputError                     the caller: change what was given
│   ├── InvalidConversation        a conversation that cannot be read
│   ├── ChangedPast                a stored turn differs from the one given now
│   ├── UnknownTurn                a turn number outside the conversation
│   ├── NaiveInstant               a date and time without a time zone
│   ├── BehindBoundary             a snapshot that ends before the standing boundary's
│   ├── SnapshotTooLarge           a snapshot larger than one job may be
│   ├── NotFound                   an id that names nothing
│   ├── InvalidPolicy              a policy file or value
│   ├── InvalidSettings            a setting from file, environment or flag
│   ├── InvalidRoster              a fleet file or folder
│   ├── InvalidPrompt              a prompt file, slot or digest
│   ├── NoCalibration              an embedder without calibrated thresholds
│   ├── BudgetTooSmall             a token budget that cannot hold what must not be left out
│   └── HistoryInForce             a boundary that is not committed and so replaces nothing
├── MemberError                    one member: becomes a MemberFailure value, sinks nothing else
│   ├── MemberAuthError            the operator: the key is wrong
│   ├── MemberBillingError         the operator: the account is empty
│   ├── MemberRateLimited          nobody: wait
│   ├── MemberTimeout              nobody: the deadline is policy
│   ├── MemberUnavailable          nobody: the provider is down
│   ├── MemberRefused              nobody: the model declined
│   ├── MemberContentFiltered      nobody: the provider withheld the reply
│   ├── MemberRequestRejected      the developer: the provider calls the request malformed
│   ├── MemberWindowExceeded       the operator: the snapshot is longer than the member's window
│   ├── MemberOverBudget           the operator: the job's cap leaves no room for the call
│   └── MemberReplyUnusable        nobody: the reply has no text to read
├── JobError                       the operator: look at the job
│   ├── QuorumNotMet               too few families answered
│   ├── BudgetExceeded             the estimate or the spending is over the cap
│   │   └── DayBudgetExceeded      its tenant, or all together, may use no more today
│   ├── TenantBusy                 its tenant has as many jobs at work as it may have
│   ├── IllegalMove                a job or step status that cannot follow
│   ├── StepHeld                   another process works on the step
│   ├── LeaseLost                  another worker holds the step now
│   ├── StepOverLimit              a step needs more memory or time than it may have
│   ├── StepProcessEnded           the process of a step ended before the step did
│   ├── AlreadyCommitted           the job has its one boundary
│   ├── VersionConflict            another boundary was committed first
│   ├── EvaluationConflict         another process evaluated the conversation first
│   ├── SnapshotMismatch           a job or boundary is about other turns than those stored
│   ├── EvidenceMismatch           a quote does not stand verbatim in the stored turn
│   └── TemporalError              a commit would lose or demote a claim that nothing closes
├── StoreError                     the operator: the database
│   ├── StoreUnavailable           it cannot be opened
│   └── SchemaMismatch             it holds another schema revision
├── ModelAssetError                the operator: model weights are missing or not the published ones
└── ProgramFailed                  the operator: one of the programs of `dissolve up` ends again and again
"""


class DissolutionError(Exception):
    """Base of all errors raised on purpose; arguments are positional and kept in `args`, so errors survive wires."""

    code = "error"


class InputError(DissolutionError):
    """The caller gave something that cannot be used; nothing was stored."""

    code = "invalid_input"

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what, remedy)
        self.what = what
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.what}: {self.remedy}"


class InvalidConversation(InputError):
    """The conversation cannot be read."""

    code = "invalid_conversation"


class ChangedPast(InputError):
    """A turn that is already stored differs from the one given now."""

    code = "changed_past"

    def __init__(self, conversation: str, turn: int) -> None:
        DissolutionError.__init__(self, conversation, turn)
        self.conversation = conversation
        self.turn = turn
        self.what = f"conversation {conversation!r} is already stored and its turn {turn} differs from the one given"
        self.remedy = "a stored past is never rewritten; give the grown file, or another id with --conversation"


class UnknownTurn(InputError):
    """A turn number outside the conversation."""

    code = "unknown_turn"

    def __init__(self, turn: int, turns: int) -> None:
        DissolutionError.__init__(self, turn, turns)
        self.turn = turn
        self.turns = turns
        self.what = f"turn {turn} does not exist"
        self.remedy = f"choose a turn from 1 to {turns}"


class NaiveInstant(InputError):
    """A date and time without a time zone; which instant it is would be a guess."""

    code = "naive_instant"

    def __init__(self, name: str, instant: str) -> None:
        DissolutionError.__init__(self, name, instant)
        self.name = name
        self.instant = instant
        self.what = f"{name} {instant!r} has no time zone"
        self.remedy = "say which one, for example 2026-03-01T09:00:00+01:00 or …Z"


class BehindBoundary(InputError):
    """The snapshot ends before the one of the standing boundary: committing it would move understanding back."""

    code = "behind_boundary"

    def __init__(self, conversation: str, through: int, standing: int) -> None:
        DissolutionError.__init__(self, conversation, through, standing)
        self.conversation = conversation
        self.through = through
        self.standing = standing
        self.what = (
            f"a boundary of {conversation!r} through turn {standing} stands; through turn {through} would move it back"
        )
        self.remedy = f"choose a turn from {standing} on, or use another database to look at an earlier state"


class SnapshotTooLarge(InputError):
    """The conversation up to the turn that was asked for is larger than one job may be; nothing of it was begun."""

    code = "snapshot_too_large"

    def __init__(self, conversation: str, through: int, figure: str, limit: int, setting: str) -> None:
        DissolutionError.__init__(self, conversation, through, figure, limit, setting)
        self.conversation = conversation
        self.through = through
        self.figure = figure
        self.limit = limit
        self.setting = setting
        self.what = f"conversation {conversation!r} through turn {through}: {figure}; one job may have {limit:,}"
        self.remedy = (
            "dissolve up to an earlier turn (through), or go on in a new conversation; whoever runs the service may "
            f"raise the setting {setting!r}"
        )


class NotFound(InputError):
    """An id that names nothing in the store."""

    code = "not_found"

    def __init__(self, kind: str, identifier: str) -> None:
        DissolutionError.__init__(self, kind, identifier)
        self.kind = kind
        self.identifier = identifier
        self.what = f"no {kind} {identifier!r}"
        self.remedy = "check the id and the database (--db)"


class InvalidPolicy(InputError):
    """A policy that cannot be used."""

    code = "invalid_policy"


class InvalidSettings(InputError):
    """A setting that cannot be used."""

    code = "invalid_settings"


class InvalidRoster(InputError):
    """A fleet that cannot be used."""

    code = "invalid_roster"


class InvalidPrompt(InputError):
    """A prompt that cannot be rendered, or whose released text changed."""

    code = "invalid_prompt"


class NoCalibration(InputError):
    """An embedder whose distances nobody calibrated the thresholds for."""

    code = "no_calibration"

    def __init__(self, model: str, calibrated: str) -> None:
        DissolutionError.__init__(self, model, calibrated)
        self.model = model
        self.calibrated = calibrated
        self.what = f"no thresholds are calibrated for embedding model {model!r}"
        self.remedy = f"use a calibrated one ({calibrated}) or add a calibration for it"


class BudgetTooSmall(InputError):
    """A token budget that cannot hold what must not be left out of a context."""

    code = "budget_too_small"

    def __init__(self, kept: str, needed_tokens: int, budget_tokens: int) -> None:
        DissolutionError.__init__(self, kept, needed_tokens, budget_tokens)
        self.kept = kept
        self.needed_tokens = needed_tokens
        self.budget_tokens = budget_tokens
        self.what = f"a budget of {budget_tokens} tokens is too small: {kept} alone take {needed_tokens}"
        self.remedy = f"raise render.budget_tokens to {needed_tokens} or more; what is decided is never left out"


class HistoryInForce(InputError):
    """A boundary that is not committed was to stand in for the history (rule 1)."""

    code = "history_in_force"

    def __init__(self, job: str, verdict: str) -> None:
        DissolutionError.__init__(self, job, verdict)
        self.job = job
        self.verdict = verdict
        self.what = f"the boundary of job {job!r} is not committed (verdict {str(verdict)!r}) and replaces nothing"
        self.remedy = "send the conversation itself; it stays in force"


class MemberError(DissolutionError):
    """One member failed. `detail` is scrubbed of secrets by whoever raises it."""

    code = "internal"

    def __init__(self, member: str, detail: str, retry_after_s: float | None = None) -> None:
        super().__init__(member, detail, retry_after_s)
        self.member = member
        self.detail = detail
        self.retry_after_s = retry_after_s

    def __str__(self) -> str:
        wait = "" if self.retry_after_s is None else f" (asks to wait {self.retry_after_s:g} s)"
        return f"member {self.member!r}: {self.code.replace('_', ' ')}: {self.detail}{wait}"


class MemberAuthError(MemberError):
    """The provider does not accept the key."""

    code = "auth"


class MemberBillingError(MemberError):
    """The account has no credit or no right to the model."""

    code = "billing"


class MemberRateLimited(MemberError):
    """The provider asks to come back later."""

    code = "rate_limit"


class MemberTimeout(MemberError):
    """No whole reply within the deadline."""

    code = "timeout"


class MemberUnavailable(MemberError):
    """The provider is down, overloaded, or cut the connection."""

    code = "unavailable"


class MemberRefused(MemberError):
    """The model declined to answer."""

    code = "refusal"


class MemberContentFiltered(MemberError):
    """The provider withheld the reply."""

    code = "content_filter"


class MemberRequestRejected(MemberError):
    """The provider calls the request malformed or a parameter unsupported."""

    code = "bad_request"


class MemberWindowExceeded(MemberError):
    """The prompt is longer than the member's context window."""

    code = "context_window"


class MemberOverBudget(MemberError):
    """The job's cap leaves no room for the call; nothing was sent."""

    code = "budget"


class MemberReplyUnusable(MemberError):
    """The reply has no text that could be read."""

    code = "unparsable"


class JobError(DissolutionError):
    """A job cannot go on as asked."""

    code = "job_error"


class QuorumNotMet(JobError):
    """Fewer members or families answered than the policy asks for."""

    code = "quorum_not_met"

    def __init__(self, members: int, families: int, min_members: int, min_families: int) -> None:
        super().__init__(members, families, min_members, min_families)
        self.members = members
        self.families = families
        self.min_members = min_members
        self.min_families = min_families

    def __str__(self) -> str:
        return (
            f"quorum not met: {self.members} usable answers from {self.families} families, "
            f"the policy asks for {self.min_members} from {self.min_families}; "
            "the history stays in force; see the receipt for who failed and why"
        )


class BudgetExceeded(JobError):
    """The job would cost, or has cost, more than its cap."""

    code = "budget_exceeded"

    def __init__(self, measure: str, amount: str, cap: str) -> None:
        super().__init__(measure, amount, cap)
        self.measure = measure
        self.amount = amount
        self.cap = cap

    def __str__(self) -> str:
        over = f"budget: {self.measure} {self.amount} is over the cap of {self.cap}"
        return f"{over}; raise the cap in the policy or ask fewer"


class DayBudgetExceeded(BudgetExceeded):
    """What is used and reserved on one day leaves no room; `tenant` is empty when it is that of all together."""

    code = "day_budget_exceeded"

    def __init__(self, tenant: str, day: str, amount: str, cap: str) -> None:
        JobError.__init__(self, tenant, day, amount, cap)
        self.tenant = tenant
        self.day = day
        self.measure = "cost in USD"
        self.amount = amount
        self.cap = cap

    def __str__(self) -> str:
        whose, setting = (f"tenant {self.tenant!r}", "TENANT_DAY_USD") if self.tenant else ("all tenants", "DAY_USD")
        return (
            f"budget: with this job, {whose} would use and have reserved {self.amount} USD on {self.day} (UTC), over "
            f"the cap of {self.cap}; try again when jobs have ended or the next day, or raise DISSOLVE_{setting}"
        )


class TenantBusy(JobError):
    """A job has to wait because its tenant has as many at work as it may have."""

    code = "tenant_busy"

    def __init__(self, tenant: str, limit: int) -> None:
        super().__init__(tenant, limit)
        self.tenant = tenant
        self.limit = limit

    def __str__(self) -> str:
        return (
            f"tenant {self.tenant!r} has {self.limit} jobs at work, as many as it may have; the job waits for one of "
            "them to end, or raise DISSOLVE_TENANT_JOBS"
        )


class IllegalMove(JobError):
    """A status that cannot follow the present one."""

    code = "illegal_move"

    def __init__(self, kind: str, identifier: str, present: str, wanted: str) -> None:
        super().__init__(kind, identifier, present, wanted)
        self.kind = kind
        self.identifier = identifier
        self.present = present
        self.wanted = wanted

    def __str__(self) -> str:
        present, wanted = str(self.present), str(self.wanted)  # statuses are enum members; their values are shown
        return f"{self.kind} {self.identifier!r} is {present!r} and cannot become {wanted!r}"


class StepHeld(JobError):
    """Another process holds the step; it becomes free when that process ends or its lease runs out."""

    code = "step_held"

    def __init__(self, job: str, stage: str, owner: str, until: str) -> None:
        super().__init__(job, stage, owner, until)
        self.job = job
        self.stage = stage
        self.owner = owner
        self.until = until

    def __str__(self) -> str:
        held = f"step {self.stage!r} of job {self.job!r} is held by {self.owner!r} until {self.until}"
        return f"{held}; if that process is gone, resume the job after then"


class LeaseLost(JobError):
    """The step was claimed by somebody else in the meantime; this worker's result is dropped."""

    code = "lease_lost"

    def __init__(self, job: str, stage: str, epoch: int) -> None:
        super().__init__(job, stage, epoch)
        self.job = job
        self.stage = stage
        self.epoch = epoch

    def __str__(self) -> str:
        lost = f"step {self.stage!r} of job {self.job!r}: the lease of epoch {self.epoch} is no longer held"
        return f"{lost}; its result is dropped"


class StepOverLimit(JobError):
    """A step needs more memory or time than it may have; trying it again would end the same way."""

    code = "step_over_limit"

    def __init__(self, stage: str, limit: str, setting: str) -> None:
        super().__init__(stage, limit, setting)
        self.stage = stage
        self.limit = limit
        self.setting = setting

    def __str__(self) -> str:
        return f"step {self.stage!r} needs more than {self.limit}; dissolve fewer turns, or raise {self.setting}"


class StepProcessEnded(JobError):
    """The process that a step had for itself ended before the step did; it is tried again."""

    code = "step_process_ended"

    def __init__(self, stage: str, code: int) -> None:
        super().__init__(stage, code)
        self.stage = stage
        self.exit_code = code

    def __str__(self) -> str:
        how = f"signal {-self.exit_code}" if self.exit_code < 0 else f"code {self.exit_code}"
        return f"the process of step {self.stage!r} ended with {how}; look at the worker's log, and at the memory"


class AlreadyCommitted(JobError):
    """The job already has its boundary."""

    code = "already_committed"

    def __init__(self, job: str) -> None:
        super().__init__(job)
        self.job = job

    def __str__(self) -> str:
        return f"job {self.job!r} has committed its boundary; a job commits at most once"


class VersionConflict(JobError):
    """Another boundary of the conversation was committed since this one was prepared."""

    code = "version_conflict"

    def __init__(self, conversation: str, expected: int, present: int) -> None:
        super().__init__(conversation, expected, present)
        self.conversation = conversation
        self.expected = expected
        self.present = present

    def __str__(self) -> str:
        return (
            f"conversation {self.conversation!r} is at boundary version {self.present}, not {self.expected}; "
            "another job committed first: run it again on the present state"
        )


class EvaluationConflict(JobError):
    """Another process evaluated the conversation since its triggers' state was read; nothing was stored."""

    code = "evaluation_conflict"

    def __init__(self, conversation: str, expected: int, present: int) -> None:
        super().__init__(conversation, expected, present)
        self.conversation = conversation
        self.expected = expected
        self.present = present

    def __str__(self) -> str:
        return (
            f"triggers of conversation {self.conversation!r} are at revision {self.present}, not {self.expected}; "
            "another process evaluated it first: read the state again and go on from there"
        )


class SnapshotMismatch(JobError):
    """A job or boundary names a snapshot that is not what is stored; nothing was stored."""

    code = "snapshot_mismatch"

    def __init__(self, job: str, conversation: str, through: int) -> None:
        super().__init__(job, conversation, through)
        self.job = job
        self.conversation = conversation
        self.through = through

    def __str__(self) -> str:
        return (
            f"job {self.job!r} is about other turns than conversation {self.conversation!r} has stored "
            f"up to turn {self.through}; start a new job on the stored conversation"
        )


class EvidenceMismatch(JobError):
    """A quote does not stand verbatim in the stored turn it names (rule 3); nothing was committed."""

    code = "evidence_mismatch"

    def __init__(self, claim: str, turn: int, start: int, end: int) -> None:
        super().__init__(claim, turn, start, end)
        self.claim = claim
        self.turn = turn
        self.start = start
        self.end = end

    def __str__(self) -> str:
        place = f"turn {self.turn}, [{self.start}, {self.end})"
        return (
            f"claim {self.claim!r} quotes {place}, which is not what stands there within the snapshot; "
            "nothing was committed: what has no verbatim evidence is dissent"
        )


class TemporalError(JobError):
    """A commit would lose a claim that nothing closes, or demote a commitment (rule 5); nothing was committed."""

    code = "temporal_error"

    def __init__(self, claim: str, detail: str) -> None:
        super().__init__(claim, detail)
        self.claim = claim
        self.detail = detail

    def __str__(self) -> str:
        return f"claim {self.claim!r} {self.detail}; nothing was committed: carry it, or close it on evidence"


class StoreError(DissolutionError):
    """The database cannot be used."""

    code = "store_error"

    def __init__(self, url: str, detail: str) -> None:
        super().__init__(url, detail)
        self.url = url
        self.detail = detail

    def __str__(self) -> str:
        return f"database {self.url}: {self.detail}"


class StoreUnavailable(StoreError):
    """The database cannot be opened or does not answer."""

    code = "store_unavailable"


class SchemaMismatch(StoreError):
    """The database holds another schema revision than this version of the project."""

    code = "schema_mismatch"


class ModelAssetError(DissolutionError):
    """Model weights are missing or differ from the published ones."""

    code = "model_asset"

    def __init__(self, model: str, detail: str) -> None:
        super().__init__(model, detail)
        self.model = model
        self.detail = detail

    def __str__(self) -> str:
        return f"model {self.model!r}: {self.detail}"


class ProgramFailed(DissolutionError):
    """A program that is to run for long ends again and again at its start."""

    code = "program_failed"

    def __init__(self, name: str, exit_code: int, times: int, log: str) -> None:
        super().__init__(name, exit_code, times, log)
        self.name = name
        self.exit_code = exit_code
        self.times = times
        self.log = log

    def __str__(self) -> str:
        ended = f"program {self.name!r} ended {self.times} times at its start, at last with code {self.exit_code}"
        return f"{ended}; everything is stopped, and why stands at the end of {self.log!r}"
