"""One case end to end, the write-check-rewrite loop, the bounded map over cases, journal and resume."""
