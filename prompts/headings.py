"""Which sections a heading names: the canonical four, what members call them instead, and other languages."""

import re
import unicodedata
from functools import lru_cache

from dissolution.claims import Section
from dissolution.values import Frozen

MAX_LABEL_CHARS = 80
"""A longer line is no heading; the longest honest one repeats a question of the prompt after a colon."""

MAX_LABEL_WORDS = 9

KNOWN, DECIDED, EDGES, IDENTITY = Section

# Whole labels; case, accents and apostrophes are folded before comparing. Canonical name first, then what writers put
# instead, by language: English, German, French, Spanish, Italian, Portuguese, Dutch, Chinese, Japanese, Russian.
_LABELS: dict[Section, str] = {
    KNOWN: """
        known; knowns; known facts; facts; what is known; what i know; what we know; knowledge; established;
        established facts; what is established; what is true; current knowledge; known to be true; truths; what
        i now know; what i now know to be true; what do you now know to be true; findings; bekannt; bekanntes;
        was bekannt ist; was ich weiss; was wir wissen; wissen; wissensstand; fakten; gewusst; connu; ce qui est
        connu; ce que je sais; ce que nous savons; ce que l on sait; faits; acquis; connaissances; conocido; lo
        conocido; lo que se; lo que sabemos; lo que se sabe; hechos; sabido; conocimiento; noto; cio che so; cio
        che sappiamo; fatti; conhecido; o que sei; o que sabemos; fatos; factos; bekend; wat ik weet; wat we
        weten; feiten; 已知; 已知事项; 已知事實; 既知; わかっていること; известно
    """,
    DECIDED: """
        decided; decisions; decision; what is decided; what was decided; what has been decided; what we decided;
        what i have decided; committed; commitments made; ruled out; committed or ruled out; resolved; settled;
        what has been committed to or ruled out; what is committed to or ruled out; agreed; agreements;
        decisions made; entschieden; entscheidungen; entscheidung; beschlossen; beschlusse; was entschieden ist;
        festgelegt; decide; decidees; ce qui est decide; ce qui a ete decide; arrete; engagements pris;
        decidido; decisiones; lo decidido; lo que se ha decidido; acordado; acuerdos; deciso; decisioni;
        decisoes; besloten; beslissingen; besluiten; 已决定; 已決定; 決定; 决定; 決定事項; решено
    """,
    EDGES: """
        edges; edge; open; open questions; open points; open issues; open items; open edges; what is open; what
        remains open; still open; unresolved; unresolved questions; unknown; unknowns; known unknowns;
        uncertain; uncertainties; questions; remaining questions; what questions remain open; boundary;
        boundaries; gaps; pending; what questions remain open at the boundary of what is established; open
        decisions; outstanding; outstanding questions; offen; offene fragen; offene punkte; grenzen; rander;
        kanten; was offen ist; was offen bleibt; ungeklart; ouvert; questions ouvertes; points ouverts; limites;
        bords; ce qui reste ouvert; en suspens; frontieres; abierto; abiertas; preguntas abiertas; cuestiones
        abiertas; puntos abiertos; bordes; limites abiertos; pendiente; lo que queda abierto; preguntas
        pendientes; aperto; domande aperte; questioni aperte; em aberto; questoes em aberto; perguntas em
        aberto; open vragen; open punten; 边界; 未决; 未决问题; 邊界; 未解決; 未解決の問い; 境界; открытые вопросы
    """,
    IDENTITY: """
        identity; role; my role; your role; who i am; role and constraints; constraints; my identity; role,
        constraints, and commitments; role, constraints and commitments; standing instructions; ground rules;
        what role, constraints, and commitments define your participation here; how i work; my participation;
        what role, constraints, and commitments define my participation here; role, constraints, commitments;
        identitat; rolle; meine rolle; wer ich bin; rahmenbedingungen; identite; role et contraintes; mon role;
        qui je suis; contraintes; identidad; rol; mi rol; papel; mi papel; quien soy; restricciones; identita;
        ruolo; il mio ruolo; chi sono; vincoli; identidade; meu papel; quem sou; restricoes; identiteit; rol en
        beperkingen; mijn rol; wie ik ben; 身份; 角色; 身分; アイデンティティ; 役割; роль; идентичность
    """,
}

# Single words that name a section inside a longer label ("Things that are still open"), strongest first: what is open
# is open even if it is an "open decision", and a role's "commitments" are no decisions.
_KEYWORD_LISTS = {
    EDGES: "edges open unresolved unanswered unknown unknowns uncertain pending offen offene ouvertes",
    IDENTITY: "identity role constraints rolle rol identite identidad",
    DECIDED: "decided decisions decision committed commitments agreed entschieden decidido decisiones",
    KNOWN: "known know facts knowledge established true bekannt connu conocido",
}
_KEYWORDS = {section: frozenset(words.split()) for section, words in _KEYWORD_LISTS.items()}

# Sections that members add of their own; their content belongs to none of the four.
_EXTRA_LIST = """
    summary; next steps; next step; notes; note; caveats; conclusion; sources; overview; background; action
    items; actions; recommendations; disclaimer; appendix; references; zusammenfassung; nachste schritte;
    hinweis; resume; prochaines etapes; resumen; proximos pasos; nota
"""
EXTRA_LABELS = frozenset(" ".join(each.split()) for each in _EXTRA_LIST.split(";"))

_PARTS = re.compile(r"\s*(?:/|&|\+|,|;|\band\b|\bund\b|\bet\b|\by\b|\be\b|\ben\b)\s*")
_EDGE_NOISE = re.compile(r"^[\W_]+|[\W_]+$")
_ORDINAL = re.compile(
    r"(?i)^(?:(?:section|part|teil|partie|parte|abschnitt)\s+)?(?:\d{1,2}|[ivx]{1,4}|[a-d])\s*[.):\-\u2013\u2014]\s*"
)


class Heading(Frozen):
    """The sections one label names; more than one when the member merged them."""

    sections: tuple[Section, ...]
    canonical: bool  # each of them by its own English name


def fold(text: str) -> str:
    """Case, accents, apostrophes and runs of space folded away, for comparing labels and phrases."""
    lowered = unicodedata.normalize("NFKD", text.replace("\u2019", " ").replace("'", " ")).casefold()
    plain = "".join(char for char in lowered if not unicodedata.combining(char))
    return " ".join(plain.replace("_", " ").split())


def _label_index() -> dict[str, Section]:
    return {fold(label): section for section, labels in _LABELS.items() for label in labels.split(";")}


_INDEX = _label_index()
_CANONICAL = {fold(section.value): section for section in Section}


@lru_cache(maxsize=4096)
def resolve(label: str, *, by_keyword: bool = False) -> Heading | None:
    """The sections a label names, or None.

    Args:
        label: The heading's words without markup, such as `KNOWN / FACTS` or `What I know`.
        by_keyword: Whether a single telling word is enough ("Things still open"); right only for lines whose markup
            already says that they are headings.
    """
    if len(label) > MAX_LABEL_CHARS:
        return None
    text = _bare(label)
    if not text or len(text.split()) > MAX_LABEL_WORDS + 4:
        return None
    if text in _INDEX:
        return Heading(sections=(_INDEX[text],), canonical=text in _CANONICAL)
    parts = [part for part in (_EDGE_NOISE.sub("", each) for each in _PARTS.split(text)) if part]
    named = [_INDEX.get(part) for part in parts]
    if not all(named) and by_keyword and len(text.split()) <= MAX_LABEL_WORDS:
        named = [_INDEX.get(part) or _keyword(part) for part in parts]
    sections = tuple(dict.fromkeys(section for section in named if section is not None))
    # Every part must name something, except that a keyword in a marked heading carries the parts that do not.
    if not sections or (None in named and not by_keyword):
        return None
    return Heading(sections=sections, canonical=False)


def is_extra(label: str) -> bool:
    """Whether the label names a section that members add of their own, such as `Next steps`."""
    return _bare(label) in EXTRA_LABELS


def without_ordinal(label: str) -> str:
    """The label without a number in front: "2. Decisions" is "Decisions"."""
    return _ORDINAL.sub("", label)


def _bare(label: str) -> str:
    # A remark in brackets is no part of the name: "KNOWN (as of turn 40)".
    text = _ORDINAL.sub("", fold(re.sub(r"\([^()]*\)", " ", label)))
    return _EDGE_NOISE.sub("", text)


def _keyword(part: str) -> Section | None:
    words = set(re.findall(r"\w+", part))
    return next((section for section, telling in _KEYWORDS.items() if words & telling), None)
