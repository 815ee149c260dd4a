"""How far the answers agree, for a person at a terminal."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from dissolution.findings import AgreementMeasures
from dissolution.receipt.job_receipt import Receipt
from dissolution.values import Measured, NotMeasured

MEASURES: tuple[tuple[str, str, str], ...] = (
    ("claim_agreement", "claim agreement", "share of meanings that two or more families state, 0 to 1"),
    ("krippendorff_alpha", "Krippendorff's alpha", "agreement of families over claims beyond chance; 0 is chance"),
    ("effective_families", "effective families", "as how many families without a common claim they count"),
    ("dominant_cluster_share", "dominant cluster", "largest cluster of whole answers over all answers, 0 to 1"),
    ("mean_pairwise_jaccard", "Jaccard", "word sets of whole answers, mean of pairs, 0 to 1"),
    ("mean_tfidf_cosine", "TF-IDF cosine", "whole answers, mean of pairs, 0 to 1"),
    ("mean_embedding_cosine", "embedding cosine", "mean claim vectors, mean of pairs, -1 to 1"),
)
"""Field, name and meaning, as the table shows them. Formulas and sources are in docs/consensus.md."""


def print_measures(out: Console, receipt: Receipt) -> None:
    """Every measure with what it means, then what each family and each member contributes."""
    out.print()
    out.print(Text(f"MEASURES of job {receipt.job}", style="bold"))
    if isinstance(receipt.consensus, NotMeasured):
        out.print(Text(f"consensus: {receipt.consensus}"))
        return
    measures = receipt.consensus.measures
    out.print(measures_table(measures))
    for _, name, value in named(measures):
        if isinstance(value, NotMeasured):
            out.print(Text(f"{name}: {value}"))
    if measures.family_coverage:
        out.print()
        out.print(coverage_table(measures, receipt.consensus.groups))
    if measures.members:
        out.print()
        out.print(members_table(measures))


def named(measures: AgreementMeasures) -> list[tuple[str, str, Measured]]:
    """Field, name and value of every measure, in the order they are shown."""
    return [(field, name, getattr(measures, field)) for field, name, _ in MEASURES]


def measures_table(measures: AgreementMeasures) -> Table:
    """One row for each measure."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("measure", "value", "meaning"):
        table.add_column(name, justify="right" if name == "value" else "left")
    meanings = {field: meaning for field, _, meaning in MEASURES}
    for field, name, value in named(measures):
        table.add_row(name, shown(value), meanings[field])
    return table


def coverage_table(measures: AgreementMeasures, groups: int) -> Table:
    """One row for each family."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("family", f"of {groups} meanings", "share"):
        table.add_column(name, justify="left" if name == "family" else "right")
    for family in measures.family_coverage:
        table.add_row(Text(family.family), str(family.groups), shown(family.share))
    return table


def members_table(measures: AgreementMeasures) -> Table:
    """One row for each member: what would be gone without it."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in (
        "member",
        "family",
        "meanings",
        "said by nobody else",
        "without it one family",
        "agreement without it",
    ):
        table.add_column(name, justify="left" if name in {"member", "family"} else "right")
    for one in measures.members:
        table.add_row(
            Text(one.member),
            Text(one.family),
            str(one.groups),
            str(one.alone),
            str(one.pivotal),
            shown(one.agreement_without),
        )
    return table


def shown(value: Measured) -> str:
    """A figure with two decimals, or that there is none."""
    return "not measured" if isinstance(value, NotMeasured) else f"{value:.2f}"
