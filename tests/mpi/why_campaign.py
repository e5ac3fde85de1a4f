"""Plants each cause of a late rank many times, by hand, and counts what callsign names. Two cores suffice for two ranks: the one that waits, and the late
one if it works, have one each. On a busy machine, and with more ranks than processors, all ranks may lack cores, which callsign says instead. A busy process
and a quota are planted in control groups that come first, if there can be some.

    why_campaign.py [RUNS [RANKS]] [keep] [LANGUAGE... REASON...]    with the environment of the test mpi.MPI.why: ctest -N -V -R mpi.openmpi.why

RANKS: in place of those below. keep: with events. Languages: c, fortran, python. The line for each reason counts these kinds: right; silent; no core, which is true if others
use this machine, or if there are more ranks than processors; unknown, the right rank without a cause; wrong.
"""

import collections
import contextlib
import json
import os
import pathlib
import sys
import tempfile

import harness

# Reason: (ranks, cause). hog, quota: done from outside to a rank that does as much as the other one.
REASONS = {"work": (2, "work"), "sleep": (2, "sleep"), "stop": (2, "sleep"), "touch": (2, "faults"), "huge": (2, "faults"), "file": (2, "input_output"),
           "lock": (2, "threads"), "chain": (3, "waiting"), "hog": (2, "other_process"), "quota": (2, "quota"),
           "equal": (2, None), "crowd": (4, None), "alone": (2, None), "master": (3, None), "jitter": (2, None)}
ONLY_C = {"alone", "master", "jitter"}
NOT_FORTRAN = {"stop", "lock"}
EVENTS = "keep" if "keep" in sys.argv[1:] else "last"
NO_CORE = {"other_process", "oversubscribed", "shared_core", "own_threads"}
SOURCES = pathlib.Path(__file__).resolve().parent / "programs"
# Behind these words, the late rank is pinned to the second processor, or in the control group.
PINNED = 'c=0; [ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = "$WHY_LATE" ] && c=1; exec taskset -c $c "$@"'
GROUPED = 'g=other; [ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = "$WHY_LATE" ] && g=late; echo $$ > "$WHY_GROUP/$g/cgroup.procs"; exec "$@"'


def program(language, folder):
    if language == "c":
        return [os.path.join(harness.PROGRAMS, "why")]
    if language == "fortran":
        harness.bounded.run([f"mpif90.{harness.FLAVOUR}", "-O1", str(SOURCES / "why.f90"), "-o", str(folder / "why")], check=True, cwd=folder)
        return [str(folder / "why")]
    python = harness.python_with("mpi4py")
    return [python, str(SOURCES / "why_mpi4py.py")] if python and harness.FLAVOUR == "openmpi" else None


@contextlib.contextmanager
def groups():
    """A control group with so large a share that others on this machine hardly matter; the late rank's part of it gets 30 % of a processor. None: there can
    be no group."""
    first, second = pathlib.Path("/sys/fs/cgroup/cpu"), pathlib.Path("/sys/fs/cgroup")
    base = (first if (first / "cgroup.procs").exists() else second) / f"callsign-why-{os.getpid()}"
    made = [base, base / "late", base / "other"]
    try:
        base.mkdir()
        if (base / "cpu.shares").exists():
            (base / "cpu.shares").write_text("262144")
        else:
            (base / "cpu.weight").write_text("10000")
            (base / "cgroup.subtree_control").write_text("+cpu")
        for group in made[1:]:
            group.mkdir()
        limit = base / "late" / "cpu.cfs_quota_us"
        limit.write_text("30000") if limit.exists() else (base / "late" / "cpu.max").write_text("30000 100000")
        yield base
    except OSError:
        yield None
    finally:
        for group in reversed(made):
            with contextlib.suppress(OSError):
                group.rmdir()


@contextlib.contextmanager
def hog():
    """A process that uses the second processor all the time."""
    with groups() as group:
        join = f"echo $$ > {group}/other/cgroup.procs; " if group else ""
        with harness.bounded.start(["/bin/sh", "-c", f"{join}exec taskset -c 1 {sys.executable} -c 'while True: pass'"]) as process:
            try:
                yield ["/bin/sh", "-c", join + PINNED, "sh"], {}
            finally:
                process.kill()
                process.wait()


@contextlib.contextmanager
def quota():
    with groups() as group:
        yield (["/bin/sh", "-c", GROUPED, "sh"], {"WHY_GROUP": str(group)}) if group else (None, {})


def causes(words, reason, ranks, extra):
    """(rank, cause) of each row of late_causes; (None, "no_cores") if all ranks lack cores."""
    with harness.workspace() as folder:
        planted = {"hog": "equal", "quota": "equal", "crowd": "equal"}.get(reason, reason)
        extra = harness.recording(folder) | extra | {"WHY_LATE": str(ranks // 2), "CALLSIGN_EVENTS": EVENTS}
        recorded = harness.mpirun(ranks, words[0], *words[1:], planted, harness.COMMAND, extra=extra)
        run = harness.run_folders(folder)
        if recorded.code != 0 or len(run) != 1:
            raise SystemExit(recorded.stderr)
        sql = "SELECT rank, cause FROM late_causes WHERE cause IS NOT NULL UNION ALL SELECT NULL, kind FROM core_findings"
        asked = harness.run([harness.COMMAND, "query", run[0], sql, "--format", "json"])
        return tuple((row["rank"], row["cause"]) for row in json.loads(asked.stdout))


def kind(found, cause, late):
    crowded = (None, "no_cores") in found
    found = [row for row in dict.fromkeys(found) if row != (None, "no_cores")]
    if cause == "waiting":  # with events, the rank that it waits for is late, too
        found = [row for row in found if row != (late + 1, "sleep")]
    if found == ([(late, cause)] if cause else []) or (cause == "threads" and found == [(late, "sleep")]):  # the other thread had no core either
        return "right"
    if not found:
        return "no core" if crowded else "silent"
    if cause and found == [(late, "unknown")]:
        return "unknown"
    if cause == "quota":
        return "wrong"
    return "no core" if all((row[0] == late or not cause) and row[1] in NO_CORE for row in found) else "wrong"


def main():
    runs, *fixed = [int(word) for word in sys.argv[1:] if word.isdigit()] or [20]
    words = [word for word in sys.argv[1:] if not word.isdigit() and word != "keep"]
    languages = [word for word in words if word not in REASONS] or ["c", "fortran", "python"]
    reasons = [word for word in words if word in REASONS] or list(REASONS)
    wrong = 0
    with tempfile.TemporaryDirectory() as build:
        for language in languages:
            words = program(language, pathlib.Path(build))
            for reason in reasons if words else ():
                if (language != "c" and reason in ONLY_C) or (language == "fortran" and reason in NOT_FORTRAN):
                    continue
                ranks, cause = REASONS[reason]
                ranks = fixed[0] if fixed else ranks
                with {"hog": hog, "quota": quota}.get(reason, lambda: contextlib.nullcontext(([], {})))() as (before, extra):
                    if before is None:
                        print(f"{language} {reason}: no control group can be made here", flush=True)
                        continue
                    found = collections.Counter(causes([*before, *words], reason, ranks, extra) for _ in range(runs))
                kinds = collections.Counter()
                for rows, times in found.items():
                    kinds[kind(rows, cause, ranks // 2)] += times
                wrong += kinds["wrong"]
                print(f"{harness.FLAVOUR} {language} {reason}, {ranks} ranks: {dict(kinds)}; {dict(found)}", flush=True)
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
