"""From finished episodes to a suite on disk: tables, manifest, dataset card, report, statistics."""
