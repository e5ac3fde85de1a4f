"""Why a rank is late: causes planted into one program, and innocent programs that look alike."""

import contextlib
import json
import os
import unittest

import harness

# On a loaded machine each rank may lack a core now and then; why_campaign.py plants all causes and wants each one, on an idle machine.
NO_CORE = {"other_process", "oversubscribed", "shared_core", "unknown"}
CAUSES = {"work": {"work"} | NO_CORE, "sleep": {"sleep"}, "touch": {"faults", "kernel"} | NO_CORE, "lock": {"threads", "sleep", "unknown"}}


class Why(unittest.TestCase):
    def causes(self, reason, wanted=False, **settings):
        """The rows of the view late_causes for a program with this reason, those without a cause left out. wanted: there must be some."""
        with harness.workspace() as folder:
            recorded = harness.mpirun(4, "why", reason, extra=harness.recording(folder) | settings)
            self.assertEqual((recorded.code, recorded.messages()), (0, []), recorded.stderr)
            (run,) = harness.run_folders(folder)
            asked = harness.run([harness.COMMAND, "query", run, "SELECT c.*, location(cause_site) AS place FROM late_causes c", "--format", "json"])
            self.assertEqual((asked.code, asked.stderr), (0, ""))
            rows = [row for row in json.loads(asked.stdout) if row["cause"]]
            sql = "SELECT (SELECT count(*) FROM core_findings) AS crowded, sum(mpi_delay_seconds) * 2 > sum(mpi_seconds) AS starved FROM rank_usage"
            (cores,) = json.loads(harness.run([harness.COMMAND, "query", run, sql, "--format", "json"]).stdout)
            if wanted and cores["crowded"] and not rows:
                self.skipTest("all ranks lack cores: nobody is late because of one")
            if wanted and cores["starved"] and not rows:
                self.skipTest("ranks lack cores for most of their time in MPI, so they may have waited for nobody")
            return rows

    def test_bounds_of_waiting_hold_by_the_clocks_of_a_program_with_too_few_cores(self):
        with harness.workspace() as folder:
            recorded = harness.mpirun(4, "why", "clocks", extra=harness.recording(folder))
            self.assertEqual((recorded.code, recorded.messages()), (0, []), recorded.stderr)
            waited = float(recorded.stdout.split()[1])
            (run,) = harness.run_folders(folder)
            sql = "SELECT waiting_least_seconds AS least, waiting_seconds AS about, waiting_most_seconds AS most, seconds FROM balance WHERE communicator = 'ring' AND function = 'MPI_Barrier'"
            asked = harness.run([harness.COMMAND, "query", run, sql, "--format", "json"])
            (row,) = json.loads(asked.stdout)
            if row["least"] is None:
                self.skipTest("this kernel does not tell how long a thread lacked a core")
            self.assertTrue(row["least"] <= waited + 0.001 and waited - 0.001 <= row["most"], (waited, row))

    def late(self, reason):
        """The only row, about rank 2 on ring."""
        rows = self.causes(reason, wanted=True)
        self.assertEqual([(row["rank"], row["communicator"], row["function"]) for row in rows], [(2, "ring", "MPI_Allreduce")], rows)
        return rows[0]

    def test_code_of_the_late_rank_and_its_cause_are_named(self):
        for reason, causes in CAUSES.items():
            with self.subTest(reason):
                row = self.late(reason)
                self.assertEqual((row["kind"], row["from_function"], row["cause_function"]), ("late_cause", "MPI_Barrier", "MPI_Allreduce"))
                self.assertGreater(row["seconds"], 2 * row["median_seconds"])
                self.assertIn(row["cause"], causes, row)

    def test_longer_receive_names_the_rank_before(self):
        # Events show it although ranks that poll lack their cores. The sender, which sleeps, may be named, too.
        named = {row["rank"]: row for row in self.causes("chain", CALLSIGN_EVENTS="keep")}
        row = named[2]
        self.assertEqual((row["communicator"], row["function"]), ("ring", "MPI_Allreduce"))
        self.assertEqual((row["cause"], row["cause_function"], row["other_rank"]), ("waiting", "MPI_Recv", 3))
        self.assertLessEqual(set(named), {2, 3})

    def test_nobody_is_accused_of_what_nobody_waits_for(self):
        self.assertEqual(self.causes("alone"), [])

    def test_master_that_gives_work_to_others_is_not_accused(self):
        self.assertEqual(self.causes("master"), [])


class Descriptors(unittest.TestCase):
    def record(self, **settings):
        """(What the program prints, a row about its stretches and samples, the report run)."""
        with harness.workspace() as folder:
            recorded = harness.mpirun(0, "why", "descriptors", extra=harness.recording(folder) | settings)
            self.assertEqual((recorded.code, recorded.messages()), (0, []), recorded.stderr)
            (path,) = harness.databases(folder).values()
            with harness.open_trace(path) as trace:
                (row,) = trace.execute("SELECT count(*), count(DISTINCT thread), total(thread = 0 AND delay_ns IS NULL), total(core_ns) <= total(seen_ns), (SELECT peak_bytes FROM process_usage), "
                                       "(SELECT (user_ns + system_ns) / 1e9 FROM process_usage) FROM stretch "
                                       "WHERE function = (SELECT function FROM function WHERE name = 'MPI_Barrier')")
            (run,) = harness.run_folders(folder)
            shown = harness.run([harness.COMMAND, "report", run, "run"])
            self.assertEqual((shown.code, shown.stderr), (0, ""))
            return recorded.stdout.split(), row, shown.stdout

    def test_closed_descriptor_is_left_to_the_program_and_known_as_lost(self):
        bare = harness.mpirun(0, "why", "descriptors")
        self.assertEqual((bare.code, bare.stdout.split()[2:4]), (0, ["0", "6"]))
        (files, by_exec, *same, kibibytes, cpu), (stretches, threads, unknown, plausible, peak, seconds), shown = self.record()
        self.assertEqual(same, ["0", "6"])
        # The program has asked the kernel just before MPI_Finalize.
        self.assertTrue(1 <= peak / 1024 / int(kibibytes) < 2 and 0 <= seconds - float(cpu) + 0.001 < 1, (peak, kibibytes, seconds, cpu))
        self.assertRegex(shown, r"\nPeak memory: [\d.]+ MiB; time on cores: [\d.]+ m?s\n")  # bytes are lost, too
        self.assertEqual((threads, plausible), (2, 1))
        self.assertGreater(stretches, 3)
        self.assertEqual(by_exec, "1")
        if os.path.exists("/proc/self/schedstat"):
            self.assertGreater(min(int(files), unknown), 0)

    def test_busy_threads_of_others_are_counted(self):
        with harness.workspace() as folder, contextlib.ExitStack() as at_end:
            for _ in range(3):
                busy = at_end.enter_context(harness.bounded.start(["/usr/bin/nice", "-n", "19", "/bin/sh", "-c", "while :; do :; done"]))
                at_end.callback(busy.kill)
            self.assertEqual(harness.mpirun(0, "why", "changes", extra=harness.recording(folder)).code, 0)
            (run,) = harness.run_folders(folder)
            (row,) = json.loads(harness.run([harness.COMMAND, "query", run, "SELECT busy_threads FROM node_business", "--format", "json"]).stdout)
            self.assertGreaterEqual(row["busy_threads"], 3)

    def test_code_is_divided_into_fifths_of_the_run(self):
        with harness.workspace() as folder:
            recorded = harness.mpirun(0, "why", "changes", extra=harness.recording(folder))
            self.assertEqual((recorded.code, recorded.messages()), (0, []), recorded.stderr)
            started, changed, ended = (float(word) for word in recorded.stdout.split())
            (run,) = harness.run_folders(folder)
            asked = harness.run([harness.COMMAND, "query", run, "SELECT site, fifth, seconds FROM stretch_fifths WHERE function = 'MPI_Barrier' AND from_function = 'MPI_Barrier' "
                                 "AND site = from_site ORDER BY (SELECT min(fifth) FROM stretch_fifths f WHERE f.site = stretch_fifths.site AND seconds > 0.01), site, fifth", "--format", "json"])
            found = [row["seconds"] for row in json.loads(asked.stdout)]
            self.assertEqual(len(found), 10, asked.stdout)
            for fifth in range(5):
                begin, end = ended * fifth / 5, ended * (fifth + 1) / 5
                wanted = [max(0, min(end, changed) - max(begin, started)), max(0, end - max(begin, changed))]
                for seconds, exact in zip((found[fifth], found[5 + fifth]), wanted):
                    self.assertAlmostEqual(seconds, exact, delta=0.05 + 0.05 * ended, msg=(found, started, changed, ended))

    def test_nothing_is_sampled_without_why(self):
        (files, *_), (stretches, *_, peak, _), shown = self.record(CALLSIGN_WHY="off")
        self.assertEqual((files, stretches, peak, "Peak" in shown), ("0", 0, None, False))


if __name__ == "__main__":
    unittest.main()
