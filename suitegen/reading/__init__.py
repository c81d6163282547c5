"""Answering probes from text: readers, retrieval, shortcuts, and the scoring of answers."""
