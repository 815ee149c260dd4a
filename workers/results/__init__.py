"""What a job came to: its candidate, its receipt, what would change its end."""
