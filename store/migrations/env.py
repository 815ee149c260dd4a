"""Run by Alembic. The connection, with its transaction and its lock, comes from `store.sql.migrate`."""

from alembic import context

from store.tables.jobs import VERSION_TABLE
from store.tables.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=VERSION_TABLE,
    render_as_batch=True,  # SQLite alters tables by copying them
)
context.run_migrations()
