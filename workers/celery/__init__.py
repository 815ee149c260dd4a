"""Celery: the application, its workers, and the relay that sends what is due."""
