"""The merged file that a command keeps of a run with more than 16 ranks."""
import contextlib
import os
import random
import shutil
import sqlite3
import subprocess
import threading
import time
import unittest

import fixture
import place  # noqa: E402  (fixture sets the path)
from support import COMMAND, SANITIZED, SECONDS, CommandTest, bounded

RANKS = 17  # the fewest with a merged file
COUNT = "SELECT count(*) AS n FROM process"
NOBODY = 65534


def has_mount_namespaces():
    """Whether a file system can be mounted where nobody else sees it."""
    return shutil.which("unshare") and bounded.run(["unshare", "-m", "true"], capture_output=True).returncode == 0


class OfManyRanks(CommandTest):
    def setUp(self):
        super().setUp()
        self.run_folder = fixture.make_run(self.folder, ranks=RANKS)
        self.merged = self.run_folder / "merged.db"

    def count(self, missing=None):
        return self.ask(self.run_folder, COUNT, missing=missing)[0]["n"]

    def names(self):
        """What is in the folder besides the files of ranks."""
        return sorted(path.name for path in self.run_folder.iterdir() if not path.name.startswith("rank-"))

    def write_keeping_time(self, path, content):
        before = path.stat()
        path.write_bytes(content)
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    def answer_is_remade(self):
        """The next command makes the file anew, and answers."""
        before = self.merged.stat() if self.merged.exists() else None
        self.assertEqual(self.count(), RANKS)
        self.assertFalse(before and os.path.samestat(before, self.merged.stat()))
        self.assertEqual(self.names(), ["merged.db"])


class Threads(OfManyRanks):
    """The tests for the thread sanitizer: threads merge well, find damage, and fail. The others would have them merge in the same ways."""

    def test_merge_makes_it(self):
        for _ in ("made", "read"):
            text = self.answer("merge", self.run_folder)
            self.assertRegex(text, rf"\A{RANKS} ranks in .*/merged\.db, [0-9.]+ KiB, [0-9.]+ m?s\n\Z")
            self.assertEqual(self.names(), ["merged.db"])
        before = self.merged.stat().st_ino
        self.assertEqual(self.count(), RANKS)
        self.assertEqual(self.merged.stat().st_ino, before)

    def test_damaged_rank_is_named_by_every_command(self):
        rank = self.run_folder / "rank-00003.db"
        rank.write_bytes(b"noise" * 1000)
        for _ in ("made", "read"):
            done = self.call("report", self.run_folder)
            self.assertEqual(done.returncode, 0)
            self.assertRegex(done.stderr, r"\Acallsign: .*/rank-00003\.db is damaged: .*; left out\n\Z")
            self.assertIn(f"1 of {RANKS} rank files could not be read", done.stdout)
            self.assertIn("No trace of rank 3", done.stdout)
            self.assertEqual(self.names(), ["merged.db"])

    def test_each_damaged_page_hides_its_rank_only(self):
        for rank in range(1, RANKS):
            with open(self.run_folder / f"rank-{rank:05d}.db", "r+b") as file:
                file.seek((2 * rank - 1) * fixture.PAGE)
                file.write(os.urandom(fixture.PAGE))
        done = self.call("query", self.run_folder, "SELECT group_concat(rank) AS ranks FROM process", "-f", "csv")
        self.assertEqual((done.returncode, done.stdout.split()[1], len(done.stderr.splitlines())), (0, "0", RANKS - 1), done.stderr)

    def test_file_that_grows_meanwhile_is_read_and_the_next_command_merges_again(self):
        rank, stop = self.run_folder / "rank-00003.db", threading.Event()

        def grow():
            while not stop.wait(0.001):
                with open(rank, "ab") as file:
                    file.write(bytes(fixture.PAGE))

        thread = threading.Thread(target=grow)
        thread.start()
        try:
            for _ in range(3):
                self.assertEqual(self.count(), RANKS)
        finally:
            stop.set()
            thread.join()
        self.assertEqual(self.count(), RANKS)
        before = self.merged.stat().st_ino
        self.assertEqual(self.count(), RANKS)
        self.assertEqual((self.merged.stat().st_ino, self.names()), (before, ["merged.db"]))

    def test_two_commands_at_once_make_one(self):
        words = [COMMAND, "query", self.run_folder, COUNT, "-f", "csv"]
        both = [bounded.start(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment(), text=True) for _ in range(2)]
        for process in both:
            self.assertEqual(bounded.communicate(process, SECONDS), (f"n\n{RANKS}\n", ""))
        self.assertEqual(self.names(), ["merged.db"])

    @unittest.skipUnless(os.geteuid() == 0 and has_mount_namespaces(), "no private mounts here")
    def test_full_disk_hides_nothing(self):
        self.assertEqual(self.count(), RANKS)
        room = self.merged.stat().st_size * 3 // 4
        self.merged.unlink()
        (self.run_folder / "rank-00003.db").write_bytes(b"noise" * 1000)
        small = self.folder / "small"
        small.mkdir()
        size = sum(-(-path.stat().st_size // 4096) * 4096 for path in self.run_folder.iterdir()) + room
        script = f'mount -t tmpfs -o size={size} none "{small}" && cp -r "{self.run_folder}" "{small}/run" && "$@"; code=$?; ls "{small}/run" | grep -c merged; exit $code'
        done = bounded.run(["unshare", "-m", "sh", "-c", script, "sh", COMMAND, "query", small / "run", COUNT, "-f", "csv"], capture_output=True, text=True,
                           env=self.environment())
        self.assertEqual((done.returncode, done.stdout), (0, f"n\n{RANKS - 1}\n0\n"), done.stderr)
        lines = sorted(done.stderr.splitlines(), key=lambda line: "rank-00003" not in line)
        self.assertEqual(len(lines), 2, lines)
        self.assertIn("rank-00003.db is damaged", lines[0])
        self.assertRegex(lines[1], "no space|disk is full")


class MergedFile(OfManyRanks):
    @unittest.skipIf(SANITIZED, "it asks much that other tests ask")
    def test_answers_are_those_of_the_ranks(self):
        self.answer("merge", self.run_folder, "-o", "all.db")
        self.assertEqual(self.names(), [])
        names = ("processes", "calls", "leaks", "findings", "object")
        theirs = [self.answer("query", "all.db", name, "-f", "csv") for name in names] + [self.answer("report", "all.db").replace("all.db", "RUN")]
        for _ in ("made", "read"):
            for name, rows in zip(names, theirs):
                self.assertEqual(self.answer("query", self.run_folder, name, "-f", "csv"), rows)
            self.assertEqual(self.names(), ["merged.db"])
            self.assertEqual(self.answer("report", self.run_folder).replace(str(self.run_folder), "RUN"), theirs[-1])

    def test_merge_says_why_it_makes_none(self):
        self.refuse("merge", "--force", self.run_folder, code=2, saying="--force replaces the FILE of -o")
        self.refuse("merge", self.run_folder / "rank-00003.db", saying="it is a single file")
        with bounded.start(["sleep", str(SECONDS)]) as process:
            fixture.make_living_journal(self.run_folder / "rank-00017.journal", process, rank=17)
            self.refuse("merge", self.run_folder, saying="it may still run")
            process.kill()
        for rank in (15, 16):
            (self.run_folder / f"rank-{rank:05d}.db").unlink()
        self.assertEqual(self.call("query", self.run_folder, COUNT).returncode, 0)
        self.refuse("merge", self.run_folder, saying="commands read so small a run as fast")
        self.assertEqual(self.names(), [])

    def test_large_files_of_few_ranks_have_one(self):
        for rank in range(2, RANKS):
            (self.run_folder / f"rank-{rank:05d}.db").unlink()
        few = f"ranks 2-{RANKS - 1}"
        self.assertEqual(self.count(missing=few), 2)
        self.assertEqual(self.names(), [])
        with contextlib.closing(sqlite3.connect(self.run_folder / "rank-00001.db")) as file:
            file.executescript("CREATE TABLE large AS SELECT zeroblob(40 << 20); DROP TABLE large")  # free pages
        self.assertEqual(self.count(missing=few), 2)
        self.assertEqual(self.names(), ["merged.db"])

    def materialized(self):
        """The views whose rows the merged file has."""
        with sqlite3.connect(self.merged) as db:
            names = [name for (name,) in db.execute("SELECT substr(name, 14) FROM sqlite_schema WHERE name GLOB 'materialized_*' AND type = 'table'")]
        db.close()
        return names

    def test_overview_materializes_views_with_equal_rows(self):
        self.answer("merge", self.run_folder, "-o", "all.db")
        self.assertEqual(self.count(), RANKS)
        self.answer("report", self.run_folder, "leaks")
        self.assertEqual(self.materialized(), [])
        theirs = self.answer("report", "all.db", "--format", "json").replace("all.db", "RUN")
        for _ in ("computed", "read"):
            mine = self.answer("report", self.run_folder, "--format", "json").replace(str(self.run_folder), "RUN")
            self.assertEqual(mine, theirs)
            self.assertEqual(self.names(), ["merged.db"])
        self.assertIn("balance", self.materialized())
        views = {name: columns for name, _, columns in fixture.embed.views()}
        kept = {name: views[name] for name in self.materialized()}
        mine, theirs = (self.all_rows(run, kept) for run in (self.run_folder, "all.db"))
        for view in kept:
            self.assertEqual(mine[view], theirs[view], view)
        self.assertEqual(self.ask(self.merged, "SELECT count(*) AS n FROM processes"), [{"n": RANKS}])

    def test_overview_computes_only_what_it_reads(self):
        self.answer("merge", self.run_folder, "-o", "all.db")
        overview = self.answer("report", self.run_folder)
        first = self.materialized()
        self.assertIn("balance", first)
        self.assertNotIn("growth", first)
        theirs = self.answer("report", "all.db", "--format", "json").replace("all.db", "RUN")
        self.assertEqual(self.answer("report", self.run_folder, "--format", "json").replace(str(self.run_folder), "RUN"), theirs)
        self.assertIn("growth", self.materialized())
        self.assertEqual(self.materialized()[:len(first)], first)
        self.assertEqual(self.answer("report", self.run_folder), overview)

    def record_late_rank(self):
        """Events: rank 3 comes 100 ms later than the others to each of three reductions."""
        for path in self.run_folder.glob("rank-*.db"):
            with contextlib.closing(sqlite3.connect(path)) as file:
                file.executescript(f"UPDATE object SET uid = 700 WHERE object = 4; UPDATE communicator SET own_rank = (SELECT rank FROM process) WHERE object = 4;"
                                   f" INSERT INTO event (rank, thread, event, function, object, site, start_ns, duration_ns, calls, collective)"
                                   f" SELECT rank, 0, value, {fixture.ALLREDUCE}, 4, {fixture.SITE + 11}, 200000000 * value + 100000000 * (rank = 3), 101000000 - 100000000 * (rank = 3), 1, value"
                                   f" FROM process, json_each('[1,2,3,4]')")

    def test_forecasts_are_computed_once(self):
        """Before and after the overview keeps its views. Answers to questions with options are not kept."""
        self.record_late_rank()
        first = self.answer("whatif", self.run_folder, "--format", "json")
        self.assertIn("late_rank", first)
        kept = self.materialized()
        self.assertEqual(sorted(kept), ["forecast_facts", "forecast_paths", "forecasts"])
        with sqlite3.connect(self.merged) as db:
            (number,) = db.execute("SELECT count(*) FROM materialized_forecasts WHERE kind = 'late_rank'").fetchone()
        db.close()
        self.assertEqual(number, 1)
        self.answer("report", self.run_folder)
        self.assertEqual(self.materialized()[:3], kept)
        self.assertIn("faster_rank", self.answer("whatif", self.run_folder, "--rank", "3", "--faster", "50%", "--format", "json"))
        self.assertEqual(self.answer("whatif", self.run_folder, "--format", "json"), first)
        self.assertIn("balance", self.materialized())

    def test_materialized_views_of_others_are_not_used(self):
        self.answer("report", self.run_folder)
        with sqlite3.connect(self.merged) as db:
            db.execute("DROP TABLE materialized_communicator_time")
            db.execute("CREATE TABLE materialized_communicator_time AS SELECT 'lies' AS communicator")
        db.close()
        self.assertNotIn("lies", self.answer("query", self.run_folder, "SELECT communicator FROM communicator_time"))

    def test_changed_ranks_end_materialized_views(self):
        self.answer("report", self.run_folder)
        os.utime(self.run_folder / "rank-00003.db", ns=(1, 1))
        self.assertEqual(self.count(), RANKS)
        self.assertEqual(self.materialized(), [])

    def test_later_commands_read_it_and_not_the_ranks(self):
        self.assertEqual(self.count(), RANKS)
        rank = self.run_folder / "rank-00003.db"
        self.write_keeping_time(rank, b"0" * rank.stat().st_size)
        self.assertEqual(self.count(), RANKS)

    def test_question_about_one_rank_opens_its_file_alone(self):
        for rank in range(RANKS):
            if rank != 5:
                (self.run_folder / f"rank-{rank:05d}.db").write_bytes(b"noise")
        self.assertEqual(self.answer("query", "--rank", "5", self.run_folder, "SELECT rank FROM process", "-f", "csv"), "rank\r\n5\r\n".replace("\r", ""))
        self.assertEqual(self.names(), [])
        self.refuse("query", "--rank", "99", self.run_folder, COUNT, saying="there is no file of rank 99")
        self.refuse("query", "--rank", "-1", self.run_folder, COUNT, saying="not a rank")

    def test_small_run_has_none(self):
        (self.run_folder / "rank-00016.db").unlink()
        self.assertEqual(self.count(missing="rank 16"), RANKS - 1)
        self.assertEqual(self.names(), [])

    def test_file_of_a_running_job_is_not_kept(self):
        with bounded.start(["sleep", str(SECONDS)]) as process:
            fixture.make_living_journal(self.run_folder / "rank-00017.journal", process, rank=17)
            self.assertEqual(self.count(), RANKS + 1)
            self.assertEqual(self.names(), [])
            process.kill()
        self.assertEqual(self.count(), RANKS + 1)
        self.assertEqual(self.names(), ["merged.db"])

    def test_changed_ranks_are_merged_again(self):
        self.assertEqual(self.count(), RANKS)
        rank = self.run_folder / "rank-00003.db"
        os.utime(rank, ns=(1, 1))
        self.answer_is_remade()
        with open(rank, "ab") as file:
            file.write(bytes(fixture.PAGE))
        self.answer_is_remade()
        rank.unlink()
        self.assertEqual(self.count(missing="rank 3"), RANKS - 1)
        fixture.make_trace(rank, 3, RANKS)
        self.answer_is_remade()

    def test_end_of_the_job_is_in_it_when_it_is_known(self):
        self.assertEqual(self.count(), RANKS)
        (self.run_folder / ".job").write_text("callsign job 1\npid 1\nexit_code 3\ncommand ./solver\n", encoding="utf-8")
        self.assertEqual(self.ask(self.run_folder, "SELECT value FROM meta WHERE key = 'job.exit_code'"), [{"value": 3}])

    def test_file_that_is_none_of_ours_is_replaced(self):
        for make in (lambda: self.merged.write_bytes(b"noise" * 1000), lambda: self.merged.write_bytes(b""), lambda: os.mkfifo(self.merged),
                     lambda: self.merged.symlink_to(self.run_folder / "rank-00000.db")):
            make()
            self.answer_is_remade()
            self.assertTrue(self.merged.is_file() and not self.merged.is_symlink())
            self.merged.unlink()

    def test_folder_of_its_name_stays(self):
        self.merged.mkdir()
        self.assertEqual(self.count(), RANKS)
        self.assertEqual((self.names(), self.merged.is_dir()), (["merged.db"], True))

    def test_file_that_was_cut_off_is_made_again(self):
        self.assertEqual(self.count(), RANKS)
        os.truncate(self.merged, self.merged.stat().st_size // 8192 * 4096)
        self.answer_is_remade()

    def test_any_damaged_byte_is_noticed(self):
        """Where SQLite would see it, and where it would show a wrong value."""
        self.answer("report", self.run_folder)
        answer = self.answer("query", self.run_folder, "SELECT * FROM calls", "-f", "csv")
        whole, dice = self.merged.read_bytes(), random.Random(5)
        for at in [18, 24, 28, 96, len(whole) - 16, len(whole) - 1, *(dice.randrange(len(whole)) for _ in range(2 if SANITIZED else 10))]:
            with self.subTest(at=at):
                damaged = bytearray(whole)
                damaged[at] ^= 1 << dice.randrange(8)
                self.merged.write_bytes(damaged)
                self.assertEqual(self.answer("query", self.run_folder, "SELECT * FROM calls", "-f", "csv"), answer)
                self.assertNotEqual(self.merged.read_bytes(), damaged)

    def test_views_of_others_are_not_used(self):
        self.assertEqual(self.count(), RANKS)
        with sqlite3.connect(self.merged) as db:
            db.execute("DROP VIEW communicator_time")
            db.execute("CREATE VIEW communicator_time AS SELECT 'lies' AS communicator")
        db.close()
        self.assertNotIn("lies", self.answer("query", self.run_folder, "SELECT communicator FROM communicator_time"))

    def test_it_can_be_asked_alone(self):
        self.assertEqual(self.count(), RANKS)
        self.assertEqual(self.ask(self.merged, COUNT), [{"n": RANKS}])

    def test_missing_rank_is_named_by_every_command(self):
        run = fixture.make_run(self.temporary, ranks=RANKS + 1)
        (run / "rank-00003.db").unlink()
        for _ in ("made", "read"):
            self.assertIn("No trace of rank 3", self.answer("report", run))
            self.assertTrue((run / "merged.db").exists())

    def test_what_a_killed_command_left_is_removed(self):
        stale = self.run_folder / f"merged.db.{place.in_names()}-{fixture.NOBODY}-0.tmp"
        for _ in ("made", "read"):
            stale.touch()
            os.utime(stale, (1000000, 1000000))
            self.assertEqual(self.count(), RANKS)
            self.assertEqual(self.names(), ["merged.db"])

    def test_it_has_the_mode_of_the_ranks(self):
        for path in self.run_folder.iterdir():
            path.chmod(0o640)
        self.assertEqual(self.count(), RANKS)
        self.assertEqual(self.merged.stat().st_mode & 0o777, 0o640)

    def test_names_of_frames_outlive_the_program(self):
        self.assertEqual(self.count(), RANKS)
        with sqlite3.connect(self.merged) as db:
            db.execute("UPDATE frame SET function = 'relax', line = 12 WHERE frame = 11")
        db.close()
        os.utime(self.run_folder / "rank-00003.db", ns=(1, 1))
        self.assertEqual(self.ask(self.run_folder, "SELECT function, line FROM frame WHERE frame = 11"), [{"function": "relax", "line": 12}])

    def make_cache(self):
        """A cache of another user, who can read the run, but not write it."""
        if os.geteuid() != 0:
            self.skipTest("needs another user")
        self.folder.chmod(0o755)
        cache = self.folder / "cache"
        (cache / "callsign").mkdir(parents=True)
        for path in (cache, cache / "callsign"):
            os.chown(path, NOBODY, NOBODY)
        for path in self.run_folder.iterdir():
            path.chmod(0o644)
        return cache

    def count_as_nobody(self, cache):
        environment = self.environment(XDG_CACHE_HOME=str(cache), TMPDIR="/tmp")
        options = {"user": NOBODY, "group": NOBODY, "extra_groups": [], "capture_output": True, "text": True, "env": environment, "cwd": "/"}
        if bounded.run([COMMAND, "version"], **options).returncode:
            self.skipTest("another user cannot run the command here")
        done = bounded.run([COMMAND, "query", self.run_folder, COUNT, "-f", "csv"], **options)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, f"n\n{RANKS}\n", ""))
        return {path.name: path.stat().st_ino for path in (cache / "callsign").iterdir()}

    def test_in_a_folder_of_others_it_is_kept_in_the_cache(self):
        cache = self.make_cache()
        made = self.count_as_nobody(cache)
        self.assertEqual(len(made), 1)
        self.assertEqual(self.count_as_nobody(cache), made)
        self.assertEqual(self.names(), [])

    def test_cache_that_others_can_change_is_not_used(self):
        cache = self.make_cache()
        for change, back in (((cache.chmod, 0o777), (cache.chmod, 0o755)),
                             ((os.chown, cache / "callsign", NOBODY - 1, NOBODY), (os.chown, cache / "callsign", NOBODY, NOBODY)),
                             ((os.chown, cache, NOBODY - 1, NOBODY), (os.chown, cache, NOBODY, NOBODY))):
            change[0](*change[1:])
            self.assertEqual(self.count_as_nobody(cache), {}, change)
            back[0](*back[1:])
        self.assertEqual(len(self.count_as_nobody(cache)), 1)

    def test_new_file_in_the_cache_ends_old_ones(self):
        cache, now, hour = self.make_cache(), time.time(), 3600
        gone, kept = [], ["notes.txt"]
        for hours, gibibytes, list_of in ((0.1, 3, kept), (2, 3, gone), (3, 2, gone), (4, 0, kept), (31 * 24, 0, gone)):
            list_of.append(f"{int(hours * 10):032x}.db")
            with open(cache / "callsign" / list_of[-1], "wb") as file:
                os.truncate(file.fileno(), gibibytes << 30)
            os.utime(file.name, (now - hours * hour,) * 2)
        (cache / "callsign" / "notes.txt").touch()
        os.utime(cache / "callsign" / "notes.txt", (1, 1))
        left = self.count_as_nobody(cache).keys()
        self.assertEqual((set(kept) - left, set(gone) & left, len(left)), (set(), set(), len(kept) + 1))


if __name__ == "__main__":
    unittest.main()
