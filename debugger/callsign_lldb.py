"""`callsign lldb`, or a line in ~/.lldbinit, imports this: it shows handles by name and adds `mpi`. For scripts and breakpoints:
callsign_lldb.name("comm"), callsign_lldb.handle("rows", "comm"), breakpoint command add -F callsign_lldb.only -k comm -v rows."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from callsign_debugger.in_lldb import handle, mpi, name, only, record, register, summary  # noqa: E402,F401  (the path must be set first)


def __lldb_init_module(debugger, _):
    register(debugger, __name__)
    library = os.environ.pop("CALLSIGN_LLDB_LIBRARY", "")
    # `callsign lldb` sets this for lldb's own Python; the program must not inherit it.
    path = os.environ.pop("CALLSIGN_LLDB_PYTHONPATH", None)
    if path == "":
        os.environ.pop("PYTHONPATH", None)
    elif path is not None:
        os.environ["PYTHONPATH"] = path
    if library:
        record(debugger, library)
