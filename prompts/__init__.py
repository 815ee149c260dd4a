"""Text out and text in: versioned prompts, parsing of replies, rendering of boundary states."""
