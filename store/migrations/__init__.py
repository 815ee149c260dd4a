"""Alembic's environment: how a schema gets from one revision to the next. There is no way down: restore a backup."""
