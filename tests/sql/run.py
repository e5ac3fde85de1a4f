"""Runs the cases of this folder: trace + query + expected answer.

    run.py                    run all cases, and fail if a view has no case of its name
    run.py CASE...            run these
    run.py --accept CASE...   write each answer as the expected one (and then read it!)

A case is a folder with query.sql and expected.csv. The query reads the tables of gen/model and the views of ../../db/trace/views. The tables are filled
by the case's own trace.sql, which may be a link to that of another case, or by that of this folder; those of ../../db/trace/event_tables.sql by the
command, CALLSIGN_COMMAND or that of the release build.
"""
import argparse
import contextlib
import csv
import difflib
import functools
import io
import os
import pathlib
import re
import sqlite3
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
DB = ROOT / "db/trace"
sys.path[:0] = [str(ROOT / "tests/support"), str(DB), str(ROOT)]

import bounded  # noqa: E402  (the path must be set first)
import embed  # noqa: E402
import function_table  # noqa: E402
from gen import model, model_tables  # noqa: E402

VIEWS = embed.view_texts().values()
SCHEMA = model_tables.schema(model.read_folder())


def read(path):
    return path.read_text(encoding="utf-8")


COMPUTED = read(DB / "event_tables.sql")


def compute(database):
    """Fills the tables that callsign computes from events."""
    names = re.findall(r"CREATE TABLE (\w+)", COMPUTED)
    for name in names:
        database.execute(f"DROP TABLE IF EXISTS {name}")
    database.commit()
    with tempfile.TemporaryDirectory(prefix="callsign-test-") as folder:
        path, merged = pathlib.Path(folder) / "run.db", pathlib.Path(folder) / "merged.db"
        if database.execute("SELECT 1 FROM event").fetchone():
            with contextlib.closing(sqlite3.connect(path)) as file:
                database.backup(file)
            command = os.environ.get("CALLSIGN_COMMAND", str(ROOT / "build/release/bin/callsign"))
            bounded.run([command, "merge", path, "-o", merged], check=True, capture_output=True)
        database.executescript(COMPUTED)
        if merged.exists():
            database.execute("ATTACH ? AS merged", (str(merged),))
            for name in names:
                database.execute(f"INSERT INTO main.{name} SELECT * FROM merged.{name}")
            database.commit()
            database.execute("DETACH merged")


def filled(path, computed=True):
    """A database that this script fills. computed: with the tables that callsign computes."""
    database = sqlite3.connect(":memory:")
    # As the command opens traces: a view may only use functions that are harmless.
    database.execute("PRAGMA trusted_schema = OFF")
    database.executescript(SCHEMA)
    for view in VIEWS:
        database.executescript(view)
    database.executescript(read(path))
    function_table.complete(database)
    database.executescript(read(ROOT / "tests/support/sums.sql"))
    if computed:
        compute(database)
    return database


@functools.cache
def trace(path):
    """The same, once. Cases only read it."""
    database = filled(path)
    database.execute("PRAGMA query_only = ON")
    return database


def answer(case):
    if not (HERE / case / "query.sql").exists():
        sys.exit(f"there is no case {case}: make tests/sql/{case}/query.sql")
    own = HERE / case / "trace.sql"
    cursor = trace((own if own.exists() else HERE / "trace.sql").resolve()).execute(read(HERE / case / "query.sql"))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(column[0] for column in cursor.description)
    for row in cursor:
        # A fixed number of digits: sums of floating-point numbers may differ in the last ones.
        writer.writerow("NULL" if value is None else f"{value:.9g}" if isinstance(value, float) else value for value in row)
    return out.getvalue()


def run(case, accept):
    path = HERE / case / "expected.csv"
    got = answer(case)
    if accept:
        path.write_text(got, encoding="utf-8")
        return True
    expected = read(path) if path.exists() else ""
    if got == expected:
        return True
    diff = difflib.unified_diff(expected.splitlines(True), got.splitlines(True), f"{case}/expected.csv", "answer")
    sys.stdout.writelines(diff)
    print(f"If the answer is right: tests/sql/run.py --accept {case}")
    return False


def every_view_has_a_case():
    database = trace(HERE / "trace.sql")
    views = {name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'view'")}
    missing = sorted(view for view in views if not (HERE / view / "expected.csv").exists())
    for view in missing:
        print(f"the view {view} has no case: make tests/sql/{view} with query.sql and expected.csv")
    return not missing


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--accept", action="store_true")
    parser.add_argument("case", nargs="*")
    arguments = parser.parse_args()
    cases = arguments.case or sorted(path.parent.name for path in HERE.glob("*/query.sql"))
    good = [run(case, arguments.accept) for case in cases]
    if not arguments.case:
        good.append(every_view_has_a_case())
    print(f"{sum(good)} of {len(good)} are as expected")
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
