"""Who is asked: members, the fan-out with its quorum, and the fleet that needs no model."""
