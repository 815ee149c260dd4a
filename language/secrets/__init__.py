"""Keys, tokens and connection strings in text, and the placeholders that stand for them."""
