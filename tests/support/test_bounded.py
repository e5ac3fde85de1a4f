"""A child that runs out of time is shown where it stands, and ended with what it started."""

import contextlib
import io
import os
import subprocess
import sys
import time
import unittest

import bounded

# A child of its own, whose number it tells; both would stay for a minute.
FAMILY = "sleep 60 & echo $!; wait"  # of a shell: it begins fast enough on a busy machine

# A program with a child that ends with it.
STARTER = "import bounded, time; print(bounded.start(['sleep', '60']).pid, flush=True); time.sleep(60)"


def is_alive(pid):
    return os.path.exists(f"/proc/{pid}") and " (zombie)" not in bounded.read(f"/proc/{pid}/status")


class Bounded(unittest.TestCase):
    def expire(self, *command, **options):
        """The message about a child with too little time, and the exception."""
        said = io.StringIO()
        with contextlib.redirect_stderr(said), self.assertRaises(subprocess.TimeoutExpired) as raised:
            bounded.run([*command], timeout=1, **options)
        return said.getvalue(), raised.exception

    def check_it_ends(self, pid):
        self.assertTrue(any(not is_alive(pid) for _ in bounded.moments(10)))

    def test_a_child_in_time_is_as_with_subprocess(self):
        done = bounded.run(["sh", "-c", "cat; echo oh >&2; exit 3"], input="text", capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (3, "text", "oh\n"))
        with self.assertRaises(subprocess.CalledProcessError):
            bounded.run(["false"], check=True)

    def test_a_child_out_of_time_and_its_descendants_are_shown_and_ended(self):
        said, expired = self.expire("sh", "-c", FAMILY, stdout=subprocess.PIPE, text=True)
        grandchild = int(expired.output)
        self.assertIn("run out of time after", said)
        self.assertIn(f"process {grandchild}: sleep 60", said)
        self.assertRegex(said, r"State:\s+S")
        self.assertIn("wchan ", said)
        self.check_it_ends(grandchild)

    def test_a_child_that_hears_no_signal_is_ended_too(self):
        self.addCleanup(setattr, bounded, "POLITE_SECONDS", bounded.POLITE_SECONDS)
        bounded.POLITE_SECONDS = 1
        begin = time.monotonic()
        self.expire("sh", "-c", "trap '' TERM; while :; do sleep 0.1; done")
        self.assertLess(time.monotonic() - begin, 50)

    def test_a_child_ends_with_a_parent_that_is_killed(self):
        with bounded.start([sys.executable, "-c", STARTER], stdout=subprocess.PIPE, text=True) as parent:
            child = int(parent.stdout.readline())
            self.assertTrue(is_alive(child))
            parent.kill()
        self.check_it_ends(child)

    def test_limits_grow_with_the_load(self):
        self.assertEqual([bounded.factor(load, 2) for load in (0.1, 2, 6, 1000)], [1, 1, 3, bounded.FACTOR_MOST])

    def test_the_command_ends_as_its_child(self):
        for script, code in (("exit 7", 7), ("kill -USR1 $$", 128 + 10)):
            self.assertEqual(bounded.run([sys.executable, bounded.__file__, "60", "sh", "-c", script]).returncode, code)
        done = bounded.run([sys.executable, bounded.__file__, "0.5", "sleep", "60"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 124)
        self.assertIn("run out of time", done.stderr)


if __name__ == "__main__":
    unittest.main()
