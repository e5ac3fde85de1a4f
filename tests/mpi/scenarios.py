"""Launches of every kind: who starts whom, which libraries come along, how often. Run for each flavour."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

import harness

MPI = os.environ.get("CS_TEST_MPI", "")
HERE = os.path.dirname(os.path.abspath(__file__))


class Scenario(unittest.TestCase):
    def setUp(self):
        self.temporary = harness.workspace()
        self.folder = self.temporary.__enter__()
        self.addCleanup(self.temporary.cleanup)

    def agree(self, traces):
        """The traces are there and say what the programs said."""
        self.assertEqual(harness.compare(self.folder, traces), [])

    def silent(self, result, code=0):
        self.assertEqual(result.code, code, result.stderr)
        self.assertEqual(result.messages(), [])

    def settings(self, preload=True, **more):
        extra = harness.recording(self.folder)
        if not preload:
            del extra["LD_PRELOAD"]
        extra.update(more)
        return extra

    def program(self, name):
        return os.path.join(harness.PROGRAMS, name)


@unittest.skipIf(harness.SANITIZER, "the command would have to be preloaded with the sanitizer, launchers and shells with it")
class LaunchOrder(Scenario):
    def test_run_before_the_launcher(self):
        result = harness.run([harness.COMMAND, "run", "--", *harness.launcher(2), self.program("counting"), "3"],
                             harness.base_environment(**self.settings(preload=False)), self.folder)
        self.assertEqual(result.code, 0, result.stderr)
        self.assertEqual(result.lines(), ["rank 0: 3 times", "rank 1: 3 times"])
        self.agree(2)
        self.assertEqual(len(harness.run_folders(self.folder)), 1)
        self.assertIn(harness.run_folders(self.folder)[0].name, result.stderr, "it says where the run is")

    def test_report_at_the_end(self):
        """The overview, behind the summary on stderr or in a file that the next run replaces."""
        words = ["--", *harness.launcher(2), self.program("counting"), "3"]
        for option in ("--report", "--report=report.txt"):
            result = harness.run([harness.COMMAND, "run", option, *words], harness.base_environment(**self.settings(preload=False)), self.folder)
            self.assertEqual(result.lines(), ["rank 0: 3 times", "rank 1: 3 times"])
            where = self.folder / "report.txt"
            text = where.read_text(encoding="utf-8") if "=" in option else result.stderr.split("next: callsign report")[1]
            self.assertEqual(text.count("counting: 2 ranks on"), 1, text)
            self.assertIn("Time of ranks: ", text)

    def test_run_behind_the_launcher(self):
        result = harness.run([*harness.launcher(2), harness.COMMAND, "run", self.program("counting"), "3"],
                             harness.base_environment(**self.settings(preload=False)), self.folder)
        self.assertEqual(result.code, 0, result.stderr)
        self.assertEqual(result.lines(), ["rank 0: 3 times", "rank 1: 3 times"])
        self.agree(2)
        self.assertEqual(len(harness.run_folders(self.folder)), 1)

    def test_run_passes_the_exit_code_on(self):
        env = harness.base_environment(**self.settings(preload=False))
        for how, code in (("fail", 7), ("finalize", 0)):
            result = harness.run([harness.COMMAND, "run", "--", *harness.launcher(1), self.program("ending"), how], env,
                                 self.folder)
            self.assertEqual(result.code, code, result.stderr)

    def test_rank_that_died_before_init_returned_is_recorded(self):
        for how, where in (("asked", "died"), ("waiting", "died in MPI_Init")):
            with self.subTest(how=how):
                env = harness.base_environment(**self.settings(preload=False))
                env["CALLSIGN_OUTPUT"] = str(self.folder / how)
                result = harness.run([harness.COMMAND, "run", "--", *harness.launcher(2), self.program("before_init"), how], env,
                                     self.folder)
                self.assertNotEqual(result.code, 0)
                [line] = result.messages()
                self.assertIn("1 process recorded (1 without MPI_Finalize); next: callsign hang", line)
                [run] = (self.folder / how).iterdir()
                for _ in range(2):  # from the journal, and from the trace that was made of it
                    report = harness.run([harness.COMMAND, "report", run], harness.base_environment(), self.folder)
                    self.assertEqual((report.code, report.stderr), (0, ""))
                    self.assertRegex(report.stdout, f"Process [0-9]+ {where}")
                self.assertEqual([path.name for path in run.glob("*.journal")], [])
                self.assertEqual(len(list(run.glob("process-*.db"))), 1)

    def test_the_message_about_a_call_before_init_names_the_call(self):
        for how, function in (("sending", "Send"), ("reducing", "Allreduce")):
            for check in ("tell", "all"):
                with self.subTest(how=how, check=check):
                    env = harness.base_environment(**self.settings(preload=False), CALLSIGN_CHECK=check)
                    env["CALLSIGN_OUTPUT"] = str(self.folder / f"{how}-{check}")
                    words = [*harness.launcher(2), self.program("before_init"), how]
                    bare, recorded = harness.run(words, env, self.folder), harness.run([harness.COMMAND, "run", "--", *words], env, self.folder)
                    named = [set(re.findall(r"\b(?:MPI|internal)_([A-Z][a-z_]+)\b", result.stderr + result.stdout)) & {function, "Type_size", "Query_thread"}
                             for result in (bare, recorded)]
                    self.assertEqual(named, [{function}, {function}], recorded.stderr)
                    [run] = (self.folder / f"{how}-{check}").iterdir()
                    report = harness.run([harness.COMMAND, "report", run], harness.base_environment(), self.folder)
                    self.assertRegex(report.stdout, rf"(died|exited without MPI_Finalize) in MPI_{function}\b.* at main before_init.c:\d+")

    def test_finalized_ranks_that_are_converted_later_ended_properly(self):
        env = harness.base_environment(**self.settings(preload=False))
        words = [harness.COMMAND, "run", "--convert", "later", "--", *harness.launcher(2), self.program("ending"), "finalize"]
        result = harness.run(words, env, self.folder)
        [line] = result.messages()
        self.assertRegex(line, "2 ranks recorded; next: callsign report")
        [run] = harness.run_folders(self.folder)
        self.assertEqual(len(list(run.glob("rank-*.journal"))), 2)

    def test_a_long_journal_is_left_to_the_command(self):
        types = 60000  # more facts than are converted in a moment
        result = harness.run([*harness.launcher(1), self.program("churn"), str(types)],
                             harness.base_environment(**self.settings()), self.folder)
        self.silent(result)
        [run] = harness.run_folders(self.folder)
        self.assertEqual([path.suffix for path in sorted(run.glob("rank-*"))], [".journal"])
        sql = "SELECT count(*) AS n, sum(freed_ns IS NOT NULL) AS freed FROM object WHERE function IS NOT NULL"
        result = harness.run([harness.COMMAND, "query", "--format", "csv", run, sql], harness.base_environment(), self.folder)
        self.assertEqual(result.stdout.split(), ["n,freed", f"{types},{types}"], result.stderr)
        [trace] = run.glob("rank-*")
        self.assertEqual(self.process(trace, "outcome, damaged, lost, convert_ns"), ("finalized", 0, 0, None))

    def test_a_short_journal_is_converted_at_the_end_and_the_trace_says_how_long_that_took(self):
        before = time.monotonic_ns()
        result = harness.run([*harness.launcher(1), self.program("churn"), "5000"],
                             harness.base_environment(**self.settings()), self.folder)
        most = time.monotonic_ns() - before
        self.silent(result)
        [run] = harness.run_folders(self.folder)
        [trace] = run.glob("rank-*")
        outcome, convert_ns = self.process(trace, "outcome, convert_ns")
        self.assertEqual(outcome, "finalized")
        self.assertTrue(0 < convert_ns < most, convert_ns)

    def process(self, path, columns):
        with contextlib.closing(harness.open_trace(path)) as trace:
            return trace.execute(f"SELECT {columns} FROM process").fetchone()

    def kill_in_the_convert(self):
        """Ends a rank while its trace is written; its run folder, or None when that was over first."""
        folder = self.folder / "out"
        process = harness.bounded.start([*harness.launcher(1), self.program("churn"), "20000"], cwd=self.folder,
                                   env=harness.base_environment(**self.settings()), stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None:
            for name in folder.glob("*/rank-00000.db.*.tmp"):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(name.name.split("-")[-2]), signal.SIGKILL)
        [run] = folder.iterdir()
        if process.wait() and list(run.glob("*.journal")):
            return run
        shutil.rmtree(run)
        return None

    def test_a_rank_killed_while_its_trace_is_written_is_not_told_as_well_and_leaves_nothing(self):
        for _ in range(20):
            run = self.kill_in_the_convert()
            if run:
                break
        self.assertTrue(run, "it was never quick enough")
        self.assertEqual(len(list(run.glob("*.tmp"))), 1)
        result = harness.run([harness.COMMAND, "report", run], harness.base_environment(), self.folder)
        self.assertEqual(result.code, 0, result.stderr)
        self.assertRegex(result.stdout, "Rank 0 died in MPI_Finalize")
        self.assertEqual([path.suffix for path in run.glob("rank-*")], [".db"])

    def test_several_launches_in_one_shell_script_make_a_folder_each(self):
        line = " ".join(["CHECK_FOLDER=$1", *harness.launcher(2), self.program("counting"), "2"])
        script = self.folder / "job.sh"
        script.write_text(f"#!/bin/sh\n{line}\n{line}\n", encoding="utf-8")
        result = harness.run(["sh", script, self.folder / "facts"], harness.base_environment(**self.settings()), self.folder)
        self.silent(result)
        self.agree(4)
        self.assertEqual(len(harness.run_folders(self.folder)), 2)

    def test_two_runs_at_the_same_time_make_a_folder_each(self):
        env = harness.base_environment(**self.settings())
        both = [harness.bounded.start([*harness.launcher(1), self.program("counting"), "2"], env=env, stdout=subprocess.DEVNULL,
                                 stdin=subprocess.DEVNULL) for _ in range(2)]
        for process in both:
            harness.bounded.communicate(process, harness.TIMEOUT)
        self.assertEqual([process.returncode for process in both], [0, 0])
        self.agree(2)
        self.assertEqual(len(harness.run_folders(self.folder)), 2)

    def test_a_shell_that_makes_no_mpi_call_leaves_nothing(self):
        bare = harness.run(["sh", "-c", "echo hello; ls / | wc -l; exit 4"])
        result = harness.run(["sh", "-c", "echo hello; ls / | wc -l; exit 4"], harness.base_environment(**self.settings()))
        self.assertEqual((result.code, result.stdout, result.stderr), (bare.code, bare.stdout, bare.stderr))
        self.assertEqual(list((self.folder / "out").iterdir()), [])


class RankFiles(Scenario):
    def test_ranks_lie_in_one_folder_under_their_numbers(self):
        self.silent(harness.mpirun(3, "ring", extra=self.settings(), cwd=self.folder))
        (run,) = harness.run_folders(self.folder)
        self.assertRegex(run.name, r"^ring\.[^.]+.*\.callsign$")
        self.assertEqual(sorted(path.name for path in run.iterdir() if not path.name.startswith(".")), [f"rank-{rank:05d}.db" for rank in range(3)])


class OtherLibraries(Scenario):
    def test_program_linked_with_callsign_needs_no_preloading(self):
        self.silent(harness.mpirun(2, "linked", extra=self.settings(preload=bool(harness.SANITIZER)), cwd=self.folder))
        self.agree(2)

    def test_program_linked_with_callsign_may_be_preloaded_too(self):
        self.silent(harness.mpirun(2, "linked", extra=self.settings(), cwd=self.folder))
        self.agree(2)

    def test_tool_preloaded_behind_callsign_still_sees_the_calls(self):
        extra = self.settings()
        extra["LD_PRELOAD"] += ":" + self.program("tool.so")
        result = harness.mpirun(2, "counting", "6", extra=extra, cwd=self.folder)
        self.silent(result)
        for rank in range(2):
            self.assertIn(f"tool: rank {rank} called MPI_Allreduce 6 times", result.stderr)
        self.agree(2)

    def test_tool_preloaded_before_callsign_leaves_the_rest_to_it(self):
        extra = self.settings()
        extra["LD_PRELOAD"] = ":".join(filter(None, [harness.SANITIZER, self.program("tool.so"), harness.LIBRARY]))
        result = harness.mpirun(2, "counting", "6", extra=extra, cwd=self.folder)
        self.assertIn("tool: rank 1 called MPI_Allreduce 6 times", result.stderr)
        # This tool goes straight to PMPI: callsign does not see what it takes, and says so; the process comes to its end all the same.
        self.assertEqual(result.code, 0, result.stderr)
        self.assertEqual([line.split(":")[1] for line in result.messages()], [f" calls of {self.program('tool.so')} were not recorded"])


@unittest.skipIf(harness.SANITIZER, "Python itself is not built with the sanitizer")
class RunTimeLoading(Scenario):
    def test_library_opened_locally_and_looked_up_by_name(self):
        script = os.path.join(HERE, "programs", "local.py")
        bare = harness.mpirun(2, sys.executable, script, MPI, cwd=self.folder)
        self.assertEqual(bare.code, 0, bare.stderr)
        recorded = harness.mpirun(2, sys.executable, script, MPI, extra=self.settings(), cwd=self.folder)
        self.assertEqual(harness.unaffected(bare, recorded), [])
        self.agree(2)

    @unittest.skipUnless(harness.FLAVOUR == "openmpi", "Debian builds mpi4py for Open MPI")
    def test_mpi4py_before_and_after_finalize(self):
        python = harness.python_with("mpi4py")
        if not python:
            self.skipTest("no Python here has mpi4py (Debian: python3-mpi4py)")
        script = ("from mpi4py import MPI\n"
                  "comm = MPI.COMM_WORLD.Dup(); comm.Set_name('of python')\n"
                  "import os; text = (comm.rank, comm.allreduce(comm.rank), MPI.COMM_WORLD.Get_name())\n"
                  "os.write(1, (' '.join(map(str, text)) + '\\n').encode())\n"
                  "key = MPI.Comm.Create_keyval(delete_fn=lambda c, k, v: None)\n"
                  "MPI.COMM_SELF.Set_attr(key, 'left until the end')\n"
                  "comm.Free()\n")
        bare = harness.mpirun(2, python, "-c", script, cwd=self.folder)
        self.assertEqual(bare.code, 0, bare.stderr)
        recorded = harness.mpirun(2, python, "-c", script, extra=self.settings(), cwd=self.folder)
        self.assertEqual(harness.unaffected(bare, recorded), [])
        found = harness.databases(self.folder)
        self.assertEqual(len(found), 2)
        for path in found.values():
            with harness.open_trace(path) as trace:
                self.assertEqual(trace.execute("SELECT outcome FROM process").fetchone(), ("finalized",))
                self.assertEqual(trace.execute("SELECT count(*), count(freed_ns) FROM object WHERE name = 'of python'").fetchone(),
                                 (1, 1))
                self.assertGreater(trace.execute("SELECT total(calls) FROM calls WHERE communicator = 'of python'").fetchone()[0], 0)


if __name__ == "__main__":
    unittest.main()
