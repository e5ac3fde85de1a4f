"""`callsign gdb` sources this before gdb reads the program: it shows names and records programs that gdb starts."""

import os
import shlex
import sys

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import callsign_debugger.in_gdb  # noqa: E402,F401  (the path must be set first)

# Not `set environment`: the shell that gdb starts programs with, and programs that it attaches to, are none of ours.
LIBRARY = os.environ.pop("CALLSIGN_GDB_LIBRARY", "")
if LIBRARY:
    gdb.execute("add-auto-load-safe-path " + os.path.dirname(LIBRARY))
    PRELOAD = ":".join(filter(None, (LIBRARY, os.environ.get("LD_PRELOAD"))))
    gdb.execute("set exec-wrapper env -u CALLSIGN_GDB_LIBRARY LD_PRELOAD=" + shlex.quote(PRELOAD))
