"""Where tests find the project, and the data that some of them need; those skip where it is absent."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data"
