"""What everything else stands on: checks at the door, names, records, designs."""
