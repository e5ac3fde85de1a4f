"""What reports print: one file for each report in tests/golden, with a part for each test that looks at it.

CALLSIGN_ACCEPT=1 writes what the tests see as what they expect. Read the difference then.
"""
import os
import pathlib
import re

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "golden"
HEADING = re.compile(r"(?m)^=== (.*)\n")


def read(path):
    """The texts of a file by the names of their parts."""
    _, *pieces = HEADING.split(path.read_text(encoding="utf-8") if path.exists() else "")
    return dict(zip(pieces[::2], pieces[1::2]))


PLACE = re.compile(r"[^ ,;()]+( \(inlined into [^)]+\))? [^ ,;()]+\.(c|py|f90):\d+")
UNSTEADY = ((re.compile(r"\(pid \d+ on [^)]+\)"), "(pid PID)"), (PLACE, "PLACE"), (re.compile(r"[\d.]+ ([mun]?s|min)\b( \d+ s\b)?"), "TIME"))


def steady(lines):
    """Lines without what differs from run to run and from compiler to compiler: process ids, times and places in the source."""
    for pattern, word in UNSTEADY:
        lines = [pattern.sub(word, line) for line in lines]
    return lines


def check(test, report, text, part=""):
    """What a test sees of a report, as text or as lines, is what the golden file has for it. `part`: if a test looks twice."""
    lines = text.splitlines() if isinstance(text, str) else text
    seen = "".join(line.rstrip() + "\n" for line in lines)
    name = " ".join([*test.id().split(".")[-2:], part]).strip()
    path = FOLDER / f"{report}.txt"
    parts = read(path)
    if os.environ.get("CALLSIGN_ACCEPT"):
        parts[name] = seen
        path.write_text("".join(f"=== {key}\n{parts[key]}" for key in sorted(parts)), encoding="utf-8")
    expected = parts.get(name)
    if expected is None:
        test.fail(f"tests/golden/{report}.txt has no part '{name}'; this was printed:\n{seen}")
    test.assertEqual(seen.splitlines(), expected.splitlines(), f"tests/golden/{report}.txt has other words; CALLSIGN_ACCEPT=1 writes them anew")
