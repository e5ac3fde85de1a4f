import json
import re
import shutil
import sqlite3
import subprocess
import unittest

import fixture
from support import COMMAND, CommandTest


class Report(CommandTest):
    def test_overview_shows_time_by_communicator_name(self):
        text = self.answer("report", fixture.make_run(self.folder))
        self.assertRegex(text, r"(?m)^rows +2 +MPI_COMM_WORLD +800 +6\.00 s +37\.5 +800 KiB +800 KiB$")
        self.assertRegex(text, r"(?m)^\(communicator 4, from MPI_Comm_split\) +4 ")
        self.assertRegex(text, r"(?m)^\(no communicator\) ")

    def test_first_line_says_what_ran_where_and_how_it_ended(self):
        first = self.answer("report", fixture.make_run(self.folder)).splitlines()[0]
        self.assertEqual(first, "solver: 4 ranks on node1, Open MPI v4.1.4, 2026-09-21 14:13:20 UTC, ran 10.0 s, 40.0 % of it in MPI; "
                         "all finalized")

    def test_rank_that_died_is_named_with_its_last_call(self):
        run = fixture.make_run(self.folder, ranks=3)
        fixture.make_trace(run / "rank-00003.db", 3, outcome="died")
        self.assertIn("Rank 3 died in MPI_Recv on rows, peer 1, tag 7, after 10.0 s", self.answer("report", run))

    def test_nameless_communicators_of_one_place_share_a_row_that_counts_them(self):
        def change(db):
            for number in (6, 7):
                fixture.insert(db, "object", rank=0, object=number, kind="communicator", parent=1, function=fixture.SPLIT,
                               site=fixture.SITE + 12, internal=0, predefined=0, adopted=0)
                fixture.insert(db, "communicator", rank=0, object=number, size=1, own_rank=0)
                fixture.insert(db, "profile", rank=0, communicator=number, function=fixture.ALLREDUCE, site=0, size_class=4, calls=1,
                               time_ns=5, min_ns=5, max_ns=5, sent_bytes=8, received_bytes=8)
        text = self.answer("report", fixture.make_run(self.folder, ranks=1, extra=change), "communicators")
        self.assertRegex(text, r"(?m)^\(communicator 4, from MPI_Comm_split\) \[3 objects\] +1 ")

    def test_missing_ranks_are_named(self):
        run = fixture.make_run(self.folder)
        (run / "rank-00001.db").unlink()
        (run / "rank-00002.db").unlink()
        self.assertIn("No trace of ranks 1,2", self.answer("report", run))

    def test_ends_with_a_command_that_works(self):
        run = fixture.make_run(self.folder)
        last = self.answer("report", run).rstrip().splitlines()[-1].split()
        self.assertEqual(last, ["callsign", "report", str(run), "leaks"])
        self.assertTrue(self.answer(*last[1:]))

    def test_one_section_is_printed_whole(self):
        run = fixture.make_run(self.folder)
        text = self.answer("report", run, "functions")
        self.assertTrue(text.lstrip().startswith("Functions by time"))
        self.assertNotIn("Placement", text)

    def test_rows_limits_and_says_what_was_left_out(self):
        run = fixture.make_run(self.folder)
        text = self.answer("report", run, "communicators", "--rows", "1")
        self.assertIn(f"and 3 more: callsign report {run} communicators", text)

    def test_section_as_json_has_plain_numbers(self):
        rows = json.loads(self.answer("report", fixture.make_run(self.folder), "communicators", "--format", "json"))
        self.assertEqual(rows[1]["sent_bytes"], 819200)

    def test_many_ranks_are_put_together_by_node(self):
        run = self.folder / "many.callsign"
        run.mkdir()
        for rank in range(40):
            fixture.make_trace(run / f"rank-{rank:05d}.db", rank, 40, node=f"node{rank // 20}")
        text = self.answer("report", run, "placement")
        self.assertRegex(text, r"(?m)^0-19 +node0 +node0 +0-19 +1-20 ")
        self.assertRegex(text, r"(?m)^20-39 +node1 ")

    def test_several_runs_are_reported_one_after_the_other(self):
        run = fixture.make_run(self.folder)
        text = self.answer("report", run, run / "rank-00000.db")
        self.assertEqual(text.count("Communicators by time"), 2)

    def place(self, build_id, offset):
        def change(db):
            db.execute("UPDATE frame SET module = ?, build_id = ?, offset = ? WHERE frame = 11", [COMMAND, build_id, offset])
        run = self.folder / f"{build_id[:4]}.callsign"
        run.mkdir()
        fixture.make_trace(run / "rank-00000.db", extra=change)
        return self.answer("report", run, "call_sites")

    @unittest.skipUnless(shutil.which("nm") and shutil.which("readelf"), "needs binutils")
    def test_places_are_found_in_the_very_build_that_was_recorded(self):
        symbols = subprocess.run(["nm", COMMAND], capture_output=True, text=True, check=True, timeout=60).stdout
        address = int(re.search(r"(?m)^([0-9a-f]+) T main$", symbols)[1], 16)
        notes = subprocess.run(["readelf", "-n", COMMAND], capture_output=True, text=True, check=True, timeout=60).stdout
        build_id = re.search(r"Build ID: ([0-9a-f]+)", notes)[1]
        text = self.place(build_id, address + 1)
        self.assertRegex(text, r"main main\.c:\d+|main\+0x1 in callsign")
        text = self.place("0123" + build_id[4:], address + 1)
        self.assertIn(f"callsign+{address + 1:#x}", text)

    def test_fits_a_terminal_of_80_columns(self):
        run = fixture.make_run(self.folder)
        for line in self.on_terminal("report", run.name, NO_COLOR="1", COLUMNS="80").decode().splitlines():
            if not line.lstrip().startswith("callsign report"):
                self.assertLessEqual(len(line), 80, line)

    def test_headings_are_bold_on_a_terminal_unless_no_color(self):
        run = fixture.make_run(self.folder)
        self.assertIn(b"\x1b[1m", self.on_terminal("report", run))
        self.assertNotIn(b"\x1b", self.on_terminal("report", run, NO_COLOR="1"))
        self.assertNotIn("\x1b", self.answer("report", run))


class Clocks(CommandTest):
    def test_instants_of_all_ranks_are_on_the_clock_of_the_first(self):
        run = fixture.make_run(self.folder)
        rows = self.ask(run, "SELECT p.rank, p.init_ns, p.mpi_ns, p.clock_offset_ns, p.zero_utc_ns, "
                        "o.born_ns, o.freed_ns FROM process p JOIN object o ON o.rank = p.rank AND o.object = 3 WHERE p.rank = 3")
        offset = 3_000_000
        self.assertEqual(rows, [{"rank": 3, "init_ns": offset, "mpi_ns": 4 * fixture.SECOND, "clock_offset_ns": offset,
                                 "zero_utc_ns": fixture.ZERO_UTC_NS, "born_ns": fixture.SECOND + offset,
                                 "freed_ns": 9 * fixture.SECOND + offset}])

    def test_lowest_rank_present_gives_the_clock(self):
        run = fixture.make_run(self.folder)
        (run / "rank-00000.db").unlink()
        self.assertEqual(self.ask(run, "SELECT clock_offset_ns AS o FROM process"),
                         [{"o": 0}, {"o": 1_000_000}, {"o": 2_000_000}])

    def test_every_column_of_nanoseconds_is_known_as_instant_or_span(self):
        source = (fixture.TREE / "db" / "merge.c").read_text(encoding="utf-8")
        instants = set(source.split("instants[] = {")[1].split("}")[0].replace('"', "").replace(",", " ").split())
        spans = {"mpi_ns", "time_ns", "min_ns", "max_ns", "clock_offset_ns", "zero_utc_ns"}
        db = sqlite3.connect(":memory:")
        db.executescript(fixture.SCHEMA)
        found = {column for (column,) in db.execute("SELECT c.name FROM sqlite_schema s JOIN pragma_table_info(s.name) c "
                                                    "WHERE s.type = 'table' AND c.name LIKE '%\\_ns' ESCAPE '\\'")}
        db.close()
        self.assertEqual(found, instants | spans)


if __name__ == "__main__":
    unittest.main()
