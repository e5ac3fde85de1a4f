"""The documentation as a site: Sphinx reads the same Markdown that a reader of the repository sees. scripts/site builds it.

The landing page is README.md, with the list of pages below added. Every page of docs/ must be in that list: a page that is missing is an error.
"""
import pathlib
import re
import shutil

from pygments.lexers.special import TextLexer

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent

PAGES = {
    "Tutorial": ["docs/tutorial"],
    "How-to": ["docs/howto", "docs/install", "docs/clusters", "docs/leaks", "docs/compare", "docs/debugging", "docs/export", "docs/queries", "docs/ci"],
    "Reference": ["docs/reference", "docs/reports", "docs/columns", "docs/findings", "docs/kinds", "docs/checks", "docs/hang", "docs/top", "docs/page",
                  "docs/names", "docs/runs", "docs/schema", "docs/mpis", "docs/conformance", "docs/stability", "CHANGELOG"],
    "Explanation": ["docs/why", "docs/timeline", "docs/whatif", "docs/overhead", "docs/scale", "docs/fallback", "docs/evidence"],
    "Project": ["CONTRIBUTING", "docs/architecture", "record/site/README", "SECURITY", "CODE_OF_CONDUCT"],
}

project = "callsign"
author = "the callsign developers"
project_copyright = copyright = "2026, the callsign developers"
release = re.search(r"^project\(callsign VERSION ([0-9.]+)", (SOURCE / "CMakeLists.txt").read_text(encoding="utf-8"), re.MULTILINE)[1]

extensions = ["myst_parser"]
root_doc = "README"
include_patterns = ["README.md", "docs/*.md", *(f"{page}.md" for pages in PAGES.values() for page in pages)]
exclude_patterns = ["build*", "page", "tests", "**/node_modules"]
myst_heading_anchors = 6  # links to headings, as on GitHub
nitpicky = True
highlight_language = "none"
suppress_warnings = ["misc.highlighting_failure"]  # SQL and shell with "..." for what is left out

html_theme = "furo"
html_title = f"callsign {release}"
html_show_sphinx = False
html_copy_source = False
html_static_path = ["site.css"]
html_css_files = ["site.css"]


def add_pages(app, name, source):
    """The list of pages stands in no document: readers of the repository have the links of the README."""
    if name == root_doc:
        for caption, pages in PAGES.items():
            source[0] += "\n```{toctree}\n" + f":hidden:\n:caption: {caption}\n\n" + "\n".join(pages) + "\n```\n"


def add_index(app, failure):
    """Web servers show index.html."""
    if not failure and app.builder.name == "html":
        shutil.copyfile(f"{app.outdir}/README.html", f"{app.outdir}/index.html")


def setup(app):
    app.add_lexer("mermaid", TextLexer)
    app.connect("source-read", add_pages)
    app.connect("build-finished", add_index)
