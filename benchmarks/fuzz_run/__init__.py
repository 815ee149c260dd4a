"""The parts of the fuzz of the HTTP API: bodies that are accepted, links, and hooks that use what the service made."""
