"""What callsign top says of a running job, against what the program says of itself."""

import json
import os
import subprocess
import unittest

import harness

PACED_SECONDS, STOP_SECONDS, INTERVAL = 1.5, 1.5, 0.2
LATE = 0.3  # seconds that a busy machine may take from the command or the program at any moment


class Top(unittest.TestCase):
    def watch(self, folder):
        """(the objects of callsign top, its stderr, the lines of the program), from the appearance of the run to its end."""
        if harness.SANITIZER:
            self.skipTest("the launcher is not run through harness.mpirun")
        words = [*harness.launcher(2), os.path.join(harness.PROGRAMS, "paced"), str(PACED_SECONDS), str(STOP_SECONDS)]
        program = harness.bounded.start(words, env=harness.base_environment(**harness.recording(folder)), stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True)
        try:
            for _ in harness.bounded.moments(20, pause=0.02):
                if any(len(list(run.glob("*.journal"))) == 2 for run in harness.run_folders(folder)):
                    break
            (run,) = harness.run_folders(folder)
            shown = harness.run([harness.COMMAND, "top", run, "--json", "--interval", INTERVAL])
            said = harness.bounded.communicate(program, 60)[0]
        finally:
            harness.bounded.end(program)
        self.assertEqual(shown.code, 0, shown.stderr)
        return run, [json.loads(line) for line in shown.stdout.splitlines()], shown.stderr, [line.split() for line in said.splitlines()]

    def test_rates_states_and_totals_are_those_of_the_program(self):
        with harness.workspace() as folder:
            run, tables, stderr, said = self.watch(folder)
            self.assertRegex(stderr, r"\Acallsign: the run has ended: callsign report \S+\.callsign\n\Z")
            self.check_rates(tables, said)
            self.check_stop(tables, said)
            self.check_lines(tables, said)
            self.assertEqual((tables[-1]["running"], tables[-1]["ranks"]), (0, 2))
            sql = "SELECT sum(messages) AS messages, sum(bytes) AS bytes FROM traffic WHERE direction = 'send'"
            (total,) = json.loads(harness.run([harness.COMMAND, "query", run, sql, "-f", "json"]).stdout)
            self.assertEqual((tables[-1]["messages"], tables[-1]["bytes"]), (total["messages"], total["bytes"]))
            self.assertEqual(total["messages"], 2 * PACED_SECONDS * 1000 + 1)

    def check_rates(self, tables, said):
        """The messages between two readings of a rank, by the clock of the program."""
        for rank in (0, 1):
            sent = [(float(at), int(count)) for word, who, at, count in said if word == "sent" and int(who) == rank]
            read = [table["rank"][rank] for table in tables if len(table["rank"]) == 2]
            read = [row for row in read if sent[0][0] < row["at"] < sent[-1][0]]
            self.assertGreater(len(read), 1, (tables, said))

            def count_at(moment):
                after = next(i for i, (at, _) in enumerate(sent) if at >= moment)
                (a, low), (b, high) = sent[after - 1], sent[after]
                return low + (high - low) * (moment - a) / (b - a)

            shown = sum(row["messages_per_second"] * (row["at"] - before["at"]) for before, row in zip(read, read[1:]))
            self.assertAlmostEqual(shown / (count_at(read[-1]["at"]) - count_at(read[0]["at"])), 1, delta=LATE / PACED_SECONDS)
            for row in read[1:]:  # 100 bytes each
                self.assertAlmostEqual(row["bytes_per_second"], 100 * row["messages_per_second"], delta=1)

    def check_lines(self, tables, said):
        """While both ranks send, each of their calls has its lines, and the receives of the stop are not there yet. A line is called "?" until its name is
        read; a busy machine may read it late."""
        (begin, *_, end) = [float(at) for word, who, at, _ in said if word == "sent"]
        paced = [table for table in tables if begin + LATE < table["at"] - table["interval"] and table["at"] < end - LATE]
        self.assertTrue(paced, (tables, said))
        for table in paced:
            for lines, name in (("functions", "MPI_Sendrecv"), ("communicators", "MPI_COMM_WORLD"), ("call_sites", "main paced.c")):
                (line,) = table[lines]
                self.assertTrue(line["name"].startswith(name) or lines != "functions" and line["name"] == "?", line)
                ranks = [rank["calls_per_second"] for rank in table["rank"]]
                self.assertAlmostEqual(line["calls_per_second"], sum(ranks), delta=0.05 * sum(ranks) + 40)  # read a little later
                self.assertAlmostEqual(line["bytes_per_second"], 200 * line["calls_per_second"], delta=1)  # 100 bytes each way
                self.assertLessEqual(line["least"]["seconds"], line["most"]["seconds"])

    def check_stop(self, tables, said):
        """While rank 0 sleeps, it is outside MPI, and rank 1 is in MPI_Recv."""
        (begin,) = [float(begun) for word, who, begun, _ in said if word == "stop" and who == "0"]
        (end,) = [float(ended) for word, who, _, ended in said if word == "stop" and who == "0"]
        (entered,) = [float(begun) for word, who, begun, _ in said if word == "stop" and who == "1"]
        inside = [table for table in tables if max(begin, entered) + 0.05 < table["at"] - table["interval"] and table["at"] < end]
        self.assertTrue(inside, (tables, said))
        for table in inside:
            sleeper, waiter = table["rank"]
            self.assertEqual((sleeper["inside"], sleeper["mpi_share"], sleeper["calls_per_second"]), (False, 0, 0))
            self.assertEqual((waiter["inside"], waiter["function"]), (True, "MPI_Recv"))
            self.assertGreater(waiter["mpi_share"], 0.98)
            self.assertAlmostEqual(sleeper["state_seconds"], sleeper["at"] - begin, delta=LATE)
            self.assertAlmostEqual(waiter["state_seconds"], waiter["at"] - entered, delta=LATE)
            if waiter["state_seconds"] >= 1:
                self.assertEqual(table["awaited"], 0)
            self.assertEqual((sleeper["state"], waiter["state"]), ("sleeping", "MPI_Recv"))
            self.assertEqual(table["functions"][0]["name"], "MPI_Recv")
            self.assertAlmostEqual(table["mpi_share"], 0.5, delta=0.2)  # one rank may be read a little later


if __name__ == "__main__":
    unittest.main()
