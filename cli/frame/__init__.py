"""The command `dissolve frame`."""
