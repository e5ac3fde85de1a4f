"""Bad input where each node has one file: the rest is shown, and the files stay as they are."""
import contextlib
import random
import sqlite3
import subprocess
import threading
import unittest

import fixture
import scaled_run  # noqa: E402  (fixture sets the path)
from support import COMMAND, SECONDS, CommandTest, bounded
from test_merged_file import COUNT, has_mount_namespaces

NODES = 4
PER_NODE = 6
RANKS = NODES * PER_NODE
BAD = list(range(PER_NODE, 2 * PER_NODE))  # the ranks of the second node, whose file is bad
MISSING = f"No trace of ranks {BAD[0]}-{BAD[-1]}"
PAGE = 4096
PAGES = 24  # that are damaged, one after the other


class NodeFiles(CommandTest):
    def setUp(self):
        super().setUp()
        self.recorded = fixture.make_run(self.folder)
        self.run_folder = self.folder / "nodes.callsign"
        scaled_run.make(scaled_run.plan_of(self.recorded, self.run_folder, RANKS, per_node=PER_NODE, files="node", seed=1))
        self.node = self.run_folder / "node-node00001.db"
        self.merged = self.run_folder / "merged.db"

    def contents(self):
        return {path.name: path.read_bytes() for path in self.run_folder.glob("node-*")}

    def ranks(self):
        """The ranks that a command shows, and the lines that it logs."""
        done = self.call("query", self.run_folder, "SELECT rank FROM process ORDER BY 1", "-f", "csv")
        self.assertEqual(done.returncode, 0, done.stderr)
        return [int(line) for line in done.stdout.split()[1:]], done.stderr.splitlines()

    def check_hidden(self, message):
        """Every command hides the ranks of the node, says why in one line, and changes no file."""
        before = self.contents()
        for _ in ("made", "read"):
            ranks, lines = self.ranks()
            self.assertEqual(ranks, [rank for rank in range(RANKS) if rank not in BAD])
            self.assertEqual(len(lines), 1, lines)
            self.assertRegex(lines[0], rf"\Acallsign: .*/node-node00001\.db {message}")
        self.assertIn(MISSING, self.call("report", self.run_folder).stdout)
        self.assertEqual(self.contents(), before)

    def test_truncated_file_is_left_out(self):
        with open(self.node, "r+b") as file:
            file.truncate(self.node.stat().st_size // 2)
        self.check_hidden("is damaged: ")

    def test_noise_is_left_out(self):
        self.node.write_bytes(random.Random(1).randbytes(50_000))
        self.check_hidden("(is damaged|cannot be opened|is not)")

    def test_damaged_page_hides_the_node_or_nothing(self):
        whole = self.node.read_bytes()
        dice = random.Random(2)
        for page in dice.sample(range(len(whole) // PAGE), PAGES):
            with self.subTest(page=page):
                self.node.write_bytes(whole[:page * PAGE] + dice.randbytes(PAGE) + whole[(page + 1) * PAGE:])
                before = self.contents()
                ranks, lines = self.ranks()
                hidden = [rank for rank in range(RANKS) if rank not in ranks]
                self.assertIn((hidden, len(lines)), (([], 0), (BAD, 1)), lines)
                self.assertEqual(self.contents(), before)

    def test_equal_rows_are_stored_once_and_plain_sql_reads_all(self):
        plain = self.folder / "plain.callsign"
        scaled_run.make(scaled_run.plan_of(self.recorded, plain, RANKS, per_node=PER_NODE, files="node", seed=1, plain=True))
        with contextlib.closing(sqlite3.connect(self.node)) as db, contextlib.closing(sqlite3.connect(plain / self.node.name)) as whole:
            for table in set(scaled_run.tables()) - {"rank_time", "summary"}:
                found, expected = (each.execute(f"SELECT * FROM {table}") for each in (db, whole))
                self.assertEqual([column[0] for column in found.description], [column[0] for column in expected.description], table)
                self.assertEqual(sorted(map(repr, found)), sorted(map(repr, expected)), table)
            for table in ("profile", "object", "tag", "naming", "datatype", "collective_call"):
                columns = ", ".join(column for _, column, *_ in db.execute(f"PRAGMA table_info(common_{table})") if column != "common")
                (rows,), (distinct,) = (db.execute(f"SELECT count(*) FROM {source}").fetchone()
                                        for source in (f"common_{table}", f"(SELECT DISTINCT {columns} FROM {table})"))
                self.assertEqual(rows, distinct, table)
            self.assertLess(db.execute("SELECT count(*) FROM common_profile").fetchone(), db.execute("SELECT count(*) / 2 FROM profile").fetchone())

    def test_view_in_place_of_rows_is_not_run(self):
        for rows in ("own_profile", "common_profile"):
            before = self.node.read_bytes()
            with contextlib.closing(sqlite3.connect(self.node)) as db:
                db.executescript(f"CREATE TABLE kept AS SELECT * FROM {rows}; DROP TABLE {rows}; CREATE VIEW {rows} AS SELECT * FROM kept")
            self.check_hidden("is damaged: it has no table profile as callsign makes it; left out")
            self.node.write_bytes(before)

    def test_missing_file_is_named(self):
        self.node.unlink()
        for _ in ("made", "read"):
            self.assertIn(MISSING, self.answer("report", self.run_folder))
        self.assertTrue(self.merged.exists())

    def test_file_that_grows_meanwhile_is_read_and_the_next_command_merges_again(self):
        stop = threading.Event()

        def grow():
            while not stop.wait(0.001):
                with open(self.node, "ab") as file:
                    file.write(bytes(PAGE))

        thread = threading.Thread(target=grow)
        thread.start()
        try:
            for _ in range(3):
                self.assertEqual(self.ranks(), (list(range(RANKS)), []))
        finally:
            stop.set()
            thread.join()
        self.assertEqual(self.ranks(), (list(range(RANKS)), []))
        before = self.merged.stat().st_ino
        self.assertEqual(self.ranks(), (list(range(RANKS)), []))
        self.assertEqual(self.merged.stat().st_ino, before)

    def test_two_commands_at_once_make_one(self):
        words = [COMMAND, "query", self.run_folder, COUNT, "-f", "csv"]
        both = [bounded.start(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment(), text=True) for _ in range(2)]
        for process in both:
            self.assertEqual(bounded.communicate(process, SECONDS), (f"n\n{RANKS}\n", ""))
        self.assertEqual(len(list(self.run_folder.iterdir())), NODES + 1)

    @unittest.skipUnless(has_mount_namespaces(), "no private mounts here")
    def test_full_disk_hides_nothing(self):
        self.assertEqual(len(self.ranks()[0]), RANKS)
        room = self.merged.stat().st_size * 3 // 4
        self.merged.unlink()
        small = self.folder / "small"
        small.mkdir()
        size = sum(-(-len(content) // PAGE) * PAGE for content in self.contents().values()) + room
        script = f'mount -t tmpfs -o size={size} none "{small}" && cp -r "{self.run_folder}" "{small}/run" && "$@"; code=$?; ls "{small}/run" | grep -c merged; exit $code'
        done = bounded.run(["unshare", "-m", "sh", "-c", script, "sh", COMMAND, "query", small / "run", COUNT, "-f", "csv"], capture_output=True, text=True,
                           env=self.environment())
        self.assertEqual((done.returncode, done.stdout), (0, f"n\n{RANKS}\n0\n"), done.stderr)
        self.assertRegex(done.stderr, r"\Acallsign: .*(no space|disk is full).*\n\Z")


if __name__ == "__main__":
    unittest.main()
