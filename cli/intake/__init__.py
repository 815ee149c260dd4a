"""Commands that read files of conversations."""
