"""uid and family: equal on all processes that share an object, and different otherwise. Run for each flavour."""

import collections
import os
import unittest

import harness

OBJECTS = "SELECT rank, name, uid, family FROM object WHERE name GLOB 'truth/*' -- truth/FAMILY/OBJECT, FAMILY -1: not told"


class Identity(unittest.TestCase):
    def setUp(self):
        self.temporary = harness.workspace()
        self.folder = self.temporary.__enter__()
        self.addCleanup(self.temporary.cleanup)

    def record(self, np, program, *arguments):
        result = harness.mpirun(np, program, *arguments, extra=harness.recording(self.folder), cwd=self.folder, timeout=240)
        self.assertEqual((result.code, result.messages()), (0, []), result.stderr[-2000:])
        return [harness.open_trace(path) for path in harness.databases(self.folder).values()]

    def one_to_one(self, pairs):
        """Each left one has one right one, and the other way round."""
        there, back = collections.defaultdict(set), collections.defaultdict(set)
        for left, right in pairs:
            there[left].add(right)
            back[right].add(left)
        self.assertEqual({}, {left: right for left, right in there.items() if len(right) != 1})
        self.assertEqual({}, {right: left for right, left in back.items() if len(left) != 1})
        return len(there)

    def compare(self, traces, least):
        rows = [row for trace in traces for row in trace.execute(OBJECTS)]
        self.assertEqual([], [row for row in rows if row[2] is None])
        objects = self.one_to_one((name.split("/")[2], uid) for _, name, uid, _ in rows)
        self.assertGreater(objects, least)
        self.one_to_one((name.split("/")[1], family) for _, name, _, family in rows if name.split("/")[1] != "-1")
        shared = collections.Counter(uid for _, _, uid, _ in rows)
        self.assertGreater(sum(count > 1 for count in shared.values()), least // 2, "hardly anything was shared")

    def same_names(self, traces):
        """Derived names are the same on all members, too."""
        by_uid = collections.defaultdict(set)
        for trace in traces:
            for uid, name in trace.execute("SELECT o.uid, n.name FROM naming n JOIN object o USING (object) "
                                           "WHERE n.origin = 'derived' AND o.name GLOB 'truth/*'"):
                by_uid[uid].add(name)
        self.assertEqual({}, {uid: names for uid, names in by_uid.items() if len(names) > 1})

    def test_members_agree_after_a_hundred_random_creations(self):
        for np, seed in ((4, 1), (5, 2), (8, 3)):
            with self.subTest(np=np, seed=seed):
                self.setUp()
                traces = self.record(np, "identity", str(seed), "100")
                self.assertEqual(len(traces), np)
                self.compare(traces, 100)
                self.same_names(traces)

    def test_threads_may_create_at_once(self):
        traces = self.record(2, "identity", "4", "10", "threads")
        self.compare(traces, 40)

    @unittest.skipUnless(os.path.exists(os.path.join(harness.PROGRAMS, "sessions")), "this MPI has no sessions")
    def test_members_agree_without_a_world(self):
        traces = self.record(2, "sessions")
        uids = [dict(trace.execute("SELECT name, uid FROM object WHERE name GLOB 'of session *'")) for trace in traces]
        self.assertEqual(uids[0], uids[1])
        self.assertEqual(len(set(uids[0].values())), 10)
        self.assertNotIn(None, uids[0].values())

    @unittest.skipUnless(harness.FLAVOUR == "openmpi", "this MPICH cannot spawn processes")
    def test_spawned_worlds_agree_each_on_its_own(self):
        """Nothing that both worlds know tells them that they share an intercommunicator: each has its own uid for it."""
        traces = self.record(2, "spawning")
        self.assertEqual(len(traces), 4)
        uids = collections.Counter((size, name, uid) for trace in traces for size, name, uid in trace.execute(
            "SELECT (SELECT count(*) FROM object WHERE name = 'children'), name, uid FROM object "
            "WHERE name IN ('MPI_COMM_WORLD', 'MPI_COMM_PARENT', 'children')"))
        self.assertEqual(sorted((parent, name, count) for (parent, name, _), count in uids.items()),
                         [(0, "MPI_COMM_PARENT", 2), (0, "MPI_COMM_WORLD", 2), (1, "MPI_COMM_WORLD", 2), (1, "children", 2)])
        self.assertEqual(len({uid for _, _, uid in uids}), 4)

    def test_communicators_of_members_alone_have_names_of_their_own(self):
        uids = collections.defaultdict(set)
        for trace in self.record(4, "identity", "6", "40"):
            for name, uid in trace.execute("SELECT n.name, o.uid FROM naming n JOIN object o USING (object) WHERE n.origin = 'derived' "
                                           "AND (n.name LIKE '%.group%' OR n.name LIKE '%inter%')"):
                uids[name].add(uid)
        self.assertGreater(len(uids), 5)
        self.assertEqual({name: len(found) for name, found in uids.items() if len(found) > 1}, {})

    def test_numbers_differ_between_runs_and_names_do_not(self):
        names, uids = [], []
        for _ in range(2):
            self.setUp()
            traces = self.record(2, "identity", "5", "20")
            names.append([row for trace in traces for row in trace.execute(
                "SELECT rank, object, name FROM naming WHERE origin = 'derived' ORDER BY 1, 2")])
            uids.append({row for trace in traces for row in trace.execute("SELECT uid FROM object WHERE uid IS NOT NULL")})
        self.assertEqual(names[0], names[1])
        self.assertGreater(len(names[0]), 20)
        self.assertEqual(uids[0] & uids[1], set())


if __name__ == "__main__":
    unittest.main()
