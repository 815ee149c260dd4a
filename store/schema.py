"""All tables in one place: whoever builds, migrates or empties a database needs every one of them."""

from sqlalchemy import MetaData

from store import ledger_tables, money_tables, queue_tables, tables

metadata: MetaData = tables.metadata
"""The tables of conversations and jobs, of the ledger, of the queue, and of money."""

MODULES = (tables, ledger_tables, queue_tables, money_tables)
"""Where they stand; a table belongs to the metadata once its module is imported."""
