"""Reads the live table of a process with callsign (include/callsign/debug.h): from a debugger, a core file or a live process.

memory.py says what a source of memory can do; core.py, process.py, gdb_memory.py and lldb_memory.py are such sources. layout.py has the structures,
locate.py finds the table, table.py reads it, detail.py composes names, clock.py tells time, journal.py has what only the journal tells, show.py makes text
of it. command.py has the commands of the shell. For debuggers, handles.py says what a value is, mpi_command.py what can be asked, tables.py keeps what was
found; in_gdb.py and in_lldb.py are what the two show with them.

Plain Python 3. Whatever the memory holds, nothing here may crash or hang: every length is bounded, every address may be unreadable, and every text is
escaped before it is shown.
"""
