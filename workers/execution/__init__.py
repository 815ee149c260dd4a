"""One step from its claim to its completion, and who may run when."""
