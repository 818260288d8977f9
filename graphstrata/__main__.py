"""``python -m graphstrata`` is the command ``graphstrata``."""

from pipeline.cli import main

main()
