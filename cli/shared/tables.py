"""Plain tables for a person at a terminal."""

from rich.table import Table
from rich.text import Text


def table(*titles: str) -> Table:
    """A plain table; text in it is shown as it is."""
    made = Table(box=None, pad_edge=False)
    for title in titles:
        made.add_column(title, overflow="fold")
    return made


def row(made: Table, *cells: object) -> None:
    """One row; what there is nothing of stays empty."""
    made.add_row(*(Text("" if cell is None else str(cell)) for cell in cells))
