"""Statements become groups of one meaning, each with its section and the sentence that speaks for it."""
