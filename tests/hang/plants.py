"""Runs planted programs (plant.h) under callsign and asks `callsign hang` about them while they run.

A slow program goes on when the file `go` is in its folder; every rank leaves a file `at.RANK` there with its pid, and one that
computes leaves `held.RANK`.
"""

import concurrent.futures
import contextlib
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "mpi"))
import harness  # noqa: E402  (the path must be set first)
from harness import bounded  # noqa: E402

SECONDS = 120  # that a program holds still if nobody lets it go on
AT_ONCE = max(2, os.cpu_count() // 2)  # ranks of MPICH that wait take a processor each
ASKED = 2  # times at least, of what stands still
PAUSE = 0.2
STOPPED_SECONDS = 0.7
FOUND_SECONDS = 10
LASTED_SECONDS = 1.5  # that a deadlock lasts before the job is ended
SHOWN = 2  # answers, of what went wrong
END_SECONDS = 60
ACCUSATION = re.compile(r"(?i)^\W*(?:probabl[ey] |perhaps )?(?:a )?deadlock\b")
UNPROVEN = re.compile(r"^Possible deadlock: ranks? .* waits? for (each other|itself), unless ")
LAST = re.compile(r"^(No deadlock is proven|All|The other|The waiting rank)\b")
RANKS = re.compile(r"\b[Rr]anks? (\d[\d,-]*)")


class Plant:
    """A mode of a program."""

    def __init__(self, program, line):
        self.program = program
        self.name, ranks, self.answer, self.only = line.split("\t")
        self.ranks = int(ranks)

    def __str__(self):
        return f"{self.program.name} {self.name}"

    def sets(self):
        """The ranks of each deadlock, and those that may be named with any."""
        also = re.search(r"\((.*)\)", self.answer)
        return [numbers(word) for word in self.answer.rstrip("?").split() if word[0] != "("], numbers(also[1]) if also else set()


def plants(*programs):
    """All modes for the MPI under test of the programs that are there."""
    found = []
    for name in programs:
        path = pathlib.Path(harness.PROGRAMS, name)
        if path.exists():
            lines = bounded.run([path, "--list"], 60, check=True, capture_output=True, text=True).stdout.splitlines()
            found += [plant for plant in (Plant(path, line) for line in lines) if plant.only in ("", harness.FLAVOUR)]
    return found


def numbers(text):
    """The ranks of "0-2,5"."""
    found = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        found |= set(range(int(first), int(last or first) + 1))
    return found


def accusations(lines, unproven=False):
    """The ranks of each line that speaks of a deadlock, or of what is one unless another thread helps."""
    accusing = [line for line in lines if ACCUSATION.search(line) or (unproven and UNPROVEN.search(line))]
    return [set().union(*map(numbers, RANKS.findall(line.partition(" wait")[0]))) for line in accusing]


class Job:
    """A recorded run of a plant."""

    def __init__(self, plant, folder, under_run=False):
        """under_run: the launcher is started by callsign run, which keeps how the job ended."""
        self.plant, self.folder, self.asked = plant, folder, []
        folder.mkdir()
        env = {} if under_run else harness.recording(folder)
        before = [harness.COMMAND, "run", "--output", folder / "out", "--"] if under_run else []
        env.update(harness.files_of_the_mpi(folder), PLANT_FOLDER=str(folder), PLANT_SECONDS=str(SECONDS))
        with open(folder / "output", "wb") as output:
            self.process = bounded.start([*before, *harness.launcher(plant.ranks), plant.program, plant.name], env=harness.base_environment(**env), cwd=folder,
                                            start_new_session=True, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)

    def __enter__(self):
        return self

    def __exit__(self, *what):
        """Ends what still runs: the ranks, and the launcher cleans up after them."""
        if self.process.poll() is None:
            for pid in set(self.pids().values()) & set(bounded.descendants(self.process.pid)):
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            if not self.ends():
                bounded.end(self.process)

    def pids(self):
        """{rank: pid} of the ranks that have come to their plant."""
        found = {}
        for path in self.folder.glob("at.*"):
            text = path.read_text(encoding="ascii").strip()
            if text:
                found[int(path.suffix[1:])] = int(text)
        return found

    def ended(self):
        return self.process.poll() is not None

    def arrives(self):
        """True if all ranks reached their plant and the point where it stops."""
        for _ in bounded.moments(END_SECONDS, 0.05):
            if self.ended():
                return False
            holds = "slow" in self.plant.program.name and self.plant.answer not in ("moves", "dies")
            if len(self.pids()) == self.plant.ranks and (not holds or list(self.folder.glob("held.*"))):
                return True
        return False

    def ends(self):
        return any(self.ended() for _ in bounded.moments(END_SECONDS, 0.05))

    def go(self):
        (self.folder / "go").touch()

    def ask(self):
        """The lines of callsign hang, which are kept."""
        lines = []
        for run in harness.run_folders(self.folder):  # several if it spawns
            done = bounded.run([harness.COMMAND, "hang", run], END_SECONDS, capture_output=True, text=True, env=harness.base_environment())
            self.asked.append(done.stdout + done.stderr)
            if done.returncode != 0 or done.stderr:
                raise AssertionError(f"hang ended with {done.returncode}")
            lines += done.stdout.splitlines()
        return lines

    def ask_innocent(self):
        lines = self.ask()
        if any(ACCUSATION.search(line) for line in lines):
            raise AssertionError("it is accused of a deadlock")
        return lines

    def told(self):
        """A description of a failed test."""
        output = (self.folder / "output").read_text(encoding="utf-8", errors="replace")
        return "\n".join([*(f"---- asked:\n{text}" for text in self.asked[-SHOWN:]), f"---- output:\n{output[-2000:]}"])


def watch_still(job):
    """Asks while one rank computes, at least until it is named."""
    named, asked = not job.plant.answer, 0
    for _ in bounded.moments(FOUND_SECONDS, PAUSE):
        named |= any(re.search(rf"\bwaits? for rank {job.plant.answer}\b", line) for line in job.ask_innocent() if LAST.search(line))
        asked += 1
        if named and asked >= ASKED:
            return
    raise AssertionError(f"it was not told that all wait for rank {job.plant.answer}")


def watch_moving(job):
    """Asks while all communicate, while a rank is stopped, and as soon as it runs again."""
    pids = job.pids()
    job.ask_innocent()
    os.kill(pids[max(pids)], signal.SIGSTOP)
    try:
        time.sleep(STOPPED_SECONDS)
        job.ask_innocent()
    finally:
        os.kill(pids[max(pids)], signal.SIGCONT)
    job.ask_innocent()


def check_slow(job):
    """A slow program is never accused, and ends as it should."""
    plant = job.plant
    if plant.answer != "dies":
        if not job.arrives():
            raise AssertionError("it did not come to its plant")
        (watch_moving if plant.answer == "moves" else watch_still)(job)
    elif job.arrives():
        job.ask_innocent()
    job.go()
    if not job.ends():
        raise AssertionError("it did not end")
    if (job.process.returncode == 0) != (plant.answer != "dies"):
        raise AssertionError(f"it ended with {job.process.returncode}")
    job.ask_innocent()


def check_stuck(job):
    """Each deadlock is found, and no other."""
    if not job.arrives():
        raise AssertionError("it did not come to its plant")
    wanted, also = job.plant.sets()
    for _ in bounded.moments(FOUND_SECONDS, PAUSE):
        found = accusations(job.ask(), job.plant.answer.endswith("?"))
        wrong = [ranks for ranks in found if not any(each <= ranks <= each | also for each in wanted)]
        if wrong:
            raise AssertionError(f"ranks {wrong} are no deadlock; those are {job.plant.answer}")
        if job.ended():
            raise AssertionError("it ended")
        if all(any(each <= ranks for ranks in found) for each in wanted):
            return
    raise AssertionError(f"the deadlock of ranks {job.plant.answer} was not found")


def check_ended(job):
    """If a signal ends the job, the journals prove the same deadlocks afterwards, and no other."""
    if not job.arrives():
        raise AssertionError("it did not come to its plant")
    time.sleep(LASTED_SECONDS)
    if job.ended():
        raise AssertionError("it ended")
    job.process.send_signal(signal.SIGTERM)
    if not job.ends():
        raise AssertionError("it did not end")
    wanted, also = job.plant.sets() if "stuck" in job.plant.program.name else ([], set())
    found = accusations(job.ask(), job.plant.answer.endswith("?"))
    wrong = [ranks for ranks in found if not any(each <= ranks <= each | also for each in wanted)]
    if wrong or not all(any(each <= ranks for ranks in found) for each in wanted):
        raise AssertionError(f"deadlocks of {found}, expected {wanted}")


def check(function, plant, folder):
    """The error as text; None: no error."""
    with Job(plant, folder, function is check_ended) as job:
        try:
            function(job)
        except (AssertionError, ValueError, subprocess.TimeoutExpired) as error:
            return f"{harness.FLAVOUR} {plant}: {error}\n{job.told()}"
    return None


def check_all(function, chosen, at_once=AT_ONCE):
    """Checks plants, several at a time; yields what was wrong."""
    with harness.workspace() as folder, concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        results = pool.map(lambda numbered: check(function, numbered[1], folder / str(numbered[0])), enumerate(chosen))
        yield from filter(None, results)
