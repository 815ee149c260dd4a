"""Steps of one process beside each other: threads, the shared loop, tenants' shares."""
