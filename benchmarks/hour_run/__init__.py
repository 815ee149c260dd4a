"""The parts of the benchmark of a stranger's first hour: the commands, the service, and small corrections."""
