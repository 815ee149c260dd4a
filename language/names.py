"""Proper names and acronyms."""

import re

from language.dates import MONTHS, WEEKDAYS
from language.masks import blanked, code_spans, straightened
from language.remembered import remembered
from language.words import STOPWORDS, word_set

WORD = re.compile(r"(?<![\w/.@#-])[^\W\d_][^\W_]*(?:[-'][^\W_]+)*(?![\w/@])")
# A capital says nothing after these: the start of a text, line, sentence, item, quotation or table cell.
OPENING = re.compile(r"(?:^|[.!?…:|]|\n)[\s\"'“‘«(\[*_#>•+-]*$")
NOT_CLOSED = re.compile(r"[\"“‘«]$")
# The first word of a sentence is a name when what follows treats it as one: "Ravi approves", "Ilse's nginx".
NAME_VERB = re.compile(
    r"(?:'s\b|(?: and [A-Z][\w-]+| [A-Z][\w-]+)? (?:is|was|has|had|will|would|can|must|may|should|says?|said"
    r"|asks?|asked"
    r"|wants?|wanted|owns?|runs?|thinks?|knows?|told|gives?|gave|approves?|approved|agrees?|agreed|holds?|takes?|writes?"
    r"|wrote|needs?|offers?|signs?|changes?|stays?|remains?|made|makes|reports?|confirms?|confirmed)\b)"
)
# Words that open sentences without being names, beside stopwords: adverbs, answers, verbs and nouns of talk and work.
OPENERS = word_set("""
    actually always another anyway apparently ask basically besides certainly clearly currently decision decided
    done everyone everybody everything exactly except fine finally first second third following given good great
    hello hence hi hm hmm hopefully including indeed instead known last later least less meanwhile moreover never
    nevertheless next nobody nothing note obviously oh ok okay one two three four five six seven eight nine ten open
    otherwise perhaps please possibly presumably previously probably question recently right sadly several similarly
    somebody someone something sometimes soon sorry still sure surely suppose thanks therefore today tomorrow
    tonight unfortunately unless usually welcome well without yesterday yes zero people users user data time money
    work use keep run write add remove drop make set check let see take give send show put tell call decided
    identity edges every each both most many few half all none nor neither whether during against among across
    around behind beside beyond inside outside near onto via versus whatever whenever wherever whichever whoever
    position speed size cost price
""")
COMMON_ENDING = re.compile(r"(?:ing|tion|sion|ness|ment|ity|ly|ism|ance|ence|ed|ful|less|able|ible|ous|ive)$")
# Capitals for emphasis: words of grammar, and words of a line that is written in capitals throughout.
SHOUTED_LINE = re.compile(r"^[^a-z\n]*[A-Z][^a-z\n]*$", re.MULTILINE)
SHOUTED_RUN = re.compile(r"\b[A-Z]{2,}(?:[ ,]+[A-Z]{2,}){2,}\b")
LONGEST_ACRONYM = 6
NOT_NAMES = word_set("""
    i ok okay am pm utc gmt todo tbd tbc yes no not and or but mr mrs ms dr prof vs
""")
LOOK_BEHIND = 24
LOOK_AHEAD = 60


@remembered
def names(text: str) -> frozenset[str]:
    """Proper names and acronyms in `text`, word by word, in their own spelling and without possessives.

    "Tobias Keller" is two words, so that "Keller" alone still meets it. Weekdays, months, words that are capital only
    because they open a sentence, and words shouted in capitals are left out; names with digits are identifiers.
    """
    plain = straightened(text)
    plain = blanked(plain, code_spans(plain))
    shouted = {word for line in (*SHOUTED_LINE.findall(plain), *SHOUTED_RUN.findall(plain)) for word in line.split()}
    seen_small = {match[0] for match in WORD.finditer(plain) if match[0].islower()}
    found: set[str] = set()
    opening: list[str] = []
    for match in WORD.finditer(plain):
        word = match[0].removesuffix("'s")
        if not _may_be_name(word) or (word.isupper() and word in shouted and " " in plain.strip()):
            continue
        if any(character.isupper() for character in word[1:]) or not _opens(plain, match.start()):
            found.add(word)
        elif _treated_as_name(plain, word, match.start() + len(word)) and word.lower() not in seen_small:
            opening.append(word)
    return frozenset(found.union(opening))


def _may_be_name(word: str) -> bool:
    lowered = word.lower()
    if not word[0].isupper() or len(word) == 1 or "'" in word:
        return False
    if lowered in STOPWORDS or lowered in MONTHS or lowered in WEEKDAYS or lowered in NOT_NAMES:
        return False
    return not (word.isupper() and len(word) > LONGEST_ACRONYM)


def _opens(plain: str, start: int) -> bool:
    """Whether the word at `start` opens a sentence, line, item or quotation."""
    before = plain[max(0, start - LOOK_BEHIND) : start]
    if not before.strip():
        return True
    return OPENING.search(before) is not None or NOT_CLOSED.search(before) is not None


def _treated_as_name(plain: str, word: str, end: int) -> bool:
    if word.lower() in OPENERS or COMMON_ENDING.search(word):
        return False
    return NAME_VERB.match(plain[end : end + LOOK_AHEAD]) is not None
