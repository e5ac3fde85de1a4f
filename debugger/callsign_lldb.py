"""What `callsign lldb` has lldb import, or a line in ~/.lldbinit: handles are shown by name, `mpi` is there. For scripts and breakpoints:
callsign_lldb.name("comm"), callsign_lldb.handle("rows", "comm"), breakpoint command add -F callsign_lldb.only -k comm -v rows."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from callsign_debugger.in_lldb import handle, mpi, name, only, record, register, summary  # noqa: E402,F401  (the path must be set first)


def __lldb_init_module(debugger, _):
    register(debugger, __name__)
    library = os.environ.pop("CALLSIGN_LLDB_LIBRARY", "")
    # What `callsign lldb` has set for lldb's own Python is none of the program's.
    path = os.environ.pop("CALLSIGN_LLDB_PYTHONPATH", None)
    if path == "":
        os.environ.pop("PYTHONPATH", None)
    elif path is not None:
        os.environ["PYTHONPATH"] = path
    if library:
        record(debugger, library)
