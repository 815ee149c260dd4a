"""The ledger in SQL: tables, migrations, repositories and units of work."""
