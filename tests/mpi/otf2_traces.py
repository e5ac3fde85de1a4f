"""Traces that callsign export --otf2 writes, read by OTF2's own otf2-print: calls, messages, collective calls and one-sided operations are those of the
run. Run for each flavour."""

import collections
import json
import re
import sys
import unittest

import harness
import otf2  # noqa: E402  (harness sets the path)


@unittest.skipIf(harness.SANITIZER, "the recording needs the launcher preloaded with the sanitizer")
class Traces(unittest.TestCase):
    def setUp(self):
        temporary = harness.workspace()
        self.folder = temporary.__enter__()
        self.addCleanup(temporary.cleanup)

    def query(self, run, sql):
        result = harness.run([harness.COMMAND, "query", "--format", "json", run, sql], cwd=self.folder)
        self.assertEqual(result.code, 0, result.stderr)
        return json.loads(result.stdout)

    def export(self, np, *program, **settings):
        """Run folder and archive."""
        harness.mpirun(np, *program, extra={**harness.recording(self.folder), "CALLSIGN_EVENTS": "keep", "CALLSIGN_RING": "8M", **settings}, cwd=self.folder)
        (run,) = harness.run_folders(self.folder)
        harness.convert(run)
        result = harness.run([harness.COMMAND, "export", run, "--otf2", "trace"], cwd=self.folder)
        if "needs libotf2" in result.stderr:
            print("NO TRACE WAS WRITTEN: there is no libotf2", file=sys.stderr)
            self.skipTest("no libotf2 here")
        self.assertEqual((result.code, result.stderr), (0, ""))
        if not otf2.is_here():
            print("NO TRACE WAS READ: there is no otf2-print", file=sys.stderr)
            self.skipTest("no otf2-print here")
        (row,) = self.query(run, "SELECT count(*) AS calls FROM event")
        self.assertEqual(int(result.stdout.split()[0]), row["calls"])
        return run, self.folder / "trace/traces.otf2"

    def check_calls(self, run, events):
        """Regions nest, and are the calls of the run with their times."""
        rows = self.query(run, "SELECT e.rank, e.thread, f.name, e.start_ns - (SELECT min(start_ns) FROM event) AS start_ns, e.duration_ns "
                               "FROM event e JOIN function f USING (function)")
        said = collections.Counter((row["rank"], row["thread"], row["name"], row["start_ns"], row["start_ns"] + row["duration_ns"]) for row in rows)
        found, stack = collections.Counter(), collections.defaultdict(list)
        for each in events:
            open_calls = stack[each.rank, each.thread]
            if each.kind == "ENTER":
                open_calls.append((each.values["Region"], each.time))
            elif each.kind == "LEAVE":
                name, start = open_calls.pop()
                self.assertEqual(name, each.values["Region"])
                found[each.rank, each.thread, name, start, each.time] += 1
            else:
                self.assertTrue(open_calls, each)
        self.assertEqual(found, said)

    def check_completions(self, events):
        """A request of a send or a collective call ends once, after it began. Small messages share a request that is complete at once."""
        ended = {}
        for each in events:
            if each.kind in ("MPI_ISEND_COMPLETE", "NON_BLOCKING_COLLECTIVE_COMPLETE"):
                self.assertEqual(ended.setdefault((each.rank, each.thread, each.values["Request"]), each), each)
        begun = {(each.rank, each.thread, each.values["Request"]): each for each in events if each.kind in ("MPI_ISEND", "NON_BLOCKING_COLLECTIVE_REQUEST")}
        self.assertLessEqual(set(ended), set(begun))
        for key, each in ended.items():
            self.assertLessEqual(begun[key].time, each.time)
        return [(each.rank, each.values.get("Tag") if each.kind == "MPI_ISEND" else "collective") for key, each in begun.items() if key in ended]

    def check_python(self, archive, events):
        """Python's otf2 reads the same events."""
        if not otf2.python():
            print("PYTHON READ NO TRACE: there is no otf2 of Python", file=sys.stderr)
            return
        rows = otf2.rows_by_python(archive)
        read = [row for row in rows if row["kind"] != "Comm"]
        self.assertEqual(collections.Counter(row["kind"].upper() for row in read), collections.Counter(each.kind.replace("_", "") for each in events))
        self.assertEqual(collections.Counter((row["region"], row["time"]) for row in read if row["kind"] == "Enter"),
                         collections.Counter((each.values["Region"], each.time) for each in events if each.kind == "ENTER"))
        self.assertEqual(collections.Counter((row["receiver"], row["communicator"], row["msg_tag"], row["msg_length"]) for row in read if "receiver" in row),
                         collections.Counter((int(each.values["Receiver"]), each.values["Communicator"], int(each.values["Tag"]), int(each.values["Length"]))
                                             for each in events if "Receiver" in each.values))
        self.assertIn("team", {row["name"] for row in rows if row["kind"] == "Comm"})

    def check_locks(self, events):
        taken = collections.Counter((each.rank, each.values["Window"], int(each.values["Remote"]), each.values["Type"]) for each in events
                                    if each.kind == "RMA_ACQUIRE_LOCK")
        self.assertEqual(taken, {(0, "field", 1, "EXCLUSIVE"): 1, (1, "field", 1, "SHARED"): 1, (2, "field", 0, "EXCLUSIVE"): 1})
        self.assertEqual(sum(each.kind == "RMA_RELEASE_LOCK" for each in events), 3)

    def test_calls_and_messages_are_those_of_the_run(self):
        run, archive = self.export(2, "exchanging")
        events = otf2.events(archive)
        self.check_calls(run, events)
        sent, received, posted = collections.defaultdict(list), collections.defaultdict(list), set()
        for each in events:
            key = (each.values.get("Communicator"), each.values.get("Tag"))
            if each.kind in ("MPI_SEND", "MPI_ISEND"):
                sent[each.rank, int(each.values["Receiver"]), *key].append(int(each.values["Length"]))
            elif each.kind in ("MPI_RECV", "MPI_IRECV"):
                received[int(each.values["Sender"]), each.rank, *key].append(int(each.values["Length"]))
            if each.kind == "MPI_IRECV_REQUEST":
                posted.add((each.rank, each.values["Request"]))
            elif each.kind == "MPI_IRECV":
                posted.remove((each.rank, each.values["Request"]))
        self.assertEqual(posted, set())
        self.check_completions(events)
        self.assertEqual(sum(map(len, sent.values())), 18000)
        self.assertEqual({key: sorted(each) for key, each in sent.items()}, {key: sorted(each) for key, each in received.items()})
        sites = {each.values["call_site"] for each in events if each.kind == "ENTER" and each.values["Region"] == "MPI_Waitall"}
        self.assertEqual(len(sites), 1)
        self.assertRegex(sites.pop(), r"exchanging\.c:\d+")
        again = harness.run([harness.COMMAND, "export", run, "--otf2", "trace"], cwd=self.folder)
        self.assertEqual(again.code, 1)
        self.assertIn("not empty", again.stderr)
        self.assertEqual([path.name for path in self.folder.iterdir() if path.name.startswith("trace.")], [])

    def test_collective_calls_have_their_communicators(self):
        run, archive = self.export(3, "waiting")
        events = otf2.events(archive)
        self.check_calls(run, events)
        found = collections.Counter((each.rank, each.values["Communicator"], each.values["Operation"].replace("_", "").lower())
                                    for each in events if each.kind == "MPI_COLLECTIVE_END")
        said = collections.Counter()
        for row in self.query(run, "SELECT e.rank, e.object_name AS name, f.name AS function, count(*) AS calls FROM events e JOIN function f ON f.name = e.function "
                                   "WHERE f.class = 'collective' AND f.mode = 'blocking' GROUP BY 1, 2, 3"):
            said[row["rank"], row["name"], re.sub("^MPI_", "", row["function"]).replace("_", "").lower()] += row["calls"]
        self.assertEqual({key: calls for key, calls in found.items() if "handle" not in key[2]}, said)
        self.assertIn("team", {name for _, name, _ in said})
        completed = self.check_completions(events)
        self.assertLessEqual({(0, "9"), (2, "9"), (0, "17"), (0, "collective"), (1, "collective"), (2, "collective")}, set(completed))
        posted = [each.values["Request"] for each in events if each.kind == "MPI_IRECV_REQUEST" and each.rank == 0]
        started = [each.values["Request"] for each in events if each.kind == "MPI_IRECV" and each.rank == 0 and each.values["Tag"] == "16"]
        self.assertEqual((len(started), set(started) - set(posted)), (2, set()))
        self.check_locks(events)
        self.check_python(archive, events)
        fences = collections.Counter((each.rank, each.values["Window"]) for each in events if each.kind == "RMA_COLLECTIVE_END")
        rows = self.query(run, "SELECT rank, object_name AS name, count(*) AS calls FROM events WHERE function = 'MPI_Win_fence' GROUP BY 1, 2")
        self.assertEqual(fences, {(row["rank"], row["name"]): row["calls"] for row in rows})
        named = otf2.communicators(archive)
        self.assertIn(("MPI_COMM_WORLD", [0, 1, 2]), named)
        self.assertEqual(len([name for name, _ in named if name == "MPI_COMM_SELF"]), 1)
        roots = {(each.rank, int(each.values["Root"]), int(each.values["Sent"]) > 0, int(each.values["Received"]) > 0)
                 for each in events if each.kind == "MPI_COLLECTIVE_END" and each.values["Operation"] == "BCAST"}
        self.assertTrue(roots)
        for rank, root, sends, receives in roots:
            self.assertEqual((sends, receives), (rank == root, rank != root))

    def test_one_sided_operations_are_complete(self):
        run, archive = self.export(2, "one_sided")
        events = otf2.events(archive)
        self.check_calls(run, events)
        kinds = collections.Counter(each.kind for each in events)
        rows = {row["function"]: row["calls"] for row in self.query(
            run, "SELECT e.function, count(*) AS calls FROM events e JOIN function f ON f.name = e.function WHERE f.class = 'one-sided' AND f.transfer IS NOT NULL "
                 "AND e.peer >= 0 GROUP BY 1")}
        self.assertEqual(kinds["RMA_PUT"], rows.get("MPI_Put", 0) + rows.get("MPI_Rput", 0))
        self.assertEqual(kinds["RMA_GET"], rows.get("MPI_Get", 0) + rows.get("MPI_Rget", 0))
        self.assertEqual(kinds["RMA_PUT"] + kinds["RMA_GET"] + kinds["RMA_ATOMIC"], sum(rows.values()))
        begun = {(each.rank, each.values["Matching"]) for each in events if each.kind in ("RMA_PUT", "RMA_GET", "RMA_ATOMIC")}
        ended = [(each.rank, each.values["Matching"]) for each in events if each.kind == "RMA_OP_COMPLETE_REMOTE"]
        self.assertEqual((begun, len(ended)), (set(ended), len(set(ended))))
        self.assertIn("board", {each.values["Window"] for each in events if each.kind == "RMA_PUT"})

    def test_intercommunicators_have_two_groups(self):
        _, archive = self.export(4, "intercomm")
        inter = {name: members for name, members in otf2.communicators(archive) if members and isinstance(members[0], list)}
        self.assertIn(sorted(inter["bridge"]), ([[0, 2], [1, 3]], [[0, 1], [2, 3]]))

    def test_without_the_library_it_says_what_to_install(self):
        (self.folder / "empty").mkdir()
        for name in ("libotf2.so.10", "libopen-trace-format2.so.10"):
            (self.folder / "empty" / name).write_bytes(b"")
        result = harness.run([harness.COMMAND, "export", "any.callsign", "--otf2", "trace"], cwd=self.folder, env=harness.base_environment(LD_LIBRARY_PATH=str(self.folder / "empty")))
        self.assertEqual(result.code, 1)
        self.assertIn("otf2-tools", result.stderr)
        self.assertFalse((self.folder / "trace").exists())


if __name__ == "__main__":
    unittest.main()
