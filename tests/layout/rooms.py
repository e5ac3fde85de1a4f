#!/usr/bin/env python3
"""The rooms of the house and who may use whom. tests/layout holds every include and every link to it.

    tests/layout/rooms.py     draws what the rooms include into docs/architecture.md
"""

import pathlib
import re

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent

# Room -> the rooms right below it. A room may use these, what they may use, and itself.
BELOW = {
    "include/callsign": [],
    "base": [],
    "journal": ["base", "include/callsign"],
    "db/trace": ["journal"],
    "db/summary": ["db/trace"],
    "db/convert": ["db/summary"],
    "db/run": ["db/convert", "db/replay"],
    "db/replay": ["db/trace"],
    "record/process": ["journal"],
    "record/site": ["record/process"],
    "record/object": ["record/site"],
    "record/call": ["record/object"],
    "record/message": ["record/call"],
    "record": ["record/message"],  # the beginning and the end of the recording
    "preload": ["base"],
    "wrappers/mpi": ["include/callsign", "preload"],
    "wrappers/fallback": ["record/object", "wrappers/mpi"],
    "wrappers/call": ["record", "wrappers/fallback"],
    "wrappers/object": ["wrappers/call"],
    "wrappers/detail": ["wrappers/object"],
    "wrappers/attribute": ["wrappers/object"],
    "wrappers/bytes": ["wrappers/object"],
    "wrappers/envelope": ["wrappers/bytes"],
    "wrappers/check": ["wrappers/object"],
    "wrappers/request": ["wrappers/check", "wrappers/detail", "wrappers/attribute", "wrappers/envelope"],
    "wrappers/lifecycle": ["wrappers/request"],
    "wrappers/fortran": ["wrappers/lifecycle"],
    "wrappers": ["wrappers/fortran"],  # folders that the generated wrappers include
    "cli/text": ["base"],
    "cli/rows": ["cli/text", "db/run"],
    "cli/command": ["cli/rows"],
    "cli/deadlock": ["cli/command"],
    "cli/report": ["cli/deadlock"],
    "cli/page": ["cli/report"],
    "cli/hang": ["cli/report"],
    "cli/compare": ["cli/command"],
    "cli/export": ["cli/command"],
    "cli/merge": ["cli/command"],
    "cli/whatif": ["cli/command"],
    "cli/launch": ["cli/merge", "cli/page"],
    "cli/top": ["cli/command"],
    "cli": ["cli/launch", "cli/hang", "cli/top", "cli/compare", "cli/export", "cli/whatif"],  # the command's main, and subcommands of one file
}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def may_use(room):
    """The room and all below it."""
    found = [room]
    for each in found:
        found += [below for below in BELOW[each] if below not in found]
    return set(found)


def room_of(path):
    """The room of a file, or of a file that an include names; None for what is generated or stands elsewhere."""
    path = str(path)
    if path.startswith("callsign/"):
        path = "include/" + path
    rooms = [room for room in BELOW if path.startswith(room + "/")]
    return max(rooms, key=len, default=None)


def sources():
    """All files of the rooms that the C compiler reads, as paths from the top of the tree."""
    tops = sorted({room.split("/")[0] for room in BELOW})
    files = (path for top in tops for path in (SOURCE / top).rglob("*") if path.suffix in (".c", ".h", ".S", ".in"))
    return sorted(path.relative_to(SOURCE) for path in files)


def includes(path):
    """The includes of a file: pairs of opening bracket and name."""
    return INCLUDE.findall((SOURCE / path).read_text(encoding="utf-8"))


def picture():
    """A Mermaid graph of what rooms include from each other. An arrow that others imply is left out."""
    uses = {room: {room_of(name) for path in sources() if room_of(path) == room for _, name in includes(path)} - {None, room} for room in BELOW}

    def reach(room):
        found = list(uses[room])
        for each in found:
            found += uses[each] - set(found)
        return set(found)

    lines = ["```mermaid", "flowchart BT"]
    for room in BELOW:
        implied = set().union(*map(reach, uses[room])) if uses[room] else set()
        lines += [f'    {room.replace("/", "_")}["{room}/"] --> {below.replace("/", "_")}["{below}/"]' for below in BELOW if below in uses[room] - implied]
    return "\n".join([*lines, "```"])


def with_picture(text):
    """The text with the picture of today between its markers."""
    return re.sub(r"(<!-- rooms[^>]*-->\n).*?(\n<!-- end -->)", lambda found: found[1] + picture() + found[2], text, flags=re.DOTALL)


if __name__ == "__main__":
    PAGE = SOURCE / "docs" / "architecture.md"
    PAGE.write_text(with_picture(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
