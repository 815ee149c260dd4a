"""The experiments of the source dissertation, repeated: what is computed, and what it says about each hypothesis."""
