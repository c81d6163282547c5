"""What files mean together: each rule is a small function that yields the problems of one code."""
