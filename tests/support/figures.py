#!/usr/bin/env python3
"""Compares the figures that different screens show for one thing.

    figures.py COMMAND RUN...     looks at runs by hand and names what differs
"""
import contextlib
import json
import math
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile

# Views and what they say of one thing: each line has the same figures in all its columns, for each key.
# Times are in seconds. A row of SQL is a key and figures.
ALL_SEEN = "NOT EXISTS (SELECT 1 FROM bypassing_processes)"
LIFECYCLE = "(SELECT name FROM function WHERE class = 'lifecycle')"
THINGS = {
    "calls and time of a function": (
        "SELECT name, sum(calls), sum(open), total(time_ns) / 1e9, sum(sent_bytes), sum(received_bytes) FROM call_times GROUP BY 1",
        "SELECT function, calls, open, seconds, sent_bytes, received_bytes FROM function_time",
        "SELECT function, sum(calls), sum(open), sum(seconds), sum(sent_bytes), sum(received_bytes) FROM call_sites GROUP BY 1",
        "SELECT function, sum(calls), sum(open), total(time_ns) / 1e9, sum(sent_bytes), sum(received_bytes) FROM call_paths GROUP BY 1",
        "SELECT name, sum(calls), sum(open), total(time_ns) / 1e9, sum(sent_bytes), sum(received_bytes) FROM rank_times GROUP BY 1"),
    "percent of a function": (
        f"""SELECT name, total(time_ns) * 100 / nullif((SELECT total(time_ns) FROM call_times WHERE name NOT IN {LIFECYCLE}), 0) FROM call_times
            WHERE name NOT IN {LIFECYCLE} GROUP BY 1""",
        "SELECT function, percent FROM function_time WHERE class IS NOT 'lifecycle'",
        f"SELECT function, sum(percent) FROM call_sites WHERE function NOT IN {LIFECYCLE} GROUP BY 1",
        "SELECT function, sum(percent) FROM call_paths WHERE NOT lifecycle GROUP BY 1"),
    "calls and time of all communicators": (
        f"SELECT 0, sum(calls), sum(open), total(time_ns) / 1e9, sum(sent_bytes), sum(received_bytes) FROM call_times WHERE name NOT IN {LIFECYCLE} HAVING count(*)",
        "SELECT 0, sum(calls), sum(open), sum(seconds), sum(sent_bytes), sum(received_bytes) FROM communicator_time WHERE communicator <> '(MPI_Init, MPI_Finalize)' HAVING count(*)",
        f"SELECT 0, sum(calls), sum(open), total(time_ns) / 1e9, sum(sent_bytes), sum(received_bytes) FROM calls WHERE function NOT IN {LIFECYCLE} HAVING count(*)"),
    "time of a rank": (
        "SELECT rank, total(time_ns) / 1e9 FROM call_times WHERE rank >= 0 GROUP BY 1 HAVING total(time_ns) > 0",
        "SELECT rank, total(time_ns) / 1e9 FROM object_times WHERE rank >= 0 GROUP BY 1 HAVING total(time_ns) > 0"),
    "latest and others of a function on a team": (
        "SELECT id || '.' || function, size, ranks, calls, least_seconds, most_seconds FROM balance",
        """SELECT b.id || '.' || b.function, t.size, t.ranks, t.calls, t.least_ns / 1e9, t.most_ns / 1e9
           FROM balance b JOIN teams m ON m.id = b.id JOIN team_times t ON t.team = m.team
           JOIN function f ON f.function = t.function AND f.name = b.function"""),
    # If calls may have gone past callsign, leaks claim nothing, and object_counts says what was seen.
    "objects that were not freed": (
        f"SELECT kind || created_by, not_freed FROM object_counts WHERE not_freed > 0 AND kind <> 'grequest_class' AND {ALL_SEEN}",
        f"SELECT kind || created_by, count(*) FROM leaks WHERE {ALL_SEEN} GROUP BY 1",
        f"SELECT kind || created_by, sum(objects) FROM leaks_by_site WHERE {ALL_SEEN} GROUP BY 1"),
    "messages between ranks": (
        "SELECT transfer, sum(messages), sum(bytes) FROM traffic_pairs GROUP BY 1",
        "SELECT transfer, sum(messages), sum(bytes) FROM traffic_distances GROUP BY 1"),
}

# Reports of the command and views with the same rows: report, its key and columns, SQL.
REPORTS = {
    "functions": (("function", "calls", "seconds", "percent", "median_seconds", "most_seconds", "sent_bytes"),
                  "SELECT function, calls, CASE WHEN seconds > 0 OR open = 0 THEN seconds END, percent, median_seconds, most_seconds, sent_bytes FROM function_time"),
    "counts": (("kind", "created_by", "created", "freed", "not_freed"), "SELECT kind, created_by, created, freed, not_freed FROM object_counts"),
    "sizes": (("kind", "size_class", "messages", "bytes"), "SELECT kind, size_class, sum(messages), sum(bytes) FROM message_sizes GROUP BY 1, 2"),
}

DIFFERENCES = """(SELECT count(*), sum(abs(sent_messages - received_messages) - (reason = 'not received') * unknown_messages),
                  sum(abs(sent_messages - received_messages)), sum(abs(sent_bytes - received_bytes)) FROM traffic_differences
                  WHERE reason NOT IN ('paused', 'not recorded'))"""

UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "h": 3600, "d": 86400, "B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40,
         "PiB": 2**50, "%": 1, "": 1}
NUMBER = re.compile(r"(?<![\w.+:-])(\d+(?:\.\d+)?) ?(?:(ns|us|ms|s|min|h|d|B|KiB|MiB|GiB|TiB|PiB)\b|(%))?(?![\w+-]|[.:]\d)")


def same(a, b):
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return math.isclose(a, b, rel_tol=1e-6, abs_tol=1e-9)
    return a == b


def numbers(text):
    """The numbers of a text, each as the least and the most that it may stand for; "2 min 3 s" is one."""
    found, end, parts = [], -1, False
    for number in NUMBER.finditer(text):
        half = 0.5 * 10 ** -len(number[1].partition(".")[2])
        unit = UNITS[number[2] or number[3] or ""]
        least, most = (float(number[1]) - half) * unit, (float(number[1]) + half) * unit
        if parts and text[end:number.start()] == " " and number[2] in ("s", "min", "h"):
            whole = (found[-1][0] + found[-1][1]) / 2
            found[-1] = (whole + least, whole + most)
        else:
            found.append((least, most))
        end, parts = number.end(), number[2] in ("min", "h", "d")
    return found


def may_be(shown, values):
    """Whether one of the values, in any of their units, is shown."""
    least, most = shown
    slack = 1e-6 * max(abs(most), 1e-9)
    return any(least - slack <= value * scale <= most + slack for value in values for scale in (1, 1e-9))


def values_of(row):
    """All numbers of a row, and how many there are in its texts."""
    found = []
    for value in row.values():
        if isinstance(value, bool) or value is None:
            continue
        if isinstance(value, (int, float)):
            found.append(value)
        elif isinstance(value, str):
            found += [float(number) for number in re.findall(r"\d+(?:\.\d+)?", value)]
        elif isinstance(value, list):
            found += [len(value)]
    return found


class Screens:
    """What the command says of one run."""

    def __init__(self, command, run, folder, environment=None):
        self.command, self.run, self.environment = command, run, environment
        self.page = json.loads(self.call("report", run, "--format", "json"))
        self.overview = self.call("report", run, COLUMNS="200")
        self.file = pathlib.Path(run)  # of a merged run
        if self.file.is_dir():
            self.file = pathlib.Path(folder) / "all.db"
            self.call("merge", run, "-o", self.file)
        self.problems = []

    def call(self, *words, **more):
        done = subprocess.run([self.command, *map(str, words)], capture_output=True, text=True, timeout=60, check=False,
                              env={**(self.environment or os.environ), **more})
        if done.returncode not in (0, 1):
            raise RuntimeError(f"{words}: {done.stderr}")
        return done.stdout

    def note(self, *words):
        self.problems.append(" ".join(map(str, words)))

    def compare(self, what, first, other):
        for key in first.keys() | other.keys():
            if len(first.get(key, ())) != len(other.get(key, ())) or not all(map(same, first.get(key, ()), other.get(key, ()))):
                self.note(f"{what}: {key}: {first.get(key)}, {other.get(key)}")

    def rows(self, db, sql, keys=1):
        found = {}
        for row in db.execute(sql):
            found[row[:keys]] = row[keys:]
        return found

    def compare_views(self):
        with contextlib.closing(sqlite3.connect(f"file:{self.file}?mode=ro", uri=True)) as db:
            for what, (first, *others) in THINGS.items():
                expected = self.rows(db, first)
                for sql in others:
                    self.compare(what, expected, self.rows(db, sql))
            for report, (columns, sql) in REPORTS.items():
                keys = sum(name in ("function", "kind", "created_by", "size_class") for name in columns)
                mine = {tuple(row[name] for name in columns[:keys]): tuple(row[name] for name in columns[keys:]) for row in self.page["reports"][report]}
                theirs = self.rows(db, sql, keys)
                self.compare(f"report {report}", {key: theirs[key] for key in theirs.keys() & mine.keys()}, mine)

    def compare_pictures(self):
        """The page's pictures add up to what its reports say."""
        pictures, reports = self.page["pictures"], self.page["reports"]
        for figure in ("calls", "seconds", "sent_bytes"):
            total = {"functions": sum(row[figure] or 0 for row in reports["functions"] if row["class"] != "lifecycle"),
                     "communicators": sum(row[figure] or 0 for row in reports["communicators"] if row["communicator"] != "(MPI_Init, MPI_Finalize)"),
                     "cells": sum(row[figure] or 0 for row in pictures["cells"]), "map": sum(row[figure] or 0 for row in pictures["communicators"])}
            if len(reports["functions"]) and not all(same(total["functions"], value) for value in total.values()):
                self.note(f"all {figure}:", total)

    def compare_tables(self):
        """Each number in the table of a report is one of its row."""
        for report, rows in self.page["reports"].items():
            if not rows or report in ("verdict", "run", "placement", "rules"):
                continue
            lines = self.call("report", self.run, report, COLUMNS="300").splitlines()
            begin = next((i for i, line in enumerate(lines) if line.startswith("─")), len(lines))
            spans = [match.span() for match in re.finditer("─+", lines[begin])] if begin < len(lines) else []
            for line, row in zip(lines[begin + 1:], rows):
                if not line.strip() or line.startswith(("and ", "Only")):
                    break
                for first, last in spans[1:]:
                    cell = line[first:last].strip()
                    for shown in numbers(cell) if re.fullmatch(r"[\d. ]+(ns|us|ms|s|min|h|[KMGTP]i?B|B|%)?", cell) else ():
                        if not may_be(shown, values_of(row)):
                            self.note(f"report {report}: {cell!r} in {line!r} is not in {row}")

    def known_figures(self):
        """Those of findings and of what they are made of, and their sums."""
        rows = [row for report in ("run", "endings", "waits", "checks", "call_sites", "placement") for row in self.page["reports"][report]]
        with contextlib.closing(sqlite3.connect(f"file:{self.file}?mode=ro", uri=True)) as db:
            db.row_factory = sqlite3.Row
            rows += [dict(row) for table in ("job", "run_placement", "process", DIFFERENCES) for row in db.execute(f"SELECT * FROM {table}")]
        if any(sentence["kind"] == "gain" for sentence in self.page["sentences"]):
            forecast = json.loads(self.call("whatif", self.run, "--format", "json"))
            rows += [*forecast.pop("answers"), forecast]
        known, sums = [value for row in self.page["findings"] + rows for value in values_of(row)], {}
        for finding in self.page["findings"]:
            for name, value in finding.items():
                if isinstance(value, (int, float)):
                    sums[finding["kind"], name] = sums.get((finding["kind"], name), 0) + value
        return known + list(sums.values()) + [32767, len(self.page["reports"]["checks"])]  # what the standard guarantees for MPI_TAG_UB

    def compare_sentences(self):
        """Each number of a sentence is known, and the overview has the sentences that JSON has."""
        known = self.known_figures()
        overview = " ".join(self.overview.split())
        for sentence in self.page["sentences"]:
            text = re.sub(r"MPI \d\.\d, [\d.]+|\(MPI[^)]*\)|ranks? [\d,-]+|thread \d+|and \d+ more|[\w./]+:\d+|\S*[\[\]+#]\S*|\"[^\"]*\"", " ", sentence["text"])
            for shown in numbers(text):
                if not may_be(shown, known):
                    self.note(f"{sentence['kind']}: {shown} in {sentence['text']!r} is in no finding")
            if " ".join(sentence["text"].split())[:60] not in overview:
                self.note(f"the overview does not have {sentence['text']!r}")

    def compare_all(self, tables=True):
        """What differs. tables: also the tables of all reports, which takes long."""
        for compare in (self.compare_views, self.compare_pictures, self.compare_sentences, *([self.compare_tables] if tables else [])):
            compare()
        return self.problems


def main():
    command, *runs = sys.argv[1:]
    bad = 0
    for run in runs:
        with tempfile.TemporaryDirectory(prefix="callsign-figures-") as folder:
            found = Screens(command, run, folder).compare_all()
        print(f"{run}: {len(found)}")
        for problem in found:
            print("   ", problem[:600])
        bad += len(found)
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
