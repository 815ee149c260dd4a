"""Doubles for tests, drills, benchmarks and examples; part of the repository, and of no package that is installed."""
