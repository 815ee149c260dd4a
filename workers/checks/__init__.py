"""Whether an installation is well, and what mends it."""
