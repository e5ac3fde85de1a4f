"""Views of events take time in proportion to the events: no view may compare all of them with all others. Instructions of SQLite are counted, not seconds.

The traces of some cases are repeated: later in time, with higher numbers of events, messages, epochs and collective calls.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE)]
import run  # noqa: E402  (the path must be set first)

CASES = ("wait_states", "window_waits", "critical_path")
FEW, FACTOR = 100, 4
STEP = 1000  # instructions between two calls of the handler
LATER_NS, MORE = 1_000_000, 1000
# Columns that grow from one repetition to the next.
GROWING = {"event": MORE, "message": MORE, "entry": MORE, "posted": MORE, "nth": MORE, "collective": MORE, "start_ns": LATER_NS}
TABLES = ("event", "event_message", "event_completion", "event_window")


def repeated(case, times):
    """The trace of a case, with all its events so many times."""
    database = run.filled(run.HERE / case / "trace.sql")
    for table in TABLES:
        columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
        values = ", ".join(f"{name} + {GROWING[name]} * value" if name in GROWING else name for name in columns)
        database.execute(f"INSERT INTO {table} ({', '.join(columns)}) SELECT {values} FROM {table}, json_each(?)", (str(list(range(1, times))),))
    database.commit()
    return database


def instructions(database, view):
    count = 0

    def step():
        nonlocal count
        count += STEP

    database.set_progress_handler(step, STEP)
    (rows,) = database.execute(f"SELECT count(*) FROM {view}").fetchone()
    database.set_progress_handler(None, 0)
    return count, rows


def main():
    failures, most = 0, 0
    for case in CASES:
        few, many = repeated(case, FEW), repeated(case, FACTOR * FEW)
        for (view,) in few.execute("SELECT name FROM sqlite_schema WHERE type = 'view' AND sql LIKE '%event%' ORDER BY 1").fetchall():
            (before, _), (after, rows) = instructions(few, view), instructions(many, view)
            growth = after / max(before, STEP)
            most = max(most, growth if after > 100 * STEP else 0)
            if growth > 1.5 * FACTOR and after > 100 * STEP:
                failures += 1
                print(f"{view}, trace of {case}: {FACTOR} times the events take {growth:.1f} times the instructions: {before}, then {after} for {rows} rows")
    assert most > 0.5 * FACTOR, "no view reads the events"
    print(f"{failures} views grow faster than the events")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
