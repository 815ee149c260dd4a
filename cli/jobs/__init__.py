"""Commands about jobs that workers run."""
