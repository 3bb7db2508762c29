"""Procedures on the outcomes of single samples: predictions, scores, right and wrong."""
