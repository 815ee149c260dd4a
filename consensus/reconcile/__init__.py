"""Reconciling a cycle's consensus with the ledger: what is affirmed, new, revised, closed, contested and carried."""
