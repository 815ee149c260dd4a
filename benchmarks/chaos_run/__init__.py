"""The parts of the chaos run: the world it happens in, what is done to it, and what must hold afterwards."""
