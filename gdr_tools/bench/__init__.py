"""Benchmarks: each measures a named baseline and our way in one run and reports the ratio."""
