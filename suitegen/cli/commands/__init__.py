"""One module for each command, loaded when it is called."""
