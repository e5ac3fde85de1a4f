"""`callsign merge`: all ranks of a run in one ordinary database, which answers as the run does."""
import contextlib
import fcntl
import os
import shutil
import signal
import sqlite3
import stat
import struct
import subprocess
import unittest

import fixture
import place  # noqa: E402  (fixture sets the path)
from support import COMMAND, SECONDS, CommandTest, bounded

F_OFD_SETLK = 37  # Python 3.11 has no name for it on all builds


class Merge(CommandTest):
    def merge(self, run, *options, output="all.db"):
        text = self.answer("merge", run, "-o", output, *options)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir() if "all.db" in path.name), ["all.db"])
        return text

    def stale(self, name, pid):
        path = self.folder / f"{name}.{place.in_names()}-{pid}-0.tmp"
        path.touch()
        os.utime(path, (1000000, 1000000))
        return path

    def test_what_a_killed_merge_left_is_removed_by_the_next_one(self):
        run = fixture.make_run(self.folder, ranks=2)
        left, other = self.stale("out.db", fixture.NOBODY), self.stale("other.db", fixture.NOBODY)
        locked = self.stale("out.db", os.getpid())
        with open(locked, "r+b") as file:
            fcntl.fcntl(file, F_OFD_SETLK, struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 1, 0))
            for command in ("merge", "snapshot"):  # told before the work, not after it
                self.assertIn("out.db is being written by another command", self.refuse(command, run, "-o", self.folder / "out.db").stderr)
            self.answer("merge", run, "--force", "-o", self.folder / "out.db")
        self.assertEqual([left.exists(), other.exists(), locked.exists()], [False, True, True])

    def test_answers_are_those_of_the_run(self):
        run = fixture.make_run(self.folder, ranks=2)
        fixture.make_journal(run / "rank-00002.journal", rank=2, size=3)
        self.assertRegex(self.merge(run), r"\A3 ranks in all\.db, [0-9.]+ KiB, [0-9.]+ m?s\n\Z")
        asked = self.ask(run, "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")
        self.assertEqual(self.ask("all.db", "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'computed%'"), asked)
        with contextlib.closing(sqlite3.connect(self.folder / "all.db")) as db:
            names = {row["name"]: ", ".join(f'"{column[1]}"' for column in db.execute(f"PRAGMA table_info({row['name']})")) for row in asked}
        self.assertGreater(len(names), 30)
        mine, theirs = (self.all_rows(path, names) for path in ("all.db", run))
        for name in names:
            with self.subTest(name=name):
                self.assertEqual(sorted(map(repr, mine[name])), sorted(map(repr, theirs[name])))
        self.assertEqual(self.answer("report", "all.db").replace("all.db", "RUN"), self.answer("report", run).replace(str(run), "RUN"))

    def test_it_is_an_ordinary_database(self):
        self.merge(fixture.make_run(self.folder, ranks=3))
        with sqlite3.connect(f"file:{self.folder}/all.db?mode=ro", uri=True) as db:
            self.assertEqual(db.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
            self.assertEqual(db.execute("PRAGMA journal_mode").fetchall(), [("delete",)])
            self.assertEqual(db.execute("SELECT sum(calls) FROM calls").fetchone(), (3 * 1211,))
            self.assertEqual(db.execute("SELECT group_concat(clock_offset_ns) FROM process").fetchone(), ("0,1000000,2000000",))

    @unittest.skipUnless(shutil.which("nm") and shutil.which("readelf"), "needs binutils")
    def test_places_are_looked_up(self):
        build_id = bounded.run(["readelf", "-n", COMMAND], capture_output=True, text=True, check=True).stdout
        build_id = build_id.partition("Build ID: ")[2].split()[0]
        symbols = bounded.run(["nm", COMMAND], capture_output=True, text=True, check=True).stdout
        [address] = [int(line.split()[0], 16) for line in symbols.splitlines() if line.endswith(" main")]
        run = fixture.make_run(self.folder, ranks=2, extra=lambda db: fixture.move_frame(db, 11, COMMAND, build_id, address + 8))
        os.chmod(run / "rank-00000.db", 0o444)
        self.merge(run)
        with sqlite3.connect(self.folder / "all.db") as db:
            self.assertEqual(db.execute("SELECT function FROM frame WHERE frame = 11").fetchall(), [("main",)])
        with sqlite3.connect(run / "rank-00000.db") as db:  # to merge is to read
            self.assertEqual(db.execute("SELECT function FROM frame WHERE frame = 11").fetchall(), [(None,)])

    def test_single_rank_becomes_a_file_too(self):
        run = fixture.make_run(self.folder, ranks=2)
        self.assertRegex(self.merge(run / "rank-00001.db"), r"\A1 rank in ")
        self.assertEqual(self.ask("all.db", "SELECT rank FROM process"), [{"rank": 1}])

    def test_damaged_ranks_are_named_and_the_rest_is_in_it(self):
        run = fixture.make_run(self.folder, ranks=3)
        (run / "rank-00001.db").write_bytes(b"noise" * 1000)
        done = self.call("merge", run, "-o", "all.db")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"\Acallsign: .*/rank-00001\.db is damaged: .*\n\Z")
        self.assertIn("1 of 3 rank files could not be read", done.stdout)
        self.assertEqual(self.ask("all.db", "SELECT group_concat(rank) AS ranks FROM process"), [{"ranks": "0,2"}])

    def test_existing_file_is_replaced_only_by_force(self):
        run = fixture.make_run(self.folder, ranks=2)
        output = self.folder / "all.db"
        output.write_text("precious", encoding="utf-8")
        self.refuse("merge", run, "-o", "all.db", saying=("all.db exists", "--force"))
        self.assertEqual(output.read_text(encoding="utf-8"), "precious")
        self.merge(run, "--force")
        self.assertEqual(self.ask("all.db", "SELECT count(*) AS n FROM process"), [{"n": 2}])

    def test_two_merges_at_once_make_one_file(self):
        run = fixture.make_run(self.folder, ranks=3)
        words = [COMMAND, "merge", "--force", "-o", "all.db", run]
        both = [bounded.start(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment(), text=True, cwd=self.folder) for _ in range(2)]
        for process in both:
            out, err = bounded.communicate(process, SECONDS)
            self.assertEqual((process.returncode, out[:8], err), (0, "3 ranks ", ""))
        self.assertEqual(self.ask("all.db", "SELECT count(*) AS n FROM process"), [{"n": 3}])
        self.assertEqual([path.name for path in self.folder.iterdir() if "all.db" in path.name], ["all.db"])

    def test_snapshots_at_once_take_the_next_free_numbers(self):
        run = fixture.make_run(self.folder, ranks=2)
        named = run.rename(run.with_name("r43.callsign"))
        (self.folder / "r43.snapshot-2.db").write_text("older")
        children = [bounded.start([COMMAND, "snapshot", named], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment(),
                                  text=True, cwd=self.folder) for _ in range(6)]
        ends = [(*bounded.communicate(child, SECONDS), child.returncode) for child in children]
        self.assertEqual([(error, code) for _, error, code in ends], [("", 0)] * 6)
        paths = [self.folder / f"r43.snapshot-{number}.db" for number in (1, 3, 4, 5, 6, 7)]
        self.assertEqual(sorted(out.split(" in ")[1].split(",")[0] for out, _, _ in ends), [str(path) for path in paths])
        self.assertEqual(sorted(self.folder.glob("r43.snapshot*")), sorted([*paths, self.folder / "r43.snapshot-2.db"]))
        self.assertEqual((self.folder / "r43.snapshot-2.db").read_text(), "older")
        for path in paths:
            self.assertEqual(self.ask(path, "SELECT count(*) AS n FROM process"), [{"n": 2}])

    def test_link_to_a_trace_is_followed_by_name_and_told_in_a_run(self):
        run = fixture.make_run(self.folder, ranks=2)
        (run / "rank-00001.db").rename(self.folder / "there.db")
        for link in (run / "rank-00001.db", self.folder / "link.db"):
            link.symlink_to(self.folder / "there.db")
        self.assertEqual(self.ask("link.db", "SELECT rank FROM process"), [{"rank": 1}])
        done = self.call("query", run, "SELECT rank FROM process")
        self.assertIn("rank-00001.db is a symbolic link, which is not followed", done.stderr)
        self.assertNotIn("damaged", done.stderr)

    def test_only_a_regular_file_is_replaced(self):
        run = fixture.make_run(self.folder, ranks=1)
        (self.folder / "link").symlink_to(run / "rank-00000.db")
        os.mkfifo(self.folder / "pipe")
        for name in ("link", "pipe", "tmp", "/dev/null"):
            self.refuse("merge", run, "--force", "-o", name, saying=(name, "is not a regular file"))
        self.refuse("merge", run, "-o", "no/such/folder.db", saying=("no/such/folder.db", "No such file"))

    def test_failure_leaves_nothing(self):
        run = fixture.make_run(self.folder, ranks=1)
        (run / "rank-00000.db").write_bytes(b"noise" * 1000)
        before = sorted(self.folder.iterdir())
        self.assertEqual(self.call("merge", run, "-o", "all.db").returncode, 1)
        self.refuse("merge", "nowhere", "-o", "all.db", saying="nowhere does not exist")
        self.assertEqual(sorted(self.folder.iterdir()), before)

    def test_interrupted_merge_leaves_nothing(self):
        run = fixture.make_run(self.folder, ranks=1)
        for number in range(1, 300):
            (run / f"rank-{number:05d}.db").symlink_to(run / "rank-00000.db")  # refused one by one
        before = sorted(self.folder.iterdir())
        with bounded.start([COMMAND, "merge", run, "-o", "all.db"], cwd=self.folder, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, env=self.environment(), text=True) as process:
            process.stderr.readline()  # it is at work
            process.send_signal(signal.SIGTERM)
            bounded.communicate(process, SECONDS)
        self.assertEqual(process.returncode, -signal.SIGTERM)
        self.assertEqual(sorted(self.folder.iterdir()), before)

    def test_mode_is_what_the_umask_leaves(self):
        run = fixture.make_run(self.folder, ranks=1)
        before = os.umask(0o027)
        self.addCleanup(os.umask, before)
        self.merge(run)
        self.assertEqual(stat.S_IMODE((self.folder / "all.db").stat().st_mode), 0o640)

    def test_wrong_usage(self):
        self.refuse("merge", "run", "--force", code=2, saying="the FILE of -o")
        self.refuse("merge", "one", "two", "-o", "all.db", code=2, saying="give one run")


if __name__ == "__main__":
    unittest.main()
