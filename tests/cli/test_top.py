"""callsign top on journals that were made for it. tests/mpi/top.py has true ones."""
import csv
import fcntl
import json
import os
import random
import select
import signal
import struct
import termios
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
        self.assertRegex(lines[0], r"^3 ranks, of which 1 ended; .* since the start; 1 in one call since the last reading$")
        self.assertRegex(lines[1], r"^In MPI \d+\.\d% of the time, 0\.0 messages/s, 0 B/s; memory .*iB$")
        rows = [line.split() for line in lines[:lines.index("")] if line.split()[0] in "012"]
        self.assertEqual([row[:2] for row in rows], [["0", "100.0%"], ["1", "0.0%"], ["2", "ended"]])
        self.assertIn("MPI_Recv", rows[0])
        self.assertIn(" sleeping ", " ".join(rows[1]))

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
        self.assertEqual(text.splitlines().index(""), 3 + 2 + 32 + 1, text)
        self.assertRegex(text.splitlines()[2], r"^All ranks but 17 have been in a call for a second or longer\. Rank 17 left its last call .* ago: sleeping$")
        self.assertRegex(text.splitlines()[5], r"^ *17 +0\.0%")
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

    def test_ranks_on_storage_of_other_nodes_are_told(self):
        for rank, node in ((1, "node-7"), (2, "node-7")):
            (self.run_folder / f"rank-{rank:05d}.journal").symlink_to(f"/nowhere/callsign-{77:016x}-{node}-4711.journal")
        os.utime(self.run_folder, (0, 0))
        self.refuse("top", self.run_folder, code=1, saying=("other nodes: run it on node-7, for example",))
        self.journal(0)
        done = self.top("--once")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("2 more ranks write on the storage of other nodes: run callsign top on node-7, for example\n", done.stdout)

    def test_only_ranks_of_this_machine_are_read_on_request(self):
        self.journal(0)
        self.journal(1, boot=12345)
        (self.run_folder / "rank-00002.journal").symlink_to(f"/nowhere/callsign-{77:016x}-node-7-4711.journal")
        for options, ranks, elsewhere in (((), [0, 1], 1), (("--node",), [0], 0)):
            row = json.loads(self.answer("top", self.run_folder, "--once", "--interval", "0.1", "--json", *options))
            self.assertEqual(([rank["rank"] for rank in row["rank"]], row["ranks"], row["elsewhere"], row["unread"]), (ranks, len(ranks), elsewhere, 0))

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

    def leaking(self, objects, freed=0):
        """Facts of datatypes that one call made."""
        facts = b"".join(fixture.fact(fixture.layout.FACT_OBJECT, fixture.SECOND, "", object=2 + i, kind=fixture.KIND_NUMBER["datatype"],
                                      function=fixture.VECTOR, site=0x1234, fortran_handle=-2**63) for i in range(objects))
        facts += b"".join(fixture.fact(fixture.layout.FACT_FREED, fixture.SECOND, object=2 + i, function=fixture.FREE) for i in range(freed))
        return fixture.block(fixture.layout.BLOCK_LOG, facts)

    def test_lines_have_time_and_objects_of_all_ranks(self):
        self.journal(0, more=self.leaking(7, freed=2))
        self.journal(1, more=self.leaking(3))
        row = json.loads(self.answer("top", self.run_folder, "--once", "--interval", "0.1", "--json"))
        (function,), (communicator,), (site,), (objects,) = (row[key] for key in ("functions", "communicators", "call_sites", "objects"))
        self.assertEqual((function["name"], communicator["name"]), ("MPI_Recv", "MPI_COMM_WORLD"))
        for line in (function, communicator, site):
            self.assertAlmostEqual(line["mpi_share"], 1, delta=0.05)  # both have been in one MPI_Recv all the time
            self.assertEqual({line["least"]["rank"], line["most"]["rank"]}, {0, 1})
            self.assertEqual(line["calls_per_second"], 0)
        self.assertEqual((objects["kind"], objects["live"]), ("datatype", 8))

    def test_names_cannot_write_on_the_terminal(self):
        name = fixture.fact(fixture.layout.FACT_NAME, 3 * fixture.SECOND, "a\x1b[31mb\"c", object=1, origin=fixture.layout.MPI)
        self.journal(0, more=fixture.block(fixture.layout.BLOCK_LOG, name))
        row = json.loads(self.answer("top", self.run_folder, "--once", "--interval", "0.1", "--json"))
        self.assertEqual(row["communicators"][0]["name"], "a\\x1b[31mb\"c")
        self.assertNotIn("\x1b", self.answer("top", self.run_folder, "--once", "--interval", "0.1"))

    def test_csv_has_a_row_for_each_rank(self):
        self.journal(0)
        self.journal(1, function=None)
        first, second, *_, last = rows = list(csv.DictReader(self.answer("top", self.run_folder, "--csv", "-n", "3", "-i", "0.1").splitlines()))
        self.assertEqual(([row["rank"] for row in rows], first["state"], last["state"]), (["0", "1"] * 3, "MPI_Recv", "sleeping"))
        self.assertEqual((first["calls"], second["mpi_share"], first["messages_per_second"]), ("100", "0.000000", "0.000"))
        self.assertGreater(int(first["resident_bytes"]), 4096)

    def parse_metrics(self, path, parser):
        """[[type, help, [[name, labels, value], ...]], ...] as the client library of Prometheus reads a file."""
        code = (f"import json, sys, {parser} as parser; json.dump([[family.type, family.documentation, [sample[:3] for sample in family.samples]] "
                "for family in parser.text_string_to_metric_families(sys.stdin.read())], sys.stdout)")
        done = bounded.run(["/usr/bin/python3", "-c", code], timeout=60, input=path.read_text(), text=True, stdout=bounded.subprocess.PIPE,
                           stderr=bounded.subprocess.PIPE)
        if "No module named 'prometheus_client'" in done.stderr:
            self.skipTest("python3-prometheus-client is not installed")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)

    def test_files_for_monitoring_are_read_by_their_client(self):
        self.journal(0, more=self.leaking(5))
        self.journal(1, function=None)
        files = [self.folder / "callsign.prom", self.folder / "callsign.txt"]
        files[0].write_text("old")
        done = self.top("--count", "2", "--prom", files[0], "--openmetrics", files[1])
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        for path, parser in zip(files, ("prometheus_client.parser", "prometheus_client.openmetrics.parser")):
            families = self.parse_metrics(path, parser)
            self.assertTrue(all(kind in ("gauge", "counter") and words for kind, words, _ in families))
            samples = [sample for *_, samples in families for sample in samples]
            value = {(name, *(text for key, text in labels.items() if key != "run")): number for name, labels, number in samples}
            self.assertEqual({labels["run"] for _, labels, _ in samples}, {self.run_folder.name})
            self.assertEqual((value["callsign_ranks", "running"], value["callsign_calls_total",], value["callsign_live_objects", "datatype"]), (2, 200, 5))
            self.assertAlmostEqual(value["callsign_communicator_mpi_ratio", "MPI_COMM_WORLD"], 0.5, delta=0.05)
            self.assertEqual((value["callsign_mpi_most_ratio",], value["callsign_mpi_least_ratio",]), (1, 0))
        self.assertEqual(sorted(path.name for path in self.folder.iterdir() if path.is_file()), ["callsign.prom", "callsign.txt"])
        self.refuse("top", self.run_folder, "--interval", "0.1", "--prom", self.folder / "no" / "file", code=1, saying=("no/file",))

    def screen(self, keys, size=(24, 80), **environment):
        """(exit code, what was written) of the command on a terminal, to which `keys` yields what is typed, or a new size."""
        master, terminal = os.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
        before = termios.tcgetattr(terminal)
        command = bounded.start([os.environ["CALLSIGN_COMMAND"], "top", self.run_folder, "--interval", "0.1"],
                                env={**self.environment(), "TERM": "xterm", "LC_ALL": "C.UTF-8", **environment}, stdin=terminal, stdout=terminal,
                                stderr=bounded.subprocess.PIPE, text=True)
        written = bytearray()

        def read(seconds):
            while select.select([master], [], [], seconds)[0]:
                written.extend(os.read(master, 65536))

        try:
            for _ in bounded.moments(20, pause=0.01):
                read(0.01)
                if written.count(b"MPI by rank") or command.poll() is not None:
                    break
            for key in keys:
                if isinstance(key, tuple):
                    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", *key, 0, 0))
                    command.send_signal(signal.SIGWINCH)
                elif isinstance(key, signal.Signals):
                    command.send_signal(key)
                else:
                    os.write(master, key.encode())
                read(0.002 if len(keys) > 50 else 0.3)
            for _ in bounded.moments(20, pause=0.01):
                read(0.01)
                if command.poll() is not None:
                    break
            self.assertEqual(termios.tcgetattr(terminal), before)
            return command.returncode, written.decode(errors="replace"), command.stderr.read()
        finally:
            bounded.end(command)
            command.stderr.close()
            os.close(master)
            os.close(terminal)

    def test_screen_follows_keys_and_gives_the_terminal_back(self):
        for rank in range(3):
            self.journal(rank, function=None if rank == 1 else fixture.RECV)
        code, written, stderr = self.screen(["2", "\r", "q", "h", "q", "q"])
        self.assertEqual((code, stderr), (0, ""))
        for text in ("All ranks but 1 have been in a call for a second or longer", "MPI by rank █!█", "MPI_COMM_WORLD", "now", "thread 0", "\x1b[?1049l"):
            self.assertIn(text, written)
        self.assertTrue(written.rstrip().endswith("\x1b[?1l\x1b>"), written[-40:])

    def test_screen_ends_by_a_signal_as_if_there_were_no_screen(self):
        self.journal(0)
        self.journal(1)
        code, written, _ = self.screen([signal.SIGTERM])
        self.assertEqual(code, -signal.SIGTERM)
        self.assertIn("\x1b[?1049l", written)

    def test_screen_bears_any_keys_and_sizes(self):
        for rank in range(40):
            self.journal(rank, function=None if rank == 17 else fixture.RECV)
        seed = random.randrange(2**32)
        print("seed", seed)
        dice = random.Random(seed)
        keys = [dice.choice((dice.choice("\t123456opf\x1b\x00z"), "\x1b[A", "\x1b[B", "\x1b[5~", "\x1b[6~", (dice.randrange(1, 60), dice.randrange(1, 200))))
                for _ in range(1000)]
        code, _, stderr = self.screen([*keys, (24, 80), "\x1b", "q"])
        self.assertEqual((code, stderr), (0, ""))

    def test_terminal_without_description_is_refused(self):
        self.journal(0)
        code, _, stderr = self.screen([], TERM="nosuch")
        self.assertEqual((code, stderr), (1, "callsign: top: no description of the terminal nosuch is installed: use --once or --json\n"))

    def test_wrong_options_are_refused(self):
        for words in (("--interval", "0"), ("--interval", "nan"), ("--interval", "1s"), ("--count", "0"), ("--count", "-1"), ("a", "b")):
            self.refuse("top", *words, code=2, saying=("top: ",))


if __name__ == "__main__":
    unittest.main()
