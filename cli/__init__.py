"""The command line: the same services as the API, for a person at a terminal."""
