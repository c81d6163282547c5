"""The nouns: frozen values that every floor above speaks in."""
