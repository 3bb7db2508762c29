"""What was measured, as plain frozen data."""
