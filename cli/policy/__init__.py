"""The commands `dissolve policy`."""
