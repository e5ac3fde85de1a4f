"""callsign whatif: forecasts are what a simulator of the changed program finds.

    test_whatif.py SEEDS TEST...   by hand: tests of random programs with so many of them
"""
import json
import sqlite3
import sys
import unittest

import fixture
from support import CommandTest

sys.path.append(str(fixture.TREE / "tests/support"))
from simulated_mpi import FUNCTION, IDEAL, Network, Simulation, random_program, scaled, useful  # noqa: E402  (the path must be set first)

SECONDS = 1e9
SEEDS = int(sys.argv.pop(1)) if sys.argv[1:] and sys.argv[1].isdigit() else None
START = 1000  # of the first event, where the replay begins


class UnevenNetwork(Network):
    """Every fourth end of a collective call comes a millisecond late, as if the rank had lost its core."""
    ends = 0

    def collective(self, ranks, size):
        self.ends += 1
        return super().collective(ranks, size) + 1_000_000 * (self.ends % 4 == 0)


class WhatIf(CommandTest):
    def ask_whatif(self, program, *options, network=Network()):
        """(length of the run, what callsign says)"""
        recorded = Simulation(program, network)
        path = self.folder / "run.db"
        path.unlink(missing_ok=True)
        recorded.write(path)
        return (recorded.length - START) / SECONDS, json.loads(self.answer("whatif", path, "--format", "json", *options))

    def simulated(self, program, network=Network()):
        return (Simulation(program, network).length - START) / SECONDS

    def seconds(self, said, kind, **fields):
        (found,) = [row["seconds"] for row in said["answers"] if row["kind"] == kind and all(row[name] == value for name, value in fields.items())]
        return found

    def assert_near(self, found, expected, what, off=0.01):
        self.assertLess(abs(found - expected), off * expected, f"{what}: {found} instead of {expected}")

    def test_forecasts_of_random_programs_are_those_of_a_simulator(self):
        for seed in range(SEEDS or 5):
            program = random_program(seed)
            length, said = self.ask_whatif(program)
            work = useful(program)
            self.assertEqual(said["replayed_seconds"], length, seed)
            self.assert_near(said["fitted_seconds"], length, f"seed {seed}, fitted", 0.03)
            self.assert_near(self.seconds(said, "ideal_network"), self.simulated(program, IDEAL), f"seed {seed}, ideal")
            mean = sum(work) / len(work)
            self.assert_near(self.seconds(said, "balance"), self.simulated(scaled(program, [mean / each for each in work])), f"seed {seed}, balance")
            without = [[call for call in calls if call[0] != "barrier"] for calls in program]
            self.assert_near(self.seconds(said, "no_barriers"), self.simulated(without), f"seed {seed}, barriers")
            late = max(range(4), key=work.__getitem__)
            median = sum(sorted(work)[1:3]) / 2
            if work[late] > 1.05 * median:
                factors = [median / work[late] if rank == late else 1 for rank in range(4)]
                self.assert_near(self.seconds(said, "late_rank", rank=late), self.simulated(scaled(program, factors)), f"seed {seed}, late rank")

    def test_a_wish_is_answered_alone(self):
        program = random_program(7)
        _, said = self.ask_whatif(program, "--rank", "2", "--faster", "40%")
        self.assertEqual([row["kind"] for row in said["answers"]], ["faster_rank"])
        self.assert_near(said["answers"][0]["seconds"], self.simulated(scaled(program, [1, 1, 0.6, 1])), "faster rank")
        _, said = self.ask_whatif(program, "--latency", "52us")
        self.assert_near(said["answers"][0]["seconds"], self.simulated(program, Network(latency=52_000)), "latency", 0.05)

    def test_other_numbers_of_ranks_on_a_node(self):
        far = 60_000
        for seed in range(5, 5 + (SEEDS or 1)):
            program = random_program(seed, phases=150)
            for recorded, asked in ((2, 1), (2, 4)):
                length, said = self.ask_whatif(program, "--ranks-per-node", asked, network=Network(far=far, per_node=recorded))
                expected = self.simulated(program, Network(far=far, per_node=asked))
                self.assertGreater(abs(expected - length), 0.1 * length)
                self.assert_near(self.seconds(said, "placement"), expected, f"seed {seed}, {asked} instead of {recorded}", 0.05)
        _, said = self.ask_whatif(program, "--ranks-per-node", 1, "--latency", "60us", "--bandwidth", "5GB/s")
        self.assert_near(self.seconds(said, "placement"), self.simulated(program, Network(far=far, per_node=1)), "from one node", 0.05)
        self.refuse("whatif", self.folder / "run.db", "--ranks-per-node", 1, code=2, saying="--latency")
        self.refuse("whatif", self.folder / "run.db", "--ranks-per-node", 0, code=2, saying="number of ranks")

    def test_each_distance_has_a_network_of_its_own(self):
        """Rank 0 exchanges messages with rank 1 of its package, 2 of its node and 4 of another one."""
        program = [[("work", START, 1), ("barrier",)] for _ in range(5)]
        for step in range(60):
            peer, size = (1, 2, 4)[step % 3], (8, 100_000)[step // 3 % 2]
            program[0] += [("work", 1000, 2), ("send", peer, 0, size), ("recv", peer, 1, size)]
            program[peer] += [("work", 1000, 3), ("recv", 0, 0, size), ("send", 0, 1, size)]
        networks = {"package": (2000, 10), "node": (9000, 10), "remote": (60_000, 5)}
        recorded = Network(overhead=0, rendezvous=False, far=60_000, per_node=4, across=9000, per_package=2)
        _, said = self.ask_whatif(program, "--ranks-per-node", 1, network=recorded)
        self.assertEqual([row["distance"] for row in said["networks"]], list(networks))
        for row in said["networks"]:
            latency, bandwidth = networks[row["distance"]]
            self.assert_near(row["latency_seconds"] * SECONDS, latency, row["distance"], 0.1)
            self.assert_near(row["bytes_per_second"], bandwidth * 1e9, row["distance"], 0.2)
        apart = Network(overhead=0, rendezvous=False, far=60_000, per_node=1)
        self.assert_near(self.seconds(said, "placement"), self.simulated(program, apart), "apart", 0.05)
        self.assertRegex(" ".join(self.answer("whatif", self.folder / "run.db").split()), r"\(latency 2\.\d+ us and [\d.]+ GB/s in a package, [89]\.\d+ us .* between nodes\)")

    def test_the_critical_path_is_told_before_and_after(self):
        """Rank 1 is late at site 5, rank 2 at site 6. With rank 1 as fast as the median, it is still late at 5."""
        begin, unit = [("work", START, 1), ("barrier",)], 100_000
        program = [begin + [call for _ in range(50) for call in (("work", (1 + 2 * (rank == 1)) * unit, 5), ("allreduce",), ("work", (1 + (rank == 2)) * unit, 6), ("allreduce",))]
                   for rank in range(3)]
        _, said = self.ask_whatif(program, network=Network(latency=100, overhead=20))
        paths = {kind: [(row["part"], row["site"], row["rank"], round(row["percent"]), round(row["rank_percent"])) for row in said["paths"] if row["kind"] == kind]
                 for kind in ("nothing", "late_rank")}
        self.assertEqual(paths["nothing"], [("before", 5, 1, 60, 100), ("before", 6, 2, 40, 100)])
        self.assertEqual(paths["late_rank"][:2], [("before", 5, 1, 53, 100), ("before", 6, 2, 47, 100)])
        text = " ".join(self.answer("whatif", self.folder / "run.db").split())
        self.assertIn("Critical path: 60 % code before an unknown call site (rank 1), 40 % code before an unknown call site (rank 2)", text)
        self.assertIn("Then the critical path: 54 % code before", text)
        self.assertNotIn("Then the critical path: 53 % code before", text)  # the parts of the run as it is, in their order

    def test_a_balanced_program_gains_nothing(self):
        program = [[call for _ in range(50) for call in (("work", 100_000, 5), ("allreduce",))] for _ in range(3)]
        _, said = self.ask_whatif(program, network=Network(latency=100, overhead=20))
        for row in said["answers"]:
            self.assertLess(row["saved_percent"], 3, row)
        self.assertGreater(said["serialization_percent"], 99)
        self.assertIn("No change that callsign tries gains", self.answer("whatif", self.folder / "run.db"))
        self.assertNotIn("were as fast", self.answer("report", self.folder / "run.db"))

    def test_overview_says_what_a_faster_late_rank_gains(self):
        begin = [("work", START, 1), ("barrier",)]
        late = [begin + [call for _ in range(50) for call in (("work", 100_000 * (1 + (rank == 2)), 5), ("allreduce",))] for rank in range(3)]
        length, said = self.ask_whatif(late)
        seconds = self.seconds(said, "late_rank", rank=2)
        overview = " ".join(self.answer("report", self.folder / "run.db").split())
        self.assertIn(f"If rank 2 were as fast as the median rank between calls: {1e3 * seconds:.2f} ms instead of {1e3 * length:.1f} ms"
                      f" ({100 * (1 - seconds / length):.1f} % less): callsign whatif", overview)
        database = sqlite3.connect(self.folder / "run.db")
        database.execute("DELETE FROM event WHERE event = 1 AND rank = 1")
        database.commit()
        database.close()
        self.assertNotIn("If rank 2", self.answer("report", self.folder / "run.db"))

    def test_overview_replays_only_runs_with_few_events(self):
        """The same view, with a limit that this run exceeds."""
        program = [[("work", START, 1), ("barrier",), ("work", 100_000 * (1 + rank), 5), ("allreduce",)] for rank in range(3)]
        self.ask_whatif(program)
        (view,) = (text for name, text, _ in fixture.embed.views() if name == "gain_findings")
        select = view[view.index("WITH asked"):]
        for limit, kind in ((200000, "gain"), (3, "not_forecast")):
            sql = select.replace("200001", str(limit + 1)).replace("200000", str(limit))
            self.assertEqual([row["kind"] for row in self.ask(self.folder / "run.db", sql)], [kind])

    def test_without_a_kind_of_wait_its_time_is_gone(self):
        """Rank 1 waits 4 ms for a message, then rank 0 5 ms in a reduction, whose root it is; nothing waits elsewhere."""
        unit, begin = 1_000_000, [("work", START, 1), ("barrier",)]
        program = [begin + [("work", 5 * unit, 3), ("send", 1, 0, 8), ("reduce", 0)],
                   begin + [("work", unit, 3), ("recv", 0, 0, 8), ("work", 5 * unit, 4), ("reduce", 0)]]
        length, said = self.ask_whatif(program, network=IDEAL)
        self.assert_near(length, 10 * unit / SECONDS, "recorded")
        self.assert_near(self.seconds(said, "no_late_sender"), 6 * unit / SECONDS, "no late sender")
        self.assert_near(self.seconds(said, "no_early_reduce"), 10 * unit / SECONDS, "no early reduce")
        self.assertEqual([row["kind"] for row in said["answers"] if row["kind"].startswith("no_")], ["no_late_sender", "no_early_reduce"])

    def test_epochs_and_locks_wait_for_their_other_side(self):
        begin, unit = [("work", START, 1), ("barrier",)], 100_000

        def epochs(late):
            return [begin + [call for _ in range(20) for call in (("work", unit, 2), ("win_start", 1), ("work", 2 * unit, 3), ("win_complete", 1))],
                    begin + [call for _ in range(20) for call in (("work", int(late * 4 * unit), 2), ("win_post", 0), ("win_wait", 0))]]

        def locks():
            return [begin + [call for turn in range(20) for call in (
                ("work", unit, 2), ("barrier",), ("work", (1 + rank) * unit // 10, 3), ("win_lock", 0), ("work", 4 * unit if rank == 1 else unit, 4), ("win_unlock", 0))]
                for rank in range(3)]

        _, said = self.ask_whatif(epochs(1), "--rank", 1, "--faster", "75%", network=IDEAL)
        self.assert_near(self.seconds(said, "faster_rank"), self.simulated(epochs(0.25), IDEAL), "epochs")
        whole = locks()
        for rank in (0, 1):
            _, said = self.ask_whatif(whole, "--rank", rank, "--faster", "50%", network=IDEAL)
            self.assert_near(self.seconds(said, "faster_rank"), self.simulated(scaled(whole, [0.5 if each == rank else 1 for each in range(3)]), IDEAL), f"locks, rank {rank}")

    def test_a_lock_of_all_targets_waits_for_exclusive_locks(self):
        """In turn: ranks 1 and 2 hold exclusive locks of two targets while rank 0 locks all; then rank 2 waits for ranks 0 and 1, which have locked all."""
        begin, unit, everywhere = [("work", START, 1), ("barrier",)], 100_000, [("barrier",), ("work", 50_000, 2)]

        def turn(rank):
            alone = [[("recv", 1, 0, 8), ("recv", 2, 0, 8), ("work", unit, 3), ("win_lock_all", None), ("work", unit, 4), ("win_unlock_all", None)],
                     [("win_lock", 0), ("send", 0, 0, 8), ("work", 4 * unit, 5), ("win_unlock", 0)], [("win_lock", 1), ("send", 0, 0, 8), ("work", 3 * unit, 6), ("win_unlock", 1)]]
            shared = [[("win_lock_all", None), ("send", 2, 0, 8), ("work", 5 * unit, 7), ("win_unlock_all", None)],
                      [("win_lock_all", None), ("send", 2, 0, 8), ("work", 4 * unit, 8), ("win_unlock_all", None)],
                      [("recv", 0, 0, 8), ("recv", 1, 0, 8), ("work", unit, 9), ("win_lock", 1), ("work", unit, 9), ("win_unlock", 1)]]
            return everywhere + alone[rank] + everywhere + shared[rank]

        program, network = [begin + turn(rank) * 10 for rank in range(3)], Network(100, 20)
        length, _ = self.ask_whatif(program, network=network)
        self.assert_near(length, (10 * (0.5 + 5 + 0.5 + 6) * unit) / SECONDS, "recorded")
        for rank in range(3):
            _, said = self.ask_whatif(program, "--rank", rank, "--faster", "60%", network=network)
            expected = self.simulated(scaled(program, [0.4 if each == rank else 1 for each in range(3)]), network)
            self.assertLess(expected, 0.96 * length)
            self.assert_near(self.seconds(said, "faster_rank"), expected, f"rank {rank}")
        waits = self.ask(self.folder / "run.db", "SELECT rank, cause, sum(wait_ns) AS ns FROM wait_states WHERE kind = 'wait_for_lock' GROUP BY 1, 2 ORDER BY 1")
        self.assertEqual([(row["rank"], row["cause"], round(row["ns"] / unit)) for row in waits], [(0, 1, 30), (2, 0, 40)])
        _, rows = self.ask_delays(program, network)
        (waits,) = self.ask(self.folder / "run.db", "SELECT sum(wait_ns) / 1e9 AS seconds FROM wait_states")
        self.assertAlmostEqual(sum(row["seconds"] for row in rows), waits["seconds"], places=9)
        self.assertLessEqual({(0, 7), (1, 5)}, {(row["rank"], row["site"]) for row in rows})

    def test_lazy_locks_wait_where_they_are_taken(self):
        """Rank 0 holds a lock for which rank 1, then rank 2 ask: their flushes, or their unlocks, wait."""
        begin, unit = [("work", START, 1), ("barrier",)], 100_000

        def turn(rank, flush):
            asks = ([("recv", rank - 1, 0, 8)] if rank else []) + [("win_lock", 0)]
            takes = [("win_flush", 0)] if flush or not rank else []
            tells = [("send", rank + 1, 0, 8)] if rank < 2 else []
            return [("barrier",), ("work", unit, 2)] + asks + (tells + takes if rank else takes + tells) + [("work", (6 - rank) * unit, 4), ("win_unlock", 0)]

        for flush in (True, False):
            program, network = [begin + turn(rank, flush) * 10 for rank in range(3)], Network(100, 20, lazy=True)
            length, _ = self.ask_whatif(program, network=network)
            for rank in (0, 1):
                _, said = self.ask_whatif(program, "--rank", rank, "--faster", "60%", network=network)
                expected = self.simulated(scaled(program, [0.4 if each == rank else 1 for each in range(3)]), network)
                self.assertEqual(expected < 0.9 * length, flush or rank == 0)
                self.assert_near(self.seconds(said, "faster_rank"), expected, f"rank {rank}, flush {flush}")

    def test_a_region_without_its_time(self):
        """step contains step/solve; both call one exchange, which a site alone could not tell apart."""
        begin, unit = [("work", START, 1), ("barrier",)], 100_000

        def program(step, solve):
            return [begin + [call for _ in range(20) for call in (
                ("work", unit, 2), ("pcontrol", "step", 2), ("work", int(step * (1 + rank) * unit), 5), ("allreduce",), ("pcontrol", "step/solve", 3),
                ("work", int(solve * (3 - rank) * unit), 5), ("allreduce",), ("work", int(solve * unit), 4), ("pcontrol", "step", 4),
                ("work", int(step * unit), 6), ("pcontrol", "", 6))] for rank in range(3)]

        _, said = self.ask_whatif(program(1, 1), network=IDEAL)
        for path, changed in (("step", program(0, 0)), ("step/solve", program(1, 0))):
            self.assert_near(self.seconds(said, "free_region", region=path), self.simulated(changed, IDEAL), path)
        for name, changed in (("step", program(0.5, 0.5)), ("solve", program(1, 0.5))):
            _, said = self.ask_whatif(program(1, 1), "--region", name, "--faster", "50%", network=IDEAL)
            self.assert_near(self.seconds(said, "faster_region"), self.simulated(changed, IDEAL), name)
        self.refuse("whatif", self.folder / "run.db", "--region", "solve", code=2, saying="--faster")
        self.refuse("whatif", self.folder / "run.db", "--region", "other", "--faster", "10", code=2, saying="no region other")
        # without knowing which region a call begins, no region is asked for
        ambiguous = [[("pcontrol", call[1], 3) if call[0] == "pcontrol" else call for call in calls] for calls in program(1, 1)]
        _, said = self.ask_whatif(ambiguous, network=IDEAL)
        self.assertNotIn("free_region", [row["kind"] for row in said["answers"]])

    def test_efficiencies_are_those_of_pop(self):
        program = random_program(11)
        length, said = self.ask_whatif(program)
        most = max(useful([calls[1:] for calls in program])) / SECONDS
        self.assert_near(said["serialization_percent"], 100 * most / self.simulated(program, IDEAL), "serialization")
        self.assert_near(said["transfer_percent"], 100 * self.simulated(program, IDEAL) / length, "transfer")

    def test_calls_that_are_not_explained_promise_nothing(self):
        program = [[("work", START, 1), ("barrier",)] + [call for _ in range(40) for call in (("work", 100_000 * (1 + 3 * (rank == 1)), 5), ("allreduce",))] for rank in range(3)]
        length, said = self.ask_whatif(program, network=UnevenNetwork())
        self.assertEqual(said["replayed_seconds"], length)
        self.assertGreater(length - said["fitted_seconds"], 0.1 * length)
        claimed = {row["kind"]: row["claimed"] for row in said["answers"]}
        self.assertLessEqual({"ideal_network": 0, "free_site": 0, "free_object": 0, "late_rank": 1, "balance": 1}.items(), claimed.items())
        self.assertFalse([row for row in said["answers"] if (row["seconds"] is not None) != row["claimed"]])
        self.assertIsNone(said["transfer_percent"])
        text = " ".join(self.answer("whatif", self.folder / "run.db").split())
        self.assertIn("callsign makes no forecast for other networks, or for calls that take no time.", text)
        self.assertNotIn("If the network", text)
        self.assertNotIn("If the calls", text)

    def test_a_run_without_events_has_no_answer(self):
        path = self.folder / "run.db"
        Simulation([[], []], Network()).write(path)
        self.assertIn("No events", self.answer("whatif", path))

    def test_wrong_options_are_refused(self):
        program = random_program(3, phases=5)
        self.ask_whatif(program)
        run = self.folder / "run.db"
        self.refuse("whatif", run, "--rank", "2", code=2, saying="--faster")
        self.refuse("whatif", run, "--rank", "9", "--faster", "10", code=2, saying="rank 9")
        self.refuse("whatif", run, "--latency", "fast", code=2, saying="no latency")
        self.refuse("whatif", run, "--without-site", "nowhere.c", code=2, saying="nowhere.c")

    def ask_delays(self, program, network):
        path = self.folder / "run.db"
        path.unlink(missing_ok=True)
        Simulation(program, network).write(path)
        return path, json.loads(self.answer("report", path, "delays", "--format", "json"))

    def test_delays_in_a_chain_are_those_of_their_definition(self):
        """A works 5 s while B and C work 1 s; B works 1 s more before it sends on: B waits 4 s, C waits 5 s."""
        begin = [("work", 1000, 3), ("barrier",)]
        f, g, unit = 11, 12, 10_000_000
        program = [begin + [("work", 5 * unit, f), ("send", 1, 0, 8)],
                   begin + [("work", unit, f), ("recv", 0, 0, 8), ("work", unit, g), ("send", 2, 0, 8)],
                   begin + [("work", unit, f), ("recv", 1, 0, 8)]]
        _, rows = self.ask_delays(program, IDEAL)
        found = {(row["rank"], row["part"], row["site"]): (row["direct_seconds"] * SECONDS / unit, row["indirect_seconds"] * SECONDS / unit) for row in rows}
        self.assertEqual(found.keys(), {(0, "before", f), (1, "before", g)})
        for key, expected in (((0, "before", f), (4, 4)), ((1, "before", g), (1, 0))):
            for value, wanted in zip(found[key], expected):
                self.assertAlmostEqual(value, wanted, places=6, msg=str(found))

    def costs_by_definition(self, path, program):
        """{(rank, part, site): [direct, indirect]} in ns: each wait keeps the shares of its causes, and hands them on. Slow and simple."""
        first = max(self.ask(path, f"SELECT min(start_ns) AS first FROM event WHERE rank = {rank}")[0]["first"] for rank in range(len(program)))
        waits = self.ask(path, "SELECT rank, cause, start_ns, start_ns + wait_ns AS end_ns FROM wait_states ORDER BY end_ns, rank")
        events = self.ask(path, "SELECT rank, site, start_ns, start_ns + duration_ns AS end_ns, function, collective FROM event ORDER BY rank, event")
        spent = {rank: [] for rank in range(len(program))}  # (code, begin, end), without waits
        for rank, parts in spent.items():
            at = first
            waited = {row["start_ns"]: row["end_ns"] for row in waits if row["rank"] == rank}
            for event in (each for each in events if each["rank"] == rank):
                parts.append((("before", event["site"]), at, event["start_ns"]))
                at = waited.get(event["start_ns"], event["start_ns"])
                parts.append((("in", event["site"]), at, event["end_ns"]))
                at = event["end_ns"]
        entered = {}
        for event in events:
            if event["function"] in (FUNCTION["barrier"], FUNCTION["allreduce"]):
                entered.setdefault(event["collective"], []).append(event["start_ns"])
        common = sorted(max(each) for each in entered.values())
        costs, shares, paired = {}, [], {}

        def during(rank, start, end):
            sums = {}
            for code, begin, until in spent[rank]:
                if min(until, end) > max(begin, start):
                    sums[code] = sums.get(code, 0) + min(until, end) - max(begin, start)
            return sums

        for number, wait in enumerate(waits):
            late, end, length = wait["cause"], wait["end_ns"], wait["end_ns"] - wait["start_ns"]
            pair = frozenset((wait["rank"], late))
            since, order = max([(each, sum(row["end_ns"] <= each for row in waits)) for each in common if each < end] + [paired.get(pair, (first, 0))])
            own = during(wait["rank"], since, end)
            delays = {(late, *code): more for code, ns in during(late, since, end).items() if (more := ns - own.get(code, 0)) > 0}
            before = [share for row, share in list(zip(waits, shares))[order:] if row["rank"] == late]
            whole = max(sum(delays.values()) + sum(sum(share.values()) for share in before), length)
            share = {}
            for cause, ns in delays.items():
                share[cause] = ns * length / whole
                costs.setdefault(cause, [0, 0])[0] += share[cause]
            for cause, ns in ((cause, ns) for each in before for cause, ns in each.items()):
                share[cause] = share.get(cause, 0) + ns * length / whole
                costs.setdefault(cause, [0, 0])[1] += ns * length / whole
            share[None] = share.get(None, 0) + length - sum(share.values())
            shares.append(share)
            paired[pair] = (end, number + 1)
        return {cause: cost for cause, cost in costs.items() if cause}

    def test_delays_of_random_programs_are_those_of_their_definition(self):
        for seed in range(40, 40 + (SEEDS or 1)):
            program = random_program(seed, phases=40)
            path, rows = self.ask_delays(program, Network())
            expected = self.costs_by_definition(path, program)
            found = {(row["rank"], row["part"], row["site"]): [row["direct_seconds"] * SECONDS, row["indirect_seconds"] * SECONDS] for row in rows if row["rank"] is not None}
            self.assertEqual(found.keys(), {cause for cause, cost in expected.items() if sum(cost) > 0}, f"seed {seed}")
            for cause, cost in found.items():
                for value, wanted in zip(cost, expected[cause]):
                    self.assertAlmostEqual(value, wanted, delta=1e-6 * (1 + wanted), msg=f"seed {seed}, {cause}")

    def test_a_collective_call_synchronizes_all_its_members(self):
        """Ranks 0 and 1 wait for rank 2. Then rank 0 waits 4 units for rank 1, which took longer since, though not in all."""
        begin, c, unit = [("work", 1000, 3), ("barrier",)], 11, 10_000_000
        program = [begin + [("work", 5 * unit, c), ("allreduce",), ("work", 2 * unit, c), ("allreduce",)],
                   begin + [("work", unit, c), ("allreduce",), ("work", 6 * unit, c), ("allreduce",)],
                   begin + [("work", 9 * unit, c), ("allreduce",), ("work", 3 * unit, c), ("allreduce",)]]
        _, rows = self.ask_delays(program, IDEAL)
        found = {row["rank"]: (row["direct_seconds"] * SECONDS / unit, row["indirect_seconds"] * SECONDS / unit) for row in rows}
        self.assertEqual(found.keys(), {1, 2}, found)
        for rank, expected in ((1, 7), (2, 12)):
            self.assertAlmostEqual(found[rank][0], expected, places=6, msg=str(found))
            self.assertAlmostEqual(found[rank][1], 0, places=6, msg=str(found))

    def test_other_threads_have_delays_and_forecasts(self):
        """A second thread of rank 0 waits four times for one of rank 1; what that did before its first call is not known."""
        begin, unit = [("work", 1000, 3), ("barrier",)], 100_000
        path = self.folder / "run.db"
        Simulation([begin + [("recv", 1, 7, 8)] * 4, begin + [("work", unit, 9), ("send", 0, 7, 8)] * 4], IDEAL).write(path)
        database = sqlite3.connect(path)
        database.execute("UPDATE event SET thread = 1 WHERE tag = 7")
        database.commit()
        database.close()
        rows = json.loads(self.answer("report", path, "delays", "--format", "json"))
        self.assertEqual([(row["rank"], row["part"], row["site"], round(row["seconds"] * SECONDS)) for row in rows],
                         [(1, "before", 9, 3 * unit), (None, "unknown", None, unit)])
        said = json.loads(self.answer("whatif", path, "--format", "json", "--rank", 1, "--faster", "50%"))
        self.assert_near(said["recorded_seconds"], 4 * unit / SECONDS, "recorded")
        self.assert_near(self.seconds(said, "faster_rank"), 2.5 * unit / SECONDS, "a faster rank")

    def test_both_threads_of_a_faster_rank_are_faster(self):
        """Two threads of rank 0 exchange messages with those of rank 1; its second one is the last. In the simulator they are four ranks."""
        begin, unit, path, network = [("work", START, 3), ("barrier",)], 100_000, self.folder / "run.db", Network(100, 20)

        def exchange(work, site, first, second):
            return begin + [("work", int(work * unit), site), (*first, 8), (*second, 8)] * 10

        def threads(factor):
            return [exchange(2, 4, ("send", 1, 0), ("recv", 1, 1)), exchange(3 * factor, 5, ("recv", 0, 0), ("send", 0, 1)),
                    exchange(1, 6, ("send", 3, 7), ("recv", 3, 8)), exchange(4 * factor, 7, ("recv", 2, 7), ("send", 2, 8))]

        Simulation(threads(1), network).write(path)
        database = sqlite3.connect(path)
        database.executescript(f"UPDATE event SET function = {FUNCTION['pcontrol']}, object = 0, collective = NULL WHERE rank >= 2 AND collective; UPDATE event SET thread = 1, rank = rank - 2, peer = peer - 2 WHERE rank >= 2;"
                               " DELETE FROM process WHERE rank >= 2; DELETE FROM object WHERE rank >= 2; DELETE FROM communicator WHERE rank >= 2; DELETE FROM traffic WHERE rank >= 2;"
                               " UPDATE process SET world_size = 2, threads = 2; UPDATE communicator SET size = 2")
        database.close()
        for factor in (0.6, 0.25):
            said = json.loads(self.answer("whatif", path, "--format", "json", "--rank", 1, "--faster", f"{100 * (1 - factor)}%"))
            self.assert_near(said["recorded_seconds"], 40 * unit / SECONDS, "recorded")
            self.assert_near(self.seconds(said, "faster_rank"), self.simulated(threads(factor), network), f"factor {factor}")

    def test_many_ranks_have_delays(self):
        """Rank 70 of 80 is late each time."""
        program = [[("work", 1000, 3), ("barrier",)] + [call for _ in range(4) for call in (("work", 100_000 * (1 + (rank == 70)), 5), ("allreduce",))]
                   for rank in range(80)]
        _, rows = self.ask_delays(program, IDEAL)
        self.assertEqual([(row["rank"], row["part"], row["site"]) for row in rows], [(70, "before", 5)])
        self.assertAlmostEqual(rows[0]["seconds"] * SECONDS, 79 * 4 * 100_000, places=3)

    def test_delays_of_random_programs_add_up_to_the_waits(self):
        for seed in range(20, 20 + (SEEDS or 2)):
            path, rows = self.ask_delays(random_program(seed, phases=100), Network())
            (waits,) = self.ask(path, "SELECT sum(wait_ns) / 1e9 AS seconds, min(start_ns) AS first FROM wait_states")
            self.assertAlmostEqual(sum(row["seconds"] for row in rows) / waits["seconds"], 1, places=9, msg=f"seed {seed}")
            self.assertLess(sum(row["seconds"] for row in rows if row["part"] == "unknown"), 0.01 * waits["seconds"], f"seed {seed}")


if __name__ == "__main__":
    unittest.main()
