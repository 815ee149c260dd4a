"""All tables in one place: whoever builds, migrates or empties a database needs every one of them."""

from sqlalchemy import MetaData

from store.tables import frame as frame_tables
from store.tables import jobs as tables
from store.tables import ledger as ledger_tables
from store.tables import money as money_tables
from store.tables import queue as queue_tables
from store.tables import service as service_tables
from store.tables import stability as stability_tables
from store.tables import triggers as trigger_tables
from store.tables import vectors as vector_tables

metadata: MetaData = tables.metadata
"""The tables of conversations and jobs, of the ledger, of the queue, of money, of assumption registers, of the
service, of triggers, of stability runs and of vectors."""

MODULES = (
    tables,
    ledger_tables,
    queue_tables,
    money_tables,
    frame_tables,
    service_tables,
    trigger_tables,
    stability_tables,
    vector_tables,
)
"""Where they stand; a table belongs to the metadata once its module is imported."""
