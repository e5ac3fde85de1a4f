"""Reads an OTF2 trace as otf2-print shows it, and as Python's otf2 reads it."""

import collections
import json
import pathlib
import re
import shutil
import subprocess
import sys

import bounded

Event = collections.namedtuple("Event", "kind rank thread time values")  # values: text behind "Name:"
PATTERN = re.compile(r"([A-Z][\w ]*): ((?:\"[^\"]*\"|\([^)]*\)|[^,(\"])*(?: ?\([^)]*\))?(?: <\d+>)?)")


def is_here():
    return shutil.which("otf2-print") is not None


def python():
    """An interpreter that has otf2: Debian's python3-otf2 is for the system's. None: there is none."""
    for each in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([each, "-c", "import otf2"], capture_output=True, check=False, cwd="/").returncode == 0:
            return each
    return None


def rows_by_python(archive):
    """Communicators and events, as otf2_python.py prints them."""
    done = bounded.run([python(), "-I", pathlib.Path(__file__).with_name("otf2_python.py"), archive], 120, capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def printed(archive, *options):
    done = bounded.run(["otf2-print", *options, archive], 120, capture_output=True, text=True)
    assert done.returncode == 0 and "rror" not in done.stderr, done.stderr
    return done.stdout.splitlines()


def values_of(text):
    """{"Communicator": "team", "Tag": "3"}: names without the numbers of definitions."""
    values = {}
    for name, value in PATTERN.findall(text):
        named = re.match(r'"([^"]*)"', value)
        values[name] = named[1] if named else value.split(" (")[0].strip()
    return values


def events(archive):
    """All events, in order of time."""
    found = []
    for line in printed(archive):
        match = re.match(r"([A-Z][A-Z_]+) +(\d+) +(\d+)  ?(.*)", line)
        if match:
            location = int(match[2])
            found.append(Event(match[1], location & 0xffffffff, location >> 32, int(match[3]), values_of(match[4])))
        elif "ADDITIONAL ATTRIBUTES" in line:
            found[-1].values.update({name: value[0] or value[1] for name, *value in re.findall(r'\("(\w+)" <\d+>; \w+; (?:"([^"]*)"|(\d+))', line)})
    return found


def communicators(archive):
    """[(name, members)]; members of an intercommunicator are two lists."""
    groups, found = {}, []
    for line in printed(archive, "-G"):
        match = re.match(r"GROUP +(\d+) .*Members?(?:: (.*))?$", line)
        if match:
            groups[match[1]] = [int(rank) for rank in re.findall(r'(\d+) \("', match[2] or "")]
        match = re.match(r'COMM +\d+  Name: "(.*)" <\d+>, Group: ".*" <(\d+)>', line)
        if match:
            found.append((match[1], groups[match[2]]))
        match = re.match(r'INTER_COMM +\d+  name: "(.*)" <\d+>, Group A: ".*" <(\d+)>, Group B: ".*" <(\d+)>', line, re.IGNORECASE)
        if match:
            found.append((match[1], [groups[match[2]], groups[match[3]]]))
    return found
