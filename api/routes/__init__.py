"""One module a kind of thing that has an address."""
