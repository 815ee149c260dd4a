"""Tests of consensus/reconcile."""
