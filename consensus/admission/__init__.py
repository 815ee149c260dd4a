"""Which groups stand as claims, which are dissent, and how many there is room for."""
