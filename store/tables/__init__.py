"""The tables, one module a group, all in one metadata."""
