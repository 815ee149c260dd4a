"""How many test questions a job asks and how many would be enough, in words for a person."""

from dissolution.bank_need import BankNeed


def need_in_words(need: BankNeed) -> str:
    """What policy asks for, what would be enough, what the conversation is long enough for, and what is written."""
    told = f"the policy asks for {need.asked_for} questions, and {need.needed} would be enough to be sure"
    if not need.short:
        return told
    lost = "can prove nothing" if need.most_lost is None else f"prove it where at most {need.most_lost} are lost"
    if need.written == need.asked_for:
        bears = "" if need.borne > need.asked_for else f"; the conversation is long enough for about {need.borne}"
        return f"{told}{bears}: {need.written} are written, which {lost}"
    bears = "" if need.borne >= need.needed else ", as many as the conversation is long enough for"
    return f"{told}: {need.written} are written{bears}, which {lost}"
