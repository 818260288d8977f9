"""The ground floor: errors, ids, tokens, tables, tasks, workflows, settings, and the one gate to disk."""
