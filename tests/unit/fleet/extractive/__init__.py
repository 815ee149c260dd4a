"""Tests of the extractive fleet."""
