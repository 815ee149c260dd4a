"""What `benchmarks/reckoning.py` is made of: jobs of a cassette run and counted, and a fleet reckoned from them."""
