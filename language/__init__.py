"""Pure text tools without state that every other room shares."""
