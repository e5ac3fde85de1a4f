"""The clock of a simulated host, on this host: what a program sees lies between what the kernel says before and after, made wrong."""

import json
import os
import subprocess
import sys
import time
import unittest

import bounded
import hosts

HOUR_NS = 3_600_000_000_000

# Each way to ask, between two system calls, which nobody intercepts.
PROGRAM = """
import ctypes, json, platform, time
c = ctypes.CDLL(None, use_errno=True)
GETTIME = {"x86_64": 228, "aarch64": 113}[platform.machine()]
class Time(ctypes.Structure):
    _fields_ = [("seconds", ctypes.c_long), ("parts", ctypes.c_long)]
def kernel(clock):
    now = Time()
    assert c.syscall(GETTIME, clock, ctypes.byref(now)) == 0
    return now.seconds * 10**9 + now.parts
def of_day():
    now = Time()
    assert c.gettimeofday(ctypes.byref(now), None) == 0
    return now.seconds * 10**9 + now.parts * 1000
c.time.restype = ctypes.c_long
ways = [(clock, 1, lambda clock=clock: time.clock_gettime_ns(clock)) for clock in (time.CLOCK_REALTIME, time.CLOCK_MONOTONIC, time.CLOCK_BOOTTIME)]
ways += [(0, 1000, of_day), (0, 10**9, lambda: c.time(None) * 10**9), (time.CLOCK_PROCESS_CPUTIME_ID, 1, time.process_time_ns)]
print(json.dumps([(clock, step, kernel(clock), way(), kernel(clock)) for clock, step, way in ways]))
"""


class ShiftedClock(unittest.TestCase):
    def answers(self, clocks):
        env = {**os.environ, **hosts.clock_environment(clocks)}
        done = bounded.run([sys.executable, "-c", PROGRAM], 30, env=env, stdout=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 0)
        return json.loads(done.stdout)

    def check(self, clock, clocks):
        for kind, step, before, seen, after in self.answers(clocks):
            shown = [hosts.shown(clock, now, time.CLOCK_MONOTONIC if kind else time.CLOCK_REALTIME) for now in (before, after)] \
                if kind != time.CLOCK_PROCESS_CPUTIME_ID else (before, after)
            self.assertTrue(shown[0] - step < seen <= shown[1] + 1, (kind, step, shown, seen))

    def test_clock_is_wrong_by_offset_and_drift_however_it_is_asked(self):
        for offset_ns, drift_ppb in ((2_000_000_000, 50_000), (-2_000_000_000, -50_000), (0, 0)):
            clock = hosts.set_clock(hosts.Clock(offset_ns, drift_ppb, age_ns=HOUR_NS))
            self.check(clock, {"elsewhere": hosts.set_clock(hosts.Clock(7)), os.uname().nodename: clock})

    def test_clock_of_a_host_that_nobody_named_is_right(self):
        self.check(hosts.set_clock(hosts.Clock()), {"elsewhere": hosts.set_clock(hosts.Clock(7))})


if __name__ == "__main__":
    unittest.main()
