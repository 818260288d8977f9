"""``python -m pipeline`` is the command ``graphstrata``."""

from pipeline.cli import main

main()
