"""Running it: the pipeline as data, the steps as functions, the runners around them."""
