"""What was taken for granted: the assumption register and the audit. Built after the ledger."""
