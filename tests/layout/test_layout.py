"""Rooms include rooms below them only (tests/layout/rooms.py); the wrappers alone know mpi.h. Public headers stand alone, in C and in C++. Each
library exports what it is for and depends on what it must. Every test is run."""

import ast
import collections
import os
import pathlib
import re
import sys
import tempfile
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "support")]
import bounded  # noqa: E402  (the path must be set first)
import rooms  # noqa: E402

SOURCE = rooms.SOURCE
LIBRARIES = [pathlib.Path(path) for path in os.environ.get("CS_TEST_LIBRARIES", "").split(":") if path]
GENERATED = pathlib.Path(os.environ["CS_TEST_OBJECTS"]).parents[2] / "gen"
COMPILER = os.environ.get("CS_TEST_CC", "cc")
SANITIZED = bool(os.environ.get("CS_TEST_SANITIZE"))


class Twins(unittest.TestCase):
    """Facts that two files repeat must agree."""

    def test_the_recorder_and_the_trace_agree_on_whose_code_makes_objects(self):
        """Rules in the program and the view `layers` of the trace, which `libraries` reads, leave the same libraries out."""
        table = re.findall(r'\{"([^"]+)", CS_LIBRARY', (SOURCE / "base/shared_library.c").read_text(encoding="utf-8"))
        shortest = {name for name in table if not any(name != other and name.startswith(other) for other in table)}
        views = (SOURCE / "db/trace/views/sites.sql").read_text(encoding="utf-8")
        view = re.search(r"CREATE VIEW layers .*?;$", views, re.DOTALL | re.MULTILINE)[0]
        self.assertEqual(shortest, set(re.findall(r"'([^']+)\*', 1\)", view)))

    def test_the_recorder_ends_no_program_for_a_note(self):
        """--check stop leaves out the kinds of misuse that the model calls notes."""
        words = re.search(r"^enum misuse .*\n((?:    .*\n)+)", (SOURCE / "gen/model/process.model").read_text(encoding="utf-8"), re.MULTILINE)[1]
        kinds = set(re.findall(r"^    (\w+) \d", words, re.MULTILINE))
        notes = set(re.findall(r"^finding (\w+) .*severity:note", (SOURCE / "gen/model/finding.model").read_text(encoding="utf-8"), re.MULTILINE))
        allowed = re.search(r"is_allowed\(.*?\n}", (SOURCE / "wrappers/call/misuse.c").read_text(encoding="utf-8"), re.DOTALL)[0]
        self.assertEqual({name.lower() for name in re.findall(r"CS_MISUSE_(\w+)", allowed)}, kinds & notes)


class Tests(unittest.TestCase):
    def test_no_name_is_given_twice(self):
        """If two classes or functions have one name, Python keeps the second: tests in the first would never run."""
        files = sorted((SOURCE / "tests").rglob("*.py"))
        self.assertTrue(files)
        for path in files:
            scopes = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, (ast.Module, ast.ClassDef))]
            for scope in scopes:
                named = [node.name for node in scope.body if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and not node.decorator_list]
                twice = [name for name, count in collections.Counter(named).items() if count > 1]
                self.assertEqual(twice, [], path.relative_to(SOURCE))

    def test_every_child_is_run_with_a_limit_and_shown_when_it_is_over(self):
        """tests/support/bounded.py does; a run of subprocess's own would hang for ever, or end without a word on where."""
        for path in sorted((SOURCE / "tests").rglob("*.py")):
            if path.parent.name != "support":
                found = re.findall(r"subprocess\.(?:run|call|check_call|check_output|Popen)\(|\.wait\(timeout|\.communicate\(timeout",
                                   path.read_text(encoding="utf-8"))
                self.assertEqual(found, [], path.relative_to(SOURCE))


class Locale(unittest.TestCase):
    """The locale belongs to the program: code in its process may not depend on it. base/ascii.h has what it may use."""

    FUNCTION = re.compile(r"\b(?:is(?:alnum|alpha|lower|upper|punct|space|print)|to(?:lower|upper)|strn?casecmp|strcoll|strto(?:d|f|ld)|atof)\(")
    FRACTION = re.compile(r"(?<!sqlite3_)\b(?:v?sn?printf|v?fprintf|dprintf|sscanf|cs_log)\([^;]*\"[^;]*%[-+ #0-9.*]*l?[aefgAEFG]\b")

    def test_code_in_the_programs_process_reads_and_writes_in_no_locale(self):
        for room in ("base", "record", "journal", "wrappers", "preload", "db"):
            for path in sorted((SOURCE / room).rglob("*.c")):
                text = path.read_text(encoding="utf-8")
                self.assertEqual(self.FUNCTION.findall(text) + self.FRACTION.findall(text), [], path.relative_to(SOURCE))


class Queries(unittest.TestCase):
    STATEMENT = re.compile(r'"\s*(?:SELECT|WITH|INSERT|UPDATE|DELETE|CREATE) [^"]*"(?:\s*(?:\\\n)?\s*"[^"]*"){3,}')

    def test_sql_of_four_lines_is_in_a_file_beside_its_user(self):
        for path in sorted((SOURCE / "cli").rglob("*.c")):
            self.assertEqual(self.STATEMENT.findall(path.read_text(encoding="utf-8")), [], path.relative_to(SOURCE))


class Includes(unittest.TestCase):
    def test_every_room_has_sources(self):
        self.assertEqual(set(map(rooms.room_of, rooms.sources())), set(rooms.BELOW), "adapt tests/layout/rooms.py to the layout")

    def test_a_file_is_read_in_a_sitting(self):
        for path in rooms.sources() + [path.relative_to(SOURCE) for path in sorted([*(SOURCE / "gen").rglob("*.py"), *(SOURCE / "debugger").rglob("*.py")])]:
            self.assertLessEqual(len((SOURCE / path).read_text(encoding="utf-8").splitlines()), 1000, path)

    def test_no_two_files_have_one_name(self):
        rooms_of = collections.defaultdict(set)
        for path in rooms.sources():
            rooms_of[path.stem].add(str(path.parent))
        self.assertEqual({name: found for name, found in rooms_of.items() if len(found) > 1}, {})

    def test_rooms_include_rooms_below_them(self):
        for path in rooms.sources():
            for bracket, name in rooms.includes(path):
                other = rooms.room_of(name)
                if bracket == '"' and (other or name.startswith("tests/")):
                    self.assertIn(other, rooms.may_use(rooms.room_of(path)), f"{path} includes {name}")

    def test_wrappers_alone_know_mpi_and_the_trace_alone_sqlite(self):
        for path in rooms.sources():
            names = {name for _, name in rooms.includes(path)}
            if path.parts[0] != "wrappers" and path.name != "mpi_names.h":
                self.assertFalse(names & {"mpi.h", "mpi-ext.h"}, path)
            if path.parts[0] not in ("db", "cli"):
                self.assertNotIn("sqlite3.h", names, path)


class Architecture(unittest.TestCase):
    """docs/architecture.md says what is there."""

    PAGE = (SOURCE / "docs/architecture.md").read_text(encoding="utf-8")

    def test_its_picture_is_that_of_the_includes(self):
        self.assertEqual(rooms.with_picture(self.PAGE), self.PAGE, "run tests/layout/rooms.py")

    def test_every_file_that_it_names_exists_and_comes_once(self):
        named = collections.Counter(re.findall(r"`([\w/]+/[\w.]+\.\w+)`", self.PAGE))
        self.assertGreater(len(named), 20)
        for path, count in named.items():
            self.assertTrue((SOURCE / path).is_file(), path)
            self.assertEqual(count, 1, path)

    def test_files_that_contributing_names_exist(self):
        page = (SOURCE / "CONTRIBUTING.md").read_text(encoding="utf-8")
        for path in set(re.findall(r"`([\w/]+/[\w.]+\.\w+)`", page)) - {"cli/report/report_NAME.c"}:
            self.assertTrue((SOURCE / path).is_file(), path)

    def test_every_function_that_it_names_exists(self):
        text = "".join((SOURCE / path).read_text(encoding="utf-8") for path in rooms.sources())
        for name in set(re.findall(r"\bcs_[a-z_]+", self.PAGE)) - {"cs_call", "cs_result"}:
            self.assertRegex(text, rf"\b{name}\b")

    def test_the_wrapper_that_it_shows_is_the_generated_one(self):
        (shown,) = re.findall(r"```c\n(CS_EXPORT.*?)```", self.PAGE, re.DOTALL)
        chapter = GENERATED / "openmpi/wrappers_communicator.c"
        if not chapter.exists():
            self.skipTest("no Open MPI here")
        self.assertIn(shown, chapter.read_text(encoding="utf-8"))


class PublicHeaders(unittest.TestCase):
    def compile(self, language, standard, header):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / ("alone.c" if language == "c" else "alone.cc")
            file.write_text(f'#include "callsign/{header}"\n#include "callsign/{header}"\nint main() {{ return 0; }}\n',
                            encoding="utf-8")
            return bounded.run([COMPILER, "-x", language, f"-std={standard}", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
                                   f"-I{SOURCE / 'include'}", str(file)], capture_output=True, text=True)

    def test_each_compiles_alone_and_twice(self):
        headers = sorted(path.name for path in (SOURCE / "include" / "callsign").glob("*.h"))
        self.assertTrue(headers)
        for header in headers:
            for language, standard in (("c", "c11"), ("c++", "c++11")):
                if language == "c++" and not has_cxx():
                    continue
                if header == "mpi_names.h":
                    continue  # meant to be included together with an mpi.h
                result = self.compile(language, standard, header)
                self.assertEqual(result.returncode, 0, f"{header} as {language}: {result.stderr}")


def has_cxx():
    """True if the C compiler driver has a C++ front end."""
    return bounded.run([COMPILER, "-x", "c++", "-fsyntax-only", "/dev/null"], capture_output=True).returncode == 0


def exported(library):
    """Names in the library's dynamic symbol table that others can use."""
    text = bounded.run(["nm", "-D", "--defined-only", str(library)], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1].split("@")[0] for line in text.splitlines() if line.split()[-2] != "A"}


def needed(library):
    text = bounded.run(["readelf", "-d", str(library)], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"NEEDED.*\[(.+)\]", text))


class Libraries(unittest.TestCase):
    # MPI_Send, MPIX_..., MPI_T_...; mpi_send_, mpi_send_f08_ and MPI_SEND.
    MPI_NAME = re.compile(r"^(MPIX?_[A-Z]\w*|mpix?_\w+)$")
    FRONTS = {library.name for library in LIBRARIES if re.match(r"libcallsign(-front-.*)?\.so$", library.name)}
    PARALLEL = {library.name for library in LIBRARIES if library.name.startswith("libcallsign-parallel-")}
    EXTRA = {
        **{name: {"dlsym"} for name in FRONTS},
        **{name: {"callsign_parallel"} for name in PARALLEL},
        "libcallsign-convert.so": {"callsign_convert", "callsign_convert_node"},
        # Opened locally; all but the first are for libunwind: see record/site/unwinder.c.
        "libcallsign-unwind.so": {"callsign_unwind", "callsign_unwind_bounds", "callsign_unwind_frame", "callsign_unwind_words", "pipe2", "read", "write", "syscall"},
        # dlopen is for elfutils: see base/symbols/no_debuginfod.c.
        "libcallsign-resolve.so": {"callsign_resolve", "dlopen"},
    }
    WITHOUT_MPI = {"libcallsign-convert.so", "libcallsign-unwind.so", "libcallsign-resolve.so", *PARALLEL}
    FLAVOUR_EXTRA = {"callsign_debug", "callsign_flavour_attach", "callsign_flavour_serves", "callsign_passed_on"}

    def test_exported_names_are_the_intended_ones(self):
        if SANITIZED:
            self.skipTest("a sanitizer adds names of its own")
        self.assertTrue(LIBRARIES)
        for library in LIBRARIES:
            extra = self.EXTRA.get(library.name, self.FLAVOUR_EXTRA)
            names = exported(library)
            mpi = set() if library.name in self.WITHOUT_MPI else {name for name in names if self.MPI_NAME.match(name)}
            self.assertEqual(names - mpi, extra, library.name)
            if library.name not in self.WITHOUT_MPI:
                self.assertIn("MPI_Send", mpi, library.name)

    def test_front_of_one_mpi_has_the_names_of_its_flavour_and_no_others(self):
        if SANITIZED:
            self.skipTest("a sanitizer adds names of its own")
        by_name = {library.name: library for library in LIBRARIES}
        for name in self.FRONTS - {"libcallsign.so"}:
            front, flavour = exported(by_name[name]), exported(by_name[name.replace("front-", "")])
            self.assertEqual(front - self.EXTRA[name], flavour - self.FLAVOUR_EXTRA, name)
            self.assertLess(front, exported(by_name["libcallsign.so"]), name)

    def test_front_library_needs_libc_only(self):
        if SANITIZED:
            self.skipTest("a sanitizer needs its run time")
        for library in LIBRARIES:
            if library.name in self.FRONTS:
                self.assertEqual({name.split(".so")[0] for name in needed(library)} - {"ld-linux-x86-64", "ld-linux-aarch64"},
                                 {"libc"})

    def test_flavours_bring_no_library_that_the_program_could_notice(self):
        # libunwind, for one, replaces the backtrace() of a program that loads it.
        for library in LIBRARIES:
            if library.name not in self.EXTRA:
                for name in needed(library):
                    self.assertFalse(re.match(r"libsqlite3|libdw|libelf|libunwind", name), f"{library.name} needs {name}")


if __name__ == "__main__":
    unittest.main()
