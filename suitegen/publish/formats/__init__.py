"""A built suite in other formats."""
