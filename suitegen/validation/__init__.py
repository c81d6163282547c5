"""Validators look and yield findings; gates run them in order and turn what they say into verdicts."""
