"""Metrics: what is known of each, and their arithmetic on one fold or many."""
