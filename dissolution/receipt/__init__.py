"""What is told of a job when it is over."""
