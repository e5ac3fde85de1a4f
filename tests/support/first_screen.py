"""Checks that the overview agrees with the tables: every figure in it is looked up in the views and in the reports."""

import json
import re

SHARE = r"([\d.]+) %"


class Screen:
    """ask: the rows of a query as dictionaries; answer: what `callsign report RUN` prints, with further words of the command."""

    def __init__(self, test, ask, answer):
        self.test, self.ask, self.answer = test, ask, answer
        self.lines = answer().splitlines()

    def line(self, begin):
        """The line that begins so, or None."""
        return next((line for line in self.lines if re.match(begin, line)), None)

    def rows(self, report):
        return json.loads(self.answer(report, "--format", "json"))

    def near(self, shown, value, what):
        self.test.assertAlmostEqual(float(shown), value, delta=0.0501, msg=what)

    def check(self):
        self.check_sums()
        self.check_first_line()
        self.check_ranks()
        self.check_shares()

    def check_sums(self):
        """All views have the same time, and as many calls as the processes."""
        (whole,) = self.ask("SELECT total(time_ns) / 1e9 AS seconds, total(CASE WHEN NOT lifecycle THEN time_ns END) / 1e9 AS other, "
                            "sum(open) AS open, sum(calls) AS calls FROM call_times")
        for view in ("communicator_time", "function_time", "call_sites"):
            (sums,) = self.ask(f"SELECT total(seconds) AS seconds, total(CASE WHEN percent IS NOT NULL THEN seconds END) AS other, sum(open) AS open, "
                               f"sum(calls) AS calls, total(percent) AS percent FROM {view}")
            self.test.assertEqual((sums["open"], sums["calls"]), (whole["open"], whole["calls"]), view)
            self.test.assertAlmostEqual(sums["seconds"], whole["seconds"], places=6, msg=view)
            self.test.assertAlmostEqual(sums["other"], whole["other"], places=6, msg=view)
            self.test.assertAlmostEqual(sums["percent"], 100 if whole["other"] else 0, places=6, msg=view)

    def check_processes(self):
        """In a recorded run without MPI_Pcontrol, the time of each rank is the sum of its calls."""
        for row in self.ask("SELECT p.rank, p.mpi_seconds, p.mpi_percent, p.other_percent, p.lifecycle_percent, "
                            "(SELECT total(time_ns) / 1e9 FROM call_times c WHERE c.rank = p.rank) AS seconds FROM processes p"):
            self.test.assertAlmostEqual(row["mpi_seconds"], row["seconds"], delta=1e-5 + 1e-4 * row["seconds"], msg=row)
            self.test.assertAlmostEqual(row["mpi_percent"], row["other_percent"] + row["lifecycle_percent"], places=6, msg=row)
            self.test.assertLessEqual(row["mpi_percent"], 100.1, row)

    def check_first_line(self):
        (sums,) = self.ask("SELECT total(lifecycle_seconds) * 100 / total(thread_seconds) AS lifecycle, total(mpi_seconds) * 100 / total(thread_seconds) AS mpi, "
                           "max(threads) > 1 AS threaded FROM processes")
        found = re.search(r"Time of (\w+)[^:]*: " + SHARE + " in MPI_Init and MPI_Finalize, " + SHARE + r" in other MPI calls \(\"MPI time\"\)$", self.line("Time of "))
        self.test.assertTrue(found, self.lines[:3])
        self.test.assertEqual(found[1], "threads" if sums["threaded"] else "ranks")
        self.near(found[2], sums["lifecycle"], found[0])
        self.near(found[3], sums["mpi"] - sums["lifecycle"], found[0])

    def check_ranks(self):
        shares = {row["rank"]: row["other"] for row in
                  self.ask("SELECT rank, other_percent AS other FROM processes WHERE other_percent IS NOT NULL AND rank >= 0")}
        line = self.line("(The threads of ranks|Ranks) spend ")
        ordered = sorted(shares.values())
        busy = self.ask("SELECT 1 FROM share_findings WHERE kind = 'busy_rank'")  # another line; with too few cores it may be any rank
        if not shares or busy or f"{ordered[0]:.1f}" == f"{ordered[-1]:.1f}":
            self.test.assertIsNone(line)
            return
        found = re.search(rf" spend {SHARE} \(rank (\d+)\) to {SHARE} \(rank (\d+)\) of their time in MPI, median {SHARE}$", line)
        self.test.assertTrue(found, line)
        least, first, most, last, median = found.groups()
        for shown, value in ((least, ordered[0]), (least, shares[int(first)]), (most, ordered[-1]), (most, shares[int(last)]),
                             (median, (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2)):
            self.near(shown, value, line)

    def check_shares(self):
        """Each percent of the verdict's first line is that of the first row of a table."""
        line = self.line("MPI time: ")
        (whole,) = self.ask("SELECT total(time_ns) AS ns, total(CASE WHEN open THEN time_ns END) AS open FROM call_times WHERE NOT lifecycle")
        if not whole["ns"]:
            self.test.assertIsNone(line)
            return
        communicator, function, site = (self.rows(report)[0] for report in ("communicators", "functions", "call_sites"))
        (share, name) = re.search(SHARE + r" (?:on )?(.*?)(?:; [\d.]+ % in |$)", line).groups()
        self.near(share, communicator["percent"], line)
        self.test.assertTrue(communicator["communicator"].startswith(name) or name == "in calls without a communicator", (name, communicator))
        shares = re.findall(SHARE + r" in (MPI_\w+)", line)
        self.test.assertEqual([shares[0][1], shares[-1][1]], [function["function"], site["function"]], line)
        self.near(shares[0][0], function["percent"], line)
        part = re.search(rf" in {function['function']}, {SHARE} at ", line)
        self.near(part[1] if part else shares[-1][0], site["percent"], line)
        open_share = re.search(SHARE + r" in \d+ calls? that ha\w+ not returned", line)
        if open_share:
            self.near(open_share[1], whole["open"] * 100 / whole["ns"], line)
        else:
            self.test.assertLess(whole["open"], 0.0011 * whole["ns"], line)
