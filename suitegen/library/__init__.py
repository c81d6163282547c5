"""Files to models: shelves, YAML with positions, templates, schemas, and every mistake of every file."""
