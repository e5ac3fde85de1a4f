"""gen/model: what is declared once, and what stops a build."""
import io
import unittest

import support  # noqa: F401  (it sets the path)
from gen import model, model_loaders, model_tables
from gen.problem import Collector, Problems

SMALL = """
# a note
table greeting from:fact.greeted repeated:last -- who was greeted,
    -- and when
    rank int key -- of the process
    name text key -- of whom
    at_ns instant from:fact.ticks -- when
    parent int null:0 -- of them
    tone word -- of voice

enum tone -- how it sounded
    soft 1
    loud 2

fact greeted 1 -- somebody was greeted
    parent u32
    tone u32 enum:tone
    name text
"""


def read(text):
    problems = Collector()
    blocks = model.parse(io.StringIO(text), "test.model", "test", problems)
    model.check_unique(blocks, problems)
    problems.raise_if_any()
    declared = model.Model(blocks)
    model_tables.check(declared)
    model_loaders.check(declared)
    return declared


class Tables(unittest.TestCase):
    def test_version_follows_columns_types_keys_and_words_and_not_comments(self):
        changed = ["parent int null:0", "parent any null:0"], ["    name text key", "    called text key from:fact.name"], ["name text key", "name text"], ["soft 1", "low 1"], ["loud 2", "loud 3"]
        texts = [SMALL] + [SMALL.replace(*each) for each in changed]
        numbers = [model_tables.fingerprint(read(text)) for text in texts]
        self.assertEqual(len(set(numbers)), len(texts))
        self.assertEqual(model_tables.fingerprint(read(SMALL.replace("-- of voice", "-- how it sounded"))), numbers[0])

    def test_tables_that_change_without_a_version_stop_the_build(self):
        with self.assertRaises(Problems) as raised:
            model_tables.check_version(read(SMALL))
        self.assertIn(f"write TABLES = {model_tables.fingerprint(read(SMALL)):#010x}", str(raised.exception))

    def test_table_has_its_comments_and_key(self):
        self.assertEqual(model_tables.create(read(SMALL).find("table", "greeting")), """\
CREATE TABLE greeting ( -- who was greeted, and when
    rank INT NOT NULL, -- of the process
    name TEXT NOT NULL, -- of whom
    at_ns INT, -- when
    parent INT, -- of them
    tone TEXT, -- of voice
    PRIMARY KEY (rank, name)) WITHOUT ROWID;
""")

    def test_row_is_written_with_named_columns(self):
        self.assertEqual(model_tables.insert(read(SMALL).find("table", "greeting")),
                         "INSERT OR REPLACE INTO greeting (rank, name, at_ns, parent, tone) VALUES (?, ?, ?, ?, ?)")

    def test_instants_move_and_ranks_shift_when_ranks_are_merged(self):
        table = read(SMALL).find("table", "greeting")
        self.assertEqual(model_tables.read(table), "SELECT rank, name, at_ns, parent, tone FROM main.greeting")
        self.assertIn("SELECT c0 + ?2, c1, c2 + ?1, c3, c4 FROM callsign_rows", model_tables.write(table))
        self.assertIn("SET at_ns = t.at_ns - c.was_ns", model_tables.move(table))

    def test_ranks_of_a_node_share_rows(self):
        table = read(SMALL.replace("repeated:last", "repeated:last common").replace("text key", "text key own").replace("at_ns instant", "at_ns instant own")
                     ).find("table", "greeting")
        self.assertEqual(model_tables.create_common(table).split("; "), [
            "CREATE TABLE common_greeting (common INTEGER PRIMARY KEY, parent INT, tone TEXT)",
            "CREATE TABLE own_greeting (rank INT NOT NULL, name TEXT NOT NULL, at_ns INT, common INT NOT NULL, PRIMARY KEY (rank, name)) WITHOUT ROWID",
            "CREATE VIEW greeting AS SELECT rank, name, at_ns, parent, tone FROM own_greeting JOIN common_greeting USING (common)"])
        self.assertEqual(model_tables.add_common(table), "INSERT INTO common_greeting (common, parent, tone) VALUES (?, ?, ?)")
        self.assertEqual(model_tables.add_own(table), "INSERT OR REPLACE INTO own_greeting (rank, name, at_ns, common) VALUES (?1, ?2, ?3, ?6)")
        self.assertEqual(model_tables.order_common(table), "")

    def test_rows_of_a_common_table_come_in_its_order(self):
        table = read(SMALL.replace("repeated:last", "common")).find("table", "greeting")
        self.assertIn("common INT NOT NULL, PRIMARY KEY (rank, common)", model_tables.create_common(table))
        self.assertEqual(model_tables.order_common(table), " ORDER BY rank, name")

    def test_loader_converts_by_type(self):
        source = model_loaders.source(read(SMALL))
        for line in ("const char *name = cs_fact_greeted_name(it);", ".tone = cs_text(cs_name_of_tone(it->tone))",
                     ".at_ns = cs_int(cs_conversion_instant(conversion, it->fact.ticks))",
                     ".parent = cs_int_unless((int64_t)it->parent, (int64_t)0)", "[CS_FACT_GREETED] = {load_greeted, false}"):
            self.assertIn(line, source)

    def test_real_model_has_no_problems(self):
        declared = model.read_folder()
        model_tables.check(declared)
        model_loaders.check(declared)


class Failures(unittest.TestCase):
    def test_each_problem_is_a_line_that_says_where(self):
        for text, line in (("tables x -- y\n", "test.model:1: tables is none of"),
                           ("table x\n    a int -- b\n", "test.model:1: table x has no comment"),
                           ("table x -- y\n    a int\n", "test.model:2: x.a has no comment"),
                           ("table x -- y\n    a number -- b\n", "test.model:2: number is none of"),
                           ("table x -- y\n    a_ns int -- b\n", "test.model:2: x.a_ns: times"),
                           ("table x -- y\n    a instant -- b\n", "test.model:2: x.a: times"),
                           ("table x -- y\n    a int -- b\n    a int -- b\n", "test.model:3: x has a twice"),
                           ("table x -- y\ntable x -- y\n", "test.model:2: table x was declared at test.model:1"),
                           ("table x from:fact.y -- z\n    a int -- b\n", "test.model:1: there is no fact y"),
                           ("table x from:fact.y -- z\n    a int -- b\nfact y 1 -- z\n    c u32\n", "test.model:2: fact y has no a"),
                           ("table x from:fact.y -- z\n    a word -- b\nfact y 1 -- z\n    a u32\n", "test.model:2: a has no enumeration"),
                           ("table x common -- y\n    a int -- b\n", "test.model:1: x cannot be common"),
                           ("table x common repeated:last -- y\n    rank int key -- b\n    a int key -- b\n", "test.model:1: x: keys repeat"),
                           ("load cell.x into:y -- z\n", "test.model:1: load x: there is no such table")):
            with self.assertRaises(Problems) as raised:
                read(text)
            self.assertIn(line, str(raised.exception))


if __name__ == "__main__":
    unittest.main()
