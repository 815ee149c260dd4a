"""The command `dissolve probe`."""
