"""The commands `dissolve stability` and `dissolve experiment`."""
