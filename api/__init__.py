"""The HTTP service: routes over the same services as the command line, with keys, events and webhooks."""
