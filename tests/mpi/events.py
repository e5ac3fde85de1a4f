"""Events of MPI programs: waits that a program plants and measures itself are found with rank, line and seconds; also after kill -9. Run for each
flavour."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import unittest

import harness
import perfetto  # noqa: E402  (harness sets the path)

# kind, function of the program: the calls that wait, the rank that they wait for
PLANTED = {
    ("late_sender", "late_sender"): ("MPI_Recv", 0),
    ("late_sender", "late_sender_of_a_request"): ("MPI_Waitall", 2),
    ("wrong_order", "wrong_order"): ("MPI_Recv", 0),
    ("late_receiver", "late_receiver"): ("MPI_Ssend", 1),
    ("late_receiver", "late_receiver_of_requests"): ("MPI_Wait MPI_Waitall", 1),
    ("wait_at_barrier", "slow_rank"): ("MPI_Barrier", 2),
    ("wait_at_nxn", "slow_rank"): ("MPI_Allreduce", 1),
    ("late_broadcast", "rooted"): ("MPI_Bcast", 0),
    ("early_reduce", "rooted"): ("MPI_Reduce", 2),
    ("late_sender", "chain_begins"): ("MPI_Recv", 0),
    ("late_sender", "chain_ends"): ("MPI_Recv", 1),
    ("early_scan", "scanned"): ("MPI_Scan", 0),
    ("late_sender", "unready"): ("MPI_Probe", 0),
    ("late_receiver", "unready"): ("MPI_Wait", 0),
    ("wait_at_barrier", "between"): ("MPI_Barrier", 2),
    ("late_receiver", "alone"): ("MPI_Waitall", 1),
    ("late_sender", "started"): ("MPI_Wait", 2),
    ("late_sender", "matched"): ("MPI_Mprobe", 2),
    ("wait_at_fence", "fenced"): ("MPI_Win_fence", 2),
    ("late_post", "opened"): ("MPI_Win_start", 1),
    ("late_complete", "opened"): ("MPI_Win_wait", 0),
    ("wait_for_lock", "locked"): ("MPI_Win_lock", 0),
}
BRIDGED = ("between",)
WINDOWED = ("fenced", "opened", "locked")
BETWEEN = ("main", "wait_for_each_other", "make_bridge", "access_windows")  # barriers between the planted waits
LONG_NS = 200_000_000  # planted waits last twice as long


class Planted:
    """What is known about the program waiting, for tests with self.folder."""

    planted = PLANTED
    waiting = 28  # ranks that print a wait

    def query(self, run, sql):
        result = harness.run([harness.COMMAND, "query", "--format", "json", run, sql], cwd=self.folder)
        self.assertEqual(result.code, 0, result.stderr)
        return json.loads(result.stdout)

    def waits(self, run):
        return self.query(run, "SELECT w.kind, w.rank, w.function, location(w.site) AS place, w.cause, location(w.cause_site) AS cause_place, w.wait_ns / 1e9 AS seconds, w.object_name AS name, "
                               "w.start_ns + w.wait_ns AS end_ns "
                               f"FROM wait_states w WHERE w.wait_ns >= {LONG_NS}")

    def check_planted(self, run, stdout):
        said = [line.split() for line in stdout.splitlines()]
        waits = {(kind, place, int(rank)): (float(begin), float(end), line) for word, kind, place, rank, begin, end, line in (line for line in said if line[:1] == ["wait"])}
        causes = {(kind, place): (int(rank), float(time), line) for word, kind, place, rank, time, line in (line for line in said if line[:1] == ["cause"])}
        self.assertEqual((set(causes), len(waits)), (set(self.planted), self.waiting))
        found = {(row["kind"], row["place"].split()[0], row["rank"]): row for row in self.waits(run)}
        found = {key: row for key, row in found.items() if key[1] not in BETWEEN}
        self.assertEqual(set(found), set(waits))
        for (kind, place, rank), (begin, end, line) in waits.items():
            row, (cause, time, cause_line) = found[kind, place, rank], causes[kind, place]
            functions, waited_for = self.planted[kind, place]
            self.assertEqual((row["name"], row["cause"], cause), ("field" if place in WINDOWED else "team", waited_for, waited_for), place)
            self.assertIn(row["function"], functions.split(), place)
            self.assertEqual((row["place"].split()[0], row["place"].split()[-1]), (place, f"waiting.c:{line}"))
            if place != "late_receiver_of_requests":  # it has two lines
                self.assertEqual((row["cause_place"].split()[0], row["cause_place"].split()[-1]), (place, f"waiting.c:{cause_line}"))
            # The program reads its clock before the call: at most the whole call is a wait, at least what the cause was late.
            self.assertLessEqual(row["seconds"], end - begin, place)
            self.assertGreaterEqual(row["seconds"], 0.9 * (time - begin), place)

        self.check_report(run, waits, causes)

    def check_report(self, run, waits, causes):
        """The report adds up the waits of a line, with the same ranks and seconds."""
        result = harness.run([harness.COMMAND, "report", run, "waits", "--format", "json"], cwd=self.folder)
        self.assertEqual((result.code, result.stderr), (0, ""))
        rows = {(row["kind"], row["location"].split()[0], row["location"].split()[-1]): row for row in json.loads(result.stdout)}
        lines = {}
        for (kind, place, rank), (begin, end, line) in waits.items():
            lines.setdefault((kind, place, f"waiting.c:{line}"), []).append((rank, end - begin, causes[kind, place][1] - begin))
        for (kind, place, line), each in lines.items():
            row = rows[kind, place, line]
            self.assertEqual((row["ranks"], row["waits"], row["cause"]), (",".join(str(rank) for rank, _, _ in sorted(each)), len(each), causes[kind, place][0]))
            self.assertLessEqual(row["seconds"], sum(most for _, most, _ in each), place)
            self.assertGreaterEqual(row["seconds"], 0.9 * sum(least for _, _, least in each), place)

    def check_path(self, run):
        """The critical path leads over the ranks that the others wait for, as long as they make them wait."""
        parts = self.query(run, "SELECT rank, from_ns, to_ns, mpi_ns FROM critical_path")
        self.assertEqual([part["from_ns"] for part in parts[:-1]], [part["to_ns"] for part in parts[1:]])
        waits = [row for row in self.waits(run) if row["place"].split()[0] not in BETWEEN]
        self.assertEqual(len(waits), self.waiting)
        for wait in waits:
            if wait["kind"] == "wait_for_lock" or wait["place"].split()[0] in BRIDGED:
                continue  # meanwhile another rank may be in a longer call, whose wait nobody knows
            at = wait["end_ns"] - LONG_NS // 2
            self.assertEqual([part["rank"] for part in parts if part["from_ns"] <= at < part["to_ns"]], [wait["cause"]], wait)


@unittest.skipIf(harness.SANITIZER, "the recording needs the launcher preloaded with the sanitizer")
class Events(Planted, unittest.TestCase):
    def setUp(self):
        temporary = harness.workspace()
        self.folder = temporary.__enter__()
        self.addCleanup(temporary.cleanup)

    def record(self, *program, np=3, **settings):
        result = harness.mpirun(np, *program, extra={**harness.recording(self.folder), **settings}, cwd=self.folder)
        self.assertEqual(result.messages(), [])
        (run,) = harness.run_folders(self.folder)
        harness.convert(run)
        return run, result

    def check_efficiency(self, run):
        row, *objects = self.query(run, "SELECT * FROM efficiency")
        self.assertIsNone(row["id"])
        self.assertEqual({each["object_name"] for each in objects} & {"team", "field"}, {"team", "field"})
        for each in (row, *objects):
            share = {name.removesuffix("_percent"): value / 100 for name, value in each.items() if name.endswith("_percent")}
            self.assertAlmostEqual(share["parallel"], share["load_balance"] * share["communication"])
            self.assertAlmostEqual(share["communication"], share["serialization"] * share["transfer"])
        self.assertGreater(row["transfer_percent"], 80)  # all that is lost are waits
        self.assertLess(row["serialization_percent"], 60)
        (said,) = self.query(run, "SELECT sum(CASE f.class WHEN 'lifecycle' THEN 0 ELSE time_ns END) / 1e9 AS calls, sum(time_ns) / 1e9 AS most FROM profile JOIN function f USING (function)")
        self.assertGreater(row["calls_seconds"], 0.98 * said["calls"])
        self.assertLess(row["calls_seconds"], 1.02 * said["most"])
        self.assertAlmostEqual(row["parallel_percent"] / 100, 1 - row["calls_seconds"] / row["seconds"] / 3, places=6)

    def test_planted_waits_are_found(self):
        run, result = self.record("waiting", "groups", CALLSIGN_EVENTS="keep")
        self.check_planted(run, result.stdout)
        self.check_path(run)
        self.check_efficiency(run)
        self.assertEqual(harness.figures_that_differ(run), [])
        findings = [row for row in self.query(run, "SELECT * FROM findings") if row["kind"] in {kind for kind, _ in PLANTED}]
        self.assertEqual([row["kind"] for row in findings], [row["kind"] for row in self.query(run, "SELECT * FROM wait_findings")])
        self.assertIn(len(findings), (1, 2, 3))
        self.assertEqual(self.query(run, "SELECT a.kind FROM findings a JOIN findings b ON a.kind = 'late_rank' AND b.kind <> a.kind AND b.rank = a.rank "
                                         "AND b.function = a.function AND b.communicator_uid IS a.communicator_uid AND b.waits > 0"), [])  # one wait is told once
        overview = harness.run([harness.COMMAND, "report", run, "verdict"], cwd=self.folder).stdout
        self.assertEqual(len(re.findall(r" for rank \d+, which ", overview)), len(findings), overview)
        self.assertIn("Parallel efficiency of 3 ranks from ", harness.run([harness.COMMAND, "report", run, "efficiency"], cwd=self.folder).stdout)
        self.assertIn("Critical path from ", harness.run([harness.COMMAND, "report", run, "critical_path"], cwd=self.folder).stdout)
        report = harness.run([harness.COMMAND, "report", run, "waits"], cwd=self.folder).stdout
        self.assertRegex(report, r"Ranks? \S+ waits? [\d.]+ m?s(?: on average)? in MPI_\w+ on team at \w+ .*waiting\.c:\d+ for rank \d, which ")

    def test_planted_waits_are_found_after_a_kill(self):
        run, result = self.record("waiting", "groups", "kill")
        self.check_planted(run, result.stdout)
        self.assertEqual(harness.figures_that_differ(run), [])
        hang = harness.run([harness.COMMAND, "timeline", run, "--around", "hang"], cwd=self.folder)
        self.assertEqual((hang.code, hang.stderr), (0, ""))
        self.assertIn("MPI_Barrier on team", hang.stdout)
        whole = harness.run([harness.COMMAND, "timeline", run], harness.base_environment(COLUMNS="80"), self.folder).stdout
        self.assertIn("never returned", whole)
        [latest] = self.query(run, "SELECT max(latest_ns) / 1e9 AS seconds FROM latest_ends JOIN thread USING (rank) WHERE state = 'inside'")
        self.assertAlmostEqual(float(whole.splitlines()[1].split()[-2]), latest["seconds"], delta=1e-5 * abs(latest["seconds"]))
        self.assertIn("died", {row["outcome"] for row in self.query(run, "SELECT outcome FROM processes")})

    def test_a_rank_that_finalizes_has_no_events_unless_asked(self):
        run, _ = self.record("counting", "5", np=2)
        self.assertEqual(self.query(run, "SELECT count(*) AS events FROM event"), [{"events": 0}])
        for name in ("waits", "efficiency", "critical_path"):
            report = harness.run([harness.COMMAND, "report", run, name], cwd=self.folder)
            self.assertIn("The run has no events", report.stdout)

    def test_without_a_ring_there_are_no_events(self):
        run, _ = self.record("counting", "5", np=2, CALLSIGN_RING="0", CALLSIGN_EVENTS="keep")
        self.assertEqual(self.query(run, "SELECT count(*) AS events FROM event"), [{"events": 0}])

    def test_events_and_profile_agree(self):
        run, _ = self.record("p2p_nonblocking", np=2, CALLSIGN_EVENTS="keep", CALLSIGN_RING="8M")
        rows = self.query(run, "SELECT rank, function, sum(calls) AS calls FROM (SELECT rank, function, calls FROM event UNION ALL "
                               "SELECT rank, function, -calls FROM profile) GROUP BY 1, 2 HAVING sum(calls) <> 0 AND function NOT IN "
                               "(SELECT function FROM function WHERE name IN ('MPI_Comm_free', 'MPI_Finalize'))")
        self.assertEqual(rows, [])
        # Calls that poll are one event with the time between them.
        rows = self.query(run, "SELECT e.rank, f.name, e.ns, p.ns AS profile_ns, e.calls FROM (SELECT rank, function, sum(duration_ns) AS ns, sum(calls) AS calls, "
                               "max(calls) AS most FROM event GROUP BY 1, 2) e JOIN (SELECT rank, function, sum(time_ns) AS ns FROM profile GROUP BY 1, 2) p USING (rank, function) "
                               "JOIN function f USING (function) WHERE e.most = 1 AND abs(e.ns - p.ns) > 0.01 * p.ns + 100 * e.calls OR e.ns < 0.99 * p.ns - 100 * e.calls")
        self.assertEqual(rows, [])
        rows = self.query(run, "SELECT m.source, m.dest, m.tag FROM messages m JOIN event e ON e.rank = m.source AND e.thread = m.source_thread "
                               "AND e.event = m.source_event WHERE e.direction = 'send' AND e.bytes < m.bytes")
        self.assertEqual(rows, [])

    def test_polls_with_work_between_them_have_their_own_time(self):
        """Against counts and a clock in the program. In the ring, and packed."""
        for settings in ({"CALLSIGN_EVENTS": "keep", "CALLSIGN_RING": "8M"}, {"CALLSIGN_EVENTS": "all"}):
            with self.subTest(**settings):
                for run in harness.run_folders(self.folder):
                    shutil.rmtree(run)
                run, result = self.record("polling", np=2, **settings)
                rows = {row["name"]: row for row in self.query(
                    run, "SELECT f.name, e.calls, e.entries, e.inside_ns, e.span_ns, p.calls AS profile_calls, p.found, p.ns AS profile_ns FROM "
                         "(SELECT function, sum(calls) AS calls, count(*) AS entries, sum(inside_ns) AS inside_ns, sum(duration_ns) AS span_ns "
                         " FROM (SELECT e.*, coalesce(inside_ns, duration_ns) AS inside_ns FROM event e WHERE rank = 1) GROUP BY 1) e "
                         "JOIN (SELECT function, sum(calls) AS calls, sum(calls * (size_class = 1)) AS found, sum(time_ns) AS ns FROM profile WHERE rank = 1 GROUP BY 1) p USING (function) "
                         "JOIN function f USING (function)".replace("e.*, coalesce", "e.function, e.calls, e.duration_ns, coalesce"))}
                said = [line.split() for line in result.stdout.splitlines() if line.startswith("MPI_")]
                self.assertEqual(len(said), 5, result.stdout)
                for name, calls, seconds in said:
                    row = rows[name]
                    self.assertEqual((row["calls"], row["profile_calls"]), (int(calls), int(calls)), name)
                    self.assertEqual(row["found"], 0 if name == "MPI_Iprobe" else 30, name)  # one in each round
                    self.assertLess(row["entries"], row["calls"] / 2, name)
                    self.assertLessEqual(row["inside_ns"], float(seconds) * 1e9, name)
                    self.assertLessEqual(abs(row["inside_ns"] - row["profile_ns"]), 0.02 * row["profile_ns"] + 100 * row["calls"], name)
                    self.assertGreaterEqual(row["span_ns"], row["inside_ns"] + 40e3 * (row["calls"] - row["entries"]), name)  # the pauses
                self.assertEqual(self.query(run, "SELECT count(*) AS wrong FROM event WHERE calls > 1 AND (tag IS NOT NULL OR bytes IS NOT NULL)"), [{"wrong": 0}])
                self.assertEqual(self.query(run, "SELECT count(*) AS messages, sum(receive_end_ns < send_start_ns - 1000 - coalesce(error_ns, 0)) AS early FROM messages WHERE dest = 1"),
                                 [{"messages": 150, "early": 0}])
                (row,) = self.query(run, "SELECT e.calls_seconds, (SELECT sum(time_ns) / 1e9 FROM profile JOIN function f USING (function) "
                                         "WHERE f.name <> 'MPI_Init') AS most FROM efficiency e WHERE id IS NULL")
                self.assertLess(row["calls_seconds"], 1.02 * row["most"] + 1e-4)

    def test_a_wait_that_several_lines_end_is_mostly_at_one(self):
        run, _ = self.record("two_lines", np=2, CALLSIGN_EVENTS="keep")
        source = pathlib.Path(__file__).parent / "programs/two_lines.c"
        line = 1 + next(i for i, text in enumerate(source.read_text().splitlines()) if "most */" in text)
        self.assertEqual(self.query(run, "SELECT kind, ranks, rank, cause_lines FROM wait_findings WHERE kind = 'late_sender'"),
                         [{"kind": "late_sender", "ranks": "1", "rank": 0, "cause_lines": 2}])
        overview = harness.run([harness.COMMAND, "report", run, "verdict"], cwd=self.folder).stdout
        self.assertIn(f"mostly at main two_lines.c:{line},", overview)

    def test_a_part_of_the_run_between_levels_has_the_right_messages(self):
        run, _ = self.record("exchanging", "part", np=2, CALLSIGN_EVENTS="keep", CALLSIGN_RING="8M", CALLSIGN_EVENTS_FROM="level:2", CALLSIGN_EVENTS_UNTIL="level:3")
        rows = self.query(run, "SELECT rank, sum(f.name = 'MPI_Waitall') AS rounds, sum(f.name = 'MPI_Pcontrol') AS levels, count(*) AS calls FROM event "
                               "JOIN function f USING (function) GROUP BY rank")
        self.assertEqual([(row["rank"], row["rounds"], row["levels"], row["calls"]) for row in rows], [(rank, 1500, 1, 1500 * 7 + 1) for rank in (0, 1)])
        # Rank 0 records the rounds 500 to 1999, rank 1 the rounds 700 to 2199: both have 1300 of them.
        rows = self.query(run, "SELECT source, tag, count(*) AS messages, min(nth) AS first, max(nth) AS last, sum(bytes <> 4 * (1 + (nth - 1) % 7 + tag)) AS wrong "
                               "FROM messages GROUP BY source, tag")
        self.assertEqual([tuple(row.values()) for row in rows], [(source, tag, 1300, 701, 2000, 0) for source in (0, 1) for tag in (0, 1, 2)])

    def test_a_part_of_the_run_between_times_has_its_calls(self):
        run, _ = self.record("waiting", CALLSIGN_EVENTS="all", CALLSIGN_EVENTS_FROM="1500ms", CALLSIGN_EVENTS_UNTIL="3s")
        rows = self.query(run, "SELECT rank, count(*) AS calls, min(start_ns - init_ns) / 1e9 AS first, sum(start_ns - init_ns > 3.01e9) AS later, "
                               "max(start_ns + duration_ns - init_ns) / 1e9 AS last FROM event JOIN process USING (rank) GROUP BY rank")
        self.assertEqual([row["rank"] for row in rows], [0, 1, 2])
        for row in rows:
            self.assertGreater(row["calls"], 3)
            self.assertGreater(row["first"], 1.49)
            self.assertLessEqual(row["later"], 1)  # a call after a while without calls
            self.assertGreater(row["last"], 2.5)
        self.assertNotEqual(self.waits(run), [])

    def test_a_timeline_is_a_screen_and_perfetto_has_a_track_for_each_communicator(self):
        run, _ = self.record("waiting", CALLSIGN_EVENTS="keep")
        self.check_tracks(run)
        result = harness.run([harness.COMMAND, "timeline", run], harness.base_environment(COLUMNS="80"), self.folder)
        lines = result.stdout.splitlines()
        self.assertEqual((result.code, result.stderr), (0, ""))
        self.assertLessEqual(len(lines), 24)
        self.assertLessEqual(max(map(len, lines)), 80)
        ranks = [line for line in lines if line.startswith("rank ")]
        self.assertEqual([line.split()[1] for line in ranks], ["0", "1", "2"])
        barrier = next(line.split()[0] for line in lines if "MPI_Barrier on team" in line)
        self.assertTrue(all(barrier in line for line in ranks))
        self.assertIn("outside MPI", lines[-1])
        legend = {line.split()[0] for line in lines[5:]}
        self.assertEqual({letter for line in ranks for letter in line.split(maxsplit=2)[2]} - {" "}, legend)  # it has all that is drawn, and no more
        around = harness.run([harness.COMMAND, "timeline", run, "--around", "rank1", "--last", "100ms"], harness.base_environment(COLUMNS="80"), self.folder)
        self.assertEqual((around.code, around.stderr), (0, ""))
        self.assertIn("MPI_Finalize", around.stdout)
        no_hang = harness.run([harness.COMMAND, "timeline", run, "--around", "hang"], cwd=self.folder)
        self.assertEqual(no_hang.code, 1)
        self.assertIn("is inside a call", no_hang.stderr)
        nothing = harness.run([harness.COMMAND, "timeline", run, "--last", "soon"], cwd=self.folder)
        self.assertEqual(nothing.code, 2)

    def test_perfetto_gets_every_call_and_message(self):
        run, _ = self.record("exchanging", np=2, CALLSIGN_EVENTS="keep", CALLSIGN_RING="8M")
        result = harness.run([harness.COMMAND, "export", run, "--perfetto", "out.perfetto"], cwd=self.folder)
        self.assertEqual((result.code, result.stderr), (0, ""))
        trace = perfetto.Trace((self.folder / "out.perfetto").read_bytes())
        said = {(row["rank"], row["function"]): (row["events"], row["ns"]) for row in self.query(
            run, "SELECT rank, f.name AS function, count(*) AS events, sum(duration_ns) AS ns FROM event JOIN function f USING (function) GROUP BY 1, 2")}
        found = {}
        calls = [each for each in trace.slices if trace.tracks[trace.tracks[each.track][0]][1] != "communicators"]
        for each in calls:
            process = trace.tracks[trace.tracks[each.track][0]][1]
            key = (int(process.split()[1]), each.name)
            events, ns = found.get(key, (0, 0))
            found[key] = (events + 1, ns + each.end - each.start)
        self.assertEqual(found, said)
        (row,) = self.query(run, "SELECT count(*) AS messages FROM messages")
        self.assertEqual((len(trace.flows), row["messages"]), (18000, 18000))
        for ends in trace.flows.values():
            (source, sent), (dest, received) = sorted(((track, time) for track, time, _ in ends), key=lambda end: end[1])
            self.assertNotEqual(source, dest)
            self.assertEqual(sorted(last for _, _, last in ends), [False, True])
            self.assertIn((dest, received, True), ends)
            self.assertIn((source, sent, False), ends)
        names = {each.notes.get("communicator") for each in calls if each.name == "MPI_Isend"}
        self.assertEqual(names, {"MPI_COMM_WORLD"})
        sites = {each.notes.get("call_site") for each in calls if each.name == "MPI_Waitall"}
        self.assertEqual(len(sites), 1)
        self.assertIn("exchanging.c:", sites.pop())
        self.check_counters(run, trace)
        self.check_parts(run, trace)
        again = harness.run([harness.COMMAND, "export", run, "--perfetto", "out.perfetto"], cwd=self.folder)
        self.assertEqual(again.code, 1)
        self.assertIn("exists", again.stderr)

    def check_counters(self, run, trace):
        """What is sent arrives; the objects that live at the end are those that nobody freed."""
        counters = {(trace.tracks[parent][1] if parent else None, name): values for parent, name, values in
                    ((*trace.tracks[track], values) for track, values in trace.counters.items())}
        flight = [value for _, value in counters[None, "bytes in flight"]]
        self.assertEqual((flight[-1], min(flight)), (0, 0))
        self.assertGreater(max(flight), 0)
        for row in self.query(run, "SELECT rank, sum(freed_ns IS NULL) AS live FROM object WHERE created_ns IS NOT NULL AND NOT predefined AND NOT internal GROUP BY 1"):
            (values,) = (values for (process, name), values in counters.items() if name == "live objects" and process.split()[1] == str(row["rank"]))
            self.assertEqual(values[-1][1], row["live"])

    def check_parts(self, run, whole):
        """Several files have the same calls, and messages with both ends."""
        result = harness.run([harness.COMMAND, "export", run, "--perfetto", "part", "--split", "1"], cwd=self.folder)
        self.assertEqual((result.code, result.stderr), (0, ""))
        paths = sorted(self.folder.glob("part.*"), key=lambda path: int(path.suffix[1:]))
        self.assertGreater(len(paths), 2)
        slices, flows, last = [], {}, 0
        for path in paths:
            self.assertLess(path.stat().st_size, 2**20)
            part = perfetto.Trace(path.read_bytes())
            begins = [each.start for each in part.slices if part.tracks[part.tracks[each.track][0]][1] != "communicators"]
            self.assertGreaterEqual(min(begins), last)
            last = max(begins)
            slices += [(each.track, each.name, each.start, each.end, sorted(each.notes.items())) for each in part.slices]
            self.assertFalse(flows.keys() & part.flows.keys())
            flows.update(part.flows)
        self.assertTrue(all(len(ends) == 2 for ends in flows.values()))
        self.assertLessEqual(flows.keys(), whole.flows.keys())
        self.assertGreater(len(flows), 0.9 * len(whole.flows))
        self.assertEqual(sorted(slices), sorted((each.track, each.name, each.start, each.end, sorted(each.notes.items())) for each in whole.slices))

    def check_tracks(self, run):
        result = harness.run([harness.COMMAND, "export", run, "--perfetto", "out.perfetto"], cwd=self.folder)
        self.assertEqual((result.code, result.stderr), (0, ""))
        trace = perfetto.Trace((self.folder / "out.perfetto").read_bytes())
        found = [(trace.tracks[each.track][1], each.name, each.notes["collective"], each.notes["last_rank"], each.notes["wait_ns"]) for each in trace.slices
                 if trace.tracks[trace.tracks[each.track][0]][1] == "communicators"]
        rows = self.query(run, "SELECT object_name, function, collective, last_rank, wait_ns FROM collective_times")
        self.assertEqual(sorted(found), sorted(tuple(row.values()) for row in rows))
        self.assertLessEqual({"team", "field", "MPI_COMM_WORLD"}, {name for name, *_ in found})
        self.check_decoded(trace)

    def check_decoded(self, trace):
        """protoc knows every field, and finds the same slices."""
        if not shutil.which("protoc"):
            print("NOTHING WAS DECODED: there is no protoc", file=sys.stderr)
            return
        proto = pathlib.Path(perfetto.__file__).with_suffix(".proto")
        with open(self.folder / "out.perfetto", "rb") as file:
            done = harness.bounded.run(["protoc", f"--proto_path={proto.parent}", "--decode=Trace", proto.name], 60, stdin=file, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertNotRegex(done.stdout, r"(?m)^ *\d+[:{ ]")  # a field without a name
        self.assertEqual(done.stdout.count("type: TYPE_SLICE_BEGIN"), len(trace.slices))
        self.assertEqual(done.stdout.count("terminating_flow_ids:"), len(trace.flows))

    def test_all_events_are_kept_beyond_the_ring(self):
        run, _ = self.record("exchanging", np=2, CALLSIGN_EVENTS="all", CALLSIGN_RING="16K")
        (row,) = self.query(run, "SELECT count(*) AS messages, sum(bytes <> 4 * (1 + (nth - 1) % 7 + tag)) AS wrong, min(nth) AS first, "
                                 "max(nth) AS last FROM messages")
        self.assertEqual(row, {"messages": 18000, "wrong": 0, "first": 1, "last": 3000})
        self.assertEqual(self.query(run, "SELECT sum(damaged) AS damaged FROM processes"), [{"damaged": 0}])
        rows = self.query(run, "SELECT rank, function, sum(calls) AS calls FROM (SELECT rank, function, calls FROM event UNION ALL "
                               "SELECT rank, function, -calls FROM profile) GROUP BY 1, 2 HAVING sum(calls) <> 0 AND function NOT IN "
                               "(SELECT function FROM function WHERE name IN ('MPI_Comm_free', 'MPI_Finalize'))")
        self.assertEqual(rows, [])

    def wait_for_calls(self, ranks):
        """The run, as soon as all ranks wait in MPI."""
        for _ in harness.bounded.moments(40):
            folders = harness.run_folders(self.folder)
            if folders:
                result = harness.run([harness.COMMAND, "query", folders[0], "SELECT count(*) FROM waits WHERE call NOT LIKE 'MPI_Init%'", "-f", "csv"])
                if result.code == 0 and int(result.stdout.split()[1]) == ranks:
                    return folders[0]
        return self.fail("the ranks do not come to their calls")

    def test_a_running_job_gives_snapshots(self):
        settings = {key: value for key, value in harness.recording(self.folder).items() if key != "LD_PRELOAD"}
        command = [harness.COMMAND, "run", "--snapshot-on", "SIGUSR2", "--", *harness.launcher(4),
                   os.path.join(harness.PROGRAMS, "hung"), "deadlock", "90"]
        with harness.bounded.start(command, env=harness.base_environment(**settings), start_new_session=True, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                run = self.wait_for_calls(4)
                made = run.with_name(run.name.replace(".callsign", ".snapshot-1.db"))
                process.send_signal(signal.SIGUSR2)
                for _ in harness.bounded.moments(40):
                    if made.exists():
                        break
                self.assertTrue(made.exists())
                result = harness.run([harness.COMMAND, "snapshot", run])
                self.assertEqual((result.code, result.stderr), (0, ""))
                self.assertIsNone(process.poll())  # the job goes on
            finally:
                harness.bounded.end(process)
        for path in (made, made.with_name(made.name.replace("-1.db", "-2.db"))):
            rows = self.query(path, "SELECT rank, outcome, (SELECT count(*) > 0 FROM event e WHERE e.rank = p.rank) AS events "
                                    "FROM processes p ORDER BY rank")
            self.assertEqual(rows, [{"rank": rank, "outcome": "running", "events": 1} for rank in range(4)])

    def test_messages_are_joined_from_the_middle_of_a_ring(self):
        run, _ = self.record("exchanging", np=2, CALLSIGN_EVENTS="keep", CALLSIGN_RING="64K")
        (row,) = self.query(run, "SELECT count(*) AS messages, sum(bytes <> 4 * (1 + (nth - 1) % 7 + tag)) AS wrong, min(nth) AS first, "
                                 "max(nth) AS last FROM messages")
        self.assertGreater(row["messages"], 200)
        self.assertEqual(row["wrong"], 0)
        self.assertGreater(row["first"], 1000)
        self.assertEqual(row["last"], 3000)

    def test_what_was_cancelled_or_freed_leaves_doubt_only_where_it_was(self):
        """The program prints how many messages each rank got on each communicator, and whether which is which can be known."""
        run, result = self.record("cancelled", np=2, CALLSIGN_EVENTS="all")
        taken = [line.split()[1:] for line in result.stdout.splitlines() if line.startswith("taken ")]
        self.assertEqual(len(taken), 13)
        known = {(name, int(source)): int(messages) for name, source, messages, known in taken if known == "known"}
        rows = self.query(run, "SELECT communicator, source, count(*) AS messages, max(nth) AS last FROM messages GROUP BY 1, 2")
        self.assertEqual({(row["communicator"], row["source"]): row["messages"] for row in rows}, known)
        self.assertEqual([row for row in rows if row["messages"] != row["last"]], [])
        # A receive that took nothing is no message.
        self.assertEqual(self.query(run, "SELECT count(*) AS messages FROM event_message WHERE peer < 0"), [{"messages": 0}])


if __name__ == "__main__":
    unittest.main()
