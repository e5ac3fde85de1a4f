"""Read by gdb or lldb: how long looking up takes, and a whole table. What the debugger itself computes: the machine may be busy with others."""

import time

from callsign_debugger import show


def paced(what, function, times=1):
    before = time.process_time()
    for _ in range(times):
        result = function()
    print(f"pace {what} {(time.process_time() - before) / times * 1e3:.3f} ms")
    return result


def measure(needed):
    """needed(): the table, as a debugger's command gets it."""
    handles = [record.handle for record in needed().records({2})]
    paced("lookup", lambda: show.of_handle(needed(), "datatype", handles[-1]), 100)
    print("lines", len(paced("table", lambda: show.info(needed(), "types"))))


def __lldb_init_module(debugger, _):
    from callsign_debugger import lldb_memory
    measure(lambda: lldb_memory.needed(debugger.GetSelectedTarget().GetProcess()))


if __name__ == "__main__":
    from callsign_debugger import gdb_memory
    measure(gdb_memory.needed)
