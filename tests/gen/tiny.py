"""A folder with a spec, an mpi.h and a library, made for one test: what the command that the build runs is tried on."""

import contextlib
import io
import os
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import support
from gen import __main__ as command


class TinyMpi(unittest.TestCase):
    """SPEC and HEADER are what the folder has in spec/one.spec and mpi.h."""

    SPEC = HEADER = ""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        os.mkdir(self.path("spec"))
        self.write("spec/one.spec", self.SPEC)
        self.write("mpi.h", self.HEADER)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def compile(self, name, text, *options):
        """Makes an object or a library of C text."""
        self.write("made.c", text)
        support.bounded.run([support.COMPILER, *options, "-o", self.path(name), self.path("made.c")], check=True)

    def make_shared(self, text, name="libmpi.so"):
        self.compile(name, text, "-shared", "-fPIC")

    def make_static(self, text, name="libmpi.a"):
        self.compile("made.o", text, "-c")
        support.bounded.run(["ar", "rcs", self.path(name), self.path("made.o")], check=True)

    def gen(self, *arguments):
        """The command that the build runs, in this process: what it returned and said."""
        words = ["gen", "--spec", self.path("spec"), "--nm", support.NM, "--out", self.path("out"), *arguments]
        out, err = io.StringIO(), io.StringIO()
        with contextlib.chdir(support.ROOT), mock.patch.object(sys, "argv", words), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = command.main() or 0
            except SystemExit as ended:
                code = ended.code
        return subprocess.CompletedProcess(words, code, out.getvalue(), err.getvalue())

    def flavour(self, *arguments):
        """The wrappers for this MPI, in out/."""
        return self.gen("--flavour", "tiny", "--cc", support.COMPILER, "--include", self.folder, *arguments)
