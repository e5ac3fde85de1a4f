"""The view late_causes, by variations of one trace: each names the cause that the kernel's figures prove, and accuses nobody otherwise. The view slow_findings likewise:
it names a place that is slow for all of its ranks, and no place that only looks alike."""
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE)]
import run  # noqa: E402  (the path must be set first)

LATE = "UPDATE stretch SET core_ns = {core}e6, delay_ns = {delay}e6, {more} WHERE rank = 2 AND function = 3;"


# The command computes this view once, too.
ONCE = "CREATE TABLE once AS SELECT * FROM late_ranks; DROP VIEW late_ranks; CREATE TABLE late_ranks AS SELECT * FROM once;"


# Another step between two calls, which takes no time.
STEP = ("DELETE FROM more; INSERT INTO more SELECT * FROM stretch WHERE function = 4 AND from_function = 3; UPDATE more SET from_function = {}, from_site = {}, function = {}, site = {}, communicator = {},"
        " time_ns = 9, seen_ns = 9, exact_ns = 9, core_ns = 9, delay_ns = 0, call_ns = 9, call_seen_ns = 9, call_core_ns = 9; INSERT INTO stretch SELECT * FROM more;")
# Before MPI_Waitall comes one of many calls: nothing tells the order.
UNORDERED = STEP.format(0, 0, 4, 2, 1)


# Time without noise, by a factor for each rank.
SCALED = "UPDATE stretch SET time_ns = stretches * {0}, min_ns = {0}, seen_ns = stretches * {0}, core_ns = stretches * {0}, delay_ns = 0;"


class Changed(unittest.TestCase):
    """Answers of a trace after changes, which are taken back: a copy of it would read all views again."""

    def answers(self, changes, *queries):
        self.trace.isolation_level = None
        self.trace.execute("BEGIN")
        try:
            for change in changes.split(";"):
                self.trace.execute(change)
            return [[dict(zip([column[0] for column in rows.description], row)) for row in rows] for rows in map(self.trace.execute, queries)]
        finally:
            self.trace.execute("ROLLBACK")


class Causes(Changed):
    @classmethod
    def setUpClass(cls):
        cls.trace = run.filled(HERE / "late_causes" / "trace.sql")
        cls.trace.executescript(ONCE + "CREATE TEMP TABLE more AS SELECT * FROM stretch WHERE false;")

    def causes(self, *changes, steps=UNORDERED):
        """The rows with the trace of the case late_causes, after changes. The late rank takes 1,900 ms in the code, the others 420."""
        causes, cores = self.answers(" ".join([steps, *changes]), "SELECT * FROM late_causes", "SELECT kind FROM core_findings")
        return causes, [row["kind"] for row in cores]

    def cause(self, *changes):
        (row,), _ = self.causes(*changes)
        self.assertEqual((row["rank"], row["kind"], row["from_function"], row["cause_function"]), (2, "late_cause", "MPI_Waitall", "MPI_Allreduce"))
        return row["cause"]

    def of_late(self, core, delay, more="sleeps = 3"):
        return self.cause(LATE.format(core=core, delay=delay, more=more))

    def test_more_time_on_a_core_is_work(self):
        self.assertEqual(self.of_late(1890, 5), "work")

    def test_little_more_time_on_a_core_is_no_work_where_ranks_wait_for_cores(self):
        busy = "UPDATE stretch SET time_ns = 4200e6, seen_ns = 4200e6, core_ns = 420e6, delay_ns = 3780e6 WHERE function = 3; UPDATE stretch SET time_ns = 5680e6, seen_ns = 5680e6 WHERE rank = 2 AND function = 3;"
        self.assertEqual(self.causes(busy, LATE.format(core=500, delay=5170, more="sleeps = 3")), ([], ["no_cores"]))  # 80 ms; waits are 10 times as long
        self.assertEqual(self.cause(busy, LATE.format(core=850, delay=4820, more="sleeps = 3")), "work")
        calm = busy.replace("4200e6", "450e6").replace("3780e6", "30e6").replace("5680e6", "1930e6")
        self.assertEqual(self.cause(calm, LATE.format(core=1890, delay=40, more="sleeps = 3")), "work")

    def test_each_step_that_takes_longer_on_its_core_is_more_work_beside_others(self):
        shared = "UPDATE stretch SET time_ns = 570e6, seen_ns = 570e6, delay_ns = 150e6, max_ns = 20e6 WHERE function = 3;"
        for least, cause in (("3e6", "unknown"), ("6e6", "work")):  # the others need 4.2 ms for a step, on average
            self.assertEqual(self.cause("UPDATE late_ranks SET mean_seconds = 0.7;", shared, "UPDATE stretch SET time_ns = 1100e6, seen_ns = 1100e6 WHERE rank = 2 AND function = 3;",
                                        LATE.format(core=750, delay=350, more=f"least_core_ns = {least}")), cause)

    def test_instructions_tell_more_work_from_a_slower_core(self):
        counted = "UPDATE stretch SET instructions = 1000e6 WHERE function = 3;"
        for instructions, cause in (("4500e6", "more_work"), ("1100e6", "slow_core"), ("NULL", "work")):
            self.assertEqual(self.cause(counted, LATE.format(core=1890, delay=5, more=f"instructions = {instructions}")), cause)
        self.assertEqual(self.cause(counted, LATE.format(core=1890, delay=5, more="instructions = 4500e6"), "UPDATE stretch SET instructions = NULL WHERE rank = 1;"), "work")

    def test_time_in_the_kernel_is_of_page_faults_or_of_bytes_or_of_neither(self):
        kernel = "system_ns = 1500e6, "
        self.assertEqual(self.of_late(1890, 5, kernel + "minor_faults = 200000"), "faults")
        self.assertEqual(self.of_late(1890, 5, kernel + "read_bytes = 3e9"), "input_output")
        self.assertEqual(self.of_late(1890, 5, kernel + "read_bytes = 3e9, minor_faults = 200000"), "kernel")
        self.assertEqual(self.of_late(1890, 5, kernel + "read_bytes = 6e9, minor_faults = 300"), "input_output")  # of its buffer
        self.assertEqual(self.of_late(1890, 5, kernel + "read_bytes = 100e6, minor_faults = 500000"), "faults")
        self.assertEqual(self.of_late(1890, 5, kernel + "read_bytes = 100e6, minor_faults = 300"), "kernel")
        self.assertEqual(self.of_late(1890, 5, kernel + "minor_faults = 9"), "kernel")

    def test_time_without_a_core_has_a_reason_that_the_figures_show(self):
        self.assertEqual(self.of_late(440, 1440), "other_process")
        (row,), _ = self.causes(LATE.format(core=440, delay=1440, more="busy_ns = 9.5e9"))
        self.assertEqual((row["cause"], row["busy_threads"]), ("other_process", 5))
        self.assertEqual(self.of_late(440, 1440, "throttled_ns = 1400e6"), "quota")
        self.assertEqual(self.of_late(440, 1440, "throttled_ns = 10e6"), "other_process")
        own = LATE.format(core=440, delay=1440, more="others_ns = 1880e6")
        self.assertEqual(self.cause(own), "other_process")
        self.assertEqual(self.cause(own, "UPDATE placement SET allowed_cpus = '2,3' WHERE rank = 2;"), "own_threads")
        self.assertEqual(self.cause("UPDATE placement SET allowed_cpus = '0-2';"), "other_process")  # the ranks used 1.6 cores
        self.assertEqual(self.cause("UPDATE placement SET allowed_cpus = '0-2'; UPDATE process_usage SET user_ns = 2e9;"), "oversubscribed")

    def test_few_steps_that_wait_for_a_core_each_time_are_no_chance(self):
        # The late rank takes 1.9 s, the others 0.42 s, 105 ms a step: the difference is less than three standard errors.
        few = "UPDATE stretch SET stretches = 4, min_ns = 80e6, max_ns = 200e6 WHERE function = 3; UPDATE stretch SET min_ns = {least}e6, max_ns = 590e6 WHERE function = 3 AND rank = 2;"
        for least, core, delay, causes in ((106, 440, 1440, ["other_process"]), (104, 440, 1440, [None]), (106, 1440, 440, [None])):
            rows, _ = self.causes(few.format(least=least), LATE.format(core=core, delay=delay, more="sleeps = 3"))
            self.assertEqual((least, core, [row["cause"] for row in rows]), (least, core, causes))

    def test_quota_of_its_own_is_no_chance(self):
        few = "UPDATE stretch SET stretches = 4, min_ns = 80e6, max_ns = 590e6 WHERE function = 3;"
        for others, causes in ((0, ["quota"]), (600e6, ["quota"]), (700e6, [None])):
            rows, _ = self.causes(few, f"UPDATE stretch SET throttled_ns = {others} WHERE function = 3;", LATE.format(core=440, delay=1440, more="throttled_ns = 1400e6"))
            self.assertEqual((others, [row["cause"] for row in rows]), (others, causes))

    def test_one_step_may_wait_for_a_core_by_chance(self):
        one = ("UPDATE stretch SET stretches = 1 WHERE function = 3; UPDATE stretch SET time_ns = 1000e6, seen_ns = 1000e6, core_ns = 400e6, delay_ns = {}e6 WHERE function = 3 AND rank <> 2;"
               " UPDATE stretch SET seen_ns = 1900e6, time_ns = 1900e6 WHERE function = 3 AND rank = 2;"
               " UPDATE stretch SET time_ns = 9e9, seen_ns = 9e9, core_ns = 9e9, delay_ns = 0 WHERE function <> 3 AND rank = 0;")  # does not lack cores elsewhere
        for others, core, delay, causes in ((600, 500, 1400, [None]), (400, 500, 1400, ["other_process"]), (500, 700, 950, [None]), (100, 700, 500, ["unknown"]),
                                            (500, 1000, 900, ["work"])):
            rows, _ = self.causes(one.format(others), LATE.format(core=core, delay=delay, more="sleeps = 3"))
            self.assertEqual((others, core, delay, [row["cause"] for row in rows]), (others, core, delay, causes))

    def test_rank_on_the_same_processor_is_named(self):
        (row,), _ = self.causes("UPDATE thread_processor SET cpu = 2 WHERE rank = 3;")
        self.assertEqual((row["cause"], row["other_rank"]), ("shared_core", 3))

    def test_time_off_the_core_is_of_threads_or_storage_or_sleep(self):
        self.assertEqual(self.of_late(400, 5), "sleep")
        self.assertEqual(self.of_late(400, 5, "others_ns = 1400e6"), "threads")
        self.assertEqual(self.of_late(400, 5, "disk_bytes = 100e6"), "storage")
        self.assertEqual(self.of_late(400, 5, "major_faults = 5000"), "paging")
        self.assertEqual(self.of_late(400, 5, "steal_ns = 1490e6, sleeps = 0"), "steal")
        self.assertEqual(self.of_late(400, 5, "steal_ns = 1490e6, sleeps = 3"), "sleep")  # of any processor of the node
        self.assertEqual(self.of_late(400, 5, "sleeps = 0"), "unknown")

    def test_cause_is_unknown_without_samples_or_without_the_kernels_figure(self):
        self.assertEqual(self.of_late(300, 300, "seen_ns = 700e6"), "unknown")
        self.assertEqual(self.cause("UPDATE stretch SET delay_ns = NULL;"), "unknown")
        self.assertEqual(self.of_late(1000, 500), "unknown")

    def test_sites_on_one_line_and_any_code_before_a_call_are_compared(self):
        (row,), _ = self.causes("UPDATE stretch SET from_site = 5 WHERE rank <> 2 AND function = 3;")
        self.assertEqual((row["kind"], row["subject"], row["from_function"], row["median_seconds"] > 0.4), ("late_cause", "before", None, True))

    def test_code_that_only_this_rank_has_is_no_fault(self):
        (row,), _ = self.causes("DELETE FROM stretch WHERE rank <> 2 AND function = 3;")
        self.assertEqual((row["kind"], row["median_seconds"], row["seconds"]), ("late_alone", None, 1.9))

    def test_longer_receive_names_the_only_sender(self):
        chain = "UPDATE stretch SET time_ns = 420e6, seen_ns = 420e6, core_ns = 419e6, delay_ns = 0 WHERE function = 3; UPDATE stretch SET call_ns = 1600e6 WHERE rank = 2 AND function = 5;"
        sent = "INSERT INTO traffic (rank, object, direction, peer, source, dest, messages, bytes, time_ns) VALUES (2, 1, 'receive', 1, 1, 2, 9, 9, 9);"
        for more, other in ((sent, 1), (sent + sent.replace("1, 1, 2,", "0, 0, 2,"), None), ("", None)):
            (row,), _ = self.causes(chain, more)
            self.assertEqual((row["kind"], row["subject"], row["cause"], row["cause_function"], row["other_rank"]), ("late_cause", "call", "waiting", "MPI_Recv", other))

    def test_ranks_that_wait_for_each_other_in_turn_are_no_cause(self):
        both = ("UPDATE stretch SET time_ns = 420e6, seen_ns = 420e6, core_ns = 419e6, delay_ns = 0 WHERE function = 3; UPDATE stretch SET call_ns = 1600e6"
                " WHERE rank IN (1, 2) AND function = 5; INSERT INTO late_ranks SELECT * FROM late_ranks; UPDATE late_ranks SET late = 2, rank = 1 WHERE rowid = 2;")
        sent = "INSERT INTO traffic (rank, object, direction, peer, source, dest, messages, bytes, time_ns) VALUES (2, 1, 'receive', 1, 1, 2, 9, 9, 9);"
        rows, _ = self.causes(both, sent)
        self.assertEqual([(row["rank"], row["cause"], row["other_rank"]) for row in rows], [(2, "waiting", 1), (1, "waiting", None)])
        self.assertEqual(self.causes(both, sent, sent.replace("(2, 1, 'receive', 1, 1, 2", "(1, 1, 'receive', 2, 2, 1"))[0], [])

    def test_longer_call_that_only_polls_is_no_cause_by_itself(self):
        (row,), _ = self.causes("UPDATE stretch SET time_ns = 420e6 WHERE function = 3; UPDATE stretch SET function = 4, from_site = 3, call_ns = 1600e6 * (rank = 2)"
                                " WHERE function = 5; UPDATE function SET waits = NULL, request_act = 'complete' WHERE function = 4;")
        self.assertEqual((row["subject"], row["cause"]), ("call", "polling"))

    def test_longer_call_that_waits_for_nobody_is_the_cause(self):
        (row,), _ = self.causes("UPDATE stretch SET time_ns = 420e6 WHERE function = 3; UPDATE stretch SET function = 7, call_ns = 1600e6 * (rank = 2) WHERE function = 5;")
        self.assertEqual((row["subject"], row["cause"], row["cause_function"]), ("call", "call", "MPI_Type_commit"))

    def test_what_came_before_a_call_in_which_all_meet_is_no_cause(self):
        longer = "UPDATE stretch SET time_ns = 420e6 WHERE function = 3; UPDATE stretch SET function = 7, call_ns = 1600e6 * (rank = 2) WHERE function = 5;"
        barrier = ("INSERT INTO function (function, name, class, collective, mode) VALUES (8, 'MPI_Barrier', 'collective', {}, {}); INSERT INTO object (rank, object, kind, name, uid, internal,"
                   " predefined, adopted) SELECT rank, 2, 'communicator', 'MPI_COMM_WORLD', 1, 0, 1, 0 FROM process UNION ALL SELECT rank, 3, 'communicator', 'rows', 103, 0, 0, 0 FROM process;")
        through = STEP.format(7, 4, 8, 5, "{}") + STEP.format(8, 5, 4, 2, 1)
        past = STEP.format(7, 4, 4, 2, 1)
        meet, commit = ("'all'", "'blocking'"), "MPI_Type_commit"
        for steps, kind, function in ((through.format(1), meet, None), (through.format(2), meet, None), (through.format(3), meet, commit), (through.format(1) + past, meet, commit),
                                      (through.format(1), ("'from-root'", "'blocking'"), commit), (through.format(1), ("'all'", "'nonblocking'"), commit)):
            (row,), _ = self.causes(longer, barrier.format(*kind), steps=steps)
            self.assertEqual(row["cause_function"], function, (steps, kind))

    def test_code_before_a_call_in_which_all_meet_is_no_cause_of_a_later_wait(self):
        longer = "UPDATE stretch SET from_function = 6, time_ns = 420e6 WHERE function = 3; UPDATE stretch SET time_ns = 1900e6 WHERE rank = 2 AND function = 4;"
        for collective, function in (("all", None), ("from-root", "MPI_Waitall")):
            (row,), _ = self.causes(longer, f"UPDATE function SET collective = '{collective}', mode = 'blocking' WHERE function = 4;", steps=STEP.format(4, 2, 6, 2, 1))
            self.assertEqual(row["cause_function"], function)

    def test_call_that_lacked_its_core_may_not_have_waited_for_a_rank(self):
        (row,), _ = self.causes("UPDATE stretch SET time_ns = 420e6 WHERE function = 3; UPDATE stretch SET call_ns = 1600e6, call_seen_ns = 1600e6, call_core_ns = 100e6, call_delay_ns = 1500e6"
                                " WHERE rank = 2 AND function = 5;")
        self.assertEqual((row["kind"], row["cause"], row["cause_function"], row["delay_seconds"]), ("late_unclear", None, "MPI_Recv", 1.5))

    def test_call_that_lacked_its_core_is_not_the_cause(self):
        (row,), _ = self.causes("UPDATE stretch SET time_ns = 420e6 WHERE function = 3; UPDATE stretch SET function = 7, call_ns = 1600e6 * (rank = 2), call_seen_ns = 1600e6 * (rank = 2),"
                                " call_core_ns = 100e6 * (rank = 2), call_delay_ns = 1500e6 * (rank = 2) WHERE function = 5;")
        self.assertEqual((row["subject"], row["cause"], row["delay_seconds"]), ("call", "other_process", 1.5))

    def test_nothing_is_claimed_if_no_code_takes_longer(self):
        (row,), _ = self.causes("UPDATE stretch SET time_ns = 420e6 WHERE function = 3;")
        self.assertEqual((row["kind"], row["cause"], row["cause_function"]), ("late_unexplained", None, None))

    def test_code_that_takes_far_longer_than_anybody_waited_was_elsewhere_in_the_run(self):
        for wait, kind in ((0.8, "late_cause"), (0.7, "late_unexplained"), (2.9, "late_cause"), (3.0, "late_unexplained")):
            (row,), _ = self.causes(f"UPDATE late_ranks SET mean_seconds = {wait};")  # the code takes 1.48 s longer
            self.assertEqual((wait, row["kind"]), (wait, kind))

    def test_run_without_stretches_or_without_a_late_rank_has_no_cause(self):
        self.assertEqual(self.causes("DELETE FROM stretch;"), ([], []))
        (rows, _) = self.causes("DELETE FROM late_ranks;")
        self.assertEqual(rows, [])

    def test_nobody_is_accused_if_all_ranks_lack_cores(self):
        crowded = "UPDATE stretch SET core_ns = time_ns * 0.3, seen_ns = time_ns, delay_ns = time_ns * 0.65; UPDATE process SET last_seen_ns = 9e9;"
        self.assertEqual(self.causes(crowded, LATE.format(core=126, delay=1700, more="sleeps = 3")), ([], ["no_cores"]))
        (row,), kinds = self.causes(crowded)  # waits longer, because it has more work that needs a core
        self.assertEqual((row["cause"], kinds), ("work", ["no_cores"]))
        (row,), kinds = self.causes(crowded, LATE.format(core=126, delay=1700, more="throttled_ns = 1500e6"))
        self.assertEqual((row["cause"], kinds), ("quota", ["no_cores"]))


class SlowPlaces(Changed):
    @classmethod
    def setUpClass(cls):
        cls.trace = run.filled(HERE / "slow_findings" / "trace.sql", computed=False)

    def found(self, *changes):
        """Two ranks on each of four nodes, of which node2 is 12 % slower, after changes."""
        (found,) = self.answers(" ".join(changes), "SELECT * FROM slow_findings")
        return found

    def test_rank_that_is_slow_alone_on_its_node_says_nothing_about_the_node(self):
        self.assertEqual(len(self.found()), 1)
        self.assertEqual(self.found(SCALED.format("5e6 * iif(rank = 4, 1.5, 1)")), [])
        self.assertEqual(self.found(SCALED.format("5e6 * iif(rank IN (4, 6), 1.5, 1)")), [])

    def test_work_that_differs_from_rank_to_rank_is_no_slow_node(self):
        self.assertEqual(self.found(SCALED.format("1e6 * (8 + rank)")), [])
        self.assertEqual(self.found(SCALED.format("1e6 * (10 + (rank * 3 + 1) % 8)")), [])

    def test_repetitions_that_vary_and_imbalance_that_moves_are_no_slow_node(self):
        equal = SCALED.format("5e6")
        self.assertEqual(self.found(equal, "UPDATE stretch SET time_ns = time_ns * iif(rank IN (4, 5), 1.5, 1);"), [])
        slower = SCALED.format("5e6 * iif(rank IN (4, 5), 1.12, 1)")
        self.assertEqual(len(self.found(slower, "UPDATE stretch SET time_ns = time_ns * 3, seen_ns = seen_ns * 3;")), 1)
        self.assertEqual(self.found(slower, "UPDATE stretch SET time_ns = time_ns * 3, seen_ns = seen_ns * 3, core_ns = core_ns * 3;"), [])  # the shortest one tells little

    def test_ranks_that_lack_cores_or_sleep_are_no_slow_node(self):
        longer = SCALED.format("5e6 * iif(rank IN (4, 5), 1.5, 1)")
        self.assertEqual(len(self.found(longer)), 1)
        self.assertEqual(len(self.found(longer, "UPDATE stretch SET core_ns = core_ns * 0.2;")), 1)  # shared out with calls that lacked a core
        self.assertEqual(self.found(longer, "UPDATE stretch SET core_ns = stretches * 5e6;"), [])
        self.assertEqual(self.found(longer, "UPDATE stretch SET seen_ns = 0, core_ns = 0;"), [])

    def test_nothing_is_said_without_repetition_or_without_two_other_nodes(self):
        self.assertEqual(self.found("UPDATE stretch SET stretches = 19;"), [])
        self.assertEqual(self.found("UPDATE process SET node = iif(rank IN (4, 5), 'node2', 'node1');"), [])
        self.assertEqual(self.found("UPDATE process SET node = 'node' || rank;"), [])  # one rank on each: the rank or the node
        self.assertEqual(self.found("DELETE FROM stretch WHERE rank = 1;"), [])

    def test_counters_tell_a_slower_core_from_more_work(self):
        counted = "UPDATE stretch SET instructions = stretches * 1e6, cycles = stretches * 4e6, core_ns = seen_ns;"
        (row,) = self.found(SCALED.format("5e6 * iif(rank IN (4, 5), 1.25, 1)"), counted, "UPDATE process SET node = iif(rank IN (4, 5), 'slow', 'node' || rank);")
        self.assertEqual((row["node"], row["processes"], row["nodes"], row["percent"], row["cause"]), ("slow", 2, 6, 25, "slow_core"))
        self.assertAlmostEqual(row["clock_ghz"], 0.64)
        self.assertAlmostEqual(row["median_ghz"], 0.8)
        self.assertEqual(self.found(counted, "UPDATE stretch SET instructions = instructions * 1.12 WHERE rank IN (4, 5);"), [])
        (row,) = self.found(SCALED.format("5e6 * iif(rank = 4, 1.25, 1)"), counted, "UPDATE process SET node = 'node' || rank;")
        self.assertEqual((row["node"], row["processes"]), ("node4", 1))

    def test_slow_package_is_named_with_its_node(self):
        packages = "UPDATE process SET node = 'node' || (rank / 4); UPDATE processor SET package = rank / 2 % 2;"
        (row,) = self.found(packages)
        self.assertEqual((row["subject"], row["node"], row["package"], row["core"], row["nodes"]), ("package", "node1", 0, None, 3))
        self.assertEqual(self.found(packages, "UPDATE thread_processor SET cpu = 1; INSERT INTO thread_processor SELECT rank, 1, cpu + 9, calls, 0, 0, 9 FROM thread_processor;"), [])


if __name__ == "__main__":
    unittest.main()
