"""Where filler comes from, choosing it, and weaving the history."""
