"""Embedding models behind the Embedder port, their vectors, and the thresholds that belong to one model."""
