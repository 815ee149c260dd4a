"""Everyday words that say the same thing, so that two wordings of one claim meet.

Each line is one meaning; the first word stands for all. Only words that may replace each other in most working talk
are here; what a field tells apart (error and fault, speed and latency) is not. Compared by stem, so that every form of
a word counts.
"""

from functools import lru_cache

from language.words import stem

# Money, work and time.
_WORK = """
    budget money funds funding
    cost price expense
    customer client buyer
    staff employee personnel
    deadline cutoff
    meeting call
    task job chore
    plan roadmap
    error failure fault
    bug defect
    rule guideline
    limit ceiling cap
    answer reply response
    question query
    document paper
    picture image
    region area
    company firm
    machine host
    contract agreement
"""
# What happens to a quantity.
_CHANGE = """
    fall fell fallen drop sink sank sunk decline decrease shrink shrank
    rise rose risen grow grew grown increase climb
    shorten cut reduce trim
    widen extend enlarge
    speed accelerate
    delay postpone defer
"""
# What people do.
_DEEDS = """
    delete deletion remove removal erase erasure
    discard reject dismiss
    forbid ban prohibit disallow
    allow permit let
    begin began begun start commence
    end finish conclude
    stop halt cease
    buy bought purchase
    send sent ship dispatch
    build built make made create
    change alter modify
    keep kept retain preserve
    replace substitute swap
    choose chose chosen pick select
    confirm verify check validate
    show display
    say said state tell told
    explain clarify
    fix repair
    use employ utilise utilize
    need require
    help assist support
    measure gauge
    lose lost destroy
    own possess
    approve authorise authorize
    revert rollback
    limit restrict confine
    cancel scrap
    write wrote written author
"""
# What things are.
_KINDS = """
    entire whole complete
    big large
    small little
    quick fast rapid
    main chief primary
    wrong incorrect mistaken
    right correct
    empty blank
    broken faulty
    free gratis
    shared common
    daily everyday
    yearly annual
"""
SETS = tuple(line.split() for group in (_WORK, _CHANGE, _DEEDS, _KINDS) for line in group.strip().splitlines())


@lru_cache(maxsize=1)
def _table() -> dict[str, str]:
    """The word that stands for each stem; a stem in two lines keeps the first."""
    found: dict[str, str] = {}
    for words in SETS:
        for word in words:
            found.setdefault(stem(word), stem(words[0]))
    return found


def canonical(term: str) -> str:
    """The stem that stands for this stem's meaning; the stem itself when it has no synonym here."""
    return _table().get(term, term)
