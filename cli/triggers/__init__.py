"""The commands `dissolve triggers`."""
