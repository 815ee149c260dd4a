"""What the inner rooms ask of models, stores and the machine; adapters pass the suites of these contracts."""
