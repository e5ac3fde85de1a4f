"""The reports call_tree and comm_callers, and call paths for other tools: each adds up to the profile."""
import json
import re
import shutil
import unittest

import fixture
from support import SECONDS, CommandTest, bounded

# site: (caller, module, function, file, line)
LIBC, SOLVER, GRID = "/lib/x86_64-linux-gnu/libc.so.6", "/opt/app/bin/solver", "/opt/app/lib/libgrid.so.2"
SITES = {
    1: (None, SOLVER, "_start", None, None),
    2: (1, LIBC, "__libc_start_main", None, None),
    3: (2, SOLVER, "main", "main.c", 10),
    4: (3, SOLVER, "solve (inlined into step)", "solve.c", 20),
    5: (4, GRID, "exchange", "grid.c", 30),
    6: (4, GRID, "exchange", "grid.c", 31),
    7: (3, SOLVER, "norm<a;b>", "norm.c", 40),
    8: (7, LIBC, "qsort", None, None),
    9: (8, SOLVER, "norm<a;b>", "norm.c", 41),  # recursive
    10: (3, SOLVER, None, None, None),
    11: (None, SOLVER, "alone", "alone.c", 1),
}
FUNCTIONS = fixture.SEND, fixture.RECV, fixture.ALLREDUCE, fixture.INIT
# site, function, communicator, seconds of rank 0 and rank 1
CALLS = ((5, fixture.SEND, 3, 3, 1), (6, fixture.RECV, 3, 2, 2), (9, fixture.ALLREDUCE, 1, 1, 1), (7, fixture.ALLREDUCE, 1, 1, 0),
         (10, fixture.SEND, 4, 1, 0), (11, fixture.RECV, 1, 0.5, 0.5), (3, fixture.INIT, 0, 100, 100), (0, fixture.SEND, 0, 0.25, 0.25))


def write(db):
    rank = db.execute("SELECT rank FROM process").fetchone()[0]
    db.execute("DELETE FROM profile")
    fixture.insert(db, "meta", rank=rank, key="config.STACKS", value="calls")
    for site, (caller, module, function, file, line) in SITES.items():
        fixture.insert(db, "frame", frame=1000 + site, module=fixture.module_number(db, module, ""), offset=16 * site, function=function, file=file, line=line)
        fixture.insert(db, "site", site=site, caller=caller, frame=1000 + site)
    for site, function, communicator, *seconds in CALLS:
        time_ns = int(seconds[rank % 2] * fixture.SECOND) + site + function
        fixture.insert(db, "profile", rank=rank, communicator=communicator, object=0, function=function, site=site, size_class=0, calls=7 + site,
                       time_ns=time_ns, min_ns=1, max_ns=time_ns, sent_bytes=100 * site, received_bytes=1)


class CallTree(CommandTest):
    def setUp(self):
        super().setUp()
        self.run_folder = fixture.make_run(self.folder, ranks=2, extra=write)
        self.profile = self.ask(self.run_folder, "SELECT sum(calls) AS calls, sum(time_ns) AS time_ns, sum(sent_bytes) AS sent_bytes, "
                                                 "sum(received_bytes) AS received_bytes FROM profile")[0]

    def tree(self, report):
        return json.loads(self.answer("report", self.run_folder, report, "--format", "json"))

    def test_the_tree_adds_up_to_the_profile(self):
        for report in "call_tree", "comm_callers":
            with self.subTest(report):
                rows = self.tree(report)
                self.assertEqual({name: sum(row[name] for row in rows if row["depth"] == 0) for name in self.profile}, self.profile)
                for number, row in enumerate(rows):  # and so does each node
                    below = []
                    for other in rows[number + 1:]:
                        if other["depth"] <= row["depth"]:
                            break
                        if other["depth"] == row["depth"] + 1:
                            below.append(other)
                    if below:
                        self.assertEqual({name: sum(other[name] for other in below) for name in self.profile}, {name: row[name] for name in self.profile})

    def test_paths_have_neither_the_start_nor_the_c_library(self):
        self.assertEqual({row["path"] for row in self.ask(self.run_folder, "SELECT path FROM call_paths")},
                         {"main;step;solve;exchange;MPI_Send", "main;step;solve;exchange;MPI_Recv", "main;norm<a,b>;norm<a,b>;MPI_Allreduce",
                          "main;norm<a,b>;MPI_Allreduce", "main;solver+0xa0;MPI_Send", "alone;MPI_Recv", "main;MPI_Init", "MPI_Send"})

    def test_it_fits_80_columns_with_the_hot_path_first(self):
        self.shows("call_tree", self.answer("report", self.run_folder, "call_tree", COLUMNS="80"))
        self.shows("call_tree", self.answer("report", self.run_folder, "comm_callers", COLUMNS="80"), "by communicator")

    def test_a_run_without_callers_says_how_to_record_them(self):
        for number in 0, 1:
            path = self.run_folder / f"rank-{number:05d}.db"
            with fixture.sqlite3.connect(path) as db:
                db.execute("UPDATE meta SET value = 'objects' WHERE key = 'config.STACKS'")
            db.close()
        self.shows("call_tree", self.answer("report", self.run_folder, "call_tree", COLUMNS="80").splitlines()[-1])

    def test_folded_stacks_add_up_to_the_profile(self):
        self.assertRegex(self.answer("export", self.run_folder, "--flamegraph", "stacks.txt"), r"\A8 call paths in stacks.txt, \d+ B\n\Z")
        lines = (self.folder / "stacks.txt").read_text(encoding="utf-8").splitlines()
        self.assertEqual(sum(int(line.rpartition(" ")[2]) for line in lines), self.profile["time_ns"])
        self.assertIn("main;step;solve;exchange;MPI_Recv", [line.rpartition(" ")[0] for line in lines])
        self.refuse("export", self.run_folder, "--flamegraph", "stacks.txt", saying="stacks.txt exists")

    def test_callgrind_has_the_profile_and_inclusive_times(self):
        self.answer("export", self.run_folder, "--callgrind", "callgrind.out")
        text = (self.folder / "callgrind.out").read_text(encoding="utf-8")
        sums = [int(word) for word in re.search(r"^summary: (.*)$", text, re.M)[1].split()]
        self.assertEqual(sums, [self.profile[name] for name in ("time_ns", "calls", "sent_bytes", "received_bytes")])
        main = text.partition("\nfn=main\n")[2].partition("\n\n")[0]
        costs = {found[0]: int(found[1]) for found in re.findall(r"^cfn=(.*)\ncalls=.*\n\S+ (\d+) ", main, re.M)}
        self.assertEqual(costs["norm<a;b>"], 3 * fixture.SECOND + 4 * fixture.ALLREDUCE + 2 * (7 + 9))
        self.assertEqual(costs["solve (inlined into step)"], 8 * fixture.SECOND + 2 * (5 + 6 + fixture.SEND + fixture.RECV))

    @unittest.skipUnless(shutil.which("callgrind_annotate"), "no callgrind_annotate")
    def test_callgrind_annotate_reads_it(self):
        self.answer("export", self.run_folder, "--callgrind", "callgrind.out")
        done = bounded.run(["callgrind_annotate", "--inclusive=yes", "callgrind.out"], capture_output=True, text=True, timeout=SECONDS, cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        found = re.search(r"^ *([\d,]+) .*PROGRAM TOTALS$", done.stdout, re.M)
        self.assertEqual(int(found[1].replace(",", "")), self.profile["time_ns"])
        self.assertRegex(done.stdout, r"main\.c:main")


class Charged(CommandTest):
    """Calls through libraries that wrap MPI are charged to the program's own frame."""

    def test_call_sites_and_leaks_show_the_callers_of_a_layer(self):
        def write_layers(db):
            write(db)
            rank = db.execute("SELECT rank FROM process").fetchone()[0]
            fixture.insert(db, "meta", rank=rank, key="config.THROUGH", value="exchange")
            db.execute("UPDATE object SET site = 5, freed_ns = NULL WHERE name = 'rows'")
        run = fixture.make_run(self.folder, ranks=2, extra=write_layers)
        rows = json.loads(self.answer("report", run, "call_sites", "--format", "json"))
        self.assertEqual({(row["function"], row["location"], row["through"], row["inner_location"]) for row in rows if row["through"]},
                         {("MPI_Send", "solve (inlined into step) solve.c:20", "exchange", "exchange grid.c:30"),
                          ("MPI_Recv", "solve (inlined into step) solve.c:20", "exchange", "exchange grid.c:31")})
        self.shows("call_tree", self.answer("report", run, "call_sites", COLUMNS="130"))
        self.shows("call_tree", [line for line in self.answer("report", run, COLUMNS="200").splitlines() if "solve.c" in line and "%" in line], "overview")
        leaks = json.loads(self.answer("report", run, "leaks", "--format", "json"))
        self.assertIn(("solve (inlined into step) solve.c:20", "exchange"), [(row["location"], row["through"]) for row in leaks])

    def test_layers_can_be_named_when_reading(self):
        for ranks in 1, 2, 20: # one file, a copy, and a merged file with materialized views
            (self.folder / str(ranks)).mkdir()
            run = fixture.make_run(self.folder / str(ranks), ranks=ranks, extra=write)
            self.answer("report", run, "--format", "json") # computes the materialized views
            plain = self.sites(run)
            self.assertEqual(self.through(plain), set())
            self.assertEqual(self.through(self.sites(run, "--through", "exchange")),
                             {("MPI_Send", "solve (inlined into step) solve.c:20", "exchange"),
                              ("MPI_Recv", "solve (inlined into step) solve.c:20", "exchange")})
            self.assertEqual(json.loads(self.call("report", run, "call_sites", "--format", "json", "--through", "exchang,libgri").stdout), plain)
            self.assertEqual(self.through(self.sites(run, "--through", ", grid.?")),
                             {("MPI_Send", "solve (inlined into step) solve.c:20", "grid.?"),
                              ("MPI_Recv", "solve (inlined into step) solve.c:20", "grid.?")})
            self.assertEqual(self.sites(run), plain) # rules of one reader do not stay
            said = self.call("report", run, "call_sites", "--through", "nothing,*/lib/libgrid*,grid.?,*/lib/grid.?").stderr
            self.assertEqual(re.findall(r"--through (\S+) matches no library", said), ["nothing", "'*/lib/grid.?'"])

    def test_every_report_names_the_callers_of_a_layer(self):
        def write_everywhere(db):
            write(db)
            rank = db.execute("SELECT rank FROM process").fetchone()[0]

            def insert(table, **values):
                fixture.insert(db, table, rank=rank, site=5, **values)

            db.execute("UPDATE module SET path = '/opt/lib/libc.so.6' WHERE path = ?", [LIBC])  # that of this machine would be looked at
            db.execute("UPDATE object SET site = 5, name = NULL, freed_ns = NULL WHERE site IS NOT NULL")
            db.execute("UPDATE thread SET site = 5")
            insert("failed_call", at_ns=1, object=3, function=fixture.SEND, peer=1, tag=7, error="MPI_ERR_RANK")
            insert("attribute", object=3, kind="communicator", keyval=9, operation="get", found=0, value_kind="none", value=0, calls=3, first_ns=1, last_ns=2)
            insert("keyval", kind="communicator", keyval=9, function=fixture.SPLIT, created_ns=1, created=1)
            insert("tag", communicator=3, direction="send", tag=7, last_tag=7, largest_tag=7, messages=3, types=0, untyped=0)

        run = fixture.make_run(self.folder, ranks=2, outcome="died", extra=write_everywhere)
        innermost, charged = "exchange grid.c:30", "solve (inlined into step) solve.c:20"
        texts = []
        for options in (), ("--through", "exchange"):
            everything = json.loads(self.answer("report", run, "--format", "json", *options))
            for row in everything["reports"]["call_sites"]:
                row.pop("inner_location", None)
            texts.append({**{name: json.dumps(rows) for name, rows in everything["reports"].items()}, "findings": json.dumps(everything["findings"]),
                          "sentences": json.dumps(everything["sentences"])})
        plain, through = texts
        named = {name for name, text in plain.items() if innermost in text}
        self.assertLessEqual({"attributes", "call_sites", "checks", "endings", "findings", "leaks", "sentences", "tags", "unnamed"}, named)
        self.assertEqual({name for name, text in through.items() if innermost in text}, set())
        self.assertEqual({name for name in named if charged not in through[name]}, set())

    def sites(self, run, *options):
        return json.loads(self.answer("report", run, "call_sites", "--format", "json", *options))

    @staticmethod
    def through(rows):
        return {(row["function"], row["location"], row["through"]) for row in rows if row["through"]}


if __name__ == "__main__":
    unittest.main()
