"""Rows of recorded runs as text: what tests/corpus/make writes and test_corpus.py compares."""

import collections
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import bounded  # noqa: E402  (the path must be set first)

NOT_READ = ("function", "function_property")  # the functions of the version that reads
# What is not in a journal: the command looks it up on the machine that converts it.
LOOKED_UP = {"frame": ("function", "file", "line", "function_signature"), "variable": ("variable", "beyond_bytes"), "process": ("found_dead_ns",)}


def without_owner(entry):
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    return entry


def read(callsign, run, folder):
    """({table: [names of columns, row, ...]}, what the command said of damaged files). Folder is made and removed."""
    looked_up = LOOKED_UP if any(run.glob("*.journal")) else {}
    done = bounded.run([*callsign, "export", run, "--csv", folder], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=True, timeout=120,
                       env={"LC_ALL": "C.UTF-8", "TMPDIR": str(folder.parent), "PATH": "/usr/bin:/bin"})
    rows = {}
    for path in sorted(folder.glob("*.csv")):
        table = [[]]
        for field, end in re.findall(r'("(?:[^"]|"")*"|[^,\r\n]*)(,|\r?\n)', path.read_text(encoding="utf-8", errors="surrogateescape")):
            table[-1].append(re.sub(r"[\\\t\n\r]", lambda found: found[0].encode("unicode_escape").decode(), field))
            if end != ",":
                table.append([])
        table.pop()
        if len(table) > 1 and path.stem not in NOT_READ:
            kept = [i for i, column in enumerate(table[0]) if column not in looked_up.get(path.stem, ())]
            rows[path.stem] = [[row[i] for i in kept] for row in table]
    shutil.rmtree(folder)
    return rows, [line.replace(str(run.parent), "...") for line in done.stderr.splitlines()]


def as_text(rows, messages):
    """Tables and messages, each row a line."""
    lines = [f"! {line}" for line in messages]
    for name, table in rows.items():
        lines += [f"== {name}", *("\t".join(row) for row in [table[0], *sorted(table[1:])])]
    return "\n".join(lines) + "\n"



def differences(then, rows, messages):
    """How rows and messages differ from a text that another version wrote. It may lack columns and tables that came later, and use other words."""
    found, wanted = [], re.split(r"^== ", then, flags=re.MULTILINE)
    damaged, named = (set(re.findall(r"[\w-]+\.(?:db|journal)\b", text)) for text in (wanted[0], "\n".join(messages)))
    found += [f"{name} is not named" for name in sorted(damaged - named)] + [f"{name} is named" for name in sorted(named - damaged)]
    for name, columns, *expected in (part.splitlines() for part in wanted[1:]):
        if name not in rows:
            found.append(f"{name} has no rows")
            continue
        missing = [column for column in columns.split("\t") if column not in rows[name][0]]
        if missing:
            found += [f"{name} has no column {column}" for column in missing]
            continue
        places = [rows[name][0].index(column) for column in columns.split("\t")]
        now, before = collections.Counter("\t".join(row[place] for place in places) for row in rows[name][1:]), collections.Counter(expected)
        found += [f"{name}: not here now: {row}" for row in before - now] + [f"{name}: not there then: {row}" for row in now - before]
    return found
