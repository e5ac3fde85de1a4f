"""Completes traces that tests write: of the table `function` they only say which functions there are, and of `object` not which are similar."""

import hashlib
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, ROOT)

from gen import emit_tables, spec  # noqa: E402  (the path must be set first)

SPEC = {function.name: emit_tables.columns(function) for function in spec.read_folder(os.path.join(ROOT, "gen", "spec"))}


# What makes objects similar; db/convert/objects.c hashes the same.
SIMILAR = """SELECT o.rank, o.object, o.kind, CASE o.name_origin WHEN 'derived' THEN NULL ELSE nullif(o.name, '') END, c.size,
    CASE p.name_origin WHEN 'derived' THEN p.site ELSE nullif(p.name, '') END, o.function, o.site
    FROM object o LEFT JOIN communicator c USING (rank, object) LEFT JOIN object p ON p.rank = o.rank AND p.object = o.parent
    WHERE o.kind IN ('communicator', 'window', 'file') AND o.similar IS NULL"""


def complete_objects(database):
    """Fills object.similar where it is NULL."""
    for rank, number, *facts in database.execute(SIMILAR).fetchall():
        digest = hashlib.sha256(repr(facts).encode()).digest()
        similar = int.from_bytes(digest[:8], "little") >> 2 | 1 << 62
        database.execute("UPDATE object SET similar = ? WHERE rank = ? AND object = ?", (similar, rank, number))


def complete(database):
    """Fills the columns that are NULL, as gen/spec has them. Tests number functions as they like: the name tells which it is."""
    if any(row[1] == "similar" for row in database.execute("PRAGMA table_info(object)")):
        complete_objects(database)
    columns = {row[1] for row in database.execute("PRAGMA table_info(function)")}
    for number, name in database.execute("SELECT function, name FROM function").fetchall() if columns else ():
        for column in columns & SPEC.get(name, {}).keys():
            database.execute(f"UPDATE function SET {column} = coalesce({column}, ?) WHERE function = ?", (SPEC[name][column], number))
