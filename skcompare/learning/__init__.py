"""Learning curves of a comparison: does the verdict hold for another number of training samples?"""
