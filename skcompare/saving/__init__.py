"""Results <-> a zip of JSON and .npy."""
