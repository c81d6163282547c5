"""Value kinds: fold text, read values, compare them, and find where a text mentions them."""
