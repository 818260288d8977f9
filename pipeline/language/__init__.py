"""Everything that answers language tasks: backends, the desk that maps tasks over asks, cache, ledger, and the tasks."""
