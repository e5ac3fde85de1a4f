"""Runs on simulated hosts: where each rank was, as the trace and the reports have it, and what a host's clock showed. Run for each flavour."""

import csv
import functools
import os
import re
import subprocess
import sys
import time
import unittest

import harness
import hosts


DAY_NS = 86_400_000_000_000


class OnHosts(unittest.TestCase):
    count, clocks = 2, None

    @classmethod
    def setUpClass(cls):
        reason = "the launcher is not to be looked at by the sanitizer" if harness.SANITIZER else hosts.trouble()
        if reason:
            print(f"SKIPPED: {reason}", file=sys.stderr)
            raise unittest.SkipTest(reason)
        cls.hosts = hosts.Hosts(cls.count, cls.clocks)
        cls.hosts.__enter__()
        cls.addClassCleanup(cls.hosts.__exit__)

    def setUp(self):
        temporary = harness.workspace()
        self.folder = temporary.__enter__()
        self.addCleanup(temporary.cleanup)

    def record(self, np, *program):
        """Bare and recorded; the run's folder."""
        bare = harness.mpirun_on(self.hosts, np, *program, cwd=self.folder)
        recorded = harness.mpirun_on(self.hosts, np, *program, extra=harness.recording(self.folder), cwd=self.folder)
        self.assertEqual(bare.code, 0, bare.stderr)
        self.assertEqual(harness.unaffected(bare, recorded), [])
        (run,) = harness.run_folders(self.folder)
        return run

    def ask(self, run, sql):
        result = harness.run([harness.COMMAND, "query", run, sql, "--format", "csv"])
        self.assertEqual((result.code, result.stderr), (0, ""))
        return result.stdout.splitlines()[1:]


class TwoNodes(OnHosts):
    def test_each_node_has_a_file(self):
        extra = {**harness.recording(self.folder), "CALLSIGN_FILES": "node"}
        result = harness.mpirun_on(self.hosts, 4, "counting", "5", extra=extra, cwd=self.folder)
        self.assertEqual((result.code, result.messages()), (0, []))
        (run,) = harness.run_folders(self.folder)
        self.assertEqual(sorted(path.name for path in run.glob("*.db")), ["node-csa.db", "node-csb.db"])
        self.assertEqual(self.ask(run, "SELECT node, count(*) FROM process GROUP BY node"), ["csa,2", "csb,2"])
        self.assertEqual(self.ask(run, "SELECT count(*) FROM process WHERE clock_error_ns IS NULL"), ["0"])


class Hang(OnHosts):
    def ask_on(self, name, run, since=""):
        """The lines of callsign hang on a host, with nothing that differs from run to run."""
        for _ in harness.bounded.moments(40):
            result = harness.run(self.hosts.on(name, harness.COMMAND, "hang", str(run)))
            self.assertEqual((result.code, result.stderr), (0, ""))
            if since in result.stdout:
                break
        varying = [(r"\bfor [\d.]+ m?s", "for TIME"), (r", (begun )?at [^,:]*hung\.c:\d+", ""), (r"\(pid \d+ on", "(pid PID on")]
        return [functools.reduce(lambda text, each: re.sub(*each, text), varying, line) for line in result.stdout.splitlines()]

    def test_deadlock_across_hosts_is_explained_on_each_also_when_the_other_has_been_silent_for_long(self):
        env = harness.base_environment(**self.hosts.environment(harness.LIBRARY), **{
            key: value for key, value in harness.recording(self.folder).items() if key != "LD_PRELOAD"})
        command = [*self.hosts.launcher(harness.FLAVOUR, harness.MPIEXEC, 4), os.path.join(harness.PROGRAMS, "hung"), "deadlock", "300"]
        expected = ["4 ranks: 4 inside MPI",
                    "Deadlock: ranks 0-3 wait for each other",
                    "  0 (pid PID on csa) waits for 1: MPI_Recv on rows from rank 1, tag 7, for TIME",
                    "  1 (pid PID on csa) waits for 3: MPI_Recv on cols from rank 3 (rank 1 in cols), tag 8, for TIME",
                    "  3 (pid PID on csb) waits for 2: MPI_Wait for MPI_Irecv on rows from rank 2 (rank 0 in rows), tag 9, for TIME",
                    "  2 (pid PID on csb) waits for 0: MPI_Barrier on cols, but rank 0 has not called it, for TIME"]
        with harness.bounded.start(command, env=env, start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as process:
            try:
                for _ in harness.bounded.moments(40):
                    if len(list(self.folder.glob("out/*.callsign/rank-*.journal"))) == 4:
                        break  # before that they have other names
                (run,) = harness.run_folders(self.folder)
                for name in ("csa", "csb"):
                    self.assertEqual(self.ask_on(name, run, "\nDeadlock")[:6], expected)
                for rank in (2, 3):  # as after a quarter of an hour: who waits writes nothing, but holds the lock of its journal
                    os.utime(run / f"rank-{rank:05}.journal", (time.time() - 900,) * 2)
                for name in ("csa", "csb"):
                    self.assertEqual(self.ask_on(name, run, "\nDeadlock")[:6], expected)
                self.assertEqual(len(list(run.glob("*.journal"))), 4)
            finally:
                harness.bounded.end(process)


class TwoHosts(OnHosts):
    def test_each_rank_has_the_node_and_the_processor_name_of_its_host(self):
        run = self.record(4, "ring")
        self.assertEqual(harness.compare(self.folder, 4), [])
        self.assertEqual(self.ask(run, "SELECT rank, node, processor_name FROM placements ORDER BY rank"),
                         ["0,csa,csa", "1,csa,csa", "2,csb,csb", "3,csb,csb"])

    def test_the_report_has_a_part_for_each_node_and_names_what_is_on_both(self):
        run = self.record(4, "apart")
        self.assertEqual(harness.compare(self.folder, 4), [])
        self.assertEqual(self.ask(run, "SELECT name, nodes, ranks FROM communicator_nodes WHERE NOT predefined ORDER BY name"),
                         ["column 0,2,2", "column 1,2,2"])
        result = harness.run([harness.COMMAND, "report", run, "placement"])
        self.assertEqual((result.code, result.stderr), (0, ""))
        lines = result.stdout.splitlines()
        self.assertRegex(lines[0], r"^4 ranks on 2 nodes, ")
        # Where its ranks ran decides how many lines and columns a node has.
        rows = csv.DictReader(harness.run([harness.COMMAND, "report", run, "placement", "--format", "csv"]).stdout.splitlines())
        ranks = [row["ranks"] for row in rows if row["node"] == "csa"]
        self.assertEqual(sorted(",".join(ranks).replace("-", ",").split(",")), ["0", "1"])
        self.assertEqual(len(re.findall(r"^csa .* not bound\b", result.stdout, re.MULTILINE)), len(ranks))
        self.assertEqual(lines[-1], "Communicators across nodes: column # (2), 2 ranks on 2 nodes")

    def test_messages_between_hosts_are_remote(self):
        run = self.record(4, "talk")
        self.assertEqual(harness.compare(self.folder, 4), [])
        self.assertEqual(self.ask(run, "SELECT source, dest, distance = 'remote', sent_messages, sent_bytes FROM traffic_pairs WHERE transfer = 'message' AND partner IS NULL "
                                       "ORDER BY source, dest"), ["0,1,0,5,500", "0,2,1,3,12000", "1,0,0,1,4", "3,2,0,1,4"])
        result = harness.run([harness.COMMAND, "report", run, "traffic"])
        self.assertEqual((result.code, result.stderr), (0, ""))
        lines = result.stdout.splitlines()
        self.assertEqual(lines[0], "11 messages, 12.3 KiB: 4.5 % within nodes, 95.5 % on MPI_COMM_WORLD. Rank 0 sends and receives most, 2 times the mean")
        self.assertIn("  0 -> 2 on MPI_COMM_WORLD: 11.7 KiB in 3 messages, between nodes", lines)
        self.assertEqual(lines[-4:], ["     0 | *@ | csa", "     1 |-   |", "     2 |    | csb", "     3 |  - |"])


class WrongClocks(OnHosts):
    """One is behind; one is ahead, and drifts since yesterday: 6.32 seconds."""

    clocks = {"csa": hosts.Clock(-2_000_000_000), "csb": hosts.Clock(2_000_000_000, 50_000, DAY_NS)}

    def assert_shown(self, host, kind, before_ns, seen_ns, after_ns):
        """No clock but the host's is compared: it was asked between two instants that are known."""
        clock = self.hosts.clocks[host]
        self.assertTrue(hosts.shown(clock, before_ns, kind) - 1 <= seen_ns <= hosts.shown(clock, after_ns, kind) + 1,
                        f"{host}: {seen_ns}, of {before_ns} to {after_ns}")

    def test_traces_tell_the_time_of_their_hosts_clock(self):
        before = time.time_ns()
        run = self.record(4, "ring")
        after = time.time_ns()
        self.assertEqual(harness.compare(self.folder, 4), [])
        self.assertEqual(self.ask(run, "SELECT node FROM process ORDER BY rank"), ["csa", "csa", "csb", "csb"])
        for path in harness.databases(self.folder).values():
            with harness.open_trace(path) as trace:
                node, utc_ns, began_s = trace.execute("SELECT node, zero_utc_ns, strftime('%s', started_utc) FROM process").fetchone()
            self.assert_shown(node, time.CLOCK_REALTIME, before, utc_ns, after)
            self.assert_shown(node, time.CLOCK_REALTIME, before - 1_000_000_000, int(began_s) * 1_000_000_000, after)

    def test_programs_see_their_hosts_clock(self):
        # In one write: the launcher puts together what it reads.
        program = "import os, time; os.write(1, b'%s %d %d\\n' % (os.uname().nodename.encode(), time.time_ns(), time.monotonic_ns()))"
        before = time.time_ns(), time.monotonic_ns()
        done = harness.mpirun_on(self.hosts, 2, sys.executable, "-c", program, cwd=self.folder)
        after = time.time_ns(), time.monotonic_ns()
        self.assertEqual(done.code, 0, done.stderr)
        lines = done.lines()
        self.assertEqual([line.split()[0] for line in lines], ["csa", "csb"])
        for line in lines:
            host, *seen = line.split()
            for kind, first, ns, last in zip((time.CLOCK_REALTIME, time.CLOCK_MONOTONIC), before, seen, after):
                self.assert_shown(host, kind, first, int(ns), last)


class FastClock(OnHosts):
    """One of three hosts has a clock that is twice as fast."""

    count, clocks = 3, {"csb": hosts.Clock(drift_ppb=1_000_000_000)}

    def test_trace_of_a_fast_clock_measures_longer(self):
        before = time.monotonic_ns()
        run = self.record(3, "late")  # rank 2 comes to eight barriers 50 ms late
        passed = time.monotonic_ns() - before
        rows = dict(row.split(",") for row in self.ask(run, "SELECT node, finalize_ns - init_ns FROM process"))
        self.assertEqual(sorted(rows), ["csa", "csb", "csc"])
        for host, factor in (("csa", 1), ("csb", 2), ("csc", 1)):
            self.assertTrue(factor * 390_000_000 <= int(rows[host]) <= factor * passed, rows)


if __name__ == "__main__":
    unittest.main()
