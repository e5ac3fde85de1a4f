"""Views take time in proportion to their rows: none may compare all of something with all of something else. Instructions of SQLite are counted, not seconds.

    growth_of_views.py           a choice of cases and views
    growth_of_views.py CASE...   all views, by these cases; "all" is all but those of 1,024 ranks

The trace of a case is repeated within its ranks: each repetition has objects, call sites, tags, regions and events of its own, later in time, on objects
and at sites of its own, except in TOGETHER.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE)]
import run  # noqa: E402  (the path must be set first)
from gen import model  # noqa: E402

# The views that read most rows of a trace. ".": the trace of this folder.
CASES = {".": ("call_paths", "call_sites", "function_time", "leaks", "object_times", "objects", "regions", "tags", "waits",
               "reports/objects", "pictures/communicators"),
         "attribute_findings": ("attribute_findings_by_rank", "attributes"), "collective_calls": ("mismatches",), "critical_path": ("critical_path",),
         "exclusions_without_a_call": ("exclusions",), "misuses": ("misuses",), "run_communicators": ("disagreements",), "tags_on_one_side": ("mismatched_messages",),
         "wait_states": ("wait_findings", "wait_states"), "window_conflicts": ("window_conflicts",),
         "window_waits": ("wait_states", "window_waits")}
# Repetitions that share an object, at other places of it.
TOGETHER = {"window_conflicts": "UPDATE window_access SET displacement = displacement + 1000 * (object / 10000), object = object % 10000"}
FEW, FEW_TOGETHER, FACTOR = 50, 10, 4
STEP = 1000  # instructions between two calls of the handler
LEAST = 40 * STEP
MORE = 10_000  # from one repetition to the next
OF_RANKS = {"process", "function", "meta", "processor", "placement", "thread", "thread_processor", "fifth", "rank_time", "summary", "job"}
NUMBERS = {"object", "communicator", "window", "first", "second", "parent", "uid", "family", "similar", "tag", "last_tag", "region", "keyval", "frame", "site",
           "caller", "request", "message", "entry", "event", "posted", "nth", "number", "begun", "collective"}
TEXTS = {("object", "name"), ("naming", "name"), ("region", "name"), ("region", "path")}


def repeated_value(table, column):
    kind = column.type.partition(":")[0]
    if column.name in NUMBERS and kind != "text" or kind in ("site", "instant"):
        return f"CASE sign({column.name}) WHEN 1 THEN {column.name} + {MORE} * turn WHEN -1 THEN {column.name} - {MORE} * turn * ({column.name} < -9) ELSE {column.name} END"
    return f"{column.name} || turn" if (table.name, column.name) in TEXTS else f'"{column.name}"'


def repeated(case, times, computed=True):
    """The trace of a case, so many times. computed: with the tables that callsign computes."""
    database = run.filled(run.HERE / case / "trace.sql", computed=False)
    for table in model.read_folder().of_kind("table"):
        if table.name not in OF_RANKS:
            values = ", ".join(repeated_value(table, column) for column in table.items)
            database.execute(f"INSERT OR IGNORE INTO {table.name} SELECT {values} FROM {table.name}, (SELECT value AS turn FROM json_each(?))",
                             (str(list(range(1, times))),))
    database.execute(TOGETHER.get(case, "SELECT 1"))
    database.commit()
    if computed:
        run.compute(database)
    return database


def instructions(database, sql, most):
    """Executes SQL to its end, or for so many instructions. Returns how many it took."""
    count = 0

    def step():
        nonlocal count
        count += STEP
        return count > most

    database.set_progress_handler(step, STEP)
    try:
        for _ in database.execute(sql):
            pass
    except run.sqlite3.OperationalError as error:
        if str(error) != "interrupted":
            raise
    database.set_progress_handler(None, 0)
    return count


class Last:
    """In place of the command's own aggregate functions."""

    def __init__(self):
        self.value = None

    def step(self, value, *_):
        self.value = value

    def finalize(self):
        return self.value


def statements(database):
    """The views, reports and pictures: name and SQL. In place of the command's own functions are simple ones."""
    for function in ("bytes", "caller", "charged", "duration", "lineage", "location", "pattern", "row_name"):
        database.create_function(function, -1, lambda value, *_: value, deterministic=True)
    database.create_function("single", 0, lambda: 0)
    for function in ("label", "labels", "median", "ranges", "rank_test"):
        database.create_aggregate(function, -1, Last)
    texts = {name: f"SELECT * FROM {name}" for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY 1")}
    for room in ("reports", "pictures"):
        texts |= {f"{room}/{path.stem}": run.read(path) for path in sorted((run.DB / room).glob("*.sql")) if path.stem != "compare_changes"}
    return texts


def check(case, views=None):
    failures, seen = 0, False
    times = FEW_TOGETHER if case in TOGETHER else FEW
    few, many = repeated(case, times), repeated(case, FACTOR * times)
    of_few, of_many = statements(few), statements(many)
    for view in views or of_few:
        before = instructions(few, of_few[view], 10**9)
        after = instructions(many, of_many[view], 20 * max(before, LEAST))
        growth = after / max(before, STEP)
        seen = seen or growth > 0.5 * FACTOR
        if growth > 1.5 * FACTOR and after > LEAST:
            failures += 1
            print(f"{view}, trace of {case}: {FACTOR} times the rows take {growth:.1f} times the instructions: {before}, then {after}")
    assert seen or not views, f"no view reads the rows of {case}"
    return failures


def main():
    cases = sys.argv[1:]
    if cases == ["all"]:
        cases = sorted(path.parent.name if path.parent != HERE else "." for path in [HERE / "trace.sql", *HERE.glob("*/trace.sql")] if "1024" not in path.parent.name)
    failures = sum(check(case) for case in cases) if cases else sum(check(case, views) for case, views in CASES.items())
    print(f"{failures} views grow faster than the rows" + (': "Add a view" in CONTRIBUTING.md has the usual causes' if failures else ""))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
