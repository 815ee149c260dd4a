"""Runs of many cycles and replicates over one conversation, what is measured on them, and the experiments."""
