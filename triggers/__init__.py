"""When to dissolve: drift, surprise, budget. Built after the worker fleet."""
