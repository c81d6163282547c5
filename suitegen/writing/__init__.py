"""Dialogue and question writers."""
