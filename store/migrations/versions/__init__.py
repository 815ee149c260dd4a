"""One module a revision, never edited once released."""
