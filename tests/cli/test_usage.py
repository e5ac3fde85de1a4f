"""Arguments: help, options, paths that are no run."""
import os
import re
import shutil
import sqlite3
import subprocess
import unittest

import fixture
from support import COMMAND, SECONDS, CommandTest, bounded


class NoRun(CommandTest):
    def test_missing_path_is_named(self):
        for command in ("report", "query", "names", "seal"):
            self.refuse(command, "nowhere.callsign", saying="nowhere.callsign does not exist")

    def test_folder_that_is_no_run_is_named(self):
        self.refuse("report", self.folder / "tmp", saying="is not a callsign run: there is no rank-*.db in it")

    def test_folder_with_runs_in_it_names_one(self):
        fixture.make_run(self.folder)
        self.refuse("report", ".", saying="./solver.k3f9a2xq.callsign")

    def test_file_of_another_kind_is_named(self):
        (self.folder / "notes.txt").write_text("hello")
        self.refuse("query", "notes.txt", "SELECT 1", saying=("notes.txt", "neither a callsign trace nor a journal"))
        self.refuse("report", "/dev/null", saying="neither a folder nor a file")

    def test_other_database_is_named(self):
        with sqlite3.connect(self.folder / "other.db") as db:
            db.execute("CREATE TABLE process (rank)")
        self.refuse("report", "other.db", saying=("other.db", "not a callsign trace"))

    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_unreadable_folder_is_named(self):
        run = fixture.make_run(self.folder)
        run.chmod(0)
        self.addCleanup(run.chmod, 0o755)
        self.refuse("report", run, saying=str(run))


class Usage(CommandTest):
    def test_every_command_has_a_help_that_fits_a_screen_and_ends_with_an_example(self):
        overview = self.answer("help")
        commands = re.findall(r"(?m)^  (\w+)  +\w", overview)
        self.assertLess(11, len(commands))
        self.assertLessEqual(max(map(len, overview.splitlines())), 80)
        for command in set(commands) - {"help"}:
            text = self.answer(command, "--help")
            self.assertLessEqual(max(map(len, text.splitlines())), 80, command)
            self.assertLessEqual(len(text.splitlines()), 50, command)
            self.assertRegex(text.rstrip().splitlines()[-1], r"^ +\S", command)
            self.assertEqual(text, self.answer("help", command))

    def test_help_of_query_names_every_function_of_its_own(self):
        text = self.answer("help", "query")
        source = (fixture.TREE / "cli/sql_functions.h").read_text(encoding="utf-8").split("*/")[0]
        names = re.findall(r"(?m)^ \*     (\w+)\(", source)
        self.assertIn("ranges", names)
        for name in set(names) - {"label", "labels", "row_name", "single"}:  # which are for reports
            self.assertIn(f"{name}(", text)

    def test_unknown_commands_and_options_are_usage_errors(self):
        self.refuse("frobnicate", code=2, saying="frobnicate")
        for command in ("report", "query", "merge", "names", "seal", "gdb", "lldb", "core", "attach", "version"):
            self.assertEqual(self.call(command, "--frobnicate").returncode, 2)
        for command in ("report", "query", "seal"):
            self.refuse(command, code=2, saying="give a run")
        self.refuse("report", "x", "--rows", "many", code=2, saying="many")

    def test_debugger_that_is_not_there_is_told_in_a_line(self):
        for command in ("gdb", "lldb"):
            self.refuse(command, "--", "./program", code=127, saying=f"{command}: command not found", PATH=str(self.folder))

    def installed(self, *libraries):
        """A tree with the command and files of these names among its libraries; what its `version` tells of flavours."""
        for name in ("bin", "lib"):
            (self.folder / name).mkdir()
        shutil.copy(COMMAND, self.folder / "bin" / "callsign")
        for name in libraries:
            (self.folder / "lib" / name).touch()
        done = bounded.run([self.folder / "bin" / "callsign", "version"], capture_output=True, text=True, timeout=SECONDS)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [line for line in done.stdout.splitlines() if "/lib" in line]

    def test_version_lists_flavours_and_no_other_library(self):
        lines = self.installed("libcallsign.so", "libcallsign-mpich.so", "libcallsign-front-mpich.so", "libcallsign-seal.so",
                               "libcallsign-unwind.so", "libcallsign-resolve.so")
        self.assertEqual(lines, [f"flavours    {self.folder}/lib/libcallsign-mpich.so (mpich)"])

    def test_version_says_that_no_flavour_is_there(self):
        lines = self.installed("libcallsign.so", "libcallsign-unwind.so", "libcallsign-resolve.so")
        self.assertEqual(lines, [f"flavours    none in {self.folder}/lib: nothing can be recorded"])

    def test_version_names_callsign_and_sqlite(self):
        self.assertRegex(self.answer("version"), r"(?s)callsign +\d+\.\d+\.\d+.*SQLite +3\.")

    def test_full_output_device_is_trouble(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = bounded.run([COMMAND, "report", fixture.make_run(self.folder)], stdout=full,
                                  stderr=subprocess.PIPE, text=True, timeout=SECONDS)
        self.assertEqual(done.returncode, 1)
        self.assertIn("No space left", done.stderr)


if __name__ == "__main__":
    unittest.main()
