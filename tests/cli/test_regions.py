"""The report regions, and reports of MPI time that are reduced to a region."""
import json
import re
import unittest

import fixture
from support import CommandTest

STEP, SOLVE, OUTPUT = 12, 13, 14
MS = 1_000_000
# region: (parent, path, entries, time, MPI time in it on rank 0 and on rank 1, in milliseconds; time and MPI time of 5 entries in the first and last fifth)
REGIONS = {STEP: (0, "step", 100, 4000, (1000, 2000), (100, 25), (300, 180)), SOLVE: (STEP, "step/solve", 100, 2000, (500, 900), (50, 10), (51, 10)),
           OUTPUT: (0, "output", 1, 10, (1, 1), None, None)}
# region, communicator, function, site, calls, milliseconds on rank 0 and rank 1
CALLS = ((STEP, 1, fixture.ALLREDUCE, fixture.SITE + 11, 300, 400, 900), (STEP, 3, fixture.SEND, fixture.SITE + 11, 100, 100, 200),
         (SOLVE, 3, fixture.RECV, fixture.SITE + 12, 50, 500, 900), (OUTPUT, 1, fixture.ALLREDUCE, fixture.SITE + 12, 1, 1, 1))


def write(db):
    rank = db.execute("SELECT rank FROM process").fetchone()[0]
    for region, (parent, path, entries, time, mpi, early, late) in REGIONS.items():
        fifths = {f"{name}_{column}": value and value[i] for name, value in (("early", early and (5, early[0] * MS, early[1] * MS)),
                                                                             ("late", late and (5, late[0] * MS, late[1] * MS)))
                  for i, column in enumerate(("entries", "time_ns", "mpi_ns"))}
        fixture.insert(db, "region", rank=rank, region=region, parent=parent, name=path.rpartition("/")[2], path=path, entries=entries, time_ns=time * MS,
                       mpi_ns=mpi[rank % 2] * MS, least_ns=1, most_ns=time * MS, first_ns=0, last_ns=9 * fixture.SECOND, **fifths)
    db.execute("DELETE FROM profile")
    for region, communicator, function, site, calls, *spent in CALLS + ((0, 1, fixture.ALLREDUCE, fixture.SITE + 11, 7, 70, 70),):
        row = {"rank": rank, "communicator": communicator, "object": 0, "function": function, "site": site, "calls": calls, "time_ns": spent[rank % 2] * MS,
               "min_ns": 1, "max_ns": spent[rank % 2] * MS, "sent_bytes": calls, "received_bytes": 0}
        if region:
            fixture.insert(db, "region_profile", region=region, size_class=region, **row)
        fixture.insert(db, "profile", size_class=region, **row)
    for fifth in range(1, 6):
        mpi = 100 * MS if rank % 2 == 0 else (100 + 300 * (fifth - 1)) * MS
        fixture.insert(db, "fifth", rank=rank, fifth=fifth, begin_ns=2 * (fifth - 1) * fixture.SECOND, end_ns=2 * fifth * fixture.SECOND, mpi_ns=mpi, threads=1)


class Regions(CommandTest):
    def setUp(self):
        super().setUp()
        self.runs = []
        for ranks in 1, 2, 20:  # one file, a copy, and a merged file with sums over ranks
            (self.folder / str(ranks)).mkdir()
            self.runs.append((ranks, fixture.make_run(self.folder / str(ranks), ranks=ranks, extra=write)))

    def rows(self, *arguments):
        return json.loads(self.answer(*arguments, "--format", "json"))

    def test_the_report_has_regions_and_fifths(self):
        for ranks, run in self.runs:
            with self.subTest(ranks=ranks):
                rows = {row["region"]: row for row in self.rows("report", run, "regions")}
                self.assertEqual(list(rows), [f"({20 * i}-{20 * i + 20} % of the run)" for i in range(5)] + ["output", "step", "step/solve"])
                step = rows["step"]
                self.assertEqual((step["entries"], step["seconds"], step["early_ns"], step["late_ns"]), (100 * ranks, 4, 20 * MS, 60 * MS))
                self.assertEqual((step["early_mpi_percent"], step["late_mpi_percent"]), (25, 60))
                self.assertIsNone(rows["output"]["early_ns"])
                if ranks > 1:  # half of the ranks have 1 s of MPI, the others 2 s; work is 3 s and 2 s
                    self.assertEqual((step["mpi_percent"], step["busiest_rank"]), (37.5, 0))
                    self.assertAlmostEqual(step["imbalance_percent"], 100 - 2.5 / 3 * 100)
                    self.assertEqual(step["communicators"], "MPI_COMM_WORLD 81 %, rows 19 %")
                    self.assertAlmostEqual(rows["(80-100 % of the run)"]["mpi_percent"], (0.1 + 1.3) / 4 * 100)

    def test_lines_say_what_changed(self):
        self.shows("regions", self.answer("report", self.runs[1][1], "regions", COLUMNS="160"))

    def test_a_run_without_regions_has_fifths_alone_and_says_how_to_name_regions(self):
        def without(db):
            write(db)
            db.executescript("DELETE FROM region; DELETE FROM region_profile")
        (self.folder / "none").mkdir()
        run = fixture.make_run(self.folder / "none", ranks=2, extra=without)
        self.assertEqual([row["region"] for row in self.rows("report", run, "regions")], [f"({20 * i}-{20 * i + 20} % of the run)" for i in range(5)])
        self.assertIn("The program named no region", self.answer("report", run, "regions"))
        self.refuse("report", run, "functions", "--region", "step", saying="the run has no region step")

    def test_reports_of_mpi_time_are_reduced_to_a_region_and_those_inside(self):
        for ranks, run in self.runs:
            whole = self.rows("report", run, "functions")
            file = self.folder / f"{ranks}.db"  # with sums over ranks of the whole program
            self.answer("merge", run, "-o", file)
            for region, members in (("step", (STEP, SOLVE)), ("solve", (SOLVE,)), ("step/solve", (SOLVE,)), ("output", (OUTPUT,))):
                with self.subTest(ranks=ranks, region=region):
                    expected = {}
                    for number, _, function, _, calls, *spent in CALLS:
                        if number in members:
                            had = expected.get(function, (0, 0))
                            expected[function] = (had[0] + calls * ranks, had[1] + sum(spent[rank % 2] for rank in range(ranks)))
                    names = {number: name for number, (name, _) in fixture.FUNCTIONS.items()}
                    rows = self.rows("report", run, "functions", "--region", region)
                    self.assertEqual({row["function"]: (row["calls"], round(row["seconds"] * 1000)) for row in rows},
                                     {names[function]: value for function, value in expected.items()})
                    self.assertAlmostEqual(sum(row["percent"] for row in rows), 100)
                    total = self.rows("query", run, "SELECT sum(calls) AS calls FROM call_times", "--region", region)
                    self.assertEqual(total, [{"calls": sum(calls for calls, _ in expected.values())}])
                    for source in run, file:
                        rows = self.rows("query", source, "SELECT sum(calls) AS calls FROM communicator_time", "--region", region)
                        self.assertEqual(rows, total)
            for report in "balance", "call_sites", "call_tree", "comm_callers", "communicators", "sizes":
                self.rows("report", run, report, "--region", "step")
            self.assertEqual(self.rows("report", run, "functions"), whole)  # nothing of it stays

    def test_the_page_has_regions_and_fifths(self):
        for ranks, run in self.runs:
            page = self.folder / "page.html"
            self.answer("report", run, f"--html={page}")
            section = page.read_text(encoding="utf-8").partition('<section id="regions">')[2].partition("</section>")[0]
            rows = [re.sub("<[^>]*>", " ", row).split() for row in section.split("<tr>")]
            self.assertEqual([row[:2] for row in rows if row and row[0] == "step/solve"], [["step/solve", str(ranks)]], section)
            self.assertEqual(len([row for row in rows if row and row[0][0] == "("]), 5)

    def test_a_region_goes_with_reports_of_mpi_time_alone(self):
        run = self.runs[0][1]
        for words in ("leaks",), ("functions", "leaks"), ():
            self.refuse("report", run, *words, "--region", "step", code=2, saying="--region is for reports of MPI time; name one: balance, call_sites")
        self.refuse("report", run, "functions", "--region", "ste", saying="the run has no region ste")
        self.refuse("query", run, "calls", "--region", "", saying="the run has no region")

    def test_compare_takes_a_region(self):
        def more(db):
            write(db)
            for table in "profile", "region_profile":
                db.execute(f"UPDATE {table} SET calls = calls + 10 WHERE site = {fixture.SITE + 12} AND function = {fixture.RECV}")  # in step/solve
            db.execute("UPDATE object SET freed_ns = NULL WHERE object = 3")  # leaks belong to no region
        (self.folder / "more").mkdir()
        base, new = self.runs[1][1], fixture.make_run(self.folder / "more", ranks=2, extra=more)
        for region, calls in (None, 10), ("step", 10), ("solve", 10), ("output", 0):
            with self.subTest(region=region):
                options = ("--region", region) if region else ()
                done = json.loads(self.answer("compare", base, "--", new, "--format", "json", *options))
                changes = [row for row in done["changes"] if row["verdict"] in ("more", "less")]
                self.assertEqual({row["new_total"] - row["base_total"] for row in changes if row["metric"] == "calls"}, {2 * calls} if calls else set())
                self.assertEqual({row["metric"] for row in done["changes"]} & {"leaks", "elapsed"}, set() if region else {"leaks"})
                whole = [row["base_total"] for row in changes if (row["scope"], row["metric"]) == ("run", "calls")]
                self.assertEqual(whole, {None: [2 * 458], "step": [2 * 450], "solve": [2 * 50], "output": []}[region])
        text = self.answer("compare", base, "--", new, "--region", "solve")
        self.assertIn("Only MPI calls in the region solve\n", text)
        self.assertIn("The whole region\n", text)
        self.assertEqual(self.call("compare", base, "--", new, "--region", "solve", "--fail-on", "calls@MPI_Recv>5").returncode, 1)
        self.assertEqual(self.call("compare", base, "--", new, "--region", "output", "--fail-on", "calls@MPI_Recv>5").returncode, 0)
        self.refuse("compare", base, "--", new, "--region", "step", "--fail-on", "leaks>0", code=2,
                    saying="--region is for time, wait, calls and bytes")
        self.refuse("compare", base, "--", new, "--region", "ste", saying="the run has no region ste")


if __name__ == "__main__":
    unittest.main()
