"""What a report shows, computed once, as records."""
