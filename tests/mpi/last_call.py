"""The trace of a process that ended badly, or hangs: the current calls of its threads, their duration, and earlier calls."""

import os
import signal
import subprocess
import time
import unittest

import harness


class LastCall(unittest.TestCase):
    def setUp(self):
        temporary = harness.workspace()
        self.folder = temporary.__enter__()
        self.addCleanup(temporary.cleanup)

    def ask(self, sql):
        (path,) = harness.databases(self.folder).values()
        with harness.open_trace(path) as trace:
            return trace.execute(sql).fetchall()

    def record(self, *words, code=0, program="last_call"):
        """Runs it bare and recorded, as a process without launcher."""
        bare = harness.mpirun(0, program, *words, cwd=self.folder)
        recorded = harness.mpirun(0, program, *words, extra=harness.recording(self.folder), cwd=self.folder)
        self.assertEqual((bare.code, recorded.code, recorded.messages()), (code, code, []), bare.stderr + recorded.stderr)

    def test_time_of_calls_counts_though_nothing_rare_happened(self):
        self.record("compute", code=-signal.SIGKILL)
        (row,) = self.ask("SELECT last_call, completed_call, completed_communicator, completed_location GLOB '*last_call*', "
                          "seconds > 0.5, mpi_seconds < seconds, mpi_percent BETWEEN 1 AND 100 FROM processes")
        self.assertEqual(row, (None, "MPI_Allreduce", "team", 1, 1, 1, 1))
        for (live,) in self.ask("SELECT live FROM growth WHERE created_by = 'MPI_Type_contiguous'"): # the loop may be unrolled
            self.assertEqual(len(set(live.split())), 1, live)
        self.assertEqual(self.ask("SELECT found_dead_ns > last_seen_ns FROM process"), [(1,)])

    def test_receive_tells_from_whom_and_how_much(self):
        self.record("receive", code=-signal.SIGALRM)
        (row,) = self.ask("SELECT last_call, last_communicator, last_peer, last_tag, last_bytes, last_location GLOB '*last_call*', "
                          "completed_call FROM processes")
        self.assertEqual(row, ("MPI_Recv", "team", "MPI_ANY_SOURCE", "MPI_ANY_TAG", 400, 1, None))
        self.assertEqual(self.ask("SELECT peer, tag FROM thread"), [(-1, -1)])

    def test_wait_tells_what_it_waits_for(self):
        self.record("wait", code=-signal.SIGALRM)
        self.assertEqual(self.ask("SELECT last_call, last_communicator, last_peer, last_tag, last_bytes FROM processes"),
                         [("MPI_Wait", "team", 0, 7, 200)])

    def test_wait_for_all_tells_the_first_under_way(self):
        self.record("waitall", code=-signal.SIGALRM)
        self.assertEqual(self.ask("SELECT last_call, last_communicator, last_peer, last_tag, last_bytes FROM processes"),
                         [("MPI_Waitall", "team", "MPI_ANY_SOURCE", 9, 8)])

    def test_partners_that_are_none_have_words(self):
        self.record("nowhere", code=-signal.SIGKILL)
        self.assertEqual(self.ask("SELECT state, call, peer, tag, bytes, seconds IS NOT NULL FROM threads"),
                         [("outside", "MPI_Send", "MPI_PROC_NULL", 3, 0, 1)])

    def test_every_thread_is_told(self):
        self.record("threads", code=-signal.SIGKILL)
        inside = self.ask("SELECT call, object_name, peer, bytes FROM threads WHERE state = 'inside' ORDER BY 2")
        self.assertEqual(inside, [("MPI_Recv", f"lane {i}", 0, 4) for i in range(4)])
        self.assertEqual(self.ask("SELECT threads FROM process"), [(1 + 13 + 4,)])
        self.assertEqual(self.ask("SELECT state FROM threads WHERE thread = 0"), [("outside",)])

    def test_a_process_that_hangs_is_asked_for_its_time(self):
        env = harness.base_environment(**harness.recording(self.folder))
        with harness.bounded.start([os.path.join(harness.PROGRAMS, "last_call"), "receive", "live"], env=env, cwd=self.folder,
                              stdin=subprocess.DEVNULL) as process:
            try:
                begin = time.monotonic()
                for _ in harness.bounded.moments(30):
                    if self.ask_living().startswith("MPI_Recv"):
                        break
                time.sleep(1.5)
                call, in_it, seconds = self.ask_living().split(",")
            finally:
                process.kill()
        self.assertEqual(call, "MPI_Recv")
        self.assertGreater(float(in_it), 1.4)
        self.assertLess(float(in_it), time.monotonic() - begin)
        self.assertGreater(float(seconds), float(in_it))

    def ask_living(self):
        folders = harness.run_folders(self.folder)
        result = harness.run([harness.COMMAND, "query", *folders, "SELECT last_call, last_seconds, seconds FROM processes", "-f", "csv"])
        return result.stdout.splitlines()[-1] if folders and result.code == 0 and result.stdout else ""

    def test_calls_that_were_left_by_longjmp_count(self):
        self.record("jump")
        self.assertEqual(self.ask("SELECT calls, min_ns, communicator, lost FROM calls JOIN process USING (rank) "
                                  "WHERE function = 'MPI_Send'".replace("calls,", "calls.calls,", 1)), [(3, None, "team", 0)])
        self.assertEqual(self.ask("SELECT p.calls = sum(c.calls) FROM process p JOIN profile c"), [(1,)])

        # the handler sleeps 60 ms in all, inside the calls
        (seconds,), = self.ask("SELECT total(time_ns) / 1e9 FROM stretch WHERE from_site = 0 OR from_function = "
                               "(SELECT function FROM function WHERE name = 'MPI_Comm_size')")
        self.assertLess(seconds, 0.02)

    def test_after_longjmp_the_call_is_the_last_that_is_known(self):
        self.record("jumped", code=-signal.SIGKILL)
        self.assertEqual(self.ask("SELECT state, call FROM threads"), [("outside", "MPI_Errhandler_free")])

    def test_calls_that_were_left_by_an_exception_count_with_their_time(self):
        self.needs_cxx()
        self.record(program="thrown")
        self.assertEqual(self.ask("SELECT c.calls, c.min_ns > 0, communicator, lost FROM calls c JOIN process USING (rank) "
                                  "WHERE function = 'MPI_Send'"), [(3, 1, "team", 0)])
        self.assertEqual(self.ask("SELECT p.calls = sum(c.calls) FROM process p JOIN profile c"), [(1,)])

    def test_after_an_exception_the_process_is_outside(self):
        self.needs_cxx()
        self.record("die", program="thrown", code=-signal.SIGKILL)
        self.assertEqual(self.ask("SELECT last_call, completed_call, completed_communicator FROM processes"),
                         [(None, "MPI_Send", "team")])

    def test_an_exception_that_a_callback_catches_leaves_the_outer_call(self):
        self.needs_cxx()
        self.record("inside", program="thrown", code=-signal.SIGKILL)
        self.assertEqual(self.ask("SELECT last_call, lost FROM processes"), [("MPI_Comm_dup", 0)])
        self.assertEqual(self.ask("SELECT sum(calls), count(min_ns) FROM calls WHERE function = 'MPI_Send'"), [(3, 1)])

    def needs_cxx(self):
        if not os.path.exists(os.path.join(harness.PROGRAMS, "thrown")):
            self.skipTest("there is no C++ compiler")


if __name__ == "__main__":
    unittest.main()
