"""Helpers for the tests of the generator."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
for folder in (ROOT, os.path.join(ROOT, "tests", "support")):
    if folder not in sys.path:
        sys.path.insert(0, folder)

import bounded  # noqa: E402, F401  (the path must be set first)
from gen import header, library, spec  # noqa: E402  (the path must be set first)
from gen.problem import Collector  # noqa: E402

COMPILER = os.environ.get("CALLSIGN_TEST_CC", "cc")
NM = os.environ.get("CALLSIGN_TEST_NM", "nm")
SPEC_FOLDER = os.path.join(ROOT, "gen", "spec")


def fixture_text():
    with open(os.path.join(HERE, "fixture.h"), encoding="utf-8") as file:
        return file.read()


def prototypes(text=None):
    """The prototypes of the fixture, or of other C text without preprocessor lines."""
    lines = (fixture_text() if text is None else text).splitlines()
    code = "\n".join(line for line in lines if not line.startswith(("#", "/*")))
    return header.parse_prototypes(code, "fixture.h")


def functions(*lines):
    """The functions of spec lines, without any check across lines."""
    problems = Collector()
    found = spec.parse(lines, "gen/spec/test.spec", "test", problems)
    problems.raise_if_any()
    return found


def read_lines(*lines):
    """The same of several lines, of which some are other names of functions."""
    problems = Collector()
    found = spec.resolve_aliases(functions(*lines), problems)
    problems.raise_if_any()
    return found


def symbols(*names):
    """A library that exports these functions."""
    return library.parse_symbols("".join(f"0000 T {name}\n" for name in names))


def flavours():
    """The MPIs at hand, as the build told: (name, library, include folders)."""
    for word in os.environ.get("CALLSIGN_TEST_FLAVOURS", "").split():
        name, library, includes = word.split("=")
        yield name, library, includes.split(":")
