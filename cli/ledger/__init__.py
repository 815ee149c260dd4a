"""Commands about what is stored of a conversation and what people do to it."""
