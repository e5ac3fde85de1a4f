"""`mpirun -n N callsign merge RUN`: the processes share the work, and the file is the one that a single process makes."""

import os
import pathlib
import shutil
import sqlite3
import sys
import unittest

import harness
import bounded  # harness sets the path
import scaled_run

RANKS, PER_NODE = 20, 7  # the processes get different numbers of files
# Starts a command several times, as a launcher does.
LAUNCHER = """import os, sys
sys.path.insert(0, sys.argv[1])
import bounded
started = [bounded.start(sys.argv[3:], env=dict(os.environ, FLUX_JOB_SIZE=sys.argv[2], FLUX_TASK_RANK=str(rank))) for rank in range(int(sys.argv[2]))]
sys.exit(max(process.wait() for process in started))
"""


def rows_of(path):
    """All rows of all tables and views."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as db:
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name")]
        rows = {name: sorted(db.execute(f'SELECT * FROM "{name}"'), key=repr) for name in names}
    db.close()
    return rows


class Merging(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        workspace = harness.workspace()
        cls.original = workspace.__enter__()
        cls.addClassCleanup(workspace.cleanup)
        recorded = harness.mpirun(4, "collectives", extra=harness.recording(cls.original), cwd=cls.original)
        assert recorded.code == 0, recorded.stderr
        (small,) = harness.run_folders(cls.original)
        harness.convert(small)
        scaled_run.make(scaled_run.plan_of(small, cls.original / "run", RANKS, per_node=PER_NODE, late={5: 3}, leak={3: 7}))
        (cls.original / "run" / "rank-00009.db").unlink()
        scaled_run.make(scaled_run.plan_of(small, cls.original / "nodes", RANKS, per_node=3, files="node"))

    def setUp(self):
        workspace = harness.workspace()
        self.folder = workspace.__enter__()
        self.addCleanup(workspace.cleanup)
        self.run_folder = self.folder / "run"
        shutil.copytree(self.original / "run", self.run_folder)

    def contents(self):
        return {path.name: path.read_bytes() for path in sorted(self.run_folder.iterdir())}

    def alone(self):
        """What a single process says, and the file that it makes."""
        done = harness.run([harness.COMMAND, "merge", "run", "-o", "alone.db", "-f"], cwd=self.folder, env=harness.base_environment())
        return done, self.folder / "alone.db"

    def together(self, processes, *more, output="all.db", extra=None):
        return harness.mpirun(processes, harness.COMMAND, "merge", "run", "-o", output, *more, extra=extra, cwd=self.folder), self.folder / output

    def words(self, result):
        """callsign's own lines, and its summary without the time and the name of the file."""
        return [line for line in result.stderr.splitlines() if line.startswith("callsign:")], [line.partition(" in ")[0] for line in result.stdout.splitlines() if line]

    def assert_same(self, processes):
        before = self.contents()
        one, expected = self.alone()
        done, made = self.together(processes)
        self.assertEqual(done.code, 0, done.stderr)
        self.assertEqual(self.words(done), self.words(one))
        self.assertEqual(made.read_bytes(), expected.read_bytes())
        self.assertEqual(self.contents(), before)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["all.db", "alone.db", "run"])
        made.unlink()

    def test_tables_and_views_are_those_of_one_process(self):
        _, expected = self.alone()
        for processes in (1, 2, 3, 4):
            done, made = self.together(processes, output=f"all{processes}.db")
            self.assertEqual((done.code, self.words(done)[0]), (0, []), done.stderr)
            if made.read_bytes() != expected.read_bytes():  # equal files have equal rows
                self.assertEqual(rows_of(made), rows_of(expected))

    def test_merged_file_that_commands_read(self):
        _, expected = self.alone()
        done = harness.mpirun(3, harness.COMMAND, "merge", "run", cwd=self.folder)
        self.assertEqual((done.code, self.words(done)), (0, ([], [f"{RANKS - 1} ranks"])), done.stderr)
        made = self.run_folder / "merged.db"
        before = made.stat().st_ino
        done = harness.run([harness.COMMAND, "query", "run", "calls", "-f", "csv"], cwd=self.folder)
        self.assertEqual(done.stdout, harness.run([harness.COMMAND, "query", expected, "calls", "-f", "csv"], cwd=self.folder).stdout)
        self.assertEqual(made.stat().st_ino, before)

    def test_files_of_nodes(self):
        shutil.rmtree(self.run_folder)
        shutil.copytree(self.original / "nodes", self.run_folder)
        self.assertIn("node-", "".join(self.contents()))
        for processes in (2, 3):
            self.assert_same(processes)

    def test_more_processes_than_files(self):
        for path in sorted(self.run_folder.iterdir())[3:]:
            path.unlink()
        self.assert_same(5)

    def test_file_of_one_rank(self):
        for path in sorted(self.run_folder.iterdir())[1:]:
            path.unlink()
        self.assert_same(2)

    def test_damaged_files_are_named_once_and_in_order(self):
        for rank, content in ((2, b"noise" * 1000), (7, b""), (11, (self.run_folder / "rank-00011.db").read_bytes()[:5000])):
            (self.run_folder / f"rank-{rank:05d}.db").write_bytes(content)
        shutil.copy(self.run_folder / "rank-00000.db", self.run_folder / "rank-00020.db")
        shutil.copy(self.run_folder / "rank-00001.db", self.run_folder / "rank-00004.db")
        (self.run_folder / "rank-00021.db").mkdir()
        one, _ = self.alone()
        self.assertEqual(len(self.words(one)[0]), 6, one.stderr)
        (self.run_folder / "rank-00021.db").rmdir()
        for processes in (2, 3, 4):
            self.assert_same(processes)

    def test_nothing_readable(self):
        for path in self.run_folder.iterdir():
            path.write_bytes(b"noise" * 1000)
        one, _ = self.alone()
        done, made = self.together(3)
        self.assertNotEqual(done.code, 0)
        self.assertEqual(self.words(done)[0], self.words(one)[0])
        self.assertFalse(made.exists())

    def test_errors_are_told_by_one_process(self):
        (self.folder / "all.db").write_bytes(b"precious")
        for arguments, line in ((("merge", "run", "-o", "all.db"), "callsign: all.db exists; --force replaces it"),
                                (("merge", "nowhere", "-o", "x.db"), "callsign: nowhere does not exist"),
                                (("merge",), "callsign: merge: no run (*.callsign) in the current folder; give one")):
            done = harness.mpirun(3, harness.COMMAND, *arguments, cwd=self.folder)
            self.assertNotEqual(done.code, 0)
            self.assertEqual(done.stderr.count(line), 1, done.stderr)
        self.assertEqual((self.folder / "all.db").read_bytes(), b"precious")

    def test_merge_is_not_recorded(self):
        done, _ = self.together(2, extra=harness.recording(self.folder))
        self.assertEqual(done.code, 0, done.stderr)
        self.assertEqual(harness.run_folders(self.folder), [])

    def test_command_of_one_process_of_a_script_works_alone(self):
        script = f'if [ "${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}}" = 0 ]; then "{harness.COMMAND}" merge run -o all.db; code=$?; fi; exit $code'
        done = harness.mpirun(3, shutil.which("sh"), "-c", script, cwd=self.folder)
        self.assertEqual((done.code, self.words(done)[0]), (0, []), done.stderr)
        self.assertTrue((self.folder / "all.db").exists())

    def launched(self, processes, **environment):
        """The command as a launcher of another MPI starts it."""
        return harness.run([shutil.which("bash"), "-c", f'exec -a flux-shell "{sys.executable}" "$@"', "-", "-c", LAUNCHER, pathlib.Path(bounded.__file__).parent, processes, harness.COMMAND, "merge", "run", "-o", "all.db"],
                           cwd=self.folder, env=harness.base_environment(**environment))

    def test_launcher_of_another_mpi_is_noticed(self):
        done = self.launched(3)
        self.assertEqual(done.code, 0, done.stderr)
        (line,), summary = self.words(done)
        self.assertRegex(line, "cannot work together: each is an MPI job of one process.* One works alone")
        self.assertEqual(summary, [f"{RANKS - 1} ranks"])
        self.assertEqual((self.folder / "all.db").read_bytes(), self.alone()[1].read_bytes())

    def test_variables_of_a_batch_job_are_no_launch(self):
        for variables in ({"SLURM_NTASKS": "4", "SLURM_PROCID": "0", "SLURM_STEP_ID": str(0xfffffffb), "SLURM_JOB_ID": "1"},
                          {"OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_RANK": "0"}, {"PMI_SIZE": "4", "PMI_RANK": "2"}, {"PMIX_RANK": "1"}):
            done = harness.run([harness.COMMAND, "merge", "run", "-o", "all.db", "-f"], cwd=self.folder, env=harness.base_environment(**variables))
            self.assertEqual((done.code, self.words(done)), (0, ([], [f"{RANKS - 1} ranks"])), done.stderr)

    def limited(self, rank, limit):
        """The words before the command: one process gets a limit. The launcher starts the command itself."""
        return [shutil.which("sh"), "-c", f'[ "${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}}" != {rank} ] || {limit}; exec "$@"', "sh", harness.COMMAND]

    def test_process_that_dies_ends_all_and_leaves_nothing_half_done(self):
        before = self.contents()
        done = harness.mpirun(3, *self.limited(1, "kill -9 $$"), "merge", "run", "-o", "all.db", cwd=self.folder)
        self.assertNotEqual(done.code, 0)
        self.assertEqual(self.contents(), before)
        merged = self.folder / "all.db"
        if merged.exists():  # the launcher had closed its connections before MPI_Init: a process took itself for the only one
            self.assertEqual(merged.read_bytes(), self.alone()[1].read_bytes())

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("unshare"), "needs a small file system")
    def test_full_disk_ends_all_with_one_line(self):
        small = self.folder / "small"
        small.mkdir()
        room = self.alone()[1].stat().st_size * 3 // 4
        script = f'mount -t tmpfs -o size={room} none "{small}" && "$@"; code=$?; ls -A "{small}"; exit $code'
        words = [*harness.launcher(3), harness.COMMAND, "merge", "run", "-o", small / "all.db"]
        done = harness.run(["unshare", "-m", "sh", "-c", script, "sh", *words], cwd=self.folder, env=harness.base_environment())
        if "mount" in done.stderr:
            self.skipTest("no private mounts here")
        self.assertNotEqual(done.code, 0)
        lines, listed = self.words(done)
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertRegex(lines[0], r"no space to merge the ranks in \S*/all\.db$|disk is full")
        self.assertNotIn("all.db", "".join(listed))


if __name__ == "__main__":
    unittest.main()
