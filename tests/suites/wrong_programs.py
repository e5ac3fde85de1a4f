#!/usr/bin/env python3
"""Collections of small programs with one error each, and of correct ones. Which errors does callsign find?

    tests/suites/wrong_programs.py FOLDER                     FOLDER: a checkout. Everything, with Open MPI and MPICH: takes hours
    tests/suites/wrong_programs.py FOLDER coll --mpi mpich    some categories
    tests/suites/wrong_programs.py FOLDER --each 3            three programs of each kind
    tests/suites/wrong_programs.py FOLDER --sample 200        200 programs, chosen by chance; --seed repeats the choice

FOLDER is one of these:

    MPI-CorrBench (github.com/tudasc/MPI-Corrbench), categories coll pt2pt rma usertypes conflo correct
    the MPI Bugs Initiative, after `MBI.py -c generate`, categories: the errors that its headers name, and correct
    MPI-BugBench: a folder of generated programs, categories as above; those of which one access is a load or store end in -loads
    the tests of MUST, the folder tests of its sources; categories: their folders, races-loads (one access is a load or store), correct (also what MUST calls
    unusual, but allowed). Most of them name no call: then every finding counts
    RMARaceBench (github.com/RWTH-HPC/RMARaceBench), categories calls (both accesses are MPI calls), loads (one is a load or store), correct

Each program runs under `callsign run --check all`, with two ranks or as many as it says. A program that does not end is shown to `callsign hang` and killed: as soon as that
names a deadlock or mismatch, at the latest after 15 seconds (more on a busy machine). A finding of severity 1, or a deadlock or mismatch in `callsign hang`, counts as found. Its place is right if it is in a function that the name of the program has, or on a line that its
comment names, or on the next one: most of these numbers are one too low. What callsign names itself, and what it only shows because the MPI ended the
process there, are counted apart. Prints a line for each program and a table by category. Programs without an
error (HARMLESS) count as correct ones. Exit code 1: a correct program has such a finding.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/support"), str(ROOT)]
import bounded  # noqa: E402  (the path must be set first)
from gen import model  # noqa: E402

NOTES = {finding.name for finding in model.read_folder().of_kind("finding") if finding.get("severity") == "note"}

# Kinds of the findings, and of the rows of the report checks.
MISMATCHES = {"collective_differs", "message_differs", "function", "root", "operation", "count", "type", "call", "data", "missing", "message_type", "truncated",
              "not_received", "not_sent"}
# Kinds of the view misuses.
ARGUMENTS = {"invalid_rank", "invalid_tag", "invalid_root", "negative_count", "null_operation", "invalid_operation", "null_buffer", "freed_handle",
             "null_communicator", "null_window", "null_file", "null_group", "null_errhandler", "null_info", "null_session", "null_request", "null_message",
             "null_datatype", "no_handle", "predefined_freed", "not_intra", "not_inter", "no_topology", "repeated_rank", "zero_stride", "invalid_dimensions",
             "invalid_dimension", "invalid_color", "false_assertion", "invalid_size", "invalid_start", "null_output", "not_initialized", "beyond_frame", "beyond_variable", "misplaced_in_place", "no_attached_buffer",
             "attached_too_small", "attached_twice", "invalid_partition", "readied_twice", "inactive_request", "null_array", "mixed_weights", "unmatched_neighbor"}
BUFFERS = {"aliased_buffers", "overwritten_buffer", "unfinished_buffer", "conflicting_access", "racing_access", "overlapping_blocks", "overlapping_entries",
           "target_too_small", "beyond_window"}
ORDER = {"uncommitted_datatype", "no_epoch", "not_opened", "epoch_in_epoch", "not_locked", "locked_twice", "open_epoch", "never_completed", "thread_level", "concurrent_calls",
         "concurrent_collectives", "concurrent_completion", "stolen_message", "inactive_request", "readied_twice", "no_attached_buffer", "dead_memory", "request_freed", "active_request", "not_persistent", "same_request"}
# The kinds of finding that tell the class of an error, by the first word of a program's name.
CLASSES = {
    "ArgError": {"died", "aborted", "exited", "error_returned", "tag_too_large", "uncommitted_datatype", "null_peer", "other_tag", "dead_memory"} | MISMATCHES | ARGUMENTS | BUFFERS,
    "ArgMismatch": {"deadlock", "died", "aborted", "error_returned"} | MISMATCHES | ARGUMENTS | BUFFERS,
    "MisplacedCall": {"deadlock", "hidden_deadlock", "died", "aborted", "exited", "error_returned", "not_initialized"} | MISMATCHES | BUFFERS | ORDER,
    "MissingCall": {"deadlock", "leak", "exited", "died", "error_returned"} | MISMATCHES | ORDER,
}
# The kinds by which callsign shows what the MPI itself found: it ended the process in the call, or returned an error.
BY_MPI = {"died", "aborted", "error_returned"}
# The argument that a deadlock names, by its words.
NAMED = {"went to MPI_PROC_NULL": "null_peer", "only messages with other tags,": "other_tag"}
# The call that is missing or too late, by the kind of the finding.
MISSING = {"exited": "MPI_Finalize", "not_received": "MPI_Recv", "uncommitted_datatype": "MPI_Type_commit", "no_epoch": "MPI_Win_fence"}
# Programs that have no error, whatever their comments say: with all MPIs, or because of the constants of one.
HARMLESS = {
    "": {
        "pt2pt/ArgError-MPIIRecv-Tag": "the tag -1 is MPI_ANY_TAG",
        "pt2pt/ArgError-MPIRecv-Tag": "the tag -1 is MPI_ANY_TAG",
        "usertypes/ArgMismatch-MPIRecv-Type-2": "equal signatures (MPI 4.1, 3.3.1)",
        "usertypes/ArgMismatch-MPIRecv-Type-3": "the receive has room for more data (3.2.4)",
        "usertypes/ArgMismatch-MPIRecv-Type-6": "the receive has room for more data (3.2.4)",
        "rma/ArgError-MPIWinCreate-overlap": "the windows do not overlap, and may (12.2.1)",
        "rma/ArgError-MPIWinFence-assert": "all assertions are 0",
        "conflo/rma/ArgError-MPIWinCreate-overlap": "the windows do not overlap, and may (12.2.1)",
        "conflo/usertypes/ArgMismatch-MPIRecv-Type-4": "the receive has room for more data (3.2.4)",
        "BasicChecks/IntegerZeroError": "a shift by 0 is allowed (8.5.6)",
        "BufferChecks/BufferDetachNotAttachedError": "no attached buffer is one of size 0 (3.6)",
        "GroupChecks/IntegerGreaterGrpSizeError": "ranks may be translated twice (7.3.1)",
    },
    "openmpi": {
        "pt2pt/ArgError-MPIRecv-Rank-1": "the rank -1 is MPI_ANY_SOURCE",
        "pt2pt/ArgError-MPISend-Tag-2": "MPI_TAG_UB + 1 is the tag 1",
        "pt2pt/ArgError-MPITest-Status": "NULL is MPI_STATUS_IGNORE",
        "conflo/pt2pt/ArgError-MPISend-Tag-2": "MPI_TAG_UB + 1 is the tag 1",
        "conflo/pt2pt/ArgError-MPITest-Status": "NULL is MPI_STATUS_IGNORE",
        "IntegrityChecks/IntegrityIfNullStatusError": "NULL is MPI_STATUS_IGNORE",
        "IntegrityChecks/IntegrityIfNullStatusesError": "NULL is MPI_STATUSES_IGNORE",
    },
    "mpich": {
        "rma/ArgError-MPIGet-rank": "the rank -1 is MPI_PROC_NULL",
        "rma/ArgError-MPIPut-rank": "the rank -1 is MPI_PROC_NULL",
        "conflo/rma/ArgError-MPIGet-rank": "the rank -1 is MPI_PROC_NULL",
        "conflo/rma/ArgError-MPIPut-rank": "the rank -1 is MPI_PROC_NULL",
    },
}
SECONDS, ASKED_AFTER = 15, 5


def environment():
    env = {key: value for key, value in os.environ.items() if not key.startswith(("CALLSIGN_", "OMPI_"))}
    return dict(env, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1", CALLSIGN_SYNC="off", CALLSIGN_CHECK="all", CALLSIGN_EVENTS="all")


class Program:
    """A program, and what its collection says of its error. The base class: MPI-CorrBench."""

    ranks = 2
    options = ()  # for the compiler
    arguments = ()

    def __init__(self, path, root):
        self.path, self.name = path, str(path.relative_to(root))
        self.text = path.read_text(encoding="utf-8", errors="replace")
        self.source = self.text.splitlines()
        self.lines, self.calls, self.classes = set(), set(), set()
        self.leaks = False  # a leak is the error
        self.look()

    @classmethod
    def all(cls, root):
        return [cls(path, root / "micro-benches/0-level") for path in sorted((root / "micro-benches/0-level").rglob("*.c"))]

    def look(self):
        comments = " ".join(re.findall(r"/\*.*?\*/", self.text, re.DOTALL))
        spans = re.findall(r"[Ll]ines? *(\d+(?:(?:[/,\-& ]|and)+\d+)*)", comments)
        self.lines = {int(number) + shift for span in spans for number in re.findall(r"\d+", span) for shift in (0, 1)}
        word = self.path.stem.split("-")
        self.kind = word[0] if word[0] in CLASSES else ""
        self.classes = CLASSES.get(self.kind, set())
        self.calls = {bare(word[1])} if self.kind and len(word) > 1 else set()
        if self.calls and not self.calls & {bare(call) for call in re.findall(r"MPI_[A-Z]\w+", re.sub(r"/\*.*?\*/", "", self.text, flags=re.DOTALL))}:
            self.calls |= {call.removeprefix("i") for call in self.calls} | {"win" + call for call in self.calls}  # some names of files are not right
        self.leaks = self.kind == "MissingCall" or "Overwrite" in self.name
        self.category = "correct" if "/correct/" in f"/{self.name}" else self.name.split("/")[0]

    @property
    def correct(self):
        return self.category == "correct"

    def called_at(self, line):
        """The MPI function that is called on a line of the program; "" if none."""
        return re.search(r"MPI_(?!COMM_)\w+|$", self.source[line - 1] if line <= len(self.source) else "")[0]

    def is_here(self, kind, function, location):
        """True if a finding is about the error. A hidden deadlock names one of its calls."""
        line = re.search(r":(\d+)$", location or "")
        line = int(line[1]) if line else 0
        return bare(function or self.called_at(line)) in self.calls or line in self.lines or (kind == "hidden_deadlock" and re.search("Deadlock|Buffering", self.name))


def bare(function):
    """The name of a function as the names of programs have it; None if there is none."""
    return re.sub(r"^MPI_?", "", function).lower().replace("_", "") or None


class BugsInitiative(Program):
    """A program of the MPI Bugs Initiative, or of MPI-BugBench, which succeeds it."""

    kind = ""

    @classmethod
    def all(cls, root):
        return [cls(path, root) for path in sorted(root.rglob("*.c")) if re.search("^END_MB[IB]_TESTS", path.read_text(errors="replace"), re.MULTILINE)]

    def look(self):
        test = re.search(r"-np (\d+).*?\n(.*?)END_MB[IB]_TESTS", self.text, re.DOTALL)
        error = re.search(r"ERROR:? (\w+)", test[2])
        self.ranks, self.category = int(test[1]), error[1] if error else "correct"
        self.lines = {int(number) for number in re.findall(r"\.c:(\d+)", test[2])}
        marked = [number for number, line in enumerate(self.source, 1) if re.search("MBI?B?ERROR", line)]
        self.lines |= {self.first_call(number) for number in marked}
        self.arguments = ([""] + re.findall(r"\$ mpirun -np \d+ \$\{EXE\}(.*)", self.text))[-1].split()  # of the last one
        marked = re.findall(r"MBBERROR_BEGIN\*/(.*?)/\*MBBERROR_END", self.text, re.DOTALL)
        if error and "Concurrency" in error[1] and (any("MPI_" not in each for each in marked) or re.search("load|store", self.path.stem)):
            self.category += "-loads"
        self.calls = {bare(word) for word in re.findall(r"MPI_[A-Z]\w+", test[2])} | {bare(word) for word in self.path.stem.split("_")[1:-1] if len(word) > 3 or word in ("Get", "Put")}
        self.classes = set().union(*CLASSES.values())
        self.leaks = self.category.endswith("Leak") or self.category.startswith("Missing")

    def first_call(self, number):
        """This line, or the first one after it that calls MPI: some marks stand before the call."""
        return next((each for each in range(number, number + 4) if self.called_at(each)), number)


class MustTest(Program):
    """A test of MUST. Its comments have the messages that MUST must print, or none."""

    kind = ""
    error = re.compile(r"Error|[Dd]ata race|can cause a deadlock|of different length|do not match|can not hold|not freed when|fails to match|conflicting|mismatch"
                       r"|matches a blocking|overlap|Incompatible buffer|Buffer too small|No buffer allocated|Extent of struct")
    harmless = re.compile(r"NoError|NoWarning|NoDl(?!Error)|NoLoss|Safe\.|noError|noWarning|NoErRoR|[nN]oOverlap")
    left_out = {"Annotations", "CommGroupTrack", "DatatypeImplementation", "DatatypeTrack", "ELP", "ErrorFilter", "ErrTrack", "KeyvalTrack", "Mustrun",
                "OpTrack", "RequestTrack", "Templates", "VectorClock", "basic", "unit"}  # tests of MUST's own parts

    @classmethod
    def all(cls, root):
        paths = [path for path in sorted(root.rglob("*.c*")) if path.suffix in (".c", ".cpp") and not cls.left_out & set(path.relative_to(root).parts)]
        programs = [cls(path, root) for path in paths if not path.parent.name == "modules" and "RUN:" in path.read_text(errors="replace")]
        return [program for program in programs if program.ranks <= 8]

    def look(self):
        checks = [(number, line) for number, line in enumerate(self.source, 1) if re.search(r"//.*CHECK[A-Z-]*:", line) and "-NOT:" not in line]
        said = " ".join(line for _, line in checks)
        ranks = re.search(r"(?:numproc-flag|-np) (\d+)", self.text)
        self.ranks = int(ranks[1]) if ranks else 2
        self.lines = {number + int(further or 0) for number, line in checks for further in re.findall(r"@LINE(?:\+(\d+))?", line)}
        self.calls = {bare(word) for word in re.findall(r"call (MPI_\w+)", re.sub(r"{{\((\w+)\)\?}}", r"\1", said))}  # MPI_Type_{{(create_)?}}struct
        self.classes, self.leaks = set().union(*CLASSES.values()), "not freed when" in said
        self.category = "correct"
        if self.error.search(said) and not self.harmless.search(self.path.name):
            loads = "ata race" in said and any(not self.called_at(line) for line in self.lines)
            self.category = "races-loads" if loads else self.name.split("/")[0]
        had = ("ALLTOALLW COMM_CREATE_ERRHANDLER COMM_CREATE_KEYVAL EXSCAN GET_ADDRESS REDUCE_SCATTER REDUCE_SCATTER_BLOCK STATUSES_IGNORE STATUS_IGNORE "
               "TYPE_CREATE_HINDEXED TYPE_CREATE_HVECTOR TYPE_CREATE_INDEXED_BLOCK TYPE_CREATE_RESIZED TYPE_CREATE_STRUCT TYPE_GET_EXTENT TYPE_GET_TRUE_EXTENT")
        root = self.path.parents[len(pathlib.Path(self.name).parts) - 1]
        self.options = [f"-I{root}", *(f"-DHAVE_MPI_{word}" for word in had.split())]

    def is_here(self, kind, function, location):
        return not self.calls | self.lines or super().is_here(kind, function, location)


class RaceBench(Program):
    kind = ""

    @classmethod
    def all(cls, root):
        return [cls(path, root) for path in sorted((root / "MPIRMA").rglob("*.c"))]

    def look(self):
        pair = re.findall(r"([\w ]+)@(\d+)", (re.search(r'RACE_PAIR"?: (.*)', self.text) or [None, ""])[1])
        ranks = re.search(r'"NPROCS": *(\d+)', self.text)
        self.ranks = int(ranks[1]) if ranks else 2
        between_calls = pair and all(access.strip().startswith("MPI_") for access, _ in pair)
        self.category = "correct" if self.path.stem.endswith("-no") else "calls" if between_calls else "loads"
        self.lines, self.classes = {int(line) for _, line in pair}, BUFFERS


def programs_of(root, categories, each):
    known = Program if (root / "micro-benches").exists() else RaceBench if (root / "MPIRMA").exists() else MustTest if (root / "mustTest.h").exists() else BugsInitiative
    alike, chosen = collections.defaultdict(list), []
    for program in known.all(root):
        if not categories or program.category in categories:
            alike[program.category, re.split("[-_]", program.path.stem)[0]].append(program)
    for programs in alike.values():
        step = max(1, len(programs) // each) if each else 1
        chosen += programs[::step][: each or None]
    return chosen


class Bench:
    def __init__(self, flavour, root, build):
        self.flavour, self.root, self.command = flavour, root, build / "bin/callsign"

    def build(self, program, folder):
        headers = self.root / "micro-benches/0-level/correct/include"
        for name in ("mustConfig.h", "gtiConfig.h"):  # MUST's build would make them
            (folder / name).touch()
        compiler = f"{'mpicxx' if program.path.suffix == '.cpp' else 'mpicc'}.{self.flavour}"
        words = [compiler, "-g", "-w", "-fopenmp", f"-I{headers}", f"-I{folder}", *program.options, str(program.path), "-o", str(folder / "program"), "-lm"]
        return bounded.run(words, 120, capture_output=True).returncode == 0

    def record(self, folder, ranks, arguments):
        """How the program ended, and what callsign hang says if it did not."""
        words = [str(self.command), "run", "--run", str(folder / "run"), f"mpiexec.{self.flavour}", "-n", str(ranks), str(folder / "program"), *arguments]
        started = bounded.start(words, env=environment(), cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        told = ""
        for seconds in (ASKED_AFTER, SECONDS * bounded.factor() - ASKED_AFTER):
            try:
                return f"exit code {started.wait(seconds)}", ""
            except subprocess.TimeoutExpired:
                if not re.search("^(Deadlock|Mismatch)", told, re.MULTILINE):
                    told = bounded.run([str(self.command), "hang", str(folder / "run")], 60, capture_output=True, text=True).stdout
                if re.search("^(Deadlock|Mismatch)", told, re.MULTILINE):
                    break
        started.send_signal(signal.SIGTERM)
        try:
            started.wait(SECONDS)
        except subprocess.TimeoutExpired:
            started.kill()
            started.wait()
        return "no end", told

    def findings(self, folder, ended, told):
        """[(kind, function, location)]"""
        if not (folder / "run").exists():
            return []
        sql = ("SELECT kind, severity, function, location(site) AS location FROM findings WHERE severity = 1 OR kind = 'leak' "
               "UNION ALL SELECT outcome, 1, begun_by, location(begun_site) FROM endings WHERE begun_by IS NOT NULL "
               "UNION ALL SELECT outcome, 1, function, location(site) FROM endings WHERE rank < 0 AND inside "
               "UNION ALL SELECT 'leak', 2, created_by, location FROM leaks_by_site")
        done = bounded.run([str(self.command), "query", str(folder / "run"), sql, "--format", "json"], 120, capture_output=True, text=True)
        rows = json.loads(done.stdout) if done.returncode == 0 else []
        # What ends a program here is no finding.
        killed = ("died", "died_first", "missing_ranks", "exited", "aborted", "running") if ended == "no end" else ("died_first", "missing_ranks")
        found = [(row["kind"], row["function"], row.get("location")) for row in rows
                 if (row["severity"] == 1 or row["kind"] == "leak") and row["kind"] not in killed]
        kind = ""  # a deadlock is told in several lines
        for line in told.splitlines():
            heading = re.match("Deadlock|Mismatch", line)
            if heading:
                kind = "deadlock" if heading[0] == "Deadlock" else "collective_differs"
            elif not re.match(r"  \d+ .*waits for ", line) or kind != "deadlock":
                kind = ""
            if kind:  # each call of the line, and each place
                found += [(kind, function, None) for function in re.findall(r"MPI_(?!COMM_|PROC_)[A-Z]\w+", line)]
                found += [(kind, None, site) for site in re.findall(r" at \w+ (\S+:\d+)", line)]
                found += [(named, None, site) for words, named in NAMED.items() for site in re.findall(words + r" at \w+ (\S+:\d+)", line)]
        return found

    def mismatches(self, folder):
        """The same for the rows of the report checks, and for the second call site that its sentences name."""
        others = "SELECT kind, NULL AS function, location(other_site) AS location FROM misuses WHERE other_site IS NOT NULL"
        found = []
        for words in (["report", str(folder / "run"), "checks"], ["query", str(folder / "run"), others]):
            done = bounded.run([str(self.command), *words, "--format", "json"], 120, capture_output=True, text=True)
            rows = json.loads(done.stdout) if done.returncode == 0 and done.stdout.strip() else []
            found += [(row["kind"], row["function"], row["location"]) for row in rows if row["kind"] not in NOTES]
        checked = bounded.run([str(self.command), "check", str(folder / "run")], 120, capture_output=True, text=True).stdout
        circles = re.findall(r"^Warning: .* in a circle, by (MPI_\w+).*? at \S+\s+(\S+:\d+)", checked, re.MULTILINE)
        return found + [("hidden_deadlock", function, place) for function, place in circles]

    def score(self, program):
        with tempfile.TemporaryDirectory(prefix="wrong_programs.") as name:
            folder = pathlib.Path(name)
            if not self.build(program, folder):
                return "not built", "", []
            ended, told = self.record(folder, program.ranks, program.arguments)
            found = self.findings(folder, ended, told) + (self.mismatches(folder) if (folder / "run").exists() else [])
        harmless = str(pathlib.PurePath(program.name).with_suffix("")) in HARMLESS[""] | HARMLESS[self.flavour]
        if program.correct or harmless:
            found = [each for each in found if each[0] not in ("leak",)]
            return ("false" if found else "harmless" if harmless else "silent"), ended, found
        found = [each for each in found if each[0] != "leak" or program.leaks]
        if not found:
            return "missed", ended, found
        if program.kind in ("MissingCall", "MisplacedCall"):
            found += [(kind, MISSING[kind], None) for kind, function, place in found if kind in MISSING]
        good = [each for each in found if program.is_here(*each)]
        right = [each for each in good if each[0] in program.classes or each[0] == "leak"]
        # A process that exits in a call was ended by the MPI. That MPI_Finalize is missing is callsign's own finding.
        named = [each for each in right if each[0] not in BY_MPI and (each[0] != "exited" or each[1] == "MPI_Finalize")]
        return ("named" if named else "by MPI" if right else "place" if good else "found"), ended, found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("categories", nargs="*")
    parser.add_argument("--mpi", action="append", choices=("openmpi", "mpich"))
    parser.add_argument("--jobs", type=int, default=1, help="programs at a time (%(default)s)")
    parser.add_argument("--each", type=int, default=0, help="at most so many programs of each kind, by category and first word of their names (0: all)")
    parser.add_argument("--sample", type=int, default=0, metavar="PROGRAMS", help="at most so many programs, chosen by chance (0: all)")
    parser.add_argument("--seed", type=int, default=1, help="of this choice (%(default)s)")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    options = parser.parse_args()
    root = options.folder.resolve()
    wrong = False
    for flavour in options.mpi or ("openmpi", "mpich"):
        if not shutil.which(f"mpicc.{flavour}"):
            print(f"{flavour} is not here")
            continue
        bench, table = Bench(flavour, root, options.build.resolve()), collections.defaultdict(collections.Counter)
        programs = programs_of(root, options.categories, options.each)
        if options.sample and options.sample < len(programs):
            print(f"{flavour}: {options.sample} of {len(programs)} programs, --seed {options.seed}", flush=True)
            programs = random.Random(options.seed).sample(programs, options.sample)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for program, (result, ended, found) in zip(programs, pool.map(bench.score, programs)):
                table[program.category][result] += 1
                shown = ", ".join(sorted({f"{kind} {function or ''} {location or ''}".strip() for kind, function, location in found}))
                print(f"{flavour}\t{program.name}\t{result}\t{ended}\t{shown}", flush=True)
        print(f"\n| {flavour} | programs | with an error | named by callsign | ended by the MPI, shown with its line | right call | found elsewhere | missed | false findings | not built |\n"
              "|---|---|---|---|---|---|---|---|---|---|")
        for category, counted in table.items():
            errors = sum(counted[result] for result in ("named", "by MPI", "place", "found", "missed"))
            print(f"| {category} | {sum(counted.values())} | {errors} | {counted['named']} | {counted['by MPI']} | {counted['place']} | {counted['found']} | {counted['missed']} | "
                  f"{counted['false']} | {counted['not built']} |")
        wrong |= any(counted["false"] for counted in table.values())
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
