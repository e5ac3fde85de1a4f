"""Commands that read a run while its ranks live in another container, or are hidden: nothing is taken from the ranks, and nobody is told as
dead who lives. Run for each flavour; needs root and unshare (util-linux), and says so where these are missing."""

import contextlib
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import unittest

import harness

RANKS = 2
NOBODY = 65534
PIDS = ("unshare", "--pid", "--fork", "--kill-child", "--mount-proc")
NAMES = ("unshare", "--uts", "sh", "-c", 'hostname elsewhere && exec "$@"', "sh")
HIDDEN = ("unshare", "--mount", "sh", "-c", 'mount -t proc -o hidepid=2 proc /proc && exec setpriv --reuid 65534 --regid 65534 --clear-groups "$@"', "sh")
READERS = (("report",), ("hang",), ("convert",), ("query", "processes"), ("report", "endings"))


def trouble():
    """Why there can be no containers here; None: there can."""
    for words in (PIDS, NAMES, HIDDEN):
        if not shutil.which(words[0]) or harness.run([*words, "true"]).code != 0:
            return f"no containers here: {' '.join(words[:2])} is refused"
    return None


TROUBLE = trouble()


@unittest.skipIf(harness.SANITIZER, "the recording needs the launcher preloaded with the sanitizer")
class Containers(unittest.TestCase):
    def setUp(self):
        if TROUBLE:
            print(f"SKIPPED: {TROUBLE}", flush=True)
            self.skipTest(TROUBLE)

    def workspace(self, parent=None):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="callsign-test-", dir=parent))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        folder.chmod(0o755)
        return folder

    @contextlib.contextmanager
    def job(self, folder, container=(), after=None):
        """A run that goes on while the block runs, and then to its end; (process, run folder)."""
        command = [*container, *harness.launcher(RANKS), os.path.join(harness.PROGRAMS, "watched"), str(folder / "end")]
        environment = harness.base_environment(**harness.recording(folder), **harness.files_of_the_mpi(folder))
        with harness.bounded.start(command, env=environment, cwd=folder, start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True) as process:
            try:
                for _ in harness.bounded.moments(harness.TIMEOUT):
                    if (folder / "end.ready").exists() or process.poll() is not None:
                        break
                self.assertTrue((folder / "end.ready").exists(), "the job did not begin")
                (run,) = harness.run_folders(folder)
                yield process, run
                (folder / "end").touch()
                output, _ = harness.bounded.communicate(process, harness.TIMEOUT)
                self.assertEqual(process.returncode, 0, output)
                self.assertNotIn("callsign:", output)
            finally:
                if process.poll() is None:
                    harness.bounded.end(process)

    def read(self, folder, run, container=()):
        """All commands on a run; what they printed. `query` takes the run first."""
        said = {}
        for words in READERS:
            command, *rest = words
            words = [harness.COMMAND, command, run, *rest]
            result = harness.run([*container, *words], harness.base_environment(TMPDIR=str(folder)), folder)
            said[words[1], *rest] = result
            self.assertEqual(result.code, 0, result.stderr)
        merged = folder / "merged.db"
        result = harness.run([*container, harness.COMMAND, "merge", run, "-o", merged], harness.base_environment(TMPDIR=str(folder)), folder)
        self.assertEqual(result.code, 0, result.stderr)
        with contextlib.closing(sqlite3.connect(merged)) as db:
            outcomes = [outcome for outcome, in db.execute("SELECT DISTINCT outcome FROM process")]
        merged.unlink()
        return said, outcomes

    def check_untouched(self, container_of_job, container_of_reader, parent=None):
        folder = self.workspace(parent)
        with self.job(folder, container_of_job) as (_, run):
            before = sorted((path.name, path.stat().st_ino) for path in run.iterdir())
            _, outcomes = self.read(folder, run, container_of_reader)
            self.assertEqual(outcomes, ["running"])
            self.assertEqual(sorted((path.name, path.stat().st_ino) for path in run.iterdir()), before)
        self.assertEqual(harness.compare(folder, RANKS), [])
        self.assertEqual(sorted(path.name for path in run.glob("rank-*")), [f"rank-{rank:05}.db" for rank in range(RANKS)])

    def test_reader_in_a_pid_namespace_leaves_a_live_run(self):
        self.check_untouched((), PIDS)

    def test_reader_outside_leaves_a_live_run_in_a_pid_namespace(self):
        self.check_untouched(PIDS, ())

    def test_namespaces_beside_each_other(self):
        self.check_untouched(PIDS, PIDS, parent="/dev/shm")

    def test_another_host_name_on_the_same_machine_is_no_other_machine(self):
        self.check_untouched(NAMES, ())
        self.check_untouched((), NAMES)

    def test_where_no_lock_can_be_seen_the_journals_are_left_and_the_report_says_so(self):
        """On overlayfs, whose locks are not those of the folder below."""
        lower = self.workspace("/dev/shm")
        mount = f"mkdir {lower}/d {lower}/u {lower}/w && mount -t overlay overlay -o lowerdir={lower}/d,upperdir={lower}/u,workdir={lower}/w {lower}/d"
        overlay = ("unshare", "--mount", "sh", "-c", f'{mount} && exec "$@"', "sh")
        if harness.run([*overlay, "true"]).code != 0:
            self.skipTest("no overlayfs here")
        for name in "duw":
            shutil.rmtree(lower / name)
        script = (f'{mount} && cd {lower}/d && mkdir out facts && export CALLSIGN_OUTPUT={lower}/d/out CHECK_FOLDER={lower}/d/facts || exit 9; '
                  f'"$@" & while [ ! -e {lower}/d/end.ready ] && kill -0 $!; do sleep 0.1; done; '
                  f'unshare --pid --fork --mount-proc {harness.COMMAND} report out/*.callsign > {lower}/said; ls out/*.callsign > {lower}/listed; '
                  f'{harness.COMMAND} query out/*.callsign processes > {lower}/seen; touch {lower}/d/end; wait $! || exit 8; cp -r out facts {lower}')
        command = ["unshare", "--mount", "sh", "-c", script, "sh", *harness.launcher(RANKS), os.path.join(harness.PROGRAMS, "watched"), str(lower / "d/end")]
        recording = harness.recording(lower) | harness.files_of_the_mpi(lower)
        for name in ("out", "facts"):
            (lower / name).rmdir()
        result = harness.run(command, harness.base_environment(**recording), lower)
        self.assertEqual(result.code, 0, result.stderr)
        self.assertIn(f"{RANKS} processes on other nodes or containers may still run", (lower / "said").read_text(encoding="utf-8"))
        self.assertEqual((lower / "listed").read_text(encoding="utf-8").split(), [f"rank-{rank:05}.journal" for rank in range(RANKS)])
        self.assertEqual((lower / "seen").read_text(encoding="utf-8").count("running"), RANKS)
        self.assertEqual(harness.compare(lower, RANKS), [])

    def test_hidden_processes_are_not_told_as_dead(self):
        for parent in (None, "/dev/shm"):
            folder = self.workspace(parent)
            place = self.workspace()
            os.chown(place, NOBODY, NOBODY)
            with self.job(folder) as (_, run):
                outcome = harness.run([*HIDDEN, harness.COMMAND, "query", run, "SELECT group_concat(outcome) AS o FROM process", "--format", "csv"],
                                      harness.base_environment(TMPDIR=str(place)), folder)
                self.assertEqual(outcome.stdout.split()[-1].strip('"'), "running,running", outcome.stderr)
                self.assertEqual(len(list(run.glob("*.journal"))), RANKS)
            self.assertEqual(harness.compare(folder, RANKS), [])

    def test_killed_ranks_are_converted_as_died_from_another_pid_namespace(self):
        folder = self.workspace("/dev/shm")
        with contextlib.suppress(AssertionError):
            with self.job(folder) as (process, run):
                os.killpg(process.pid, signal.SIGKILL)  # the launcher, and those of its ranks that stayed in its group
                killed = []
                for line in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
                    with contextlib.suppress(OSError):
                        if str(folder / "end").encode() in line.read_bytes():
                            killed.append(line.parent)
                            os.kill(int(line.parent.name), signal.SIGKILL)
                # A process that exits loses its command line first and its locks later.
                for _ in harness.bounded.moments(30):
                    stats = (harness.bounded.read(each / "stat") for each in killed)
                    if all(stat.rpartition(")")[2].split()[:1] in ([], ["Z"], ["X"]) for stat in stats):
                        break
                raise AssertionError("killed")
        result = harness.run([*PIDS, harness.COMMAND, "convert", run], harness.base_environment(), folder)
        self.assertEqual((result.code, result.stderr), (0, ""))
        self.assertEqual(sorted(path.name for path in run.glob("rank-*")), [f"rank-{rank:05}.db" for rank in range(RANKS)])
        for path in run.glob("*.db"):
            with contextlib.closing(harness.open_trace(path)) as trace:
                self.assertEqual(trace.execute("SELECT outcome FROM process").fetchone(), ("died",))


if __name__ == "__main__":
    unittest.main()
