"""`callsign compare`: what changed from some runs to others, what only looks so, and the rules for CI."""
import json
import pathlib
import random
import unittest
import xml.etree.ElementTree as xml

import fixture
from support import CommandTest

HOSTILE = "a|b`` <&\"'>]]> \x1b]0;owned\x07 \u202e \ufffe @all *x* \\"


def functions(db):
    """The call sites lie in functions, as where debug information is there."""
    db.execute("UPDATE frame SET function = 'exchange', file = 'solver.c', line = 10 WHERE frame = 11")
    db.execute("UPDATE frame SET function = 'make_grid', file = 'grid.c', line = 20 WHERE frame = 12")


def sql(*statements):
    def change(db):
        functions(db)
        for statement in statements:
            db.execute(statement)
    return change


MORE_CALLS = f"UPDATE profile SET calls = calls + 10 WHERE function = {fixture.RECV}"
MORE_LEAKS = "UPDATE object SET freed_ns = NULL WHERE object = 3"
CODE = """INSERT INTO stretch (rank, thread, communicator, object, region, from_function, from_site, function, site, stretches, time_ns, min_ns, max_ns, call_ns, seen_ns,
    exact_ns, core_ns, system_ns, sleeps, switches, minor_faults, major_faults, read_bytes, written_bytes, disk_bytes, others_ns, call_seen_ns, call_core_ns)
SELECT rank, 0, 1, 0, 0, 0, 0, {function}, site, 100, CAST(time_ns * {times} AS INT), 1, 9, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
FROM profile WHERE function = {function}"""
SLOWER = f"UPDATE profile SET time_ns = time_ns * 2 WHERE function = {fixture.RECV}"


class Compare(CommandTest):
    def run_of(self, label, *statements, ranks=2, **options):
        folder = self.folder / label
        folder.mkdir()
        run = fixture.make_run(folder, ranks=ranks, extra=sql(*statements), **options)
        return run.rename(folder / f"{label}.callsign")

    def noisy_runs(self, name, count, *statements, seed=0):
        noise = random.Random(seed)
        return [self.run_of(f"{name}{i}", f"UPDATE profile SET time_ns = CAST(time_ns * {1 + noise.random() / 10} AS INT)", *statements)
                for i in range(count)]

    def compare(self, base, new, *options, code=0):
        """The object of --format json."""
        base, new = ([side] if isinstance(side, pathlib.Path) else side for side in (base, new))
        done = self.call("compare", *base, "--", *new, "--format", "json", *options)
        self.assertEqual(done.returncode, code, done.stderr)
        return json.loads(done.stdout)

    def changes(self, base, new, verdicts=("more", "less", "perhaps more", "perhaps less")):
        return [row for row in self.compare(base, new)["changes"] if row["verdict"] in verdicts]


class OneRunEach(Compare):
    def test_counts_bytes_objects_and_leaks_compare_exactly(self):
        rows = self.changes(self.run_of("old"), self.run_of("new", MORE_CALLS, MORE_LEAKS,
                                        "UPDATE profile SET sent_bytes = sent_bytes + 1 WHERE communicator = 1"))
        found = {(row["scope"], row["metric"], row["communicator"] or row["kind"], row["function"], row["caller"]): (row["base"], row["new"]) for row in rows}
        self.assertEqual(found, {
            ("run", "leaks", None, None, None): (4, 6), ("run", "calls", None, None, None): (2422, 2442),
            ("run", "bytes", None, None, None): (851520, 851522),
            ("item", "leaks", "communicator", "MPI_Comm_split", "exchange"): (0, 2),
            ("item", "calls", "rows", "MPI_Recv", "exchange"): (200, 220),
            ("item", "bytes", "MPI_COMM_WORLD", "MPI_Allreduce", "exchange"): (32000, 32002)})

    def test_large_growth_is_a_ratio(self):
        old, new = self.run_of("old"), self.run_of("new", f"UPDATE profile SET calls = calls * 46 WHERE function = {fixture.RECV}")
        shown = self.call("compare", old, "--", new).stdout
        self.assertRegex(shown, r"(?m)more calls .* 46 times\b")
        self.assertNotIn("4500", shown.replace("4,500", "4500"))

    def test_what_changed_most_comes_first(self):
        rows = self.changes(self.run_of("old"), self.run_of("new", MORE_LEAKS, MORE_CALLS))
        self.assertEqual([row["metric"] for row in rows if row["scope"] == "item"], ["leaks", "calls"])
        self.assertGreater(rows[0]["weight"], rows[-1]["weight"])

    def test_times_get_no_verdict(self):
        base, new = self.run_of("old"), self.run_of("new", SLOWER)
        self.assertEqual(self.changes(base, new), [])
        untested = self.changes(base, new, ["untested"])
        self.assertEqual([(row["metric"], row["function"], row["base"], row["new"]) for row in untested if row["scope"] == "item"],
                         [("time", "MPI_Recv", 2, 4)])
        text = self.answer("compare", base, "--", new)
        self.assertNotIn("slower", text)
        self.assertIn("4 runs of each side", text)

    def test_other_lines_addresses_and_numbers_are_the_same_program(self):
        moved = ("UPDATE frame SET line = line + 7, offset = offset + 64", "UPDATE site SET site = site + 1000, frame = frame",
                 "UPDATE profile SET site = site + 1000 WHERE site", "UPDATE object SET site = site + 1000, freed_site = freed_site + 1000",
                 "UPDATE frame SET function = 'exchange.constprop.0' WHERE frame = 11",
                 "UPDATE frame SET function = 'make_grid (inlined into main)' WHERE frame = 12")
        self.assertEqual(self.compare(self.run_of("old"), self.run_of("new", *moved))["changes"], [])
        self.assertEqual(self.answer("compare", self.folder / "old/old.callsign", "--", self.folder / "new/new.callsign"),
                         "solver: 1 run of 2 ranks before, 1 run of 2 ranks after: nothing changed\n")

    def test_other_rank_count_compares_one_rank_with_one(self):
        document = self.compare(self.run_of("old"), self.run_of("new", ranks=4))
        rows = [row for row in document["changes"] if row["verdict"] in ("more", "less")]
        self.assertEqual({row["metric"] for row in rows}, {"ranks", "load"})
        self.assertIn("Figures are those of one rank", self.answer("compare", self.folder / "old/old.callsign", "--", self.folder / "new/new.callsign"))
        one = self.changes(self.folder / "old/old.callsign", self.run_of("worse", MORE_CALLS, MORE_LEAKS, ranks=4))
        self.assertEqual({(row["metric"], row["base"], row["new"], row["base_total"], row["new_total"]) for row in one if row["scope"] == "item"},
                         {("calls", 100, 110, 200, 440), ("leaks", 0, 1, 0, 4)})

    def test_names_that_differ_by_numbers_share_an_item_where_not_all_runs_have_them(self):
        rows = "UPDATE object SET name = 'row ' || (rank / 2) WHERE object = 3"
        old, new = self.run_of("old", rows), self.run_of("new", rows, ranks=4)
        self.assertEqual([row for row in self.changes(old, new) if row["communicator"]], [])
        same = self.changes(old, self.run_of("more", rows, MORE_CALLS + " AND rank = 0"))
        self.assertEqual([row["communicator"] for row in same if row["scope"] == "item"], ["row 0"])
        pooled = self.changes(old, self.run_of("pooled", rows, MORE_CALLS, ranks=4))
        self.assertEqual([(row["communicator"], row["base"], row["new"]) for row in pooled if row["scope"] == "item"], [("row #", 100, 110)])

    def test_derived_names_join_by_lineage_and_the_function_that_created_them(self):
        def named(name):
            return f"UPDATE object SET name = '{name}', name_origin = 'derived' WHERE object = 3"
        old = self.run_of("old", named("MPI_COMM_WORLD.split1[3]"))
        self.assertEqual(self.changes(old, self.run_of("color", named("MPI_COMM_WORLD.split1[0]"))), [])
        self.assertEqual(self.changes(old, self.run_of("later", named("MPI_COMM_WORLD.split2[0]"))), [])
        other = self.changes(old, self.run_of("other", named("MPI_COMM_WORLD.dup1")))
        self.assertEqual({row["communicator"] for row in other}, {"MPI_COMM_WORLD.split1[]", "MPI_COMM_WORLD.dup1"})

    def test_leaks_of_a_run_that_died_are_not_known(self):
        old, dead = self.run_of("old"), self.run_of("dead", ranks=1)
        fixture.make_trace(dead / "rank-00001.db", 1, 2, outcome="died", extra=functions)
        rows = self.compare(old, dead)["changes"]
        self.assertEqual({row["verdict"] for row in rows if row["metric"] == "leaks"}, {"unknown"})
        self.assertIn("1 rank did not end by MPI_Finalize", self.answer("compare", old, "--", dead))

    def test_late_rank_is_more_waiting(self):
        uid = "UPDATE object SET uid = 700 WHERE name = 'MPI_COMM_WORLD'"
        late = "UPDATE profile SET time_ns = time_ns / 10 WHERE rank = 1 AND communicator = 1"
        rows = self.changes(self.run_of("old", uid), self.run_of("new", uid, late), ["untested"])
        [wait] = [row for row in rows if row["metric"] == "wait" and row["scope"] == "item"]
        self.assertEqual((wait["communicator"], wait["function"], wait["base"], round(wait["new"], 3)), ("MPI_COMM_WORLD", "MPI_Allreduce", 0, 1.8))

    def test_merged_files_compare_as_their_runs(self):
        old, new = self.run_of("old"), self.run_of("new", MORE_CALLS)
        self.answer("merge", old, "-o", "old.db")
        self.assertEqual(self.compare(self.folder / "old.db", new)["changes"], self.compare(old, new)["changes"])

    def test_counts_of_polling_get_no_verdict_from_one_run(self):
        polling = ("INSERT INTO function (function, name, class) VALUES (2008, 'MPI_Test', 'completion')",
                   "INSERT INTO profile SELECT rank, 1, 0, 2008, site, 0, {}, 5, 1, 1, 0, 0 FROM profile WHERE communicator = 1")
        old, new = (self.run_of(name, polling[0], polling[1].format(calls)) for name, calls in (("old", 100), ("new", 170)))
        self.assertEqual([row for row in self.changes(old, new) if row["scope"] == "item"], [])
        self.assertEqual([row["new"] for row in self.changes(old, new, ["untested"]) if row["function"] == "MPI_Test" and row["metric"] == "calls"], [340])


class SeveralRuns(Compare):
    def test_slower_code_before_a_call_is_found(self):
        sides = [self.noisy_runs(name, 4, CODE.format(function=fixture.RECV, times=times), CODE.format(function=fixture.ALLREDUCE, times=2), seed=seed)
                 for name, times, seed in (("old", 1, 0), ("new", 1.5, 1))]
        rows = [row for row in self.changes(*sides) if row["metric"] == "code"]
        self.assertEqual([(row["scope"], row["verdict"], row["function"], row["caller"]) for row in rows if row["scope"] == "item"], [("item", "more", "MPI_Recv", "exchange")])
        self.assertIn("slower code before", self.answer("compare", *sides[0], "--", *sides[1]))

    def test_code_of_runs_that_did_not_record_it_is_not_known(self):
        rows = self.compare(self.run_of("old"), self.run_of("new", CODE.format(function=fixture.RECV, times=1)))["changes"]
        self.assertEqual({row["verdict"] for row in rows if row["metric"] == "code"}, {"unknown"})

    def test_slower_function_is_found_among_noise(self):
        rows = self.changes(self.noisy_runs("old", 5), self.noisy_runs("new", 5, SLOWER, seed=1))
        self.assertEqual([(row["scope"], row["metric"], row["verdict"], row["function"]) for row in rows],
                         [("run", "time", "more", None), ("item", "time", "more", "MPI_Recv")])
        self.assertAlmostEqual(rows[1]["p"], 2 / 252)

    def test_noise_changes_nothing_and_its_differences_are_shown_with_interval_and_p(self):
        base, new = self.noisy_runs("old", 4), self.noisy_runs("new", 4, seed=7)
        rows = self.compare(base, new)["changes"]
        self.assertEqual({row["verdict"] for row in rows}, {"unclear"})
        for row in rows:
            self.assertAlmostEqual(row["change_low"], row["new_least"] - row["base_most"])  # 4 and 4: all differences
            self.assertAlmostEqual(row["change_high"], row["new_most"] - row["base_least"])
            self.assertGreater(row["adjusted_p"], 0.05)
        text = self.answer("compare", *base, "--", *new)
        self.assertIn("Nothing changed in calls", text)
        self.assertIn("May be chance", text)

    def test_one_slower_function_among_several_is_found_with_4_runs_of_each_side(self):
        half_more = f"UPDATE profile SET time_ns = time_ns * 3 / 2 WHERE function = {fixture.RECV}"
        rows = self.changes(self.noisy_runs("old", 4), self.noisy_runs("new", 4, half_more, seed=1))
        self.assertEqual([(row["verdict"], row["function"]) for row in rows if row["scope"] == "item"], [("more", "MPI_Recv")])
        self.assertAlmostEqual(rows[-1]["adjusted_p"], 2 / 70)

    def test_runs_of_one_side_after_the_other_bring_a_caution(self):
        def at(begin, step):
            return [f"UPDATE process SET zero_utc_ns = zero_utc_ns + {begin} * 1000000000 + {step} * 1000000000"]
        for name, begins, cautious in (("after", (0, 100), True), ("turns", (0, 5), False)):
            old, new = ([self.run_of(f"{name}{side}{i}", *at(begins[side], 10 * i), *([SLOWER] if side else []),
                                     f"UPDATE profile SET time_ns = time_ns * (100 + {i}) / 100") for i in range(4)] for side in (0, 1))
            done = self.call("compare", *old, "--", *new, "--fail-on", "time>1%")
            self.assertEqual(("Caution: the runs of one side" in done.stdout.replace("\n  ", " "), done.stdout.count("in turns"), done.returncode),
                             (cautious, 2 * cautious, 1), done.stdout)
            self.assertEqual("in turns" in self.call("compare", *old, "--", *new, "--format", "json").stderr, cautious)
            self.assertNotIn("in turns", self.call("compare", old[0], "--", new[0]).stdout)

    def test_three_runs_are_not_enough(self):
        rows = self.changes(self.noisy_runs("old", 3), self.noisy_runs("new", 5, SLOWER, seed=1))
        self.assertEqual(rows, [])

    def test_count_that_varies_is_tested_like_a_time(self):
        base = [self.run_of(f"old{i}", f"UPDATE profile SET calls = calls + {i} WHERE communicator = 1") for i in range(2)]
        rows = self.changes(base, [self.run_of("new", "UPDATE profile SET calls = calls + 9 WHERE communicator = 1")])
        self.assertEqual(rows, [])


class Rules(Compare):
    def judged(self, base, new, *rules, code):
        words = [word for rule in rules for word in ("--fail-on", rule)]
        return [row["result"] for row in self.compare(base, new, *words, code=code)["rules"]]

    def test_rule_that_is_met_sets_the_exit_code(self):
        old, new = self.run_of("old"), self.run_of("new", MORE_CALLS, MORE_LEAKS)
        self.assertEqual(self.judged(old, new, "leaks>0", "calls>1%", "calls > 10", "calls@MPI_Recv>9%", "calls@rows>21", "leaks@communicator>1",
                                     "leaks@datatype>0", "objects>0", "bytes>0.5KiB", "calls@exchange>19", code=1),
                         ["met", "not met", "met", "met", "not met", "met", "not met", "not met", "not met", "met"])
        self.assertEqual(self.judged(new, old, "leaks>0", "calls>0", code=0), ["not met", "not met"])

    def test_name_that_is_nowhere_is_told(self):
        old = self.run_of("old")
        done = self.call("compare", "--fail-on", "calls@MPI_Alreduce>0", old, "--", old)
        said = "callsign: --fail-on calls@MPI_Alreduce>0 cannot be decided: no run has anything of this name\n"
        self.assertEqual((done.returncode, done.stderr), (2, said))
        self.assertIn("no run has anything of this name", done.stdout)
        self.assertEqual(self.judged(old, old, "leaks@datatype>0", "calls@MPI_Comm_split>0", "calls@MPI_Bcast>0", code=0), ["not met"] * 3)

    def test_times_with_too_few_runs_cannot_be_decided(self):
        old, new = self.run_of("old"), self.run_of("new", SLOWER)
        self.assertEqual(self.judged(old, new, "time>5%", code=2), ["undecided"])
        self.assertEqual(self.judged(old, self.run_of("leak", MORE_LEAKS), "time>5%", "leaks>0", code=1), ["undecided", "met"])
        self.assertIn("needs 4 runs of each side, and there are 1 and 1", self.call("compare", "--fail-on", "time>5%", old, "--", new).stderr)

    def test_times_of_enough_runs_are_decided(self):
        old = self.noisy_runs("old", 4)
        new = self.noisy_runs("new", 4, SLOWER, seed=1)
        self.assertEqual(self.judged(old, new, "time>5%", "time>90%", "time@MPI_Recv>50%", "time@MPI_Send>1ms", code=1), ["met", "not met", "met", "not met"])

    def test_wrong_rules_are_usage_errors(self):
        old = self.run_of("old", ranks=1)
        for rule, said in (("leeks>0", "leeks"), ("leaks", "METRIC>NUMBER"), ("leaks>", "number"), ("leaks>-1", "number"), ("leaks>x", "number"), ("leaks>1s", "number"),
                           ("time>5KiB", "number"), ("leaks@>0", "number"), ("calls>nan", "number"), ("calls>1e999", "number")):
            self.refuse("compare", "--fail-on", rule, old, "--", old, code=2, saying=(rule, said))

    def test_junit_has_a_case_for_each_rule(self):
        old, new = self.run_of("old"), self.run_of("new", MORE_LEAKS, name=HOSTILE)
        rules = ["leaks>0", "calls>0", "time>1%", f"calls@{HOSTILE}>1"]
        done = self.call("compare", *(word for rule in rules for word in ("--fail-on", rule)), old, "--", new, "--junit", "junit.xml")
        self.assertEqual(done.returncode, 1, done.stderr)
        suite = xml.parse(self.folder / "junit.xml").getroot()
        self.assertEqual({key: suite.get(key) for key in ("tests", "failures", "errors")}, {"tests": "4", "failures": "2", "errors": "1"})
        self.assertEqual([[child.tag for child in case] for case in suite], [["failure"], ["system-out"], ["error"], ["failure"]])
        self.assertIn("\\x1b]0;owned", suite[3].get("name"))
        self.refuse("compare", old, "--", new, "--junit", "junit.xml", code=2, saying="--fail-on")
        self.assertIn("no/such", self.call("compare", "--fail-on", "leaks>0", old, "--", new, "--junit", "no/such/file.xml").stderr)


class Output(Compare):
    def test_words(self):
        old, new = self.noisy_runs("old", 5), self.noisy_runs("new", 5, SLOWER, MORE_CALLS, MORE_LEAKS, seed=1)
        texts = {"several runs": self.call("compare", *old, "--", *new, "--fail-on", "time>5%", "--fail-on", "bytes>0", COLUMNS="80").stdout,
                 "one run each": self.answer("compare", old[0], "--", new[0], COLUMNS="80"),
                 "other rank count": self.answer("compare", old[0], "--", self.run_of("more", MORE_CALLS, ranks=4), COLUMNS="80")}
        for part, text in texts.items():
            self.shows("compare", text, part)
            self.assertLessEqual(max(map(len, text.splitlines())), 80)
        self.shows("compare", self.answer("compare", old[0], "--", new[0], "--markdown"), "markdown")

    def test_csv_has_the_changes(self):
        lines = self.answer("compare", self.run_of("old"), "--", self.run_of("new", MORE_CALLS), "--format", "csv").splitlines()
        self.assertEqual(lines[0].split(",")[:3], ["scope", "metric", "verdict"])
        self.assertEqual(lines[2].split(",")[:3], ["item", "calls", "more"])

    def test_rows_limits_the_tables(self):
        text = self.answer("compare", self.run_of("old"), "--", self.run_of("new", MORE_CALLS, MORE_LEAKS), "--rows", "1")
        self.assertEqual(text.count("and 1 more: --rows 0"), 2)

    def test_hostile_names_stay_in_their_cells(self):
        old, new = self.run_of("old", name=HOSTILE), self.run_of("new", MORE_CALLS, name=HOSTILE)
        [row] = [row for row in self.changes(old, new) if row["scope"] == "item"]
        self.assertEqual(row["communicator"], HOSTILE)
        text = self.answer("compare", old, "--", new, "--markdown")
        for bad in "\x1b\x07\u202e":
            self.assertNotIn(bad, text)
        [line] = [line for line in text.splitlines() if "MPI_Recv" in line]
        self.assertTrue(line.startswith("| more calls | ``` a\\|b`` "), line)
        self.assertEqual(line.replace("\\|", "").count("|"), 8)
        shown = self.on_terminal("compare", str(old), "--", str(new), NO_COLOR="1").decode()
        for bad in "\x1b\x07\u202e":
            self.assertNotIn(bad, shown)


class Usage(Compare):
    def test_runs_before_and_after_are_divided(self):
        old = self.run_of("old", ranks=1)
        self.refuse("compare", old, old, code=2, saying="-- is missing")
        self.refuse("compare", old, "--", code=2, saying="after --")
        self.refuse("compare", "--", old, code=2, saying="before --")
        self.refuse("compare", old, "--", old, "--markdown", "--format", "csv", code=2, saying="not both")
        self.refuse("compare", old, "--", old, "--rows", "x", code=2, saying="x")
        self.assertEqual(self.call("compare", old, "--", old, "--frobnicate").returncode, 2)

    def test_run_that_cannot_be_read_is_one_line(self):
        old = self.run_of("old", ranks=1)
        self.refuse("compare", old, "--", "nowhere", saying="nowhere does not exist")
        bad = self.folder / "bad.db"
        bad.write_bytes((old / "rank-00000.db").read_bytes()[:5000])
        self.refuse("compare", old, "--", bad, saying="bad.db")

    def test_rank_that_cannot_be_read_makes_it_a_comparison_of_ranks(self):
        old, new = self.run_of("old"), self.run_of("new")
        (new / "rank-00001.db").write_bytes(b"SQLite format 3\0" + b"x" * 5000)
        done = self.call("compare", old, "--", new)
        self.assertEqual(done.returncode, 0)
        self.assertIn("rank-00001.db", done.stderr)
        self.assertIn("ranks are missing", done.stdout)
        self.assertIn("Figures are those of one rank", done.stdout)


if __name__ == "__main__":
    unittest.main()
