"""Every threshold of one job, frozen and stored with it."""
