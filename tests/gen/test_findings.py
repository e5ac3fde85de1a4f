"""gen/model/finding.model: the view of all findings, and what stops a build."""
import io
import os
import re
import unittest

import support
from gen import findings, model
from gen.problem import Collector, Problems

SMALL = """
enum misuse -- what is wrong
    late 1

union findings -- findings
    kind text -- what
    severity int -- how bad
    rank int -- who
    site site -- where
    seconds seconds -- how long

finding late severity:warning from:delays picture:ranks why:"sleeps" -- a rank that is late
    "Rank {rank} is late[ at {site}], by {seconds}:"
    "it <why>"
finding slow like:late severity:note why:"works" -- a rank that is slow
finding gone severity:error from:ends picture:tags where:lost -- a rank that is gone
"""
VIEWS = {"delays": ["kind", "rank", "seconds", "site"], "ends": ["rank", "lost"]}


def read(text):
    problems = Collector()
    blocks = model.parse(io.StringIO(text), "test.model", "test", problems)
    model.complete_findings(blocks, problems)
    problems.raise_if_any()
    declared = model.Model(blocks)
    findings.check(declared, VIEWS)
    return declared


class Union(unittest.TestCase):
    def test_view_has_the_rows_of_all_views_with_columns_by_name(self):
        sql = findings.view_sql(read(SMALL), VIEWS)
        self.assertIn("CREATE VIEW findings ( -- findings\n    kind, -- what\n    severity, -- how bad\n", sql)
        self.assertTrue(sql.endswith("""\
SELECT kind, CASE WHEN kind IN ('late') THEN 2 ELSE 3 END, rank, site, seconds
FROM delays WHERE kind IN ('late', 'slow')
UNION ALL
SELECT 'gone', 1, rank, NULL, NULL
FROM ends WHERE lost;
"""), sql)

    def test_finding_that_is_like_another_one_has_its_sentence_and_its_view(self):
        slow = read(SMALL).find("finding", "slow")
        self.assertEqual(slow.sentence, "Rank {rank} is late[ at {site}], by {seconds}: it works")
        self.assertEqual((slow.get("from"), slow.get("severity")), ("delays", "note"))

    def test_page_has_each_kind_under_its_severity(self):
        errors = findings.page(read(SMALL)).partition("## Errors\n")[2].partition("##")[0]
        self.assertIn("| `gone` | a rank that is gone | [ends](schema.md#ends) |", errors)
        self.assertNotIn("slow", errors)


class Failures(unittest.TestCase):
    def refused(self, before, after, message):
        self.assertIn(before, SMALL)
        with self.assertRaises(Problems) as caught:
            read(SMALL.replace(before, after))
        self.assertRegex("\n".join(caught.exception.lines), message)

    def test_what_a_sentence_names_must_be_there(self):
        self.refused("{seconds}", "{minutes}", "{minutes} is no column of findings: a new one")
        self.refused("by {seconds}", "by {severity}", "{severity} is no column of delays")
        self.refused("<why>", "<cause>", "why is no property of a finding, and its sentence has no <why>")
        self.refused("like:late", "like:never", "there is no finding never")

    def test_brackets_and_words_must_be_whole(self):
        self.refused("[ at {site}]", "[ at {site}", "unbalanced brackets")
        self.refused("{seconds}", "{seconds", "unbalanced brackets")
        self.refused("{rank}", "{rank?it}", "needs two words")

    def test_severity_view_and_type_must_be_known(self):
        self.refused("picture:tags", "picture:nowhere", "picture: is none of ranks, ")
        self.refused("severity:error", "severity:fatal", "severity: is none of error, warning, note")
        self.refused("from:ends", "from:nowhere", "there is no view nowhere")
        self.refused("rank int", "rank whole", "whole is none of text")

    def test_view_without_kinds_has_one_finding(self):
        self.refused("finding gone", "finding lost severity:error from:ends picture:tags -- lost\nfinding gone", "ends has no column kind")

    def test_parts_are_those_of_the_page(self):
        with open(os.path.join(support.ROOT, "cli/page/report_html.c"), encoding="utf-8") as file:
            table = file.read().partition("static const struct part parts[] = {")[2].partition("};")[0]
        self.assertLessEqual(set(findings.PARTS), set(re.findall(r'^    \{"(\w+)",', table, re.MULTILINE)))

    def test_each_misuse_is_a_finding(self):
        self.refused("late 1", "early 1", "has no finding early")


if __name__ == "__main__":
    unittest.main()
