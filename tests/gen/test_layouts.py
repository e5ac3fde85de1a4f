"""Structures of gen/model: where their fields lie, and what the generator refuses. That C agrees is asserted in the generated journal_layout.c."""

import os
import tempfile
import unittest
import unittest.mock

import support  # noqa: F401  (sets the path of gen)

from gen import emit_debugger, emit_layouts, layout, model
from gen.problem import Problems


def read(text):
    """The layouts of a model of one file, beside the C headers."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "journal.model"), "w", encoding="utf-8") as file:
            file.write("struct fact -- head\n    type u16\n    flags u16\n    bytes u32\n    ticks u64\n" + text)
        blocks = model.read_folder(folder)
    layouts = layout.read(blocks)
    emit_layouts.check(blocks, layouts)
    return blocks, layouts


class Layouts(unittest.TestCase):
    def test_debugger_has_the_layout_of_today(self):
        blocks = model.read_folder()
        with open(os.path.join(layout.SOURCE, "debugger/callsign_debugger/layout.py"), encoding="utf-8") as file:
            self.assertEqual(file.read(), emit_debugger.source(blocks, layout.read(blocks)), "run python3 -m gen --debugger")

    def test_version_of_journals_follows_names_places_and_numbers(self):
        texts = ["cell x 2 valid:a -- a cell\n    a u64\n    b u64\n", "cell x 3 valid:a -- a cell\n    a u64\n    b u64\n",
                 "cell x 2 valid:a -- a cell\n    b u64\n    a u64\n", "cell x 2 valid:a -- a cell\n    a u64\n    b i64\n",
                 "cell x 2 valid:b -- a cell\n    a u64\n    b u64\n"]
        versions = [read(text)[1].constants["CS_JOURNAL_VERSION"] for text in texts]
        self.assertEqual(len(set(versions)), len(texts))
        other_words = texts[0].replace("a cell", "other words")
        self.assertEqual(read(other_words)[1].constants["CS_JOURNAL_VERSION"], versions[0])

    def test_released_layout_has_a_number(self):
        text = "cell x 2 valid:a -- a cell\n    a u64\n"
        number = read(text)[1].constants["CS_JOURNAL_VERSION"]
        with unittest.mock.patch.dict(layout.JOURNALS, {number: 1}):
            self.assertEqual(read(text)[1].constants["CS_JOURNAL_VERSION"], 1)
            self.assertGreater(read(text + "    b u64\n")[1].constants["CS_JOURNAL_VERSION"], 1)

    def debug_tables(self, *change):
        """The messages about debug.h after a change of its text."""
        found = layout.Layouts({}, dict(layout.LIMITS), {})
        problems = layout.Collector()
        with open(os.path.join(layout.SOURCE, layout.DEBUG_HEADER), encoding="utf-8") as file:
            text = file.read()
        if change:
            self.assertIn(change[0], text)
            text = text.replace(*change, 1)
        layout.read_header(text, layout.DEBUG_HEADER, found, problems)
        layout.check_debug_table(found, problems)
        return problems.lines

    def test_debugger_table_changes_only_with_its_version(self):
        self.assertEqual(self.debug_tables(), [])
        self.assertEqual(self.debug_tables("enum callsign_origin of the name", "other words"), [])
        changes = [("uint32_t number, tid;", "uint32_t tid, number;"), ("CALLSIGN_REQUEST_SENDS = 128", "CALLSIGN_REQUEST_SENDS = 256"),
                   ("uint64_t calls[16]", "uint64_t calls[8]"), ("CALLSIGN_PEER_ROOT (-3)", "CALLSIGN_PEER_ROOT (-4)")]
        for change in changes:
            self.assertRegex("".join(self.debug_tables(*change)), "debug.h: the layout of the debugger's table has changed: raise its version and add 0x", change)

    def test_fields_lie_as_in_c(self):
        _, layouts = read("struct pair -- two\n    first u64\n    second u64\n"
                          "cell x 2 valid:number -- all kinds of fields\n    number u32:3\n    other i32:29\n    name char[CS_ANSWER_BYTES]\n"
                          "    small u16[2]\n    both pair[2]\n")
        fields = {each.name: (each.offset, each.bytes) for each in layouts.structures["cs_x_cell"].fields}
        self.assertEqual(fields, {"number": (0, 4), "other": (0, 4), "name": (4, 256), "small": (260, 4), "both": (264, 32)})
        self.assertEqual(layouts.structures["cs_x_cell"].bytes, 296)

    def test_structures_of_c_headers_may_have_holes(self):
        request = layout.read(model.read_folder()).structures["callsign_request"]
        self.assertEqual([each.name for each in request.padded], ["bytes"])

    def test_fact_begins_with_the_head_of_facts(self):
        _, layouts = read("fact x 1 -- a fact\n    object u32\n    reserved u32\n    name text\n")
        self.assertEqual([each.name for each in layouts.structures["cs_fact_x"].fields], ["fact", "object", "reserved"])

    def refused(self, text, *messages):
        with self.assertRaises(Problems) as raised:
            read(text)
        self.assertEqual(raised.exception.lines, list(messages))

    def test_hole_is_refused(self):
        self.refused("fact x 1 -- a fact\n    object u32\n    site u64\n", "gen/model/journal.model:8: cs_fact_x has a hole before site: fill it with a reserved field")

    def test_other_size_is_refused(self):
        self.refused("cell x 2 valid:a bytes:64 -- a cell\n    a u64\n", "gen/model/journal.model:6: cs_x_cell has 8 bytes, not 64")

    def test_unknown_type_and_constant_are_refused(self):
        self.refused("cell x 2 valid:a -- a cell\n    a u64\n    b u128\n    c u64[CS_NONE]\n", "gen/model/journal.model:8: u128 is no type",
                     "gen/model/journal.model:9: CS_NONE is no constant of journal/format.h",
                     "gen/model/journal.model:9: cs_x_cell has a hole before c: fill it with a reserved field")

    def test_number_of_an_enumeration_that_is_taken_is_refused(self):
        self.refused("enum x -- an enumeration\n    a 1\n    b 1\n", "gen/model/journal.model:8: 1 is that of a too")

    def test_cell_says_when_it_is_valid(self):
        self.refused("cell x 2 -- a cell\n    a u64\n",
                     "gen/model/journal.model:6: cell x: valid:FIELD names the field that is 0 until the cell is valid, or is valid:always")


if __name__ == "__main__":
    unittest.main()
