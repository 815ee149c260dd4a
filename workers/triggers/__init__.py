"""Watched conversations are evaluated, and a job is submitted when one is due."""
