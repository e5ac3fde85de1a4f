import csv
import io
import json
import os
import re
import sqlite3
import unittest

import fixture
from support import CommandTest


class Query(CommandTest):
    def setUp(self):
        super().setUp()
        self.run_folder = fixture.make_run(self.folder)

    def rows(self, sql):
        return self.ask(self.run_folder, sql)

    def test_all_ranks_are_in_the_same_tables(self):
        self.assertEqual(self.rows("SELECT count(DISTINCT rank) AS ranks FROM profile"), [{"ranks": 4}])

    def test_without_sql_lists_views_tables_and_reports_with_descriptions(self):
        text = self.answer("query", self.run_folder)
        self.assertRegex(text, r"(?m)^communicator_time +MPI time by communicator, window and file")
        self.assertRegex(text, r"(?m)^profile +\w+")
        self.assertRegex(text, r"(?m)^placement +Placement of ranks on nodes, packages and cores$")

    def test_explanations_are_whole_and_wrapped(self):
        for text, width in ((self.answer("query", self.run_folder), 80), (self.on_terminal("query", self.run_folder, NO_COLOR="1").decode(), 80),
                            (self.answer("query", self.run_folder, COLUMNS="120"), 120)):
            lines = text.replace("\r", "").split("\n\nThe rows of a view")[0].splitlines()
            self.assertLessEqual(max(map(len, lines)), width)
            self.assertGreater(max(map(len, lines)), width - 15)
            words = " ".join(text.split())
            for views in fixture.embed.view_texts().values():
                for name, explanation in re.findall(r"(?m)^CREATE VIEW (\w+) \( -- (.*(?:\n {8}-- .*)*)$", views):
                    explanation = re.sub(r"\n {8}--", "", explanation)
                    self.assertIn(f"{name} {explanation}", words)

    def test_view_or_table_can_be_asked_by_its_name_alone(self):
        """One of each file of views: the export with --views reads them all."""
        fixture.make_trace(self.folder / "one.db")
        views = [re.search(r"CREATE VIEW (\w+)", text)[1] for text in fixture.embed.view_texts().values()]
        self.assertGreater(len(views), 15)
        for name in ("process", "profile", *views):
            self.assertTrue(self.answer("query", "one.db", name))

    def test_sql_comes_from_stdin(self):
        self.assertEqual(self.answer("query", self.run_folder, "-", "-f", "csv", stdin="SELECT 1 AS one\n", text=False), b"one\r\n1\r\n")

    def test_csv_is_quoted_as_rfc_4180_says(self):
        sql = "SELECT 'a,b' AS \"x,y\", 'say \"hi\"' AS b, 'two' || char(13, 10) || 'lines' AS c, NULL AS d, '' AS e, 1.5 AS f"
        text = self.answer("query", self.run_folder, sql, "-f", "csv", text=False).decode()
        self.assertEqual(text, '"x,y",b,c,d,e,f\r\n"a,b","say ""hi""","two\r\nlines",,"",1.5\r\n')
        self.assertEqual(list(csv.reader(io.StringIO(text, newline="")))[1][:3], ["a,b", 'say "hi"', "two\r\nlines"])

    def test_json_keeps_every_value(self):
        sql = ("SELECT 9223372036854775807 AS big, -9007199254740992 AS low, 9007199254740991 AS exact, 0.1 AS real, 1e999 AS endless, NULL AS none, x'00ff' AS bytes, "
               "'\"\\' || char(10, 27, 0x9b, 0x1F600) AS text, CAST(x'ff' AS TEXT) AS broken")
        self.assertEqual(self.rows(sql), [{"big": "9223372036854775807", "low": "-9007199254740992", "exact": 2**53 - 1, "real": 0.1, "endless": float("inf"), "none": None, "bytes": "00ff",
                                           "text": '"\\\n\x1b\x9b\U0001F600', "broken": "\ufffd"}])

    def test_no_rows_are_an_empty_array_and_a_bare_heading(self):
        self.assertEqual(self.rows("SELECT 1 WHERE 0"), [])
        self.assertEqual(self.answer("query", self.run_folder, "SELECT 1 AS a WHERE 0", "-f", "csv", text=False), b"a\r\n")

    def test_output_goes_to_a_file(self):
        self.assertEqual(self.answer("query", self.run_folder, "SELECT 1 AS a", "-f", "json", "-o", "out.json"), "")
        self.assertEqual(json.loads((self.folder / "out.json").read_text()), [{"a": 1}])

    def test_numbers_stand_at_the_right_and_text_at_the_left(self):
        text = self.answer("query", self.run_folder, "SELECT 'ab' AS name, 7 AS number UNION ALL SELECT 'abcdef', 1234567")
        self.assertEqual([line.rstrip() for line in text.splitlines()],
                         ["name     number", "──────  ───────", "ab            7", "abcdef  1234567"])

    def test_table_too_wide_for_the_terminal_is_printed_as_records(self):
        text = self.on_terminal("query", self.run_folder, "SELECT * FROM process", COLUMNS="80", NO_COLOR="1").decode()
        self.assertRegex(text, r"(?m)^program +/opt/app/bin/solver\r?$")

    def test_long_results_are_printed_in_full(self):
        sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) SELECT i FROM n"
        self.assertEqual(len(self.answer("query", self.run_folder, sql).splitlines()), 5002)

    def test_ranges_joins_numbers(self):
        sql = "SELECT ranges(column1) AS r FROM (VALUES (3), (1), (2), (2), (7), (9), (10), (NULL))"
        self.assertEqual(self.rows(sql), [{"r": "1-3,7,9,10"}])

    def test_ranges_knows_the_largest_numbers(self):
        least, most = "-9223372036854775807 - 1", "9223372036854775807"
        sql = f"SELECT ranges(column1) AS r FROM (VALUES ({most}), ({least}), ({most} - 1), ({most} - 2), ({least} + 1), (0))"
        self.assertEqual(self.rows(sql), [{"r": "-9223372036854775808,-9223372036854775807,0,9223372036854775805-9223372036854775807"}])

    def test_merged_file_can_be_asked_like_a_folder(self):
        sql = "SELECT rank, sum(time_ns) AS t FROM profile GROUP BY rank"
        single = self.run_folder / "rank-00002.db"
        self.assertEqual(self.ask(single, sql), [self.rows(sql)[2]])

    def test_path_with_characters_that_mean_something_in_addresses(self):
        odd = self.folder / "50% of #1?.callsign"
        self.run_folder.rename(odd)
        self.assertEqual(self.answer("query", odd, "SELECT count(*) AS n FROM process", "-f", "csv"), "n\n4\n")


class QueryTrouble(CommandTest):
    def setUp(self):
        super().setUp()
        self.run_folder = fixture.make_run(self.folder)

    def test_sql_error_is_one_line_with_the_place(self):
        self.refuse("query", self.run_folder, "SELECT foo FROM process", saying=("no such column: foo", *(["at character 8"] if sqlite3.sqlite_version_info >= (3, 38) else [])))
        self.refuse("query", self.run_folder, self.run_folder, "SELECT 1", code=2, saying=("it reads one run", str(self.run_folder)))
        self.refuse("query", self.run_folder, self.run_folder, code=2, saying="it reads one run")
        self.refuse("query", self.run_folder, "SELEC 1", saying="syntax error")

    def test_name_of_no_view_is_told_with_the_nearest(self):
        self.refuse("query", self.run_folder, "comunicators", saying=("no view or table comunicators", "nearest is communicators"))
        self.refuse("query", self.run_folder, "comunicator_tiem", saying="nearest is communicator_time")
        self.refuse("query", self.run_folder, "SELECT * FROM lekas", saying=("no view or table lekas", "nearest is leaks",
                                                                             "callsign query RUN"))
        done = self.refuse("query", self.run_folder, "SELECT * FROM quux", saying=("no view or table quux", "callsign query RUN"))
        self.assertNotIn("nearest", done.stderr)

    def test_report_is_not_asked_as_a_view(self):
        self.refuse("query", self.run_folder, "functions", saying=f"callsign report {self.run_folder} functions")

    def test_whatever_writes_or_opens_files_is_refused(self):
        before = {path: path.read_bytes() for path in self.run_folder.iterdir()}
        for sql in ("DELETE FROM process", "UPDATE process SET rank = 1", "DROP TABLE process", "CREATE TEMP TABLE t (a)",
                    "ATTACH 'x.db' AS x", "VACUUM INTO 'x.db'", "PRAGMA user_version = 9", "PRAGMA writable_schema = 1", "BEGIN", "REINDEX",
                    "SELECT load_extension('x')", "SELECT writefile('x', 'y')"):
            with self.subTest(sql):
                self.refuse("query", self.run_folder, sql)
                self.refuse("query", self.run_folder / "rank-00000.db", sql)
        self.assertEqual(before, {path: path.read_bytes() for path in self.run_folder.iterdir()})
        self.assertFalse((self.folder / "x.db").exists())

    def test_second_statement_is_refused(self):
        self.refuse("query", self.run_folder, "SELECT 1; SELECT 2", saying="character 10")

    def test_empty_sql_is_refused(self):
        self.refuse("query", self.run_folder, " -- nothing", saying="no SQL")
        self.refuse("query", self.run_folder, "-", saying="stdin")

    def test_error_in_the_middle_of_rows_is_reported(self):
        self.refuse("query", self.run_folder, "SELECT abs(-9223372036854775807 - rank) FROM process", saying="integer overflow")

    def test_unknown_format_is_a_usage_error(self):
        self.refuse("query", self.run_folder, "SELECT 1", "--format", "xml", code=2, saying="xml")

    def test_too_many_arguments_are_a_usage_error(self):
        self.refuse("query", self.run_folder, "SELECT", "1", code=2, saying="quote")

    def test_output_that_cannot_be_written_is_named(self):
        self.refuse("query", self.run_folder, "SELECT 1", "-o", "no/such/folder.csv", saying="no/such/folder.csv")

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_full_disk_is_told(self):
        self.refuse("query", self.run_folder, "SELECT 1", "-o", "/dev/full", saying=("/dev/full", "No space left"))


if __name__ == "__main__":
    unittest.main()
