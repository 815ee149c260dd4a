"""What is sent and what is found again: the search over a conversation's turns and ledger (docs/recall.md)."""
