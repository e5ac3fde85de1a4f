"""Running the command under test."""
import json
import os
import pathlib
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import bounded  # noqa: E402  (the path must be set first)
import golden  # noqa: E402
import terminal  # noqa: E402

COMMAND = os.environ["CALLSIGN_COMMAND"]
SANITIZED = bool(os.environ.get("CS_TEST_SANITIZER"))  # it looks at our C code; what repeats that is left out
SECONDS = 60


class CommandTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="callsign-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.temporary = self.folder / "tmp"
        self.temporary.mkdir()

    def environment(self, **more):
        ours = ("COLUMNS", "NO_COLOR", "LANG", "LC_ALL", "LC_CTYPE")
        kept = {name: value for name, value in os.environ.items() if name not in ours}
        return {**kept, "TMPDIR": str(self.temporary), "CALLSIGN_SYNC": "off", "LC_ALL": "C.UTF-8", "TERM": "xterm", **more}

    def call(self, *arguments, stdin="", text=True, cwd=None, **environment):
        return bounded.run([COMMAND, *map(str, arguments)], input=stdin if text else stdin.encode(), capture_output=True,
                              text=text, timeout=SECONDS, env=self.environment(**environment), cwd=cwd or self.folder)

    def answer(self, *arguments, missing=None, **options):
        """Standard output of a call that must succeed without a message; missing: but that these ranks have no trace."""
        done = self.call(*arguments, **options)
        if missing:
            self.assertRegex(done.stderr, rf"\Acallsign: \S+ has no trace of {missing}\n\Z")
        else:
            self.assertEqual(done.stderr, "" if options.get("text", True) else b"")
        self.assertEqual(done.returncode, 0)
        return done.stdout

    def shows(self, report, text, part=""):
        """The report prints what its golden file has for this test."""
        golden.check(self, report, text, part)

    def ask(self, run, sql, missing=None):
        """The rows of a query, as a list of dictionaries."""
        return json.loads(self.answer("query", run, sql, "--format", "json", missing=missing))

    def all_rows(self, run, columns, missing=None):
        """{name: rows} of tables and views, from few commands; bytes are hexadecimal. columns: {name: its columns, with commas}."""
        def values(names):
            return ", ".join(f"CASE typeof({name}) WHEN 'blob' THEN hex({name}) ELSE {name} END" for name in names.split(", "))
        parts = [f"SELECT '{name}' AS name, json_group_array(json_array({values(names)})) AS rows FROM {name}" for name, names in columns.items()]
        many = 40  # a longer argument is refused
        rows = (row for i in range(0, len(parts), many) for row in self.ask(run, "\nUNION ALL ".join(parts[i:i + many]), missing))
        return {row["name"]: json.loads(row["rows"]) for row in rows}

    def refuse(self, *arguments, code=1, saying=(), **options):
        """A call that must fail with one line on stderr in which all of `saying` occur."""
        done = self.call(*arguments, **options)
        self.assertEqual(done.returncode, code, done.stderr)
        lines = done.stderr.splitlines()
        self.assertTrue(lines and all(line.startswith("callsign: ") for line in lines), done.stderr)
        self.assertEqual(len(lines), 2 if code == 2 and len(lines) == 2 else 1, done.stderr)
        for text in (saying,) if isinstance(saying, str) else saying:
            self.assertIn(text, done.stderr)
        return done

    def on_terminal(self, *arguments, **environment):
        """The text on a terminal with 80 columns."""
        return terminal.show([COMMAND, *arguments], self.environment(**environment), self.folder, SECONDS)
