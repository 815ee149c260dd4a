"""The question bank of a job, who answers it, and what came of it."""
