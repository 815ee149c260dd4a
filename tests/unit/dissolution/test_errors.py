from dissolution import errors as e

MESSAGES = [
    (e.InputError("no file 'x'", "name one"), "no file 'x': name one"),
    (
        e.ChangedPast("conv", 3),
        (
            "conversation 'conv' is already stored and its turn 3 differs from the one given: "
            "a stored past is never rewritten; give the grown file, or another id with --conversation"
        ),
    ),
    (
        e.BehindBoundary("talk", 12, 59),
        (
            "a boundary of 'talk' through turn 59 stands; through turn 12 would move it back: "
            "choose a turn from 59 on, or use another database to look at an earlier state"
        ),
    ),
    (
        e.SnapshotTooLarge("talk", 25000, "25,000 turns", 20000, "max_job_turns"),
        (
            "conversation 'talk' through turn 25000: 25,000 turns; one job may have 20,000: dissolve up to an earlier "
            "turn (through), or go on in a new conversation; whoever runs the service may raise the setting "
            "'max_job_turns'"
        ),
    ),
    (e.MemberOverBudget("a", "no room"), "member 'a': budget: no room"),
    (e.UnknownTurn(9, 4), "turn 9 does not exist: choose a turn from 1 to 4"),
    (
        e.NaiveInstant("start", "2026-03-01T09:00:00"),
        ("start '2026-03-01T09:00:00' has no time zone: say which one, for example 2026-03-01T09:00:00+01:00 or …Z"),
    ),
    (e.NotFound("job", "j9"), "no job 'j9': check the id and the database (--db)"),
    (
        e.NoCalibration("bge", "all-MiniLM-L6-v2, hashing"),
        (
            "no thresholds are calibrated for embedding model 'bge': "
            "use a calibrated one (all-MiniLM-L6-v2, hashing) or add a calibration for it"
        ),
    ),
    (
        e.BudgetTooSmall("DECIDED and IDENTITY", 900, 300),
        (
            "a budget of 300 tokens is too small: DECIDED and IDENTITY alone take 900: "
            "raise render.budget_tokens to 900 or more; what is decided is never left out"
        ),
    ),
    (
        e.HistoryInForce("j1", "keep_history"),
        (
            "the boundary of job 'j1' is not committed (verdict 'keep_history') and replaces nothing: "
            "send the conversation itself; it stays in force"
        ),
    ),
    (e.MemberRateLimited("m1", "slow down", 2.5), "member 'm1': rate limit: slow down (asks to wait 2.5 s)"),
    (e.MemberAuthError("m1", "401"), "member 'm1': auth: 401"),
    (
        e.QuorumNotMet(1, 1, 2, 2),
        (
            "quorum not met: 1 usable answers from 1 families, the policy asks for 2 from 2; "
            "the history stays in force; see the receipt for who failed and why"
        ),
    ),
    (
        e.BudgetExceeded("estimated cost", "USD 7", "USD 5"),
        "budget: estimated cost USD 7 is over the cap of USD 5; raise the cap in the policy or ask fewer",
    ),
    (
        e.DayBudgetExceeded("ann", "2026-03-01", "7.5", "5"),
        (
            "budget: with this job, tenant 'ann' would use and have reserved 7.5 USD on 2026-03-01 (UTC), over the cap "
            "of 5; try again when jobs have ended or the next day, or raise DISSOLVE_TENANT_DAY_USD"
        ),
    ),
    (
        e.DayBudgetExceeded("", "2026-03-01", "7.5", "5"),
        (
            "budget: with this job, all tenants would use and have reserved 7.5 USD on 2026-03-01 (UTC), over the cap "
            "of 5; try again when jobs have ended or the next day, or raise DISSOLVE_DAY_USD"
        ),
    ),
    (
        e.TenantBusy("ann", 64),
        (
            "tenant 'ann' has 64 jobs at work, as many as it may have; the job waits for one of them to end, or raise "
            "DISSOLVE_TENANT_JOBS"
        ),
    ),
    (e.IllegalMove("job", "j1", "committed", "running"), "job 'j1' is 'committed' and cannot become 'running'"),
    (
        e.StepHeld("j1", "parse", "host:7", "2026-03-01T09:00:00+00:00"),
        (
            "step 'parse' of job 'j1' is held by 'host:7' until 2026-03-01T09:00:00+00:00; "
            "if that process is gone, resume the job after then"
        ),
    ),
    (
        e.EvaluationConflict("conv", 2, 3),
        (
            "triggers of conversation 'conv' are at revision 3, not 2; another process evaluated it first: "
            "read the state again and go on from there"
        ),
    ),
    (
        e.SnapshotMismatch("j1", "conv", 9),
        (
            "job 'j1' is about other turns than conversation 'conv' has stored up to turn 9; "
            "start a new job on the stored conversation"
        ),
    ),
    (
        e.EvidenceMismatch("c1", 3, 0, 5),
        (
            "claim 'c1' quotes turn 3, [0, 5), which is not what stands there within the snapshot; "
            "nothing was committed: what has no verbatim evidence is dissent"
        ),
    ),
    (
        e.LeaseLost("j1", "parse", 4),
        "step 'parse' of job 'j1': the lease of epoch 4 is no longer held; its result is dropped",
    ),
    (
        e.StepOverLimit("register", "2000 MB of memory", "DISSOLVE_MAX_MEMORY_MB"),
        "step 'register' needs more than 2000 MB of memory; dissolve fewer turns, or raise DISSOLVE_MAX_MEMORY_MB",
    ),
    (
        e.StepProcessEnded("register", -9),
        "the process of step 'register' ended with signal 9; look at the worker's log, and at the memory",
    ),
    (
        e.StepProcessEnded("register", 1),
        "the process of step 'register' ended with code 1; look at the worker's log, and at the memory",
    ),
    (e.AlreadyCommitted("j1"), "job 'j1' has committed its boundary; a job commits at most once"),
    (
        e.VersionConflict("conv", 2, 3),
        (
            "conversation 'conv' is at boundary version 3, not 2; "
            "another job committed first: run it again on the present state"
        ),
    ),
    (e.StoreUnavailable("sqlite:///x", "locked"), "database sqlite:///x: locked"),
    (e.ModelAssetError("minilm", "digest differs"), "model 'minilm': digest differs"),
    (
        e.ProgramFailed("relay", 2, 3, "/var/up/relay.log"),
        (
            "program 'relay' ended 3 times at its start, at last with code 2; everything is stopped, and why stands at "
            "the end of '/var/up/relay.log'"
        ),
    ),
    (
        e.TemporalError("c1", "of DECIDED is held, and would be lost"),
        ("claim 'c1' of DECIDED is held, and would be lost; nothing was committed: carry it, or close it on evidence"),
    ),
]


def test_message_says_what_happened_with_which_value_and_what_to_do() -> None:
    assert [str(error) for error, _ in MESSAGES] == [message for _, message in MESSAGES]


def test_every_way_of_speaking_is_covered() -> None:
    def family(error: type[e.DissolutionError]) -> set[type[e.DissolutionError]]:
        return {error}.union(*(family(child) for child in error.__subclasses__() if child.__module__ == e.__name__))

    own_words = {error for error in family(e.DissolutionError) if {"__init__", "__str__"} & set(vars(error))}
    shown = {ancestor for error, _ in MESSAGES for ancestor in type(error).__mro__}
    assert own_words <= shown
