"""Closed word classes of English that tell where a verb stands."""

from language.verbs import word_set

# Auxiliaries and modals by the tense they give a clause; conditionals speak of the present.
PRESENT_AUX = word_set(
    """
    am is are isn't aren't ain't has have hasn't haven't do does don't doesn't can can't cannot may must mustn't
    should shouldn't ought would wouldn't could couldn't might mightn't needn't
    """
)
PAST_AUX = word_set(
    """
    was were wasn't weren't did didn't had hadn't
    """
)
FUTURE_AUX = word_set(
    """
    will won't shall shan't
    """
)

# Pronouns: what can be a subject by itself, which of them take an -s form, and before which "'s" is "is" or "has".
SUBJECTS = word_set(
    """
    i you we they he she it this that there who what which nobody everybody somebody anybody everyone someone anyone
    nothing everything something one
    """
)
THIRD_PERSON = word_set(
    """
    he she it this that who which nobody everybody somebody everyone someone nothing everything
    """
)
IS_CONTRACTED = THIRD_PERSON | word_set(
    """
    there here what where how let one
    """
)
# What stands before a noun: the word after is no verb.
DETERMINERS = word_set(
    """
    a an the my your his her its our their this that these those each every any some no all both either neither what
    which whose another such two three four five six seven eight nine ten first second
    """
)
PREPOSITIONS = word_set(
    """
    about above across after against along among around as at before behind below beside between beyond by despite
    down during except for from in inside into like near of off on onto out over per since through throughout till
    to toward under until up upon via with within without than
    """
)
# What may stand between subject and verb.
ADVERBS = word_set(
    """
    also already always then now still just never ever not only again even often sometimes usually rarely really
    simply first finally later soon today once merely mostly chiefly thus therefore hence however either both all so
    too probably perhaps maybe apparently alone itself themselves
    """
)
# What opens a clause that is not the main one; some also stand before nouns.
SUBORDINATORS = word_set(
    """
    when whenever if because since after before while although though once until unless whereas as wherever provided
    given
    """
)
ALSO_PREPOSITIONS = word_set(
    """
    after before since until as
    """
)
PERSONAL = word_set(
    """
    i you we they he she it nobody everybody
    """
)
RELATIVES = word_set(
    """
    that which who whom whose where when why what how whether
    """
)
# What joins clauses, and what may stand before an imperative.
CONJUNCTIONS = word_set(
    """
    and but or nor so yet
    """
)
PLEASE = word_set(
    """
    please kindly also then and so but now just simply never always do first
    """
)
