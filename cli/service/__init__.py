"""Commands that start, watch and mend an installation."""
