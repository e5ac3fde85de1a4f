"""The overview for ranks that hang, and for ranks that died."""

import json
import os
import re
import shutil
import signal
import subprocess
import time
import unittest

import harness
import golden


class Endings(unittest.TestCase):
    def setUp(self):
        workspace = harness.workspace()
        self.folder = workspace.__enter__()
        self.addCleanup(workspace.__exit__, None, None, None)

    def report(self):
        (run,) = harness.run_folders(self.folder)
        result = harness.run([harness.COMMAND, "report", run, "endings"])
        self.assertEqual((result.code, result.stderr), (0, ""))
        return result.stdout.splitlines()

    def record(self, *arguments):
        harness.mpirun(3, "stuck", *arguments, extra=harness.recording(self.folder))  # MPICH 4.2's mpiexec may return 0
        (run,) = harness.run_folders(self.folder)
        harness.convert(run)
        return self.report()

    def test_circle_of_receives_can_be_read(self):
        lines = self.record("recv", "2")
        self.assertEqual(len(lines), 3, lines)
        for rank, line in enumerate(lines):
            self.assertRegex(line, rf"^Rank {rank} died in MPI_Recv on solver from rank {(rank + 1) % 3}, tag 7.*, at main stuck.c:\d+, entered after [\d.]+ m?s$")

    def test_wait_has_the_peer_and_tag_of_its_request(self):
        for rank, line in enumerate(self.record("wait", "2")):
            self.assertRegex(line, rf"^Rank {rank} died in MPI_Wait on solver with any rank, tag {8 + rank}.*, at main stuck.c:\d+, for the request of "
                                   r"MPI_Irecv at main stuck.c:\d+, entered after ")

    def test_rank_that_died_while_it_computed_is_told_with_its_last_call(self):
        verdict, died, waited = self.record("die")
        waited = waited.partition(", entered after ")[0] + ", entered after TIME"
        golden.check(self, "endings", golden.steady([verdict, died, waited]))

    def command(self, np, *program):
        """The words that start a program under `callsign run`; without a launcher if np is 0."""
        program = [os.path.join(harness.PROGRAMS, program[0]), *program[1:]]
        return [harness.COMMAND, "run", "--output", str(self.folder / "out"), "--", *harness.launcher(np), *program]

    def job(self):
        (run,) = harness.run_folders(self.folder)
        result = harness.run([harness.COMMAND, "query", run, "SELECT * FROM job", "--format", "json"])
        self.assertEqual((result.code, result.stderr), (0, ""))
        return json.loads(result.stdout)[0]

    @unittest.skipIf(harness.SANITIZER, "the launcher is not run through harness.mpirun")
    def test_crash_is_told_with_its_signal_and_who_died_first(self):
        code = harness.run(self.command(2, "ending", "crash")).code
        # MPICH 4.2's mpiexec returns 11, or 9 for the rank that it kills itself, or 0.
        as_after = {0: None, 9: "SIGKILL", 11: "SIGSEGV", 128 + 11: "SIGSEGV"}[code]
        verdict, ended, *_ = self.report()
        ended = re.sub(rf"^(mpirun|mpiexec)\S* (.*) {code}\b", r"LAUNCHER \2 CODE", ended)
        golden.check(self, "endings", golden.steady([verdict, ended]), as_after or "no signal")
        job = self.job()
        self.assertEqual((job["as_after"], job["signal"], job["received"], job["of_ranks"], job["killed"]), (as_after, None, None, 1, 0))

    @unittest.skipIf(harness.SANITIZER, "the launcher is not run through harness.mpirun")
    def test_code_of_an_abort_is_told(self):
        harness.run(self.command(2, "ending", "abort"))
        self.assertEqual(len([line for line in self.report()
                              if re.fullmatch(r"Rank 1 aborted with code 3 in MPI_Abort on MPI_COMM_WORLD, at main ending.c:\d+", line)]), 1)

    @unittest.skipIf(harness.SANITIZER, "the launcher is not run through harness.mpirun")
    def test_end_by_the_handler_of_the_mpi_is_a_finding_with_its_class_and_exit_code_1_is_none(self):
        for how, codes, expected in (("truncate", (14, 15), 1), ("quit", (1,), 3)):
            ended = harness.run(self.command(2, "ending", how)).code
            (run,) = harness.run_folders(self.folder)
            checked = harness.run([harness.COMMAND, "check", run])
            (line,) = [line for line in self.report() if " ended with exit code " in line]
            self.assertEqual(checked.code, expected, checked.stdout)
            self.assertIn("Undecided: Rank 1 died ", checked.stdout)
            self.assertEqual("is longer than its receive buffer: rank 0 sends 400 B at main ending.c:" in checked.stdout, how == "truncate")
            if ended in codes:  # MPICH 4.2's mpiexec may return another one
                self.assertEqual(re.findall(r"exit code \d+ (?:\((.*)\) )?after", line), ["as for MPI_ERR_TRUNCATE" if how == "truncate" else ""])
                self.assertEqual("The MPI ended the run in one of the calls below: MPI_ERR_TRUNCATE" in checked.stdout.splitlines(), how == "truncate")
            shutil.rmtree(run)

    @unittest.skipIf(harness.SANITIZER, "the launcher is not run through harness.mpirun")
    def test_program_without_a_launcher_is_ended_by_its_own_signal(self):
        self.assertEqual(harness.run(self.command(0, "ending", "crash")).code, -signal.SIGSEGV)
        golden.check(self, "endings", golden.steady(self.report()[:1]))
        self.assertEqual((self.job()["of_ranks"], self.job()["killed"]), (1, 0))

    def overview(self):
        (run,) = harness.run_folders(self.folder)
        result = harness.run([harness.COMMAND, "report", run])
        self.assertEqual((result.code, result.stderr), (0, ""))
        return result.stdout.splitlines()

    @unittest.skipIf(harness.SANITIZER, "the launcher is not run through harness.mpirun")
    def test_failure_after_finalize_is_told_with_the_exit_code_of_the_launcher(self):
        self.assertEqual(harness.run(self.command(2, "ending", "fail")).code, 7)
        lines = [re.sub(r"^(mpirun|mpiexec)\S* ", "LAUNCHER ", line) for line in golden.steady(self.report())]
        golden.check(self, "endings", lines)
        head = self.overview()
        self.assertIn("all finalized", " ".join(head[:3]))
        self.assertEqual(len([line for line in head if re.match(r"(mpirun|mpiexec)\S* ended with exit code 7 after ", line)]), 1, head)
        self.assertEqual((self.job()["exit_code"], self.job()["killed"]), (7, 0))

    @unittest.skipIf(harness.SANITIZER, "the launcher is not run through harness.mpirun")
    def test_call_after_finalize_is_wrong_but_not_those_that_are_allowed_at_any_time(self):
        harness.run(self.command(2, "ending", "late"))  # some MPIs end the process in that call
        (run,) = harness.run_folders(self.folder)
        said = "Called after MPI_Finalize, rank 1: MPI_Get_count; not recorded (MPI 4.1, 11.2.2)"
        checked = harness.run([harness.COMMAND, "check", run, "--junit", run / "checks.xml"])
        self.assertEqual((checked.code, checked.stdout.splitlines()), (1, [said]))
        self.assertIn(f'<failure message="{said}"/>', (run / "checks.xml").read_text())
        self.assertIn(said, self.overview())
        harness.run([harness.COMMAND, "merge", run, "-o", self.folder / "all.db"])
        self.assertEqual(harness.run([harness.COMMAND, "check", self.folder / "all.db"]).code, 1)

    @unittest.skipIf(harness.SANITIZER, "the launcher is not run through harness.mpirun")
    def test_success_and_failures_of_a_script_are_not_told_of_ranks_that_finalized(self):
        succeeded, script = self.command(2, "ending", "finalize"), self.command(2, "ending", "finalize")
        script[script.index("--") + 1:] = ["sh", "-c", '"$@"; exit 7', "sh", *script[script.index("--") + 1:]]
        for command, code in ((succeeded, 0), (script, 7)):
            self.assertEqual(harness.run(command).code, code)
            self.assertEqual(self.report(), ["All ranks reached MPI_Finalize."])
            self.assertNotIn("exit code", " ".join(self.overview()))
            self.assertEqual(self.job()["exit_code"], code)
            shutil.rmtree(harness.run_folders(self.folder)[0])

    def check(self):
        """The deadlocks that callsign check proves, and its exit code."""
        (run,) = harness.run_folders(self.folder)
        checked = harness.run([harness.COMMAND, "check", run])
        return [line for line in checked.stdout.splitlines() if "eadlock" in line], checked.code

    def proves_circle(self, ranks):
        (line,), code = self.check()
        found = re.fullmatch(rf"Deadlock: ranks {ranks} wait for each other in MPI_Recv on solver, for ([\d.]+) s, until the job was ended: see callsign hang", line)
        self.assertTrue(found and code == 1, (line, code))
        self.assertIn(line, self.overview())
        return float(found[1])

    @unittest.skipIf(harness.SANITIZER, "the launcher is not run through harness.mpirun")
    def test_job_that_was_killed_from_outside_is_told_so_and_only_a_deadlock_is_accused(self):
        for number, name, how in ((signal.SIGTERM, "SIGTERM", "compute"), (signal.SIGXCPU, "SIGXCPU", "recv")):
            process = harness.bounded.start(self.command(3, "stuck", how, "60"), env=harness.base_environment(), stdin=subprocess.DEVNULL,
                                       start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                for _ in harness.bounded.moments(60):
                    if len(list((self.folder / "out").glob("*.callsign/rank-*.journal"))) == 3:
                        break
                time.sleep(2)
                process.send_signal(number)
                harness.bounded.communicate(process, 60)
            finally:
                if process.poll() is None:
                    harness.bounded.end(process)
            (run,) = harness.run_folders(self.folder)
            harness.convert(run)
            lines = self.report()
            self.assertRegex(lines[0], rf"^The job was killed after [\d.]+ s: callsign run received {name}$")
            self.assertEqual([line for line in lines if "died first" in line], [])
            job = self.job()
            self.assertEqual((job["received"], job["of_ranks"], job["killed"]), (name, 1, 1))
            self.assertGreaterEqual(job["received_seconds"], 2)
            self.assertGreaterEqual(float(re.search(r", ran ([\d.]+) s", "\n".join(self.overview()))[1]), 2)
            if how == "recv":
                self.assertLessEqual(self.proves_circle("0-2"), job["received_seconds"])
            else:  # rank 1 computes
                self.assertEqual(self.check(), ([], 3))
                hang = harness.run([harness.COMMAND, "hang", run]).stdout
                self.assertRegex(hang, r"No deadlock is proven. All others wait for rank 1 \(pid \d+ on \S+\), outside MPI for [\d.]+ s")
            shutil.rmtree(run)

    @unittest.skipIf(harness.SANITIZER, "the launcher is not run through harness.mpirun")
    def test_time_limit_of_the_launcher_leaves_the_proof_of_a_deadlock(self):
        os.environ["MPIEXEC_TIMEOUT"] = str(seconds := 3)
        self.addCleanup(os.environ.pop, "MPIEXEC_TIMEOUT")
        self.assertIn(harness.run(self.command(2, "stuck", "recv", "60")).code, (110, 255))
        self.assertLess(self.proves_circle("0,1"), self.job()["seconds"])
        self.assertGreaterEqual(self.job()["seconds"], seconds)

    def test_file_of_the_job_that_makes_no_sense_is_not_believed(self):
        harness.mpirun(2, "ending", "exit", extra=harness.recording(self.folder))
        (run,) = harness.run_folders(self.folder)
        good = b"callsign job 1\nran_ns 9000000000\npid 4711\nexit_code 1\ncommand mpirun x\n"
        (run / ".job").write_bytes(good)
        self.assertRegex(self.report()[0], "^mpirun ended with exit code 1 after 9.00 s$")
        for bad in (b"", b"\0" * 100, good[:20], good.replace(b"4711", b"-1"), good.replace(b"code 1", b"code x"), good.replace(b"job 1", b"job 2"),
                    good + b"signal SIG\x1b[31m\n", good + b"x" * 4000, good.replace(b"9000000000", b"9" * 40)):
            (run / ".job").write_bytes(bad)
            self.assertNotIn("ended with exit code", " ".join(self.report()), bad)
        (run / ".job").unlink()
        os.mkfifo(run / ".job")
        self.assertNotIn("ended with exit code", " ".join(self.report()))

    @unittest.skipIf(harness.SANITIZER, "the launcher is not run through harness.mpirun")
    def test_hang_can_be_read_while_it_lasts(self):
        command = [*harness.launcher(3), os.path.join(harness.PROGRAMS, "stuck"), "recv", "60"]
        with harness.bounded.start(command, env=harness.base_environment(**harness.recording(self.folder)), start_new_session=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                for _ in harness.bounded.moments(40):
                    began = len(list((self.folder / "out").glob("*.callsign/rank-*.journal"))) == 3
                    lines = self.report() if began else []
                    if len([line for line in lines if "in MPI_Recv" in line]) == 3:
                        break
                time.sleep(1)
                lines = self.report()
            finally:
                harness.bounded.end(process)
        for rank, line in enumerate(lines):
            found = re.match(rf"Rank {rank} is running, in MPI_Recv on solver from rank {(rank + 1) % 3}, tag 7.*, at main stuck.c:\d+, for ([\d.]+) s$",
                             line)
            self.assertTrue(found, lines)
            self.assertGreaterEqual(float(found[1]), 1)
        self.assertEqual(len(lines), 3)


if __name__ == "__main__":
    unittest.main()
