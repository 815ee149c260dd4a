"""The commands `dissolve fleet`."""
