"""Failures during a recording. Each case runs a program bare and recorded: the output and exit code must be equal, with one clear line from callsign."""

import os
import pathlib
import shutil
import unittest

import harness


def has_mount_namespaces():
    """True if a private file system can be mounted."""
    return harness.bounded.run(["unshare", "-m", "true"], capture_output=True).returncode == 0


class Recording(unittest.TestCase):
    def setUp(self):
        temporary = harness.workspace()
        self.folder = temporary.__enter__()
        self.addCleanup(temporary.cleanup)

    def compare(self, message, program=("limits", "none", "50"), np=1, library=None, wrap=(), **settings):
        """Runs bare and recorded; returns the recorded result."""
        path = os.path.join(harness.PROGRAMS, program[0])
        words = [*wrap, *harness.launcher(np), path, *program[1:]]
        bare = harness.run(words, harness.base_environment(), self.folder)
        self.assertEqual(bare.code, 0, bare.stderr)
        extra = harness.recording(self.folder, library)
        extra.update(settings)
        recorded = harness.run(words, harness.base_environment(**extra), self.folder)
        self.assertEqual(harness.unaffected(bare, recorded, message), [])
        return recorded

    def traces(self):
        return harness.databases(self.folder)


@unittest.skipIf(harness.SANITIZER, "launchers and shells would have to be preloaded with the sanitizer")
class Place(Recording):
    def test_output_folder_below_a_file(self):
        file = self.folder / "file"
        file.write_text("not a folder", encoding="utf-8")
        self.compare(r"nothing is recorded.*file", CALLSIGN_OUTPUT=str(file / "sub"))

    @unittest.skipUnless(has_mount_namespaces(), "no private mounts here")
    def test_command_says_once_that_nothing_could_be_recorded(self):
        small = self.folder / "small"
        small.mkdir()
        script = f'mount -t tmpfs -o size=16k none "{small}" && exec "$@"'
        program = os.path.join(harness.PROGRAMS, "limits")
        words = ["unshare", "-m", "sh", "-c", script, "sh", harness.COMMAND, "run", "--run", small / "mine.callsign", program, "none", "5"]
        recorded = harness.run(words, harness.base_environment(), self.folder)
        self.assertEqual(recorded.code, 0, recorded.stderr)
        first, last = recorded.messages()
        self.assertRegex(first, r"nothing is recorded.*mine\.callsign.*No space")
        self.assertEqual(last, "callsign: nothing was recorded: see the message above")

    def test_output_folder_that_nobody_can_write(self):
        self.compare(r"nothing is recorded", CALLSIGN_OUTPUT="/proc/self/fdinfo")

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_output_folder_without_permission(self):
        locked = self.folder / "locked"
        locked.mkdir(mode=0o555)
        self.compare(r"nothing is recorded.*locked", CALLSIGN_OUTPUT=str(locked))

    @unittest.skipUnless(has_mount_namespaces(), "no private mounts here")
    def test_disk_full_from_the_start(self):
        self.full_disk("64k", "20", r"nothing is recorded.*small|recording stops.*small")

    @unittest.skipUnless(has_mount_namespaces(), "no private mounts here")
    def test_disk_full_later(self):
        self.full_disk("2m", "40000", r"recording stops.*small|cannot write the trace.*small")

    def full_disk(self, size, objects, message):
        small = self.folder / "small"
        small.mkdir()
        script = f'mount -t tmpfs -o size={size} none "{small}" && exec "$@"'
        self.compare(message, ("limits", "none", objects), wrap=["unshare", "-m", "sh", "-c", script, "sh"],
                     CALLSIGN_OUTPUT=str(small))

    # ---- journals on storage of the node ----

    def record_in_run(self, message, place, **more):
        """With this CALLSIGN_JOURNAL, one line says why the journal lies in the run's folder, and the trace is complete."""
        recorded = self.compare(message, ("counting", "3"), CALLSIGN_JOURNAL=str(place), **more)
        self.assertEqual(len(recorded.messages()), 1, recorded.messages())
        self.assertEqual(harness.compare(self.folder, 1), [])

    def test_journal_folder_that_does_not_exist(self):
        self.record_in_run(r"the journal is in the run folder, not in .*nowhere: No such file", self.folder / "nowhere")

    def test_journal_folder_that_is_a_file(self):
        file = self.folder / "file"
        file.write_text("not a folder", encoding="utf-8")
        self.record_in_run(r"the journal is in the run folder, not in .*file: Not a directory", file)

    def test_journal_folder_that_nobody_can_write(self):
        self.record_in_run(r"the journal is in the run folder, not in /proc/self/fdinfo: ", "/proc/self/fdinfo")

    @unittest.skipUnless(has_mount_namespaces(), "no private mounts here")
    def test_journal_folder_that_is_full(self):
        small = self.folder / "small"
        small.mkdir()
        script = f'mount -t tmpfs -o size=16k none "{small}" && exec "$@"'
        self.record_in_run(r"the journal is in the run folder, not in .*small: No space", small,
                           wrap=["unshare", "-m", "sh", "-c", script, "sh"])

    def test_files_may_not_grow(self):
        # Beyond the limit a write raises SIGXFSZ, which kills: callsign must not bring that upon the program.
        self.compare(r"recording stops|cannot write the trace|cannot rename|is not converted", ("limits", "size", "20000"))

    def test_no_file_descriptors_left(self):
        self.compare(r"cannot|stays|no more|too many|Too many", ("limits", "files", "50"))
        # Journals that could not be converted then are converted now.
        self.assertEqual(len(self.traces()), 1)

    def test_moment_without_file_descriptors_is_a_gap_of_known_size(self):
        recorded = self.compare(r"recording stops until there is room again", ("limits", "moment", "20000"))
        self.assertEqual(len(recorded.messages()), 1)
        (path,) = self.traces().values()
        with harness.open_trace(path) as trace:
            lost, outcome = trace.execute("SELECT lost, outcome FROM process").fetchone()
            named = trace.execute("SELECT count(*) FROM naming WHERE name LIKE 'a datatype with quite a long name%'").fetchone()[0]
            last = trace.execute("SELECT count(*) FROM naming WHERE name LIKE '%, 19999'").fetchone()[0]
            reduced = trace.execute("SELECT total(calls) FROM calls WHERE function = 'MPI_Allreduce'").fetchone()[0]
        self.assertEqual((outcome, last, reduced), ("finalized", 1, 1))
        self.assertGreaterEqual(named, 10000)
        self.assertGreaterEqual(named + lost, 20000)

    def test_folder_with_a_long_path_is_like_any_other(self):
        deep = self.folder
        while len(str(deep)) < 1500:
            deep /= "a_folder_of_a_batch_system_that_likes_long_names"
        self.compare(None, CALLSIGN_OUTPUT=str(deep))
        (run,) = deep.iterdir()
        self.assertEqual([path.name for path in run.glob("rank-*")], ["rank-00000.db"])

    def test_ranks_say_it_in_one_line_each_at_most(self):
        file = self.folder / "file"
        file.write_text("not a folder", encoding="utf-8")
        recorded = self.compare(r"nothing is recorded", ("counting", "3"), np=3, CALLSIGN_OUTPUT=str(file))
        self.assertLessEqual(len(recorded.messages()), 3)


@unittest.skipIf(harness.SANITIZER, "launchers and shells would have to be preloaded with the sanitizer")
class Settings(Recording):
    def test_unknown_setting_is_named_and_the_run_recorded(self):
        self.compare(r"CALLSIGN_COLOUR", CALLSIGN_COLOUR="blue")
        self.assertEqual(len(self.traces()), 1)

    def test_malformed_value_is_named_and_the_default_used(self):
        self.compare(r"CALLSIGN_CONVERT=maybe.*finalize", CALLSIGN_CONVERT="maybe")
        self.assertEqual(len(self.traces()), 1)

    def test_recording_switched_off_leaves_nothing(self):
        self.compare(None, CALLSIGN_RECORD="off")
        self.assertEqual(harness.run_folders(self.folder), [])

    def test_converting_later_leaves_journals_that_the_command_converts(self):
        self.compare(None, CALLSIGN_CONVERT="later")
        (run,) = harness.run_folders(self.folder)
        self.assertEqual(len(list(run.glob("*.journal"))), 1)
        self.assertEqual(len(self.traces()), 1)

    def test_monotonic_clock_records_the_same(self):
        self.compare(None, ("ring",), np=2, CALLSIGN_CLOCK="monotonic")
        self.assertEqual(harness.compare(self.folder, 2), [])


@unittest.skipIf(harness.SANITIZER, "launchers and shells would have to be preloaded with the sanitizer")
class Libraries(Recording):
    def copy(self, *names):
        """A folder that has only some of callsign's libraries; returns its front library."""
        place = self.folder / "partial"
        place.mkdir()
        source = pathlib.Path(harness.LIBRARY).parent
        for name in ("libcallsign.so", *names):
            shutil.copy(source / name, place / name)
        return str(place / "libcallsign.so")

    def test_flavour_that_was_not_built(self):
        self.compare(r"nothing is recorded", library=self.copy())
        self.assertEqual(harness.run_folders(self.folder), [])

    def test_flavour_that_is_no_library(self):
        library = self.copy()
        (self.folder / "partial" / harness.SERVED_BY).write_text("garbage", encoding="utf-8")
        self.compare(r"nothing is recorded", library=library)

    def test_missing_convert_library_leaves_a_journal(self):
        self.compare(r"callsign convert", library=self.copy(harness.SERVED_BY, "libcallsign-unwind.so"))
        (run,) = harness.run_folders(self.folder)
        self.assertEqual(len(list(run.glob("*.journal"))), 1)
        self.assertEqual(len(self.traces()), 1)

    def test_missing_resolve_library_leaves_the_rules_that_need_no_source(self):
        rules = self.folder / "names"
        rules.write_text("caller=* -> a\nlibrary=limits -> b\n", encoding="utf-8")
        library = self.copy(harness.SERVED_BY, "libcallsign-unwind.so", "libcallsign-convert.so")
        self.compare(r"rules with caller= or at= match nothing: .*libcallsign-resolve\.so", library=library, CALLSIGN_NAMES=str(rules))
        (path,) = self.traces().values()
        with harness.open_trace(path) as trace:
            self.assertEqual(trace.execute("SELECT DISTINCT name FROM naming WHERE origin = 'rule'").fetchall(), [("b",)])


if __name__ == "__main__":
    unittest.main()
