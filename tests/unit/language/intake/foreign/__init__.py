"""Tests of the forms that other programs write."""
