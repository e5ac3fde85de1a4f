"""Helpers for tests of the command: its options, an environment without a launch, a folder for each test.

    test_X.py --command callsign [--cc CC] [--mpi MPICC MPIEXEC]... [unittest arguments]
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))
import bounded  # noqa: E402  (the path must be set first)

SECONDS = 120
LAUNCHER_VARIABLES = ("OMPI_", "PRTE_", "PMIX_", "PMI_", "SLURM_", "CALLSIGN_", "LD_PRELOAD", "MPI_LOCAL")
options = argparse.Namespace(mpi=[])


def clean_environment(**variables):
    """The environment without what would make the command believe that it is inside a launch."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(LAUNCHER_VARIABLES)}
    return {**environment, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_btl_tcp_if_include": "lo", **variables}  # see tests/mpi/harness.py


class CommandTest(unittest.TestCase):
    def setUp(self):
        self.work = tempfile.mkdtemp(prefix="callsign-test-")
        self.addCleanup(shutil.rmtree, self.work)

    def call(self, *arguments, **variables):
        return bounded.run(arguments, env=clean_environment(**variables), cwd=self.work, timeout=SECONDS, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--command", required=True)
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--mpi", nargs=2, action="append", default=[])
    _, rest = parser.parse_known_args(namespace=options)
    unittest.main(module="__main__", argv=[sys.argv[0], *rest])
