"""Everything that answers language tasks: backends, the desk that maps tasks over requests, cache, ledger, and the tasks."""
