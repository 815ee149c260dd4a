"""What a boundary state is turned into for others: a JSON document, Markdown, and messages ready to send."""
