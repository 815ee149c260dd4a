"""A critic of the question, and what becomes of its challenges."""
