"""Where the command runs: names of files are bytes that mean UTF-8, whatever locale the process was started in."""

import codecs
import os
import sys


def use_utf8() -> None:
    """Start this process again in Python's UTF-8 mode where its locale would read names of files otherwise.

    In a locale such as C or de_DE.ISO-8859-1 a name would come out as other characters, or as none, and with it every
    id that rests on it. What is printed keeps the encoding of the place; what that cannot show is shown escaped.
    """
    if os.name != "posix" or sys.flags.utf8_mode or codecs.lookup(sys.getfilesystemencoding()).name == "utf-8":
        return
    shown = getattr(sys.stdout, "encoding", None) or "ascii"
    environment = {"PYTHONIOENCODING": f"{shown}:backslashreplace", **os.environ, "PYTHONUTF8": "1"}
    os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], environment)
