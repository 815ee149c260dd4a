"""The parts of the load run: the fleet, jobs in flight, what to compare with, and the relay under ten thousand jobs."""
