"""What each command does; its options are in ``app``."""
