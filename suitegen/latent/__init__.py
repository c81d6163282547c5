"""The truth before prose: plan the design, compile timelines, replay them, derive gold and evidence. Pure."""
