"""Redis: a server of our own, the limits of the whole fleet, and what its queues hold."""
