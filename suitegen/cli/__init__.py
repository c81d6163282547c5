"""The command line: thin commands; the only place that prints."""
