"""Sourced by gdb: how long looking up takes, and a whole table."""

import time

from callsign_debugger import show
from callsign_debugger.gdb_memory import needed


def paced(what, function, times=1):
    before = time.perf_counter()
    for _ in range(times):
        result = function()
    print(f"pace {what} {(time.perf_counter() - before) / times * 1e3:.3f} ms")
    return result


TABLE = needed()
HANDLES = [record.handle for record in TABLE.records({2})]
paced("lookup", lambda: show.of_handle(needed(), "datatype", HANDLES[-1]), 100)
print("lines", len(paced("table", lambda: show.info(needed(), "types"))))
