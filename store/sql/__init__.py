"""The ports of the store over SQLAlchemy: SQLite and PostgreSQL."""
