"""Dependencies between sources, from their object files: no cycles; folders (tests/layout/rooms.py) use only folders below them; a source declares its
functions in its own header; and every exported function is used."""

import collections
import functools
import os
import pathlib
import posixpath
import re
import sys
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "support"), str(TESTS.parent)]
import bounded  # noqa: E402  (the path must be set first)
from gen import roles  # noqa: E402
import rooms  # noqa: E402

# The targets of the product and their objects, one a line: written by CMake.
OBJECTS = pathlib.Path(os.environ["CS_TEST_OBJECTS"])
GENERATED = OBJECTS.parents[2] / "gen"
FLAVOURS = os.environ["CS_TEST_FLAVOURS"].split(":")
NM = os.environ.get("CS_TEST_NM", "nm")
# Names of the C library that a library of ours defines for itself (dlopen in callsign-resolve) tie nobody to it.
OURS = re.compile(r"(cs|callsign)_\w+$")
OURS_ANYWHERE = re.compile(r"\b(?:cs|callsign)_\w+")


def source_of(folder, path):
    """build/wrappers/CMakeFiles/callsign-mpich.dir/call/call.c.o was made from wrappers/call/call.c; __ is the folder above."""
    inside = path.split(".dir/", 1)[1].replace("__/", "../")
    return posixpath.normpath(posixpath.join(folder, inside)).removesuffix(".o")


def is_written_by_hand(source):
    return (rooms.SOURCE / source).exists()


class Links:
    """The sources that define each of our names, and the names that each source needs."""

    def __init__(self, flavour):
        sources = {}
        for line in OBJECTS.read_text(encoding="utf-8").splitlines():
            target, folder, *objects = line.split(";")
            if target not in {f"callsign-{other}" for other in FLAVOURS if other != flavour}:
                sources.update((path, source_of(folder, path)) for path in objects)
        self.definers, self.needs = collections.defaultdict(set), collections.defaultdict(set)
        # Without a plugin it shows the machine code, not what link-time optimization gets: that does not tell what assembler takes.
        done = bounded.run([NM, "-A", "--plugin", os.devnull, *sources], capture_output=True, text=True)
        if done.returncode:
            raise AssertionError(f"not all is built: {done.stderr[:1000]}")
        for line in done.stdout.splitlines():
            path, kind, name = re.fullmatch(r"(.+):[0-9a-f ]+ (\w) (\S+)", line).groups()
            if OURS.match(name) and kind in "TDBRVW":
                self.definers[name].add(sources[path])
            elif OURS.match(name) and kind == "U":
                self.needs[sources[path]].add(name)

    def between_sources(self):
        """Source -> source that it takes from -> the names; of sources written by hand."""
        found = {source: collections.defaultdict(set) for source in filter(is_written_by_hand, self.needs)}
        for source, taken in found.items():
            for name in self.needs[source]:
                for definer in filter(is_written_by_hand, self.definers.get(name, ())):
                    if definer != source and len(self.definers[name]) == 1:
                        taken[definer].add(name)
        return found


@functools.cache
def declared_by(source):
    """Names in the header of a source, and in the generated headers that it includes."""
    header = (rooms.SOURCE / source).with_suffix(".h")
    if not header.exists():
        return set()
    generated = [path for _, name in rooms.includes(header.relative_to(rooms.SOURCE)) for path in GENERATED.glob(f"*/{name}")]
    return {name for path in [header, *generated] for name in OURS_ANYWHERE.findall(path.read_text(encoding="utf-8"))}


def circles(graph):
    """Lists of nodes that reach each other: Tarjan's strongly connected components of more than one node."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(graph.get(node, ())):
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            part = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(part) > 1:
                found.append(sorted(part))

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return found


class Sources(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.links = [Links(flavour) for flavour in FLAVOURS]
        cls.between = [links.between_sources() for links in cls.links]

    def edges(self):
        """Taker, giver and names, of all flavours."""
        return [(taker, giver, names) for graph in self.between for taker, taken in graph.items() for giver, names in taken.items()]

    def test_no_source_needs_itself_by_way_of_others(self):
        for graph in self.between:
            for circle in circles(graph):
                said = [f"{taker} takes from {giver}: {' '.join(sorted(graph[taker][giver]))}" for taker in circle
                        for giver in sorted(set(circle) & set(graph[taker]))]
                self.fail("a circle\n" + "\n".join(said))

    def test_rooms_take_from_rooms_below_them(self):
        for taker, giver, names in self.edges():
            self.assertIn(rooms.room_of(giver), rooms.may_use(rooms.room_of(taker)), f"{taker} takes from {giver}: {' '.join(sorted(names))}")

    def test_what_others_take_is_declared_in_the_header_of_the_source(self):
        for taker, giver, names in self.edges():
            self.assertEqual(names - declared_by(giver), set(), f"{taker} takes from {giver} what its own header does not have")

    def test_every_name_has_one_definition(self):
        for links in self.links:
            for name, sources in links.definers.items():
                self.assertLessEqual(len(list(filter(is_written_by_hand, sources))), 1, f"{name} is in {sources}")

    def test_every_name_that_others_could_take_is_taken(self):
        """By another source, a test, a role of functions that no MPI at hand has, or another program by its dynamic symbol (callsign_...)."""
        if len(FLAVOURS) < 2:
            self.skipTest("what only another MPI needs looks unused")
        taken = {name for links in self.links for names in links.needs.values() for name in names}
        taken.update(role.function for role in roles.ROLES.values())
        for path in TESTS.rglob("*.c"):
            taken.update(OURS_ANYWHERE.findall(path.read_text(encoding="utf-8")))
        given = {name for links in self.links for name, sources in links.definers.items() if any(map(is_written_by_hand, sources))}
        self.assertEqual({name for name in given - taken if not name.startswith("callsign_")}, set())


if __name__ == "__main__":
    unittest.main()
