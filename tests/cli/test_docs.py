import re
import sys
import unittest

import fixture
from support import COMMAND, CommandTest, bounded

DOCS = fixture.TREE / "docs"


class Docs(CommandTest):
    def test_every_example_query_runs(self):
        run = fixture.make_run(self.folder, ranks=3)
        fixture.make_trace(run / "rank-00003.db", 3, outcome="died")
        examples = re.findall(r"```sql\n(.*?)```", (DOCS / "queries.md").read_text(encoding="utf-8"), re.S)
        self.assertGreaterEqual(len(examples), 12)
        for sql in examples:
            with self.subTest(sql):
                text = self.answer("query", run, "-", stdin=sql)
                if not re.search("attribute|bindings GROUP|tags|traffic|communicator_nodes|rank_processors|processor_names|environment|damaged|disagreements|balance|congruent|comparisons|keyvals|exclusions|pending_requests|synchronization", sql):  # the fixture has none of these
                    self.assertGreater(len(text.splitlines()), 2)

    def test_example_in_python_runs(self):
        self.answer("merge", fixture.make_run(self.folder, ranks=2), "-o", "program.db")
        [script] = re.findall(r"```python\n(.*?)```", (DOCS / "queries.md").read_text(encoding="utf-8"), re.S)
        done = bounded.run([sys.executable, "-c", script], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        self.assertEqual([line.split()[0] for line in done.stdout.splitlines()], ["0", "1"])

    def test_tests_that_the_page_on_mpis_names_exist(self):
        page = (DOCS / "mpis.md").read_text(encoding="utf-8")
        sources = "".join(path.read_text(encoding="utf-8") for path in fixture.TREE.glob("tests/*/CMakeLists.txt"))
        names = re.findall(r"`(?:fortran|mpi|real)\.\*\.(\w+)(?:\.\*|\*)?`", page)
        self.assertGreaterEqual(len(names), 4)
        for name in names:
            self.assertRegex(sources, rf"[ (]{name}", name)

    def test_reference_is_what_the_command_prints(self):
        bounded.run([sys.executable, fixture.TREE / "cli/reference.py", "--check", COMMAND], check=True)

    def test_columns_that_the_page_explains_and_that_a_report_leaves_out_are_columns_of_it(self):
        bounded.run([sys.executable, fixture.TREE / "cli/columns.py", "--check"], check=True)
        run = fixture.make_run(self.folder)
        for name, columns in re.findall(r"(?m)^## (\w+)\n\n.*\n\n\| column.*\n.*\n((?:\|.*\n)+)", (DOCS / "columns.md").read_text(encoding="utf-8")):
            header = self.answer("report", run, name, "--format", "csv").splitlines()[0].split(",")
            self.assertLessEqual(set(re.findall(r"(?m)^\| `(\w+)`", columns)), set(header), name)
            left_out = re.search(r'\.drop = "(.*)"', fixture.REPORTS[name])  # on a narrow terminal, first ones first
            if left_out and ".table_sql" not in fixture.REPORTS[name]:
                self.assertLessEqual(set(left_out[1].split(", ")), set(header), name)
                self.assertNotIn(header[0], left_out[1].split(", ") if name in ("communicators", "balance", "objects") else [])

    def test_page_on_reports_lists_every_report(self):
        page = (DOCS / "reports.md").read_text(encoding="utf-8")
        for report in re.findall(r"(?m)^  (\w+)  ", self.answer("help", "report").split("Reports:")[1].split("Examples:")[0]):
            self.assertIn(f"\n| `{report}` |", page)

    def test_links_between_pages_lead_somewhere(self):
        pages = [*DOCS.glob("*.md"), *fixture.TREE.glob("*.md")]
        for page in pages:
            text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.S)
            for link in re.findall(r"\]\(([^)\s]+)\)", text):
                path, _, anchor = link.partition("#")
                if "://" in link:
                    continue
                target = (page.parent / path).resolve() if path else page
                with self.subTest(page=page.name, link=link):
                    self.assertTrue(target.exists())
                    if anchor:
                        self.assertIn(anchor, anchors(target))


def anchors(page):
    """The anchors that headings of a page have."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.S)
    headings = re.findall(r"(?m)^#+ (.+)$", text)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


if __name__ == "__main__":
    unittest.main()
