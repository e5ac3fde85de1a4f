"""The tables rank_time and summary: their rows are those that SQL computes from all calls (tests/support/sums.sql), however they were added up."""
import contextlib
import csv
import json
import pathlib
import random
import re
import shutil
import sqlite3
import tempfile
import unittest

import fixture
import bounded  # noqa: E402  (fixture sets the path)
import scaled_run  # noqa: E402
from support import CommandTest

SEEDS = (1, 2)
SITES = [fixture.SITE + frame for frame, *_ in fixture.FRAMES] + [0]
MORE_FUNCTIONS = {23001: "MPI_Startall", 18001: "MPI_File_write", 17001: "MPI_Put"}  # numbered as we like

WINDOW, FILE, TWIN, OTHER_TWIN = 206, 207, 208, 209  # numbers of objects


VIEWS = [name for name, *_ in fixture.embed.views()]


def rounded(value):
    """Sums of floating-point numbers may differ in their last digits."""
    if isinstance(value, float):
        return float(f"{value:.9g}")
    if isinstance(value, list):
        return [rounded(item) for item in value]
    if isinstance(value, dict):
        return {name: rounded(item) for name, item in value.items()}
    return value


def rounded_rows(path):
    """The rows of a CSV file, sorted."""
    with open(path, encoding="utf-8", newline="") as file:
        _, *rows = csv.reader(file)
    return sorted([f"{float(value):.9g}" if re.fullmatch(r"-?\d+\.\d+(e[-+]?\d+)?", value) else value for value in row] for row in rows)


def add_calls(db, rank, dice):
    """Random rows of the profile, also on objects that nothing is known of."""
    for number, name in MORE_FUNCTIONS.items():
        db.execute("INSERT OR IGNORE INTO function (function, name) VALUES (?, ?)", (number, name))
    fixture.function_table.complete(db)
    functions = [*fixture.FUNCTIONS, *MORE_FUNCTIONS]
    for _ in range(dice.randrange(60)):
        sent, received = (dice.choice((0, dice.randrange(1 << 20))) for _ in range(2))
        calls, spent = dice.choice((0, dice.randrange(1, 50))), dice.randrange(1 << dice.randrange(1, 34))
        timed = (spent // (calls + 1), spent) if calls else (None, None)
        row = (rank, dice.choice((0, 1, 2, 3, 4, TWIN, OTHER_TWIN)), dice.choice((0, 0, 0, WINDOW, FILE, 99)), dice.choice(functions), dice.choice(SITES),
               max(sent, received).bit_length(), calls, spent, *timed, sent, received)
        db.execute("INSERT OR IGNORE INTO profile VALUES (" + ", ".join("?" * 12) + ")", row)


def add_tags(db, rank, dice):
    """Random tags, also on a communicator that nothing is known of."""
    for _ in range(dice.randrange(40)):
        tag, wide = dice.choice((7, 40_000, 70_000)), dice.choice((0, 0, 90))
        row = (rank, dice.choice((1, 2, 3, TWIN, OTHER_TWIN, 99)), dice.choice(("send", "receive")), tag, tag + wide, tag + dice.randrange(wide + 1),
               dice.choice(SITES), dice.randrange(1, 50), dice.randrange(1 << 40), dice.randrange(2))
        db.execute("INSERT OR IGNORE INTO tag (rank, communicator, direction, tag, last_tag, largest_tag, site, messages, types, untyped)"
                   " VALUES (" + ", ".join("?" * 10) + ")", row)


def add_objects(db, rank):
    plain = {"internal": 0, "predefined": 0, "adopted": 0, "created_ns": 4}
    fixture.insert(db, "object", rank=rank, object=WINDOW, kind="window", name="halo" if rank % 2 else None, name_origin="program" if rank % 2 else None,
                   parent=1, **plain)
    fixture.insert(db, "window", rank=rank, object=WINDOW, communicator=1)
    fixture.insert(db, "object", rank=rank, object=FILE, kind="file", name="out.dat", name_origin="derived", parent=3, **plain)


def add_teams(db, rank, ranks):
    """All ranks share some objects, and each two ranks others. The twins are similar and have the same members."""
    for number in (TWIN, OTHER_TWIN):
        fixture.insert(db, "object", rank=rank, object=number, kind="communicator", parent=1, similar=77, internal=0, predefined=0, adopted=0, created_ns=5)
        fixture.insert(db, "communicator", rank=rank, object=number, size=ranks, members=None if rank else f"0-{ranks - 1}")
    db.execute("UPDATE communicator SET size = ? WHERE object IN (1, 4)", (ranks,))
    for shared_by, numbers in ((ranks, (1, 4, WINDOW, TWIN, OTHER_TWIN)), (2, (3, FILE))):
        for number in numbers:
            db.execute("UPDATE object SET uid = ? WHERE rank = ? AND object = ?", (1000 * number + rank // shared_by, rank, number))


def stop_inside(db, rank, dice):
    """The rank died inside a call: on a communicator, a window, a file, on nothing, or on what nobody knows."""
    db.execute("UPDATE process SET outcome = 'died', finalize_ns = NULL WHERE rank = ?", (rank,))
    db.execute("DELETE FROM thread WHERE rank = ?", (rank,))
    fixture.insert(db, "thread", rank=rank, thread=0, tid=1, threads=1, state="inside",
                   function=dice.choice(list(fixture.FUNCTIONS)), object=dice.choice((1, 3, WINDOW, FILE, None, 99)), site=dice.choice(SITES),
                   since_ns=dice.randrange(9 * fixture.SECOND), until_ns=0, calls=5, mpi_ns=0)


def change(run, seed, ranks):
    dice = random.Random(seed)
    for path in sorted(run.glob("*.db")):
        with sqlite3.connect(path) as db:
            for (rank,) in db.execute("SELECT rank FROM process ORDER BY rank").fetchall():
                add_objects(db, rank)
                add_teams(db, rank, ranks)
                add_calls(db, rank, dice)
                add_tags(db, rank, dice)
                if rank == 1 or dice.random() < 0.1:
                    stop_inside(db, rank, dice)
            fixture.function_table.complete(db)
        db.close()


def remove_summaries(run):
    for path in run.glob("*.db"):
        with sqlite3.connect(path) as db:
            for table in ("summary", "rank_time"):
                db.execute(f"DELETE FROM {table}")
        db.close()


class Summary(CommandTest):
    def make(self, seed, files="rank"):
        """A run of many ranks on several nodes, with a late rank, leaks, random calls and ranks that died inside a call."""
        dice = random.Random(f"run {seed}")
        recorded = fixture.make_run(self.folder)
        ranks = 4 * dice.choice((5, 7))
        run = self.folder / f"scaled{seed}.callsign"
        scaled_run.make(scaled_run.plan_of(recorded, run, ranks, per_node=dice.randrange(3, 20), late={dice.randrange(ranks): 5},
                                           leak={dice.randrange(ranks): 7}, seed=seed, files=files, plain=True))
        shutil.rmtree(recorded)
        change(run, seed, ranks)
        if files == "node":
            bounded.run([scaled_run.WRITE_NODE_FILE, *run.iterdir()], check=True)
        return run

    def reports(self, run):
        done = self.call("report", run, "--format", "json")
        self.assertEqual(done.returncode, 0, done.stderr)
        page = json.loads(done.stdout)
        found = {f"report {name}": rounded(rows) for name, rows in page["reports"].items()}
        self.assertLessEqual({f"report {name}" for name in fixture.REPORTS} - {"report verdict"}, set(found))
        found |= {part: rounded(page[part]) for part in ("findings", "pictures")}
        return found

    def answers(self, run):
        """All rows of all views and reports."""
        found = self.reports(run)
        path = run / "merged.db" if run.is_dir() else run  # written by the report
        with tempfile.TemporaryDirectory(dir=self.folder) as tables:
            self.answer("export", path, "--csv", tables, "--views")
            return found | {view: rounded_rows(pathlib.Path(tables) / f"{view}.csv") for view in VIEWS}

    def ask_rank(self, run, rank, sql):
        return json.loads(self.answer("query", "--rank", rank, run, sql, "--format", "json"))

    def tables(self, db):
        """Their rows, without the sketch."""
        return [sorted(map(repr, map(rounded, map(list, db.execute(f"SELECT * FROM {table}")))))
                for table in ("rank_time", "(SELECT part, similar, kind, function, site, size_class, ranks, calls, open, time_ns, least_ns, least_rank, next_ns,"
                              " most_ns, most_rank, quarter_ns, median_ns, three_quarters_ns, min_ns, max_ns, sent_bytes, received_bytes FROM summary)")]

    def sums_are_those_of_the_calls(self, path):
        """Compares the tables with SQL's, and all reports with those of a file without the tables, which are computed when it is opened."""
        answers = self.answers(path)
        with sqlite3.connect(path) as db:
            found = self.tables(db)
            for table in ("summary", "rank_time"):
                self.assertGreater(db.execute(f"DELETE FROM {table}").rowcount, 0, table)
        db.close()
        without = self.reports(path)
        with sqlite3.connect(path) as db:
            for view in ([] if db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'call_times'").fetchone() else fixture.embed.view_texts().values()):
                db.executescript(view)
            db.executescript((fixture.TREE / "tests/support/sums.sql").read_text())
            for mine, oracle in zip(found, self.tables(db)):
                self.assertEqual(mine, oracle)
        db.close()
        for name in without.keys() - {"findings"}:  # a view has this name, too
            self.assertEqual(answers[name], without[name], name)
        return answers

    def test_all_answers_are_those_of_the_calls(self):
        run = self.make(SEEDS[0])
        self.ask(run, "SELECT 1")
        merged = pathlib.Path(shutil.copy(run / "merged.db", self.folder / "all.db"))
        answers = self.sums_are_those_of_the_calls(merged)
        self.assertGreater(len(answers["open_calls"]), 0)
        parts = self.ask(run, "SELECT part, count(*) AS n FROM summary GROUP BY part ORDER BY part")
        self.assertEqual([row["part"] for row in parts], ["function", "line", "similar", "site", "size"])

    def kept_rows_are_those_of_the_views(self, run, about=""):
        self.answer("report", run, "--format", "json")
        with contextlib.closing(sqlite3.connect(run / "merged.db")) as db:
            kept = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE name GLOB ?", (f"materialized_*{about}*",))]
            found = {}
            for name in kept:
                try:
                    found[name] = [sorted(map(repr, map(rounded, map(list, db.execute(f"SELECT * FROM {each}"))))) for each in (name, name[len("materialized_"):])]
                except sqlite3.OperationalError as error:  # only callsign computes these: test_event_waits.py
                    self.assertRegex(str(error), "no such table: main.computed_")
            exact = [db.execute(f"SELECT * FROM {name}").fetchall() for name in ("materialized_balance", "balance")]
            missing, tags = (db.execute(sql).fetchone()[0] for sql in (
                "SELECT count(*) FROM balance WHERE ranks < size AND least_seconds = 0",
                "SELECT count(*) FROM tags_too_large WHERE ranks > 1 AND messages > ranks"))
        self.assertGreater(len(found), 1)
        for name, (rows, view) in found.items():
            self.assertEqual(rows, view, name)
        self.assertEqual(*exact)
        self.assertGreater(missing, 0)
        self.assertGreater(tags, 0)

    def test_kept_rows_are_those_of_the_views(self):
        """Some views are computed without SQL when a run is kept."""
        self.kept_rows_are_those_of_the_views(self.make(SEEDS[1]))

    def test_kept_rows_of_odd_tags_are_those_of_the_views(self):
        run = self.make(SEEDS[0])
        odd = 0
        for path in run.glob("*.db"):
            with sqlite3.connect(path) as db:
                odd += db.execute("UPDATE OR IGNORE tag SET direction = 'put' WHERE tag = 40000 AND direction = 'send'").rowcount
            db.close()
        self.assertGreater(odd, 0)
        self.kept_rows_are_those_of_the_views(run, "tag")

    def test_summaries_of_nodes_are_those_of_their_calls(self):
        run = self.make(3, "node")
        bare = pathlib.Path(shutil.copytree(run, self.folder / "bare.callsign"))
        remove_summaries(bare)
        node = self.sums_are_those_of_the_calls(pathlib.Path(shutil.copy(next(run.iterdir()), self.folder / "node.db")))
        self.assertGreater(len(node["rank_times"]), 0)
        mine, theirs = self.answers(run), self.answers(bare)
        for name, rows in theirs.items():
            self.assertEqual(mine[name], rows, name)
        for table in ("summary", "rank_time"):
            self.assertEqual(*(self.ask(each / "merged.db", f"SELECT * FROM {table}") for each in (run, bare)))

    def test_one_rank_of_a_node_has_its_own_calls(self):
        run = self.make(1, "node")
        for table in ("summary", "rank_time"):
            self.assertEqual(self.ask_rank(run, 2, f"SELECT count(*) AS n FROM main.{table}"), [{"n": 0}])
        per_function = "SELECT function, sum(calls) AS calls FROM rank_times WHERE rank = 2 GROUP BY 1 ORDER BY 1"
        self.assertEqual(self.ask_rank(run, 2, per_function), self.ask(run, per_function))

    def test_quartiles_are_within_one_percent(self):
        run = self.make(4)
        times = {}
        for row in self.ask(run, "SELECT function, rank, sum(time_ns) AS ns FROM call_times GROUP BY 1, 2 ORDER BY 3"):
            times.setdefault(row["function"], []).append(row["ns"])
        for row in self.ask(run, "SELECT * FROM summary WHERE part = 'function'"):
            ns = times[row["function"]]
            self.assertEqual((row["least_ns"], row["most_ns"], row["ranks"], row["time_ns"]), (ns[0], ns[-1], len(ns), sum(ns)))
            for quarter, name in enumerate(("quarter_ns", "median_ns", "three_quarters_ns"), 1):
                exact = (ns[(len(ns) - 1) // 2] + ns[len(ns) // 2]) / 2 if quarter == 2 else ns[(quarter * len(ns) + 3) // 4 - 1]
                self.assertLessEqual(abs(row[name] - exact), exact / 100, (row, exact))

    def test_run_of_one_rank_has_the_answers_of_its_file(self):
        run = fixture.make_run(self.folder, ranks=1)
        change(run, 5, 1)
        self.answer("merge", run, "-o", "all.db")
        with sqlite3.connect(self.folder / "all.db") as db:
            self.assertGreater(db.execute("SELECT count(*) FROM summary").fetchone()[0], 0)
        db.close()
        paths = (run / "rank-00000.db", "all.db")
        for view in ("function_time", "call_sites", "communicator_time", "message_sizes", "summary", "rank_times", "balance", "churn", "processes"):
            self.assertEqual(*(sorted(map(repr, rounded(self.ask(path, f"SELECT * FROM {view}")))) for path in paths), view)
        for report in ("functions", "sizes"):
            self.assertEqual(*(rounded(json.loads(self.answer("report", path, report, "--format", "json"))) for path in paths), report)

    def test_tables_of_others_are_not_believed_when_ranks_are_merged(self):
        run = fixture.make_run(self.folder)
        self.answer("merge", run, "-o", "honest.db")
        for path in run.glob("rank-*.db"):
            with sqlite3.connect(path) as db:
                db.execute("INSERT INTO rank_time VALUES (0, 1, 0, 4024, -5, 1, 1e300, 'x', NULL, 0, 0)")
                db.execute("INSERT INTO summary VALUES ('function', 0, '', 4024, 0, 0, -1, -1, -1, 'x', 9, 9, 9, 0, 9, 9, 9, 9, 9, 9, 0, 0, x'ff')")
            db.close()
        self.answer("merge", run, "-o", "hostile.db")
        for table in ("rank_time", "summary"):
            self.assertEqual(*(self.ask(name, f"SELECT * FROM {table}") for name in ("honest.db", "hostile.db")))

    def test_any_figures_in_them_end_in_an_answer(self):
        run = fixture.make_run(self.folder)
        self.answer("merge", run, "-o", "all.db")
        dice = random.Random(6)
        values = (0, -1, 2**63 - 1, -2**63, 1e300, "x", b"\xff\x00", 3)
        for _ in range(6):
            damaged = shutil.copy(self.folder / "all.db", self.folder / "damaged.db")
            with sqlite3.connect(damaged) as db:
                for table in ("rank_time", "summary"):
                    columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
                    for column in dice.sample(columns, 4):
                        db.execute(f"UPDATE OR IGNORE {table} SET {column} = ?", (dice.choice(values),))
            db.close()
            for report in ("", "functions", "balance", "sizes", "communicators"):
                done = self.call("report", damaged, *report.split())
                self.assertIn(done.returncode, (0, 1), (report, done.stderr))


if __name__ == "__main__":
    unittest.main()
