"""What others made, or what was made apart -> one result."""
