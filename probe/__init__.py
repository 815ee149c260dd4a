"""Is the candidate enough: held-out questions and the gate. Built after the ledger."""
