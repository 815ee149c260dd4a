"""How refusals and courtesies begin: one pattern a line, on text in lower case without accents (see `symptoms.plain`).

Each list is grouped by language: English first, then German, French, Spanish, Italian, Portuguese, Dutch.
"""

import re

# What a refusing writer cannot or will not do. Verbs of use ("I refuse to use X", "I can't reach the server") are
# missing on purpose: those are statements.
_TASK = """
    help assist comply continue proceed answer respond provide process fulfil fulfill complete share discuss speak
    summarise summarize engage participate generate create produce offer adopt pretend support write analyse analyze
    reveal disclose accommodate roleplay role-play
"""
_TASK_PHRASES = ("do that", "do this", "do so", "take on", "act as", "carry out", "give you", "be able")

_REFUSALS = r"""
    (?:i am |i'm |i )?(?:so |very |really )?sorry,? (?:but )?(?:i|that|this|we|as an)\b
    (?:i apologi[sz]e|apologies),? (?:but )?(?:i|this|that|your request|as an)\b.{0,40}\b(?:can|not able|unable|won)
    (?:unfortunately|regrettably),? (?:i|we) (?:can't|cannot|can not|won't|am unable|am not able|are unable)\b
    (?:unfortunately|regrettably),? (?:this|that|your) request\b
    i (?:can't|cannot|can not|could not|couldn't|won't|will not|would not) (?:really |fully )?(?:TASK)\b
    i(?: am|'m) (?:unable|not able|not allowed|not permitted|not comfortable|not in a position) (?:to )?(?:TASK)
    i (?:decline|refuse|have to decline|must decline|must refuse) to (?:TASK)\b
    i (?:must|have to|need to|will) (?:respectfully |politely )?decline\b
    i (?:don't|do not) feel comfortable\b
    as an? (?:ai|artificial intelligence|(?:large )?language model)\b
    i(?:'m| am) (?:just |only )?an? (?:ai|language model|artificial intelligence)\b
    (?:this|that|your|the) (?:request|content|prompt|message)\b.{0,60}\b(?:violat|against (?:our|my)|polic)
    (?:this|that|your|the) (?:request|content|prompt|message|response|reply|answer)\b.{0,60}\b(?:filter|block|withh)
    (?:it (?:is|goes) )?against (?:my|our) (?:guidelines|polic|programming|principles)
    (?:es )?tut mir leid\b
    leider kann ich\b.{0,60}\bnicht
    ich kann (?:dabei|dir|ihnen|diese|das|darauf|hier)\b.{0,40}\bnicht
    das kann ich (?:leider )?nicht
    (?:je suis desole|desole|je regrette)\b
    je ne (?:peux|puis|suis pas en mesure)\b
    (?:lo siento|lo lamento|disculpa|perdon)\b
    no puedo (?:ayudar|responder|cumplir|continuar|proporcionar|hacer)
    (?:mi dispiace|non posso (?:aiutar|risponder|continuar|fornir))
    (?:desculpe|sinto muito|lamento)\b
    nao posso (?:ajudar|responder|continuar|fornecer)
    (?:het spijt me|helaas kan ik)\b
"""

_PREAMBLES = r"""
    (?:sure|certainly|of course|absolutely|ok|okay|alright|got it|understood|great|thanks|thank you|no problem|below)\b
    here(?:'s| is| are| goes| you)\b
    (?:this is|the following|let me|i'll|i will|speaking as|as (?:the|an) integrated)\b
    (?:gerne|naturlich|klar|selbstverstandlich|hier (?:ist|sind|kommt))\b
    (?:bien sur|voici|d'accord)\b
    (?:claro|por supuesto|aqui (?:esta|tienes|va))\b
    (?:ecco|certo|certamente|natuurlijk|hier is)\b
"""

_COURTESIES = r"""
    (?:please )?(?:just )?(?:let me know|tell me) (?:if|whether|what|which|how|should|when)\b
    (?:i )?(?:really |truly )?hope (?:this|that|it|these)\b.{0,60}\b(?:help|useful|clear|what you)
    (?:please )?(?:don't hesitate|do not hesitate|feel free|be sure) to\b
    (?:would|do) you (?:like|want|need) (?:me|any|more|further|a )
    (?:is there|can i|may i) (?:anything|something|help|offer|provide)\b
    (?:shall|should) i (?:go|continue|expand|elaborate|add|provide|do)\b
    if (?:you|there)(?:'d|'re)? .{0,90}\b(?:let me|happy to|glad to|feel free|just ask|here to)\b
    (?:i'm|i am|i'd be|i would be|always) (?:always )?(?:happy|glad|here) to (?:help|assist|expand|elaborate)\b
    (?:i'm|i am|i'd be|i would be|always) (?:always )?(?:happy|glad|here) to (?:answer|go|clarify|provide)\b
    (?:happy|glad) to (?:help|expand|elaborate|clarify|go deeper|answer)\b
    (?:just ask|just say the word|ask away)\b.{0,40}[!.]?$
    have a (?:great|nice|good) (?:day|one|evening|weekend)\b
    (?:ich hoffe|hoffentlich)\b.{0,60}\b(?:hilft|hilfreich|weiter)
    (?:sag|sagen sie|gib|lass|lassen sie) (?:mir |mich )?(?:bitte |gerne )?(?:bescheid|wissen)
    wenn (?:du|sie) (?:noch )?(?:weitere )?(?:fragen|mehr|etwas)\b
    (?:soll ich (?:noch|etwas|das|weiter)|melde dich|gerne helfe ich)\b
    (?:j'|j )?espere que (?:cela|ca|c'est)
    (?:n'hesite[zs]? pas|faites-moi savoir|fais-moi savoir|dites-moi si|dis-moi si)\b
    (?:souhaite[zs]-(?:vous|tu)|voulez-vous que)\b
    espero que (?:esto|te|le|les|sea|isto|isso|ajude)\b
    si (?:necesitas|necesita|quieres|quiere|tienes|tiene)\b.{0,90}\b(?:avis|dime|digame|preguntar|aqui|saber)
    (?:hazmelo saber|haganmelo saber|dime si|no dudes en|quieres que)\b
    (?:spero che (?:questo|ti|sia)|fammi sapere)\b
    (?:laat (?:het )?me weten|ik hoop dat)\b
"""


def alternatives(lines: str) -> str:
    """The patterns of a list, one a line, as one pattern."""
    return "|".join(f"(?:{line.strip()})" for line in lines.splitlines() if line.strip())


REFUSAL = re.compile(alternatives(_REFUSALS).replace("TASK", "|".join((*_TASK.split(), *_TASK_PHRASES))))
"""Begins a sentence that declines the task."""

PREAMBLE = re.compile(alternatives(_PREAMBLES))
"""Begins words before the answer ("Sure! Here is …")."""

COURTESY = re.compile(alternatives(_COURTESIES))
"""Begins a sentence after the answer ("Let me know if …")."""
