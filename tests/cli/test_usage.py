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
        for command in ("report", "query", "names", "convert"):
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


class NewestRun(CommandTest):
    """Commands without RUN read the run of the current folder that began last."""

    def make(self):
        for name, when in (("a", 1000), ("b", 3000), ("c", 2000), ("d", 4000)):
            run = self.folder / f"{name}.callsign"
            run.mkdir()
            fixture.make_trace(run / "rank-00000.db", 0, 1)
            (run / ".run").touch()
            os.utime(run / ".run", (when, when))  # a page or a merged file of the run is younger
        (self.folder / "d.callsign").rename(self.folder / "d.other")

    def test_it_is_read_and_named_on_stderr(self):
        self.make()
        line = "callsign: no run was given: this is the newest one here, b.callsign\n"
        for words in (["report"], ["report", "leaks"], ["report", "--html"], ["query"], ["query", "SELECT 1"], ["query", "leaks"], ["hang"],
                      ["check"], ["names"], ["export", "--csv", "csv"], ["merge", "-o", "all.db"], ["snapshot", "-o", "now.db"]):
            with self.subTest(words):
                done = self.call(*words)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertTrue(done.stderr.startswith(line), done.stderr)  # a build without node says so behind it
                self.assertNotIn("newest", done.stdout)
        self.assertEqual(self.answer("report", "b.callsign"), self.call("report").stdout)
        self.assertTrue((self.folder / "b.callsign" / "report.html").exists())

    def test_compare_takes_the_two_newest(self):
        self.make()
        for words, runs in (([], "c.callsign -- b.callsign"), (["a.callsign"], "a.callsign -- b.callsign")):
            done = self.call("compare", *words)
            self.assertEqual((done.returncode, done.stderr), (0, f"callsign: these are the newest runs here: compare {runs}\n"))

    def test_without_one_a_line_says_what_to_do(self):
        for words in (["report"], ["report", "leaks"], ["query"], ["query", "SELECT 1"], ["hang"], ["merge"], ["check"], ["timeline"]):
            self.refuse(*words, code=2 if words[0] == "check" else 1, saying=f"{words[0]}: no run (*.callsign) in the current folder; give one")
        self.refuse("compare", saying="compare: fewer than two runs (*.callsign) in the current folder; give them")
        self.refuse("compare", "x.callsign", saying="compare: no run (*.callsign) in the current folder; give one after --")


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
        self.assertLessEqual(max(map(len, self.answer("help", "settings").splitlines())), 80)

    def test_help_of_query_names_every_function_of_its_own(self):
        text = self.answer("help", "query")
        source = (fixture.TREE / "cli/command/sql_functions.h").read_text(encoding="utf-8").split("*/")[0]
        names = re.findall(r"(?m)^ \*     (\w+)\(", source)
        self.assertIn("ranges", names)
        for name in set(names) - {"label", "labels", "row_name", "single"}:  # which are for reports
            self.assertIn(f"{name}(", text)

    def test_unknown_commands_and_options_are_usage_errors(self):
        self.refuse("frobnicate", code=2, saying="there is no command frobnicate; callsign help lists them")
        for command in ("report", "query", "merge", "names", "convert", "gdb", "lldb", "core", "attach", "version"):
            self.assertEqual(self.call(command, "--frobnicate").returncode, 2)
        self.refuse("convert", code=2, saying="give a run")
        self.refuse("version", "of", code=2, saying="version takes no argument such as of")
        self.refuse("report", "x", "--rows", "many", code=2, saying="many")

    def test_the_nearest_command_and_option_is_suggested(self):
        self.refuse("reprot", code=2, saying="there is no command reprot; the nearest is report")
        self.refuse("help", "qeury", code=2, saying="there is no command qeury; the nearest is query")
        self.refuse("leaks", code=2, saying="there is no command leaks; callsign report leaks prints the report of that name")
        for words, line in ((("report", "--formt", "csv"), "report: there is no option --formt; the nearest is --format"),
                            (("run", "--evnts=all", "true"), "run: there is no option --evnts; the nearest is --events"),
                            (("compare", "a", "--", "--fial-on", "x"), "compare: there is no option --fial-on; the nearest is --fail-on"),
                            (("check", "--frobnicate"), "check: there is no option --frobnicate"),
                            (("run", "--re"), "run: --re may be --record or --recognize"),
                            (("query", "--format"), "query: --format needs a value"),
                            (("query", "-f"), "query: --format needs a value"),
                            (("report", "--no-sql=1"), "report: --no-sql takes no value"),
                            (("hang", "-x"), "hang: there is no option -x")):
            self.assertIn(line, self.refuse(*words, code=2).stderr.splitlines()[0])

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
        lines = self.installed("libcallsign.so", "libcallsign-mpich.so", "libcallsign-front-mpich.so", "libcallsign-convert.so",
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
