"""Opens the trace of a rank with its views: the file itself has tables alone."""

import functools
import pathlib
import sqlite3
import sys

TREE = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(TREE / "db/trace"))
import embed  # noqa: E402  (the path must be set first)


@functools.cache
def views():
    return [view[:2] for view in embed.views()]


class Trace(sqlite3.Connection):
    """A connection whose `with` closes it: sqlite3's own only ends a transaction."""

    def __exit__(self, *what):
        super().__exit__(*what)
        self.close()


def add_sums(db):
    """As cs_rank_times_fill_apart does, by the SQL of sums.sql."""
    for table in ("rank_time", "summary"):
        db.execute(f"CREATE TEMP TABLE {table} AS SELECT * FROM main.{table} LIMIT 0")
    db.executescript((TREE / "tests/support/sums.sql").read_text(encoding="utf-8"))


def add_views(db):
    """As cs_schema_add_views does."""
    db.execute("PRAGMA writable_schema = ON")
    db.executemany("INSERT INTO temp.sqlite_master VALUES ('view', ?1, ?1, 0, ?2)", views())
    db.commit()
    db.execute("PRAGMA writable_schema = RESET")


def open_tables(path):
    """Without views, which take twenty times as long."""
    return sqlite3.connect(f"file:{path}?mode=ro", uri=True, factory=Trace)


def open_trace(path):
    db = open_tables(path)
    add_views(db)
    add_sums(db)
    return db
