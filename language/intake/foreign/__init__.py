"""Forms that other programs write: each is told by its structure, and read into the same drafts as our own."""
