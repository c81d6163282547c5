"""Chat models behind one protocol: names, providers, limits, budget, the store of replies, structured answers."""
