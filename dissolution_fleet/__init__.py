"""Starts the programs of the project, whatever else on the machine has the names of its rooms."""
