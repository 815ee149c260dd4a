"""What belongs to a tenant: keys, webhooks, erasure, recall."""
