"""Everything that answers language tasks: backends, the language service that maps tasks over requests, cache, ledger, and the tasks."""
