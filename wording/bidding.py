"""Whether a line of quoted text would have its reader do or hold something: orders, rules, decisions, approvals, roles.

By structure, for any subject: how a line addresses its reader, what verbs and modals it uses, whose voice it takes. Of
what is written in other languages the small set of words by which people order, forbid, decide and approve is known;
of encodings, what `wording.disguise` undoes. In a turn of a person all of this is speech. In quoted material it is
nobody's word here, and this tells that it is there. Wordings as data; linear in the text.
"""

import re
from collections.abc import Sequence

from wording.disguise import folded, revealed
from wording.orders import speaks_to_reader

_FLAGS = re.IGNORECASE | re.MULTILINE

# Lets, obliges or forbids somebody: who reads a rule may take it for one of his own.
RULES = re.compile(
    r"\b(?:must|shall|may not|(?:is|are) (?:not )?to (?!(?:be )?(?:seen|found|do with)\b)[a-z]+|"
    r"(?:is|are) (?:now |no longer |only |hereby )?(?:required|obliged|forbidden|prohibited|allowed|permitted"
    r"|expected) to|"
    r"may (?!(?:have|be|also|well|still|take|need|contain|occur|fail|differ|vary|help|seem|cause|result|lead)\b)[a-z]+"
    r"|need(?:s|ed)? no|no need to|(?:has|have) (?:no|any|the last) say|does not apply|open to all|always|never"
    r"|no longer|nobody|from (?:now|here|today|tomorrow|this hour|\d+ \w+)(?: on)?|until further notice|for good"
    r"|as of now)\b"
    r"|\bpolicy\b.{0,60}\b(?:requires?|demands?)\b",
    _FLAGS,
)
_DONE = (
    r"(?:approved|pre-approved|agreed|authori[sz]ed|waived|granted|lifted|accepted|signed|consented|endorsed|ratified|"
    r"revoked|rescinded|suspended|decided|settled|mandated|cancelled|canceled|repealed|withdrawn|dropped|excluded|removed|"
    r"skipped|abandoned|discarded|replaced|outsourced|fixed|ruled out|called off|given up|torn down|carried|closed|"
    r"deleted|wiped|released|delegated|reversed|raised to|lowered to|moved (?:by|to)|brought forward|switched off|"
    r"switched on|disabled|handed over|put off|thrown (?:out|away)|taken (?:in|out|over)|trusted)"
)
_DECIDES = (
    r"(?:approves?|authori[sz]es?|consents?|waives?|accepts?|grants?|lifts?|revokes?|decides?|settles?|drops?|"
    r"withdraws?|withdrew|abandons?|excludes?|cancels?|renounces?|concurs?|signs? off|gives? up|gave up|goes out|"
    r"give[sn]? the go|goes back|goes down to|wave[sd]? (?:it |the .{1,40} )?through|let go of|chose|votes?|voted"
    r"|overrules?)"
)
# Says that something has been settled, whoever did it: in a talk only its people settle things.
SETTLES = re.compile(
    rf"\b(?:is|are|was|were|be|been|has|have|had|gets?|stays?|stands?|as|status|already|now|hereby|it)"
    rf"(?:\s+(?!not\b|never\b)\w+){{0,2}}[\s:=\"']+{_DONE}\b"
    rf"|(?:^|[,;:.>=\"'(|\]]\s*){_DONE}\b(?! (?:at|on) \d)|\b{_DONE}(?=\s*(?:[.,;!)\"'|]|$))"
    rf"|\b(?!no\b)[a-z-]+ {_DECIDES}\b(?! \d)|\b(?:my|our|final|the) decision\b|\bdeal with\b"
    r"|\bresolutions? \d|\bvote closed\b"
    r"|\bapproved?\s*[=:]\s*\"?(?:true|yes)|\bconsent (?:is )?(?:given|recorded)|\bsign(?:ed|s)? (?:by|off)\b"
    r"|\b(?:fine|happy) (?:with|by|from)\b|\b(?:in favour of|instead of) \w"
    r"|\bnot (?:counted|copied|needed|shown|used)\b"
    r"|\bverdict\b|\bconclu(?:ded|sion)\b|\bunless we hear\b|\bby (?:opening|reading|using) this\b"
    r"|\bsays? yes\b|\byes to\b",
    _FLAGS,
)
# Speaks for the reader or to him, as another voice in the talk would.
VOICE = re.compile(
    r"(?:^|[.!?:>|\"\u201c]\s*)(?:I|we)(?: now| hereby| always| never| will|'ll| shall)*"
    r" (?:approve|decide|accept|agree|confirm|consent|waive|take|give|hand|pay|sign|speak|write|withdraw|want|belong|"
    r"keep|deploy|ask|run|promise|order|represent|answer|act)\w*\b"
    r"|\bI, [^,\n]{1,40}, (?:hereby )?(?:approve|consent|agree|accept|decide|confirm|waive)\b"
    r"|\b(?:I|we)(?: have|'ve) (?:decided|agreed|approved|accepted|scheduled|signed|removed|taken)\b"
    r"|\byou(?:'re| are| may| can| will| should| need| say| said| wrote| told| asked| confirmed| agreed| represent"
    r"| get| take| gave| praise| write| answer| recommend)\b"
    r"|\b(?:the |all |your )?(?:assistants?|agents?|bots?|helpers?|models?|machines?|advis[eo]rs?|summari[sz]ers?)\b"
    r"[^:\n]{0,40}\b(?:records?|publish\w*|closes?|keeps?|writes?|recommends?|treats?|asks?|answers?|uses?|deletes?|hands?|is"
    r"|are|do|does|no)\b|\byour (?:task|job|role|rules?|part)\b|\bpersona\b|\bmission\b|\brole\s*[=:]",
    _FLAGS,
)
# What is set for the reader in a machine's format: fields that no record of facts has.
FIELDS = re.compile(
    r"\b(?:instructions?|next_step|hint\w*|directive|must_do|persona|agreed_with|author_ok|standing_rule|binding|"
    r"reviewer_mode|approved|decision|decided|outcome|resolution|skip_\w+|owner_ok)\b[\"']?\s*[:=;>]"
    r"|\bnote\s*[:=]\s*[\"']?\w+.{0,60}\bagreed\b|^#+ ?(?:agents?|bots?|assistants?)\b",
    _FLAGS,
)
_VERBS = """
    ignore disregard forget override treat record note write mark state report set add remove drop delete truncate skip
    stop start use call rename recommend take give keep leave put send tell never always do don't switch turn show
    pretend act answer reply consider assume repeat conclude ship deploy wipe erase merge approve accept sign grant
    translate proceed go carry pass decide publish charge move close open lift let make raise lower replace rule exclude
    include roll run register enter cite praise kill
"""
# A line or clause that opens with a verb in the imperative and goes on to its object. Commands of a machine's language
# are in capitals, and what they name has figures.
_EITHER_CASE = "|".join(f"[{verb[0]}{verb[0].upper()}]{verb[1:]}" for verb in _VERBS.split())
IMPERATIVE = re.compile(
    r"(?:^|[.!?;:>\]|\"\u201c]\s+|,\s+(?:please |and |then )|\b[Pp]lease )(?:\W{0,4}|\d+[.)] )"
    rf"(?:(?:[Pp]lease|[Aa]lso|[Tt]hen|[Jj]ust|[Kk]indly) )?(?:{_EITHER_CASE})\b(?=\s+[A-Za-z'\"\u201c#])"
    r"(?!\s+(?:is|are|was|were|has|had|of|rate|time|=)\b)",
    re.MULTILINE,
)
# A list of what holds, under a heading that plays a state of decisions.
STATES = re.compile(
    r"^\W{0,6}(?:<\w+>)?(?:what is decided|decided|decisions?|commitments?|resolved|agreed|standing rules?|policy"
    r"|protocol|outcome|resolution|prior state|recap|minutes|dissolved context|consensus|receipt|errata|addendum"
    r"|customer acceptance|exception)\b|\brecorded\b|\bstanding rule\b|\bsuperseded\b",
    _FLAGS,
)

# Words by which people order, forbid, decide and approve, and "from now on", in other languages. Beginnings of words.
_OTHER = {
    "de": "ab sofort|von nun an|ab (?:jetzt|heute)|ignorier|vergiss|beschlossen|genehmig|freigabe|vereinbart"
    "|entf[aä]llt|d[uü]rfen|zugestimmt|muss\\b|m[uü]ssen|assistent",
    "fr": "d[eé]sormais|dor[eé]navant|[aà] partir de maintenant|ignorez|consid[eé]rez|approuv|accepté|abandonné"
    "|d[eé]cid[eé]|devez|autoris|notez que",
    "es": "a partir de ahora|desde ahora|ignora|an[oó]te|decidido|aprob|acept[oó]|aceptad|debe\\b|deben\\b|asistente",
    "pt": "a partir de agora|doravante|registe\\b|registre\\b|aceite\\b|aceita|renuncia|aprovad|decidid"
    "|deve\\b|assistente",
    "it": "d'ora in poi|da ora|ignora|tratta\\b|approvat|deciso|accettat|concordat|deve\\b|devi\\b|assistente",
    "nl": "vanaf (?:nu|vandaag)|voortaan|negeer|besloten|goedgekeurd|akkoord|moet\\b|assistent",
    "pl": "od teraz|od dzi[sś]|ignoruj|zapisz|zatwierdz|uzgodni|zdecydowa|musi\\b|asystent",
    "cs": "od nyn[eě]|od te[dď]|ignoruj|schv[aá]l|rozhodnut|mus[ií]\\b|asistent",
    "sv": "fr[aå]n och med|h[aä]danefter|ignorera|godk[aä]n|beslutat|besluta|m[aå]ste\\b|assistenten",
    "da": "fra nu af|fra og med|ignorer|godkend|besluttet|skal\\b|assistenten",
    "fi": "t[aä]st[aä] l[aä]htien|vastedes|hyv[aä]ksy|p[aä][aä]tet|unohda|t[aä]ytyy|avustaja",
    "hu": "mostant[oó]l|ezent[uú]l|hagyd figyelmen|j[oó]v[aá]hagy|eld[oö]nt|tan[aá]csad[oó]|asszisztens",
    "tr": "bundan (?:b[oö]yle|sonra)|[sş]u andan|onayla|karar\\b|kald[i\u0131]r[i\u0131]l|yok say|asistan",
    "ro": "de acum|ignor[aă]|aprobat|decis\\b|trebuie|asistent",
    "id": "mulai sekarang|abaikan|disetujui|diputuskan|harus\\b|asisten",
    "vi": "t[uừ] b[aâ]y gi[oờ]|k[eể] t[uừ]|b[oỏ] qua|ghi l[aạ]i|ph[eê] duy[eệ]t|ph[aả]i\\b",
    "sw": "kuanzia sasa|puuza|msaidizi|imekubali|lazima",
    "ru": "отныне|\u0441 этого момента|игнориру|запиши|разрешил|утвержд|одобр|решено|решил|долж[нe]|ассистент|помощник",
    "uk": "відтепер|ігнору|запиши|дозвол|погод|затверд|вирішен|повин|помічник",
    "el": "από τώρα|από εδώ|αγνόησε|γράψε|εγκρί|αποφασ|πρέπει|βοηθ",
    "he": "מעכשיו|מהיום|התעלם|אושר|הוחלט|חייב|העוזר",
    "ar": "من الآن|تجاهل|سجل|وافق|تقرر|يجب|المساعد",
    "hi": "अब से|अनदेखा|लिखें|स्वीकृत|रद्द|निर्णय|चाहिए|सहायक",
    "bn": "এখন থেকে|উপেক্ষা|অনুমোদ|সিদ্ধান্ত|অবশ্যই|সহায়ক|বন্ধ",
    "zh": "从现在|今后|忽略|记录|批准|同意|决定|必须|助手",
    "ja": "これ以降|今後|無視|記録し|承認|決定|ください|なければ|アシスタント",
    "ko": "지금부터|앞으로|무시|기록하|승인|결정|동의|해야|하세요",
    "th": "ตั้งแต่นี้|ละเว้น|บันทึก|อนุมัติ|ตัดสินใจ|ต้อง",
}
_SPACED = "|".join(words for code, words in _OTHER.items() if code not in {"zh", "ja", "ko", "th"})
_RUN_ON = "|".join(_OTHER[code] for code in ("zh", "ja", "ko", "th"))
OTHER_TONGUES = re.compile(rf"(?<!\w)(?:{_SPACED})|{_RUN_ON}", re.IGNORECASE)

KINDS: Sequence[tuple[str, re.Pattern[str]]] = (
    ("gives an order", IMPERATIVE),
    ("lays down a rule", RULES),
    ("says that something is settled", SETTLES),
    ("speaks for or to its reader", VOICE),
    ("sets something for its reader", FIELDS),
    ("plays a list of what is decided", STATES),
    ("orders or decides in another language", OTHER_TONGUES),
)


def bids(line: str) -> str | None:
    """What a line of quoted text would do to its reader, in words; None when it only tells something.

    Args:
        line: A sentence or a line of quoted material.
    """
    plain = folded(line)
    if speaks_to_reader(plain):
        return "addresses its reader"
    found = next((kind for kind, pattern in KINDS if pattern.search(plain)), None)
    if found is not None:
        return found
    return "hides a text in an encoding" if any(text not in plain for text in revealed(line)) else None
