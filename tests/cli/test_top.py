"""callsign top on journals that were made for it. tests/mpi/top.py has true ones."""
import json
import os
import random
import time
import unittest

import fixture
from support import CommandTest, bounded


class Top(CommandTest):
    def setUp(self):
        super().setUp()
        self.process = bounded.start(["sleep", "60"])
        self.addCleanup(self.process.wait)
        self.addCleanup(self.process.kill)
        self.run_folder = self.folder / "solver.k3f9a2xq.callsign"
        self.run_folder.mkdir()

    def journal(self, rank, **options):
        path = self.run_folder / f"rank-{rank:05d}.journal"
        fixture.make_living_journal(path, self.process, rank=rank, **options)
        return path

    def grow_old(self):
        """Else the folder is listed again, as something may have come in the same instant, and small journals may be only begun."""
        changed = time.time() - 60
        for path in (*self.run_folder.iterdir(), self.run_folder):
            os.utime(path, (changed, changed))

    def top(self, *options):
        return self.call("top", self.run_folder, "--interval", "0.1", *options)

    def test_state_of_each_rank_is_shown(self):
        self.journal(0)
        self.journal(1, function=None)
        fixture.make_journal(self.run_folder / "rank-00002.journal", rank=2)  # its process is gone
        lines = self.answer("top", self.run_folder, "--once", "--interval", "0.1").splitlines()
        self.assertRegex(lines[0], r"^3 ranks, of which 1 ended; .* since the start$")
        self.assertRegex(lines[1], r"^In MPI \d+\.\d% of the time, 0\.0 messages/s, 0 B/s$")
        rows = [line.split() for line in lines if line.split()[0] in "012"]
        self.assertEqual([row[:2] for row in rows], [["0", "100.0%"], ["1", "0.0%"], ["2", "ended"]])
        self.assertIn("MPI_Recv", rows[0])
        self.assertIn(" outside MPI ", " ".join(rows[1]))

    def test_threads_that_ended_do_not_lower_the_share(self):
        ended = fixture.cell(fixture.layout.THREAD_STATE, thread=1, tid=9, function=fixture.SEND, object=1, threads=1, calls=7, mpi_ticks=fixture.SECOND,
                             doing=fixture.number_of(fixture.layout.THREAD_DOING_WORDS, "ended"), began_ticks=fixture.SECOND, lived_ticks=2 * fixture.SECOND)
        self.journal(0, more=ended)
        (rank,) = json.loads(self.answer("top", self.run_folder, "--once", "--interval", "0.1", "--json"))["rank"]
        self.assertEqual((rank["mpi_share"], rank["calls"], rank["function"]), (1, 107, "MPI_Recv"))

    def test_only_the_extremes_of_many_ranks_are_shown(self):
        for rank in range(40):
            self.journal(rank, function=None if rank == 17 else fixture.RECV)
        text = self.answer("top", self.run_folder, "--once", "--interval", "0.1")
        self.assertIn("8 ranks are not shown: their shares in MPI lie between these", text)
        self.assertEqual(len(text.splitlines()), 2 + 2 + 32 + 1, text)
        self.assertRegex(text.splitlines()[4], r"^ *17 +0\.0%")
        row = json.loads(self.answer("top", self.run_folder, "--once", "--interval", "0.1", "--json"))
        self.assertEqual([rank["rank"] for rank in row["rank"]], list(range(40)))

    def test_run_that_ended_is_named(self):
        for make in (fixture.make_trace, fixture.make_journal):
            make(self.run_folder / ("rank-00000.db" if make is fixture.make_trace else "rank-00001.journal"))
            done = self.top()
            self.assertEqual((done.returncode, done.stdout), (0, ""))
            self.assertEqual(done.stderr, f"callsign: the run has ended: callsign report {self.run_folder}\n")

    def test_run_that_ends_meanwhile_is_named_although_its_journals_vanish(self):
        path = self.journal(0)
        command = bounded.start([os.environ["CALLSIGN_COMMAND"], "top", self.run_folder, "--interval", "0.1"], env=self.environment(),
                                stdout=bounded.subprocess.PIPE, stderr=bounded.subprocess.PIPE, text=True)
        first = command.stdout.readline()
        self.process.kill()
        self.process.wait()
        path.unlink()
        self.run_folder.rmdir()
        rest, stderr = bounded.communicate(command, 30)
        self.assertRegex(first, r"^1 rank; ")
        self.assertIn("1 rank, of which 1 ended; ", rest)
        self.assertEqual((command.returncode, stderr), (0, f"callsign: the run has ended: callsign report {self.run_folder}\n"))

    def test_journals_that_are_cut_or_damaged_cost_a_line_each_and_no_more(self):
        dice = random.Random(50)
        whole = self.journal(0).read_bytes()
        for rank in range(1, 150):
            content = bytearray(whole)
            for _ in range(dice.choice((0, 1, 5, 200))):
                content[dice.choice((dice.randrange(400), dice.randrange(len(content))))] = dice.randrange(256)
            (self.run_folder / f"rank-{rank:05d}.journal").write_bytes(content[:dice.choice((len(content), dice.randrange(len(content))))])
        os.mkfifo(self.run_folder / "rank-00900.journal")
        self.grow_old()
        done = self.top("--count", "3", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        tables = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(len(tables), 3)
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), len(set(lines)))
        self.assertEqual(len(lines), tables[-1]["unread"] + 1, done.stderr)
        for table in tables:
            self.assertTrue(all(0 <= rank.get("mpi_share", 0) <= 1 and rank.get("messages_per_second", 0) >= 0 for rank in table["rank"]))
        self.assertEqual(self.call("top", self.run_folder, "--interval", "0.1", "--once", text=False).returncode, 0)

    def test_run_without_a_journal_that_can_be_read_is_an_error(self):
        (self.run_folder / "rank-00000.journal").write_bytes(b"CSJOURN\n")
        self.grow_old()
        done = self.top()
        self.assertEqual((done.returncode, done.stdout, len(done.stderr.splitlines())), (1, "", 2))

    def test_journal_that_is_being_created_is_read_later(self):
        content = self.journal(0).read_bytes()
        young = self.run_folder / "rank-00001.journal"
        young.touch()
        for path in (young, self.run_folder):  # however slow the machine is
            os.utime(path, (time.time() + 60, time.time() + 60))
        command = bounded.start([os.environ["CALLSIGN_COMMAND"], "top", self.run_folder, "--interval", "0.1", "--count", "5", "--json"],
                                env=self.environment(), stdout=bounded.subprocess.PIPE, stderr=bounded.subprocess.PIPE, text=True)
        tables = [json.loads(command.stdout.readline())]
        young.write_bytes(content)
        rest, stderr = bounded.communicate(command, 30)
        tables += map(json.loads, rest.splitlines())
        self.assertEqual((stderr, [tables[i]["ranks"] for i in (0, -1)], tables[-1]["unread"]), ("", [1, 2], 0))

    def test_wrong_options_are_refused(self):
        for words in (("--interval", "0"), ("--interval", "nan"), ("--interval", "1s"), ("--count", "0"), ("--count", "-1"), ("a", "b")):
            self.refuse("top", *words, code=2, saying=("top: ",))


if __name__ == "__main__":
    unittest.main()
