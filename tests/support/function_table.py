"""Completes the table `function` of traces that tests write: they only say which functions there are."""

import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, ROOT)

from gen import emit_tables, spec  # noqa: E402  (the path must be set first)

SPEC = {function.name: emit_tables.columns(function) for function in spec.read_folder(os.path.join(ROOT, "gen", "spec"))}


def complete(database):
    """Fills the columns that are NULL, as gen/spec has them. Tests number functions as they like: the name tells which it is."""
    columns = {row[1] for row in database.execute("PRAGMA table_info(function)")}
    for number, name in database.execute("SELECT function, name FROM function").fetchall() if columns else ():
        for column in columns & SPEC.get(name, {}).keys():
            database.execute(f"UPDATE function SET {column} = coalesce({column}, ?) WHERE function = ?", (SPEC[name][column], number))
