"""What is true of rows whatever database holds them: pure functions."""
