"""Members of a fleet as stages ask them; each call is a row."""
