"""The no-key fleet: unlike extraction methods as members, none of them a language model."""
