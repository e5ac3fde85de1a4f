"""Read by gdb or lldb: how often looking up an object, and showing a whole table, reads the memory of the program. Each read asks the kernel or a server,
which takes longer than all else."""

from callsign_debugger import show


def counted(what, function, memory, times=1):
    fetch, reads = memory.fetch, 0

    def count(address, size):
        nonlocal reads
        reads += 1
        return fetch(address, size)

    memory.fetch = count
    try:
        for _ in range(times):
            result = function()
    finally:
        del memory.fetch
    print(f"{what} {reads / times:.1f} reads")
    return result


def measure(needed):
    """needed(): the table, as a debugger's command gets it."""
    table = needed()
    handles = [record.handle for record in table.records({2})]
    counted("lookup", lambda: show.of_handle(needed(), "datatype", handles[-1]), table.memory, 100)
    print("lines", len(counted("table", lambda: show.info(needed(), "types"), table.memory)))


def __lldb_init_module(debugger, _):
    from callsign_debugger import lldb_memory
    measure(lambda: lldb_memory.needed(debugger.GetSelectedTarget().GetProcess()))


if __name__ == "__main__":
    from callsign_debugger import gdb_memory
    measure(gdb_memory.needed)
