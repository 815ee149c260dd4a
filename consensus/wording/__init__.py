"""What the words of two texts tell about each other without a model: typed values, word weights, distance."""
