"""What `benchmarks/scale.py` is made of: long conversations, large ledgers and many cycles, with scripted members."""
