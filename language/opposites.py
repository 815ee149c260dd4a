"""Words that cannot both be true of one thing: antonyms, scales with exclusive steps, and prefixes that deny."""

from functools import lru_cache

from language.words import stem

# Each line has sides parted by "|". Words of different sides exclude each other; words of one side do not.
_STATES = """
    allowed permitted allow permit|forbidden prohibited banned disallowed forbid prohibit ban
    done finished completed complete|pending outstanding unfinished incomplete planned
    open|closed shut settled
    public|private secret confidential
    enabled on active|disabled off inactive
    up online|down offline
    running|stopped idle paused
    mandatory required compulsory obligatory|optional voluntary
    supported proven confirmed|suggestive tentative inconclusive|refuted unsupported disproved
    safe|unsafe dangerous risky
    free|paid charged
    full|empty
    whole entire complete|partial part half
    permanent|temporary provisional
    fixed constant|variable changing varying
    automatic automated|manual
    internal|external
    local|remote
    synchronous|asynchronous
    encrypted|plaintext unencrypted cleartext
    signed|unsigned
    stateful|stateless
    mutable|immutable
    present|absent missing
    same identical equal|different distinct
    true|false
    correct right|wrong incorrect mistaken
    healthy|broken faulty failing
    accepted approved|rejected declined refused
    won|lost
    alive|dead
    early|late
    married|single
"""
_DEGREES = """
    comfortable ample generous plenty spacious|tight scarce cramped scant
    high|low
    large big|small little tiny
    long|short brief
    fast quick rapid|slow
    cheap inexpensive|expensive costly dear
    strong|weak
    easy simple|hard difficult
    heavy|light
    hot warm|cold cool
    wide broad|narrow
    deep|shallow
    thick|thin
    rich|poor
    better best|worse worst
    more|less fewer
    most|least fewest
    maximum|minimum
    above over|below under
    major|minor
    serious severe fatal|harmless cosmetic trivial
    rare|common frequent
    new|old
    strict|lenient lax loose
    quiet silent|loud noisy
    clear|murky vague
"""
_MOVES = """
    rise rose increase grow grew climb|fall fell drop decrease decline shrink sink sank
    start begin began launch|stop end cease halt
    add|remove delete drop
    accept|reject decline refuse
    buy bought|sell sold
    import|export
    push|pull
    open|close
    include|exclude omit
    keep retain|discard drop abandon
    gain win|lose
    arrive|leave depart
    succeed pass|fail
    lock|unlock
    show|hide
    speed accelerate|slow delay
    upgrade|downgrade
    widen|narrow
    tighten|loosen relax
    stand uphold upheld|withdraw withdrawn retract rescind reverse overturn revert
    support favour favor back|oppose
    agree|disagree
    merge|split
    lend|borrow
    raise|lower
"""
_PLACES = """
    before|after
    first|last
    north|south
    east|west
    inside|outside
    top|bottom
    front|back
    left|right
    upstream|downstream
    morning|evening night
    day|night
    past|future
    always|never
    everyone everybody|nobody
    earlier|later
    weekday|weekend
    monthly|yearly annual weekly daily
"""
LINES = tuple(
    tuple(tuple(side.split()) for side in line.split("|"))
    for group in (_STATES, _DEGREES, _MOVES, _PLACES)
    for line in group.strip().splitlines()
)
DENYING = ("un", "in", "im", "ir", "il", "dis", "non-", "non", "no", "de")
"""Prefixes that turn a word into its opposite."""

SHORTEST_BASE = 5  # letters; "in" + "side" denies nothing


@lru_cache(maxsize=1)
def _rivals() -> dict[str, frozenset[str]]:
    """For each stem, the stems that exclude it."""
    found: dict[str, set[str]] = {}
    for sides in LINES:
        stems = [frozenset(map(stem, side)) for side in sides]
        for side in stems:
            others = frozenset[str]().union(*(other for other in stems if other is not side))
            for word in side:
                found.setdefault(word, set()).update(others - side)
    return {word: frozenset(others) for word, others in found.items()}


@lru_cache(maxsize=8192)
def opposites_of(stemmed: str) -> frozenset[str]:
    """The stems that exclude this one: listed as opposites, or the same with or without a prefix that denies."""
    bare = (stemmed.removeprefix(prefix) for prefix in DENYING if stemmed.startswith(prefix))
    without = {word for word in bare if len(word) >= SHORTEST_BASE}
    denied = {prefix + stemmed for prefix in DENYING} if len(stemmed) >= SHORTEST_BASE else set[str]()
    return _rivals().get(stemmed, frozenset()) | without | denied


def opposed(one: str, two: str) -> bool:
    """Whether two stems exclude each other."""
    return two in opposites_of(one)
