"""The machine and pid namespace of a process id, as in base/proc.h: the first half of the kernel's boot id, and the number of the pid namespace."""

import os
import pathlib


def boot():
    return int(pathlib.Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").replace("-", "")[:16], 16)


def pid_namespace():
    return os.stat("/proc/self/ns/pid").st_ino


def in_names():
    """As in the names of temporary files (journal/run_files.h)."""
    return f"{boot():016x}-{pid_namespace()}"
