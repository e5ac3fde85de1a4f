import csv
import io
import json
import pathlib
import re
import resource
import shlex
import shutil
import sqlite3
import unittest

import fixture
from support import COMMAND, SECONDS, CommandTest, bounded


PROCESS = ("INSERT INTO process (rank, world_size, clock_offset_ns, began_ns, last_seen_ns, outcome, threads, calls, mpi_ns, lost, damaged) "
           "VALUES (0, 2, 0, 0, 9, 'finalized', 1, 1, 1, 0, 0), (1, 2, 0, 0, 9, 'finalized', 1, 1, 1, 0, 0)")


class Report(CommandTest):
    def test_overview_shows_time_by_communicator_name(self):
        text = self.answer("report", fixture.make_run(self.folder))
        self.assertRegex(text, r"(?m)^rows +2 +MPI_COMM_WORLD +800 +6\.00 s +37\.5 +800 KiB +800 KiB$")
        self.assertRegex(text, r"(?m)^\(communicator 4, from MPI_Comm_split\) +4 ")
        self.assertRegex(text, r"(?m)^\(MPI_Init, MPI_Finalize\) +4 +4.00 us +0 B +0 B$")

    def test_function_with_one_line_is_told_once(self):
        """Shares of call sites on one line add up to that of the function, but for their last bits."""
        def change(db):
            db.execute("DELETE FROM profile")
            times = {13: 713, 14: 457, 15: 273}
            for number, time_ns in times.items():
                fixture.insert(db, "frame", frame=number, module=fixture.module_number(db, "/opt/app/bin/solver", "ab12"), offset=number, function="main", file="solver.c", line=12)
                fixture.insert(db, "site", site=number, frame=number)
            for function, site, time_ns in [*((fixture.ALLREDUCE, *one) for one in times.items()), (fixture.RECV, 13, 1490 - sum(times.values()))]:
                fixture.insert(db, "profile", rank=0, communicator=1, object=0, function=function, site=site, size_class=4, calls=1, time_ns=time_ns, min_ns=time_ns,
                               max_ns=time_ns, sent_bytes=8, received_bytes=8)
        text = self.answer("report", fixture.make_run(self.folder, ranks=1, extra=change))
        self.assertIn("100.0 % on MPI_COMM_WORLD; 96.8 % in MPI_Allreduce at main solver.c:12\n", text)

    def test_first_line_says_what_ran_where_and_how_it_ended(self):
        self.shows("run", self.answer("report", fixture.make_run(self.folder), "run"))

    def test_second_line_names_the_job_of_a_batch_system(self):
        def change(db):
            for name, value in (("JOB_ID", "4711"), ("JOB_NAME", "weather"), ("JOB_PARTITION", "long"), ("JOB_NODELIST", "node[1-4]")):
                db.execute("INSERT INTO meta SELECT rank, ?, ? FROM process", [f"environment.SLURM_{name}", value])
        self.shows("run", self.answer("report", fixture.make_run(self.folder, extra=change), "run"))

    def test_libraries_whose_calls_were_not_recorded_are_named(self):
        def change(db):
            db.execute("INSERT INTO meta SELECT rank, 'not_recorded', '/opt/a.so:/opt/b.so' FROM process")
        self.shows("run", self.answer("report", fixture.make_run(self.folder, extra=change), "run"))

    def test_verdict_says_what_dominates_who_differs_and_what_is_left(self):
        def change(db):
            db.execute("UPDATE profile SET time_ns = 3 * time_ns WHERE rank = 2 AND function = ?", [fixture.ALLREDUCE])
            db.execute("UPDATE profile SET time_ns = time_ns / 4 WHERE rank = 0 AND function = ?", [fixture.ALLREDUCE])
            db.execute("UPDATE process SET mpi_ns = 2 * mpi_ns WHERE rank = 2")
            db.execute("UPDATE object SET uid = 700 WHERE name = 'MPI_COMM_WORLD'")
        run = fixture.make_run(self.folder, extra=change)
        self.shows("verdict", self.answer("report", run, "verdict"))
        self.shows("overview", self.answer("report", run).replace(str(run), "RUN"))

    def test_verdict_says_nothing_of_what_is_left_by_ranks_that_died(self):
        self.shows("verdict", self.answer("report", fixture.make_run(self.folder, outcome="died"), "verdict"))

    def test_run_that_is_start_and_end_says_so(self):
        run = fixture.make_run(self.folder, extra=lambda db: db.execute("DELETE FROM profile WHERE communicator > 0"))
        self.shows("verdict", self.answer("report", run, "verdict"))

    def test_balance_names_the_rank_that_comes_last(self):
        def change(db):
            db.execute("UPDATE object SET uid = 700 WHERE name = 'MPI_COMM_WORLD'")
            db.execute("UPDATE profile SET time_ns = time_ns / 10 WHERE rank = 3 AND communicator = 1")
        self.shows("balance", self.answer("report", fixture.make_run(self.folder, extra=change), "balance"))

    def test_rank_that_died_is_named_with_its_last_call(self):
        run = fixture.make_run(self.folder, ranks=3)
        fixture.make_trace(run / "rank-00003.db", 3, outcome="died")
        self.shows("endings", self.answer("report", run, "endings"))

    def test_nameless_communicators_of_one_place_share_a_row_that_counts_them(self):
        def change(db):
            for number in (6, 7):
                fixture.insert(db, "object", rank=0, object=number, kind="communicator", parent=1, function=fixture.SPLIT,
                               site=fixture.SITE + 12, internal=0, predefined=0, adopted=0)
                fixture.insert(db, "communicator", rank=0, object=number, size=1, own_rank=0)
                fixture.insert(db, "profile", rank=0, communicator=number, object=0, function=fixture.ALLREDUCE, site=0, size_class=4, calls=1,
                               time_ns=5, min_ns=5, max_ns=5, sent_bytes=8, received_bytes=8)
        text = self.answer("report", fixture.make_run(self.folder, ranks=1, extra=change), "communicators")
        self.assertRegex(text, r"(?m)^\(communicator 4, from MPI_Comm_split\) \[3 communicators\] +1 ")

    def test_missing_ranks_are_named(self):
        run = fixture.make_run(self.folder)
        (run / "rank-00001.db").unlink()
        (run / "rank-00002.db").unlink()
        self.shows("run", self.answer("report", run, "run"), "two")
        for words in (("query", run, "process"), ("report", run, "functions")):
            self.answer(*words, missing="ranks 1,2")
        checked = self.call("check", run)
        self.assertEqual(checked.returncode, 3)
        self.assertRegex(checked.stdout, r"\AUndecided: .* ranks 1,2\b.*\n\Z")
        self.answer("query", run / "rank-00000.db", "process")
        (run / "rank-00003.db").unlink()
        self.shows("run", self.answer("report", run, "run"), "three")

    def test_pause_of_the_recording_leaves_the_check_undecided(self):
        def change(db):
            db.execute("INSERT INTO pcontrol (rank, at_ns, level) SELECT rank, 5, 0 FROM process WHERE rank = 1")
        checked = self.call("check", fixture.make_run(self.folder, ranks=2, extra=change))
        self.assertEqual((checked.returncode, checked.stdout),
                         (3, "Undecided: MPI_Pcontrol paused the recording, rank 1: times, messages and errors of that part are not included\n"))

    def test_other_levels_of_pcontrol_decide_nothing(self):
        checked = self.call("check", fixture.make_run(self.folder, ranks=2, extra=lambda db: db.execute("INSERT INTO pcontrol (rank, at_ns, level) VALUES (0, 5, 2)")))
        self.assertEqual((checked.returncode, checked.stdout), (0, "All known collective calls and messages match, and no call returned an error.\n"))

    def test_check_costs_about_as_much_as_the_overview(self):
        """Both read the same findings, whose views are computed once: otherwise SQLite reads the text of all views again for each."""
        run, used = fixture.make_run(self.folder, ranks=2), []
        for command in ("report", "check"):
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            self.call(command, run)
            used.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
        self.assertLess(used[1], 3 * used[0])

    def test_ranks_that_were_not_asked_for_are_not_missing(self):
        run = fixture.make_run(self.folder)
        self.shows("run", self.answer("report", run / "rank-00001.db", "run"), "one file")
        (run / "rank-00001.db").unlink()
        self.answer("merge", run, "-o", "all.db")
        self.shows("run", self.answer("report", "all.db", "run"), "merged")

    def test_advises_about_the_late_rank_then_leaks_then_callers(self):
        def be_late(db):
            db.execute("UPDATE profile SET time_ns = time_ns / 9 WHERE rank = 0 AND function = ?", [fixture.ALLREDUCE])
            db.execute("UPDATE object SET uid = 700 WHERE name = 'MPI_COMM_WORLD'")
        for last, change in (("balance", be_late), ("leaks", None), ("comm_callers", lambda db: db.execute("DELETE FROM object WHERE object > 3"))):
            folder = self.folder / f"late {last}"
            folder.mkdir()
            run = fixture.make_run(folder, extra=change)
            self.assertEqual(shlex.split(self.answer("report", run).rstrip().splitlines()[-1])[1:], ["report", str(run), last])
            self.assertTrue(self.answer("report", run, last))

    def test_one_section_is_printed_whole(self):
        run = fixture.make_run(self.folder)
        text = self.answer("report", run, "functions")
        self.shows("functions", text)

    def test_unknown_report_is_told_before_anything_is_printed(self):
        run = fixture.make_run(self.folder)
        for words in ((run, "comunicators"), ("comunicators", run), (run, "leaks", "comunicators")):
            done = self.refuse("report", *words, code=2, saying=("there is no report comunicators", "nearest is communicators"))
            self.assertEqual(done.stdout, "")
        self.refuse("report", run, "quux", code=2, saying="there is no report quux, and no run of that name")

    def test_view_is_no_report(self):
        run = fixture.make_run(self.folder)
        self.refuse("report", run, "comparisons", code=2, saying=f"callsign query {run} comparisons")
        self.refuse("report", run, "function_time", code=2, saying=f"callsign query {run} function_time")

    def test_rows_limits_and_says_what_was_left_out(self):
        run = fixture.make_run(self.folder)
        text = self.answer("report", run, "communicators", "--rows", "1")
        self.assertIn(f"and 3 more: callsign report {run} communicators", text)

    def test_section_as_json_has_plain_numbers(self):
        rows = json.loads(self.answer("report", fixture.make_run(self.folder), "communicators", "--format", "json"))
        self.assertEqual(rows[1]["sent_bytes"], 819200)

    def test_whole_run_as_json_has_findings_and_every_report(self):
        run = fixture.make_run(self.folder)
        whole = json.loads(self.answer("report", run, "--format", "json"))
        self.assertEqual(list(whole), ["findings", "reports", "run", "sentences", "pictures"])
        (leak, *_) = [finding for finding in whole["findings"] if finding["kind"] == "leak"]
        self.assertEqual((leak["severity"], leak["ranks"], leak["object_kind"], leak["objects"]), (2, "0-3", "communicator", 4))
        self.assertEqual(list(whole["reports"]), list(fixture.REPORTS))
        for name in ("communicators", "leaks", "endings", "placement"):
            self.assertEqual(whole["reports"][name], json.loads(self.answer("report", run, name, "--format", "json")), name)
        self.refuse("report", run, "--format", "csv", code=2, saying="one report")
        self.refuse("report", run, "leaks", "sizes", "--format", "json", code=2, saying="at most one")
        self.refuse("report", run, run, "--format", "json", code=2, saying="one run")

    def test_csv_and_json_have_the_location_beside_the_number_of_a_call_site(self):
        def change(db):
            big = 0x5ca1_ab1e_5ca1_ab1e
            db.execute("UPDATE site SET site = ? WHERE site = ?", [big, fixture.SITE + 11])
            for table, column in (("profile", "site"), ("object", "site"), ("object", "freed_site")):
                db.execute(f"UPDATE {table} SET {column} = ? WHERE {column} = ?", [big, fixture.SITE + 11])
            db.execute("INSERT INTO tag SELECT 0, 1, 'send', 7, 7, 7, site, 3, 0, 0, NULL FROM site UNION ALL SELECT 0, 1, 'send', 8, 8, 8, 0, 1, 0, 0, NULL")
            db.execute("INSERT INTO object (rank, object, kind, function, site, created_ns, internal, predefined, adopted, freed_function, freed_site, freed_ns) "
                       "SELECT rank, number, 'datatype', ?, ?, 1, 0, 0, 0, ?, ?, 2 FROM process, (SELECT 98 AS number UNION SELECT 99)", [fixture.VECTOR, big, fixture.FREE, big])
        run = fixture.make_run(self.folder, ranks=1, extra=change)
        locations = {str(0x5ca1_ab1e_5ca1_ab1e): "solver+0x1234", fixture.SITE + 12: "libgrid.so.2+0x5678", 0: None, None: None}
        for report in ("call_sites", "leaks", "tags", "objects", "churn"):
            rows = json.loads(self.answer("report", run, report, "--format", "json"))
            self.assertTrue(any(row["location"] for row in rows), report)
            for row in rows:
                self.assertEqual(row["location"], locations[row["site"]], report)
            table = list(csv.DictReader(io.StringIO(self.answer("report", run, report, "--format", "csv"))))
            self.assertEqual([row["location"] for row in table], [row["location"] or "" for row in rows], report)
            self.assertEqual([row["site"] for row in table], [str("" if row["site"] is None else row["site"]) for row in rows], report)
        self.assertNotIn("location", self.answer("query", run, "SELECT site FROM profile", "--format", "csv"))

    def test_sizes_are_a_histogram_for_each_kind_of_call(self):
        trace = fixture.make_case(self.folder / "sizes.db", "message_sizes", PROCESS)
        self.shows("sizes", self.answer("report", trace, "sizes"))
        rows = json.loads(self.answer("report", trace, "sizes", "--format", "json"))
        self.assertEqual([(row["kind"], row["least_bytes"], row["most_bytes"], row["messages"], row["bytes"]) for row in rows], [
            ("point-to-point", 0, 0, 9, 0), ("point-to-point", 8, 15, 16, 148), ("point-to-point", 16, 31, 2, 32),
            ("point-to-point", 1 << 20, (2 << 20) - 1, 1, 1 << 20), ("persistent", 8, 15, 6, 80), ("persistent", 1024, 2047, 3, 3072),
            ("collective", 0, 0, 40, 0), ("collective", 128, 255, 12, 1536), ("one-sided", 4, 7, 9, 36), ("file", 1 << 30, (2 << 30) - 1, 1, 1 << 30)])
        for kind in {row["kind"] for row in rows}:
            self.assertAlmostEqual(sum(row["messages_percent"] for row in rows if row["kind"] == kind), 100)
            self.assertAlmostEqual(sum(row["bytes_percent"] for row in rows if row["kind"] == kind), 100)
        empty = fixture.make_run(self.folder, extra=lambda db: db.execute("DELETE FROM profile"))
        self.shows("sizes", self.answer("report", empty, "sizes"), "none")

    def test_many_ranks_are_put_together_by_node(self):
        run = self.folder / "many.callsign"
        run.mkdir()
        for rank in range(40):
            fixture.make_trace(run / f"rank-{rank:05d}.db", rank, 40, node=f"node{rank // 20}")
        self.shows("placement", self.answer("report", run, "placement"))

    def test_several_runs_are_reported_one_after_the_other(self):
        run = fixture.make_run(self.folder)
        text = self.answer("report", run, run / "rank-00000.db")
        self.assertEqual(text.count("MPI time by communicator"), 2)

    def place(self, build_id, offset):
        def change(db):
            fixture.move_frame(db, 11, COMMAND, build_id, offset)
        run = self.folder / f"{build_id[:4]}.callsign"
        run.mkdir()
        fixture.make_trace(run / "rank-00000.db", world_size=1, extra=change)
        return self.answer("report", run, "call_sites")

    @unittest.skipUnless(shutil.which("nm") and shutil.which("readelf"), "needs binutils")
    def test_places_are_found_in_the_very_build_that_was_recorded(self):
        symbols = bounded.run(["nm", COMMAND], capture_output=True, text=True, check=True).stdout
        address = int(re.search(r"(?m)^([0-9a-f]+) T main$", symbols)[1], 16)
        notes = bounded.run(["readelf", "-n", COMMAND], capture_output=True, text=True, check=True).stdout
        build_id = re.search(r"Build ID: ([0-9a-f]+)", notes)[1]
        text = self.place(build_id, address + 1)
        self.assertRegex(text, r"main main\.c:\d+|main\+0x1 in callsign")
        text = self.place("0123" + build_id[4:], address + 1)
        self.assertIn(f"callsign+{address + 1:#x}", text)

    def test_fits_a_terminal_of_80_columns_with_names_whole(self):
        long = "MPI_COMM_WORLD.split1[0].dup1.cart1"
        run = fixture.make_run(self.folder, name=long)
        shown = self.on_terminal("report", run.name, NO_COLOR="1", COLUMNS="80").decode()
        lines = shown.splitlines()
        for line in lines:
            self.assertLessEqual(len(line), 80, line)
        self.assertNotIn("\u2026", shown)
        self.assertTrue(any(line.startswith(f"{long}  ") for line in lines))
        self.assertIn("Columns hidden at this width: parent, received", lines)
        self.assertIn("\u2500", shown)

    def test_functions_lose_their_prefix_before_columns_are_left_out(self):
        run = fixture.make_run(self.folder)
        widths = {}
        for width in range(80, 30, -6):
            shown = self.answer("report", run, "call_sites", COLUMNS=str(width))
            table = [line for line in shown.splitlines()[2:] if not line.startswith(("Columns", "  "))]
            state = ("MPI_Send" in shown, "Columns hidden" in shown, "\u2026" in shown)
            widths.setdefault(state, []).append(width)
            self.assertLessEqual(max(map(len, table)), max(width, 34))
        order = sorted(widths, key=lambda state: -max(widths[state]))
        self.assertEqual(order, [(True, False, False), (False, False, False), (False, True, False), (False, True, True)])
        piped = self.answer("report", run, "call_sites")
        self.assertIn("MPI_Send", piped)
        self.assertNotIn("Columns hidden", piped)

    def test_findings_have_coloured_tags_on_a_terminal_and_none_elsewhere(self):
        run = fixture.make_run(self.folder)
        self.assertIn(b"\n\x1b[1;33mwarning\x1b[0m: Never freed: ", self.on_terminal("report", run))
        self.assertNotIn(b"warning", self.on_terminal("report", run, NO_COLOR="1"))
        lines = self.on_terminal("report", run, COLUMNS="60").decode().split("\x1b[1mMPI time by")[0].splitlines()
        self.assertLessEqual(max(len(re.sub(r"\x1b\[[0-9;]*m", "", line)) for line in lines), 60)

    def test_overview_leaves_out_rows_that_would_show_nothing(self):
        def change(db):
            db.execute("UPDATE profile SET time_ns = 9 WHERE communicator = 3")
        run = fixture.make_run(self.folder, extra=change)
        overview, named = self.answer("report", run), self.answer("report", run, "communicators")
        self.assertNotIn("\nrows ", overview)
        self.assertIn(f"and 1 more: callsign report {run} communicators\n", overview)
        self.assertRegex(named, r"(?m)^rows .* 0\.0 ")

    def test_headings_are_bold_on_a_terminal_unless_no_color(self):
        run = fixture.make_run(self.folder)
        self.assertIn(b"\x1b[1m", self.on_terminal("report", run))
        self.assertNotIn(b"\x1b", self.on_terminal("report", run, NO_COLOR="1"))
        self.assertNotIn("\x1b", self.answer("report", run))


class Objects(CommandTest):
    """Reports on objects: leaks, objects, churn, disagree."""

    def run_with(self, change, ranks=2):
        """A run whose ranks are changed by change(db, rank) before they are written."""
        run = self.folder / "objects.callsign"
        run.mkdir()
        for rank in range(ranks):
            fixture.make_trace(run / f"rank-{rank:05d}.db", rank, ranks, extra=lambda db, rank=rank: change(db, rank))
        return run

    def communicator(self, db, rank, number, *, size=2, own_rank=None, members=None, **values):
        values = {"kind": "communicator", "parent": 1, "function": fixture.SPLIT, "site": fixture.SITE + 11,
                  "created_ns": number * fixture.SECOND // 10, "internal": 0, "predefined": 0, "adopted": 0,
                  "name_origin": "program" if values.get("name") else None, **values}
        fixture.insert(db, "object", rank=rank, object=number, **values)
        fixture.insert(db, "communicator", rank=rank, object=number, size=size, own_rank=rank if own_rank is None else own_rank,
                       members=members)

    def world(self, db, rank):
        """Tells what the fixture's communicators are on all ranks."""
        for number, uid in ((1, 101), (2, 200 + rank), (3, 103), (4, 104)):
            db.execute("UPDATE object SET uid = ? WHERE object = ?", [uid, number])

    def rows_of(self, run, report):
        return json.loads(self.answer("report", run, report, "--format", "json"))

    def test_leaks_tell_what_grows_from_what_was_made_once(self):
        def change(db, rank):
            for number in range(10, 19 if rank else 14):
                fixture.insert(db, "object", rank=rank, object=number, kind="datatype", name=f"halo {number}", function=fixture.VECTOR,
                               site=fixture.SITE + 11, created_ns=(number - 9) * fixture.SECOND, internal=0, predefined=0, adopted=0)
        run = self.run_with(change)
        self.assertEqual(self.rows_of(run, "leaks")[0],
                         {"kind": "datatype", "created_by": "MPI_Type_vector", "library": "solver", "site": fixture.SITE + 11, "location": "solver+0x1234", "through": None, "not_freed": 13,
                          "created": 13, "peak": 13, "live": "4 8 10 12 13", "ranks": "0,1", "per_rank": "4-9", "example": "halo 18"})
        self.assertRegex(self.answer("report", run, "leaks"), r"(?m)^datatype +MPI_Type_vector +libgrid.so.2 .* +2 +2 +2 +0 2 2 2 2 +0,1 +1 ")

    def test_curves_of_live_objects_end_at_those_that_nobody_freed(self):
        """Many objects are made and freed at one instant, in any order of their rows."""
        def change(db, rank):
            for number in range(200):
                freed = number % 4 * fixture.SECOND if number % 4 else None
                fixture.insert(db, "object", rank=rank, object=100 + number * 7 % 200, kind="datatype", function=fixture.VECTOR, site=fixture.SITE + 11, freed_ns=freed,
                               created_ns=min(number % 3 + 1, number % 4 or 3) * fixture.SECOND, internal=0, predefined=0, adopted=0)
        run = self.run_with(change)
        curve = [row for row in json.loads(self.answer("report", run, "--format", "json"))["pictures"]["live"] if (row["kind"], row["site"]) == ("datatype", fixture.SITE + 11)]
        objects = self.ask(run, f"SELECT created_ns, coalesce(freed_ns, 1 << 50) AS freed_ns FROM program_objects WHERE kind = 'datatype' AND site = {fixture.SITE + 11}")
        self.assertEqual(len(objects), 400)
        for row in curve:
            until_ns = round(row["until_seconds"] * fixture.SECOND)
            self.assertEqual(row["live"], sum(each["created_ns"] < until_ns <= each["freed_ns"] for each in objects), row)
            self.assertGreaterEqual(row["peak_live"], row["live"])
        self.assertEqual([(row["live"], row["not_freed"]) for row in curve][-1], (100, 100))
        self.assertEqual(max(row["peak_live"] for row in curve), curve[0]["peak"])

    def test_run_that_freed_everything_says_so(self):
        run = self.run_with(lambda db, rank: db.execute("DELETE FROM object WHERE function IS NOT NULL"))
        self.shows("leaks", self.answer("report", run, "leaks"))
        self.shows("churn", self.answer("report", run, "churn"))

    def test_tree_has_a_line_for_each_communicator_not_for_each_rank(self):
        def change(db, rank):
            self.world(db, rank)
            self.communicator(db, rank, 10, uid=110, parent=3, name="inner", freed_ns=3 * fixture.SECOND)
        rows = self.rows_of(self.run_with(change), "objects")
        self.assertEqual([(row["communicator"], row["depth"], row["size"], row["count"], row["not_freed"]) for row in rows],
                         [("MPI_COMM_SELF", 0, 1, 2, 0), ("MPI_COMM_WORLD", 0, 2, 1, 0), ("rows", 1, 2, 1, 0), ("inner", 2, 2, 1, 0), (None, 1, 2, 1, 1)])
        self.shows("objects", self.answer("report", self.folder / "objects.callsign", "objects"))
        self.assertEqual((rows[3]["created_ns"], rows[3]["lifetime_ns"]), (fixture.SECOND, 2 * fixture.SECOND))

    def test_intercommunicator_has_both_sizes(self):
        def change(db, rank):
            self.world(db, rank)
            self.communicator(db, rank, 10, uid=110, size=2)
            db.execute("UPDATE communicator SET remote_size = 3 WHERE object = 10")
        self.assertEqual(self.rows_of(self.run_with(change), "objects")[2]["size"], "2+3")

    def test_siblings_that_differ_by_number_only_share_a_line(self):
        def change(db, rank):
            self.world(db, rank)
            for number in range(10, 60):
                self.communicator(db, rank, number, uid=1000 + number, parent=4, name=f"row {number}")
        text = self.answer("report", self.run_with(change), "objects")
        self.assertRegex(text, r"(?m)^    row # +2 +50 +MPI_Comm_split ")
        self.assertEqual(text.count("row"), 2)

    def test_chain_of_communicators_is_followed_to_its_end(self):
        def change(db, rank):
            self.world(db, rank)
            for number in range(10, 60):
                self.communicator(db, rank, number, uid=1000 + number, parent=4 if number == 10 else number - 1)
        rows = self.rows_of(self.run_with(change), "objects")
        self.assertEqual(sum(row["count"] for row in rows), 2 + 3 + 50)

    def test_communicators_that_are_their_own_ancestors_do_no_harm(self):
        def change(db, rank):
            self.world(db, rank)
            self.communicator(db, rank, 10, uid=110, parent=11)
            self.communicator(db, rank, 11, uid=111, parent=10)
        self.assertEqual(len(self.rows_of(self.run_with(change), "objects")), 4)

    def test_churn_tells_how_fast_and_what_it_costs(self):
        def change(db, rank):
            for number in range(10, 30):
                self.communicator(db, rank, number, freed_function=fixture.FREE, freed_site=fixture.SITE + 11,
                                  freed_ns=number * fixture.SECOND // 10 + 1000)
            for function, time_ns in ((fixture.SPLIT, 21_000), (fixture.FREE, 42_000)):
                fixture.insert(db, "profile", rank=rank, communicator=1, object=0, function=function, site=fixture.SITE + 11, size_class=0, calls=21,
                               time_ns=time_ns, min_ns=1, max_ns=9000, sent_bytes=0, received_bytes=0)
        (row,) = self.rows_of(self.run_with(change), "churn")
        self.assertEqual((row["created"], row["freed"], row["per_second"], row["creating_ns"], row["freeing_ns"]), (42, 42, 2.1, 42_000, 84_000))
        self.assertAlmostEqual(row["lifetime_ns"], (40 * 1000 + 2 * 8 * fixture.SECOND) / 42)

    def test_members_that_disagree_are_named_with_what_they_say(self):
        def change(db, rank):
            self.world(db, rank)
            self.communicator(db, rank, 10, uid=110, size=4, name="left" if rank < 2 else "right")
            self.communicator(db, rank, 12 if rank == 3 else 11, uid=111, size=3 if rank == 1 else 4, name="b")
            self.communicator(db, rank, 11 if rank == 3 else 12, uid=112, size=4, name="c")
        self.shows("disagree", self.answer("report", self.run_with(change, ranks=4), "disagree"))

    def test_communicators_with_the_same_members_are_named_both(self):
        def change(db, rank):
            self.world(db, rank)
            members = {1: "0,1", 3: "0,1", 4: "1,0"}
            for number in range(10, 21):
                self.communicator(db, rank, number, uid=1000 + number)
                members[number] = "0,1"
            if rank == 0:
                for number, text in members.items():
                    db.execute("UPDATE communicator SET members = ? WHERE object = ?", [text, number])
        run = self.run_with(change)
        text = self.answer("report", run, "congruent")
        self.assertRegex(text, r"(?m)^\(from MPI_Comm_split\) +MPI_COMM_WORLD +2 +11 +MPI_Comm_split ")
        self.assertRegex(text, r"(?m)^rows +MPI_COMM_WORLD +2 +1 +MPI_Comm_split ")
        self.assertEqual(self.rows_of(run, "disagree"), [])

    def test_run_without_contradictions_says_so(self):
        self.shows("disagree", self.answer("report", self.run_with(self.world), "disagree"))

    def test_many_names_of_one_communicator_are_one_line(self):
        def change(db, rank):
            self.world(db, rank)
            self.communicator(db, rank, 10, uid=110, name=f"comm of rank {rank}")
        self.shows("disagree", self.answer("report", self.run_with(change, ranks=12), "disagree"))

    def test_help_lists_every_report(self):
        text = self.answer("report", "--help")
        for name in fixture.REPORTS:
            self.assertRegex(text, rf"(?m)^  {name} +\S")


class Attributes(CommandTest):
    """The run in tests/sql/attribute_findings has every kind of finding."""

    def run_with(self, *statements):
        path = self.folder / "all.db"
        db = sqlite3.connect(path)
        db.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + fixture.SCHEMA
                         + (fixture.TREE / "tests/sql/attribute_findings/trace.sql").read_text(encoding="utf-8") + ";".join(statements))
        db.close()
        return path

    def test_first_line_is_the_verdict_and_what_stands_out_follows(self):
        self.shows("attributes", self.answer("report", self.run_with(), "attributes"))

    def test_every_question_has_a_row_with_its_answer(self):
        rows = json.loads(self.answer("report", self.run_with(), "attributes", "--format", "json"))
        self.assertEqual([(row["operation"], row["key"] or row["key_location"], row["object"], row["answer"] or row["value_kind"], row["calls"], row["ranks"])
                          for row in rows], [
            ("get", "MPI_APPNUM", "row 0", "not set", 2, "0"), ("get", "MPI_TAG_UB", "MPI_COMM_WORLD", "2147483647", 10, "0,3"),
            ("get", "MPI_TAG_UB", "MPI_COMM_WORLD", "1000", 5, "2"), ("set", "MPI_TAG_UB", "MPI_COMM_WORLD", "MPI_ERR_KEYVAL", 4, "0-3"),
            ("get", "init keys.c:3", "row 1", "not set", 3, "0-2"), ("set", "init keys.c:3", "row #", "address", 7, "0-3"),
            ("get", "init types.c:9", None, "MPI_ERR_TYPE", 1, "1"), ("set", "init types.c:9", "pair", "address", 6, "1"),
            ("get", "main ask.c:5", "row 1", "not set", 1, "0"), ("set", "main ask.c:6", "MPI_COMM_SELF", "address", 1, "0")])

    def test_what_is_many_is_put_together(self):
        asked = ("INSERT INTO attribute (rank, object, kind, keyval, operation, found, value_kind, value, site, calls) "
                 "SELECT 0, {0}, 'communicator', 1, 'get', 1, 'integer', 40000 + {1}, 113, 1 FROM json_each('[1,2,3,4,5,6,7,8]')")
        objects = ("INSERT INTO object (rank, object, kind, name, name_origin, created_ns, internal, predefined, adopted) "
                   "SELECT 0, 100 + value, 'communicator', 'grid ' || char(96 + value), 'program', 1, 0, 0, 0 FROM json_each('[1,2,3,4,5,6,7,8]')")
        missing = ("INSERT INTO attribute (rank, object, kind, keyval, operation, found, value_kind, value, site, calls) "
                   "SELECT 0, 1, 'communicator', 50 + value, 'get', 0, 'none', 0, 113, 1 FROM json_each('[1,2,3,4,5,6,7,8]')")
        run = self.run_with(objects, asked.format("100 + value", "0"), asked.format("1", "value"), missing)
        rows = [row for row in json.loads(self.answer("report", run, "attributes", "--format", "json")) if row["site"] == 113]
        self.assertEqual([(row["key"], row["object"], row["other_object"], row["objects"], row["answer"], row["answers"]) for row in rows if row["key"]],
                         [("MPI_TAG_UB", "MPI_COMM_WORLD", "grid a", 9, None, 9)])
        text = self.answer("report", run, "attributes", "--rows", "3")
        self.shows("attributes", text.replace(str(run), "RUN"))

    def test_values_that_travel_with_a_duplicate_are_told_by_key(self):
        copy = ("INSERT INTO attribute (rank, object, kind, keyval, operation, found, value_kind, value, site, calls, first_ns) "
                "SELECT rank, {0}, 'communicator', 20 + rank, 'copy', {1}, 'none', 0, 111, 1, 20 FROM process WHERE rank < {2}")
        for copies, part in (([(12, "rank < 2", 3)], "some"), ([(12, 1, 4), (10, 1, 1)], "all"), ([(12, 0, 4)], "none"), ([(12, 0, 1)], "not one")):
            run = self.run_with(*(copy.format(*values) for values in copies))
            lines = self.answer("report", run, "attributes").splitlines()
            self.shows("attributes", lines[lines.index("") - 2:lines.index("")], part)
            run.unlink()

    def test_what_differs_though_it_must_not_is_also_a_disagreement_and_in_the_overview(self):
        run = self.run_with()
        self.shows("disagree", self.answer("report", run, "disagree"))
        self.shows("verdict", self.answer("report", run, "verdict"))

    def test_run_without_questions_says_so_in_one_line(self):
        self.shows("attributes", self.answer("report", fixture.make_run(self.folder), "attributes"))

    def test_leaks_ends_with_what_was_freed_with_requests_pending(self):
        self.shows("leaks", self.answer("report", self.run_with(), "leaks"))


class Clocks(CommandTest):
    def test_instants_of_all_ranks_are_on_the_clock_of_the_first(self):
        run = fixture.make_run(self.folder)
        rows = self.ask(run, "SELECT p.rank, p.init_ns, p.mpi_ns, p.clock_offset_ns, p.zero_utc_ns, "
                        "o.created_ns, o.freed_ns FROM process p JOIN object o ON o.rank = p.rank AND o.object = 3 WHERE p.rank = 3")
        offset = 3_000_000
        self.assertEqual(rows, [{"rank": 3, "init_ns": offset, "mpi_ns": 4 * fixture.SECOND, "clock_offset_ns": offset,
                                 "zero_utc_ns": str(fixture.ZERO_UTC_NS), "created_ns": fixture.SECOND + offset,
                                 "freed_ns": 9 * fixture.SECOND + offset}])

    def test_lowest_rank_present_gives_the_clock(self):
        run = fixture.make_run(self.folder)
        (run / "rank-00000.db").unlink()
        self.assertEqual(self.ask(run, "SELECT clock_offset_ns AS o FROM process", missing="rank 0"),
                         [{"o": 0}, {"o": 1_000_000}, {"o": 2_000_000}])


if __name__ == "__main__":
    unittest.main()
