"""What a job is expected to use before anybody is asked."""
