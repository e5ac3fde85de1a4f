"""The screens that every debugger shows for the stopped program shown.c. Values look as usual in the debugger; all other text is equal."""

import os

import harness
from session import SHOWN, Session

CONSTANTS = ("unused = MPI_FLOAT_INT", "op = MPI_SUM", "handler = MPI_ERRORS_RETURN", "none = MPI_INFO_NULL", "empty = MPI_GROUP_EMPTY",
             "idle = MPI_REQUEST_NULL")
ROWS = r"rows +0 of 1 +MPI_Comm_dup main shown\.c:\d+"  # of `mpi info comms`
RECEIVE = r'MPI_Irecv on 0x\w+ "rows", from rank 0, tag 7'
LAST_CALL = r"its last call was " + RECEIVE


class Screen(Session):
    def check_locals(self, text):
        """The frame that calls stop_here."""
        for line in CONSTANTS:
            self.assertIn(line, text)
        if "session =" in text or harness.FLAVOUR == "mpich":
            self.assertIn("session = MPI_SESSION_NULL", text)
        self.assertRegex(text, r'window = (0x\w+ "halo window"|MPI_WIN_NULL)')
        self.assertRegex(text, f"request = 0x\\w+ {RECEIVE}")

    def check_state(self, process, comms, types, requests, waiting):
        """The output of `mpi info`, `mpi info comms`, `types`, `requests` and `mpi waiting`."""
        self.assertRegex(process, r"(?m)^process \d+: rank 0 of 1 in MPI_COMM_WORLD; ")
        self.assertRegex(process, r"(?m)^live objects: mpi info comms\|types\|")
        self.assertRegex(comms, ROWS)
        self.assertNotIn("temporary", comms)
        self.assertRegex(types, r"vector\(4,2,8\) of MPI_DOUBLE +64 B +MPI_Type_vector main shown\.c:\d+")
        self.assertRegex(requests, RECEIVE + r" +main shown\.c:\d+")
        self.assertRegex(waiting, r"thread \d+: outside MPI since .*; " + LAST_CALL)

    def check_where(self, text):
        """The output of `mpi where`, `mpi where stale`, `mpi members rows` and `mpi name 12345678`."""
        self.assertRegex(text, r"thread \d+: outside MPI since .*; " + LAST_CALL)
        self.assertRegex(text, r'communicator 0x\w+ "temporary" FREED\n  created by MPI_Comm_dup, .* ago\n    at main shown\.c:\d+')
        self.assertRegex(text, r"named by the program\n    at main shown\.c:\d+\n  freed at main shown\.c:\d+")
        self.assertRegex(text, r'"rows": rank 0 of 1\n  world ranks 0')
        self.assertIn("callsign knows no such handle: 12345678", text)

    def program(self, language):
        """shown in another language."""
        path = f"{SHOWN}_{language}"
        if not os.path.exists(path):
            self.skipTest(f"there is no compiler for this language: mpi{language} of {harness.FLAVOUR}")
        return path
