"""Runners that need no broker, and programs beside the workers."""
