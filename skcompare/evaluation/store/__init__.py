"""Finished fits in a file, found again by what was fitted on what; knows what a fit is, never runs one."""
