"""What holds for all tests: processes that they start find bytecode where others have left it, whatever the environment says."""

import os
import sys

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # each of two hundred processes would compile what it imports anew
sys.dont_write_bytecode = False
