"""What every code means, with a wrong and a right example of each."""
