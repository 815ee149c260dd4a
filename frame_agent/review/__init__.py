"""The review of a candidate: what reviewers say is proved, counted in families, and done where enough of them agree."""
