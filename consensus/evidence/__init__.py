"""Groups are tied to verbatim words of the snapshot."""
