"""Verb forms by rule: common English verbs, irregular pasts, and what inflection makes of them."""


def word_set(text: str) -> frozenset[str]:
    """The words of a list written as text."""
    return frozenset(text.split())


# Common verbs of working conversations, base forms. Open-class words beyond this list are known only by their endings.
BASES = word_set(
    """
    abandon accept account achieve acknowledge act adapt add address adjust admit adopt advise affect afford agree
    aim alert align allow alter amount analyse analyze announce answer anticipate appear apply appoint appreciate
    approve argue arise arrange arrive ask assert assess assign assist assume attach attack attempt attend attract
    avoid await back balance ban base bear beat become begin behave believe belong bind bite block book borrow break
    bring build buy calculate call cancel capture care carry cause cease change charge check choose circle cite
    claim clarify clear click close collapse collect combine come commit compare compete complain complete compute
    concern conclude condemn conduct confirm confuse connect consider consist constitute contact contain continue
    contradict contribute control convert copy correct cost count cover crash create cross cut date deal debate
    debug decide declare decline decouple decrease deduct default defend defer define delay delete deliver demand
    deny depend deploy derive describe deserve design destroy detect determine develop differ digest disable
    disagree disappear discard discover discuss dismiss display distinguish distribute divide do double doubt draft
    drag draw drift drive drop earn edit elect eliminate emerge emit employ enable end enforce engage ensure enter
    equal escape establish estimate evaluate evict examine exceed exclude execute exempt exist expand expect expire
    explain explode express extend face fade fail fall favour fear feed feel fetch fight figure file fill filter
    find finish fire fit fix flag flatten flow fly focus follow forbid force forget forgive form freeze function
    gain gather generate get give go govern grade grant grow guarantee guess guide halve handle happen hash hate
    have head hear help hide hire hit hold honour hope host identify ignore imagine impact implement imply import
    improve include incorporate increase indicate inform inherit insist inspect install instruct insure intend
    interfere introduce invest investigate invite involve iron isolate issue join judge jump justify keep kick kill
    know label lack last launch lay lead leak lean learn leave lend let lie lift like limit link list listen live
    load lock log look lose love lower lump maintain make manage map mark match matter mean measure meet merge
    migrate mind miss modify monitor move multiply name narrow need negotiate note notice notify object observe
    obtain occupy occur offer omit open operate oppose order organise organize originate outweigh overlap overwrite
    owe own park parse pass paste pause pay peak perform permit persist pick place plan plant plot point poke
    postpone prefer prepare present press presume prevent price print proceed process produce prohibit project
    promise propose protect prove provide publish pull purchase push put query question quit quote raise rank rate
    reach react read realise realize rebuild recall receive reckon recommend reconnect record recover redirect
    reduce refer reflect refuse refute register reject relate release rely remain remember remind remove rename
    render reopen repair repeat replace replay reply report represent request require rescue reserve resist resolve
    respect respond rest restart restate restore result resume retire retry return reveal reverse review revisit
    rewrite ring rise rival roll rotate round route rule run sacrifice satisfy save say scale schedule score scrub
    search secure see seek seem select sell send separate serve set settle shadow shape share shift ship shout show
    shrink shut sign signal sit size skip sleep slip solve sort sound speak specify spend spike split spot spread
    stall stamp stand start state stay stem step stick stop store stream stress strip study submit succeed suffer
    suggest suit sulk summarise summarize supplant supply support suppose survive suspect swap switch take talk
    target teach tell tend test thank think threaten throw tighten time touch track trade train transfer transform
    translate travel treat trigger trust try tune turn type understand undo update upgrade upload urge use validate
    vanish vary verify view violate visit vote wait waive walk want warn waste watch wear weed weigh win wish
    withdraw withhold wonder work worry wrap write yield
    """
)

# Verbs whose -s form is at least as often a plural noun.
ALSO_NOUNS = word_set(
    """
    account act address alert amount answer attack attempt balance ban block book break call capture cause change
    charge check claim click circle concern contact control copy cost count cover crash cross cut date deal debate
    decline default delay demand design digest display document doubt draft drift drive drop edit end estimate exit
    exempt fear feed fight figure file fill filter fire fix flag flow focus form function gain grade guarantee guess
    guide hash head help host impact import increase issue judge jump label lack launch lead leak lift limit link
    list load lock log look love match mark map measure merge mind miss move name need note notice object offer
    order pass pause perform permit place plan plant plot point press price print process produce project promise
    protest purchase query question quote raise rank rate reach record refund report request rescue rest result
    return review ring rise rival roll round route rule run scale schedule score search sense shadow shape share
    shift ship shot show sign signal size skip sleep slip sort sound spike split spot spread stall stamp start state
    stay stem step stick stop store stream stress strip study supply support suspect swap switch talk target test
    thought time touch track trade train transfer travel treat trigger trust try tune turn type update upgrade
    upload use value view visit vote wait walk watch waste wish word work worry wrap write yield
    """
)

# Verbs that join a subject to an adjective or participle: "schemas remain parked".
COPULAR = word_set("appear become feel get go grow keep lie look prove remain seem sit sound stand stay turn")

# Simple pasts that are nothing else: they always make a finite past verb.
STRONG_PASTS = word_set(
    """
    arose ate awoke began bit blew broke chose came did drew drank drove fell flew forbade forgot forgave froze gave
    went grew hid knew mistook overtook rang rewrote rode rose ran sang sank saw shook shrank sank spoke stole swam
    swore threw took tore undertook undid underwent was were withdrew woke wore wrote became overrode overcame
    """
)

# Pasts that are also participles ("the notes kept on disk"), besides everything in -ed.
WEAK_PASTS = word_set(
    """
    bent bound bought brought built burnt caught clung crept dealt dug dreamt fed felt fled fought found held heard
    kept laid learnt led left lent lit lost made meant met misled paid rebuilt said sat sent shone shot slept slid
    sold sought spent spun stood struck stuck swept swung taught thought told understood upheld withheld won wound
    wrung
    """
)

# Words in -ed that are no past of a verb.
NOT_PAST = word_set(
    """
    bed embed exceed feed freed greed hatred heed hundred indeed kindred naked need proceed red sacred seed shed
    speed succeed unfed wed weed supposed-to aged wicked rugged crooked shared-nothing biased unbiased
    """
)

PLURAL_ENDINGS = ("ches", "shes", "sses", "xes", "zes", "oes")


def base_of_third_person(word: str) -> str | None:
    """The base form if the word is the third person singular of a known verb: "keeps", "relies", "goes"."""
    if not word.endswith("s") or word.endswith("ss"):
        return None
    candidates = [word[:-1]]
    if word.endswith("ies"):
        candidates = [word[:-3] + "y"]
    elif word.endswith(PLURAL_ENDINGS):
        candidates.append(word[:-2])
    return next((base for base in candidates if base in BASES), None)


def is_weak_past(word: str) -> bool:
    """Whether the word may be a past or a past participle."""
    return word in WEAK_PASTS or (word.endswith("ed") and len(word) > len("aed") and word not in NOT_PAST)
