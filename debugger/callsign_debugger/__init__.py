"""Reads the live table of a process with callsign (include/callsign/debug.h): from a debugger, a core file or a live process.

memory.py defines a source of memory; core.py, process.py, gdb_memory.py and lldb_memory.py implement it. layout.py has the structures, locate.py
finds the table, table.py reads it. detail.py composes names, clock.py converts times, journal.py reads facts that only the journal has, show.py makes
text. command.py has the shell commands. For debuggers, handles.py describes values, mpi_command.py implements `mpi`, tables.py caches tables;
in_gdb.py and in_lldb.py connect these to the debuggers.

Plain Python 3. Whatever the memory contains, this code must not crash or hang: every length is limited, every address may be unreadable, and every
text is escaped before it is shown.
"""
