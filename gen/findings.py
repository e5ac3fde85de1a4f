"""The findings of gen/model/finding.model: the view that unites them, their sentences for the command, and docs/findings.md.

Here, views is a dict from the name of each other view to the names of its columns."""

import re
import textwrap

from .problem import Collector

SEVERITIES = {"error": 1, "warning": 2, "note": 3}
TYPES = ("text", "int", "real", "seconds", "instant", "percent", "bytes", "ranks", "site", "communicator")
PARTS = ("ranks", "timeline", "communicators", "functions", "balance", "traffic", "sites", "callers", "placement", "objects", "tags")  # of the page
WIDTH = 120
VALUE = re.compile(r"\{(\w+)(?:([:?])([^{}]*))?\}")


def union(declared):
    """The block with the columns of the view."""
    (block,) = declared.of_kind("union")
    return block


def sources(declared):
    """The views with findings, each with its kinds, in order."""
    found = {}
    for finding in declared.of_kind("finding"):
        if finding.has("from"):
            found.setdefault(finding.get("from"), []).append(finding)
    return found


def check(declared, views):
    """Raises Problems."""
    problems = Collector()
    columns = {item.name: item for item in union(declared).items}
    for item in columns.values():
        if item.type not in TYPES:
            problems.add(item.where, f"{item.type} is none of {', '.join(TYPES)}")
    for finding in declared.of_kind("finding"):
        view = finding.get("from")
        if finding.get("severity") not in SEVERITIES:
            problems.add(finding.where, f"severity: is none of {', '.join(SEVERITIES)}")
        if finding.get("picture") not in PARTS:
            problems.add(finding.where, f"picture: is none of {', '.join(PARTS)}")
        if view and view not in views:
            problems.add(finding.where, f"there is no view {view}")
        text = finding.sentence
        required = {name for name, *_ in VALUE.findall(re.sub(r"\[[^\]]*\]", "", text))}
        for name, kind, words in VALUE.findall(text):
            if name not in columns or (view and name in required and name not in views.get(view, (name,))):
                problems.add(finding.where, f"{{{name}}} is no column of {view if name in columns else 'findings: a new one is a line of the block union'}")
            if kind and len(words.split("|")) != 2 and "=" not in words:
                problems.add(finding.where, f"{{{name}{kind}{words}}} needs two words")
        if finding.has("overview") and not (text and "kind" in views.get(view, ("kind",))):
            problems.add(finding.where, "a finding in the overview needs a sentence, and a view with the column kind")
        rest = VALUE.sub("", text)
        if "{" in rest or "}" in rest or re.search(r"\[[^\]]*\[", rest) or rest.count("[") != rest.count("]"):
            problems.add(finding.where, "unbalanced brackets in the sentence")
    for item in declared.find("enum", "misuse").items:
        if not declared.find("finding", item.name):
            problems.add(item.where, f"gen/model/finding.model has no finding {item.name}")
    for view, findings in sources(declared).items():
        if "kind" not in views.get(view, ("kind",)) and len(findings) > 1:
            problems.add(findings[1].where, f"{view} has no column kind, so it has one kind of finding")
    problems.raise_if_any()


# ---- the view ----

def filled(text, first, rest):
    return textwrap.fill(text, WIDTH, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False)


def described(item, last):
    """A column of a view with its comment, as db/trace/describe.py reads it."""
    return textwrap.fill(f"    {item.name}{'' if last else ','} -- {item.comment}", WIDTH, subsequent_indent="        -- ")


def severity_of(findings):
    numbers = {}
    for finding in findings:
        numbers.setdefault(SEVERITIES[finding.get("severity")], []).append(f"'{finding.name}'")
    if len(numbers) == 1:
        return str(*numbers)
    *cases, (other, _) = sorted(numbers.items(), key=lambda pair: len(pair[1]))
    whens = " ".join(f"WHEN kind IN ({', '.join(names)}) THEN {number}" for number, names in cases)
    return f"CASE {whens} ELSE {other} END"


def part(block, view, findings, columns):
    """The rows of one view."""
    has_kind = "kind" in columns
    values = {"kind": "kind" if has_kind else f"'{findings[0].name}'", "severity": severity_of(findings)}
    chosen = (values.get(item.name, item.name if item.name in columns else "NULL") for item in block.items)
    if has_kind:
        where = f" WHERE kind IN ({', '.join(repr(finding.name) for finding in findings)})"
    else:
        where = f" WHERE {findings[0].get('where')}" if findings[0].has("where") else ""
    return filled(f"SELECT {', '.join(chosen)}", "", "       ") + "\n" + filled(f"FROM {view}{where}", "", "      ")


def view_sql(declared, views):
    """The view `findings`."""
    block = union(declared)
    heading = textwrap.wrap(f"CREATE VIEW {block.name} ( -- {block.comment}", WIDTH, subsequent_indent="        -- ")
    columns = [described(item, item is block.items[-1]) for item in block.items]
    parts = [part(block, view, findings, views[view]) for view, findings in sources(declared).items()]
    return ("-- Views: all findings about a run. Made by db/trace/describe.py from gen/model/finding.model: change that.\n\n"
            + "-- kept: others\n" + "\n".join(heading + columns) + "\n) AS\n" + "\nUNION ALL\n".join(parts) + ";\n")


# ---- C ----

def quoted_names(names):
    return ", ".join(f"'{name}'" for name in names)


def overview_selects(declared):
    """SELECTs of the rows that have sentences in the overview, as (severity, SQL), the most severe first. A column of brief: is NULL there."""
    found, scarce = {}, set()
    for view, findings in sources(declared).items():
        for finding in findings:
            if finding.has("scarce"):
                scarce.add(view)
            if finding.has("overview"):
                brief = finding.get("brief").split(",") if finding.has("brief") else []
                found.setdefault((SEVERITIES[finding.get("severity")], view), []).append((finding.name, brief))
    selects = []
    for (severity, view), kinds in found.items():
        absent = ""
        for column in dict.fromkeys(column for _, brief in kinds for column in brief):
            absent += f"iif(kind IN ({quoted_names(name for name, brief in kinds if column in brief)}), NULL, {column}) AS {column}, "
        names = quoted_names(name for name, _ in kinds)
        limit = " LIMIT CASE WHEN EXISTS (SELECT 1 FROM core_findings) THEN 1 ELSE -1 END" if view in scarce else ""
        selects.append((severity, f"SELECT {absent}* FROM {view} WHERE kind IN ({names}){limit}"))
    return sorted(selects, key=lambda pair: pair[0])


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("?", "\\?") + '"' if text else "NULL"


def header(declared):
    return """/* Kinds of findings, and the columns of the view findings. Made by gen/findings.py from gen/model/finding.model. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum cs_finding_type {
""" + "".join(f"    CS_FINDING_{name.upper()},\n" for name in TYPES) + """};

struct cs_finding_column {
    const char *name;
    enum cs_finding_type type;
};

enum cs_severity { CS_SEVERITY_NONE, """ + ", ".join(f"CS_SEVERITY_{name.upper()} = {number}" for name, number in SEVERITIES.items()) + """ };

struct cs_finding_kind {
    const char *name;
    int severity;         /* enum cs_severity */
    const char *picture;  /* the part of the page that shows it */
    const char *next;     /* where there is more: "report waits"; NULL: nowhere */
    const char *sentence; /* a template, see gen/model/finding.model; NULL: C code writes it */
    bool undecides;       /* calls may be missing: nobody can say that a run with it is right */
};

extern const struct cs_finding_column cs_finding_columns[];
extern const size_t cs_finding_columns_count;
extern const struct cs_finding_kind cs_finding_kinds[];
extern const size_t cs_finding_kinds_count;

/* The kind of this name; NULL: there is none, or no name. */
const struct cs_finding_kind *cs_finding_find(const char *name);

/* Findings whose sentences the overview has, each row one, the most severe first. */
struct cs_overview_findings {
    int severity;
    const char *sql;
};
extern const struct cs_overview_findings cs_overview_findings[];
extern const size_t cs_overview_findings_count;

/* Rows with the columns of the view findings, from a JSON array ?1 of objects with members of these names. */
extern const char cs_findings_of_json[];
"""


def source(declared):
    items = union(declared).items
    columns = "".join(f'    {{"{item.name}", CS_FINDING_{item.type.upper()}}},\n' for item in items)
    kinds = "".join(f'    {{"{f.name}", {SEVERITIES[f.get("severity")]}, {quoted(f.get("picture"))}, {quoted(f.get("next"))},\n     {quoted(f.sentence)}, {str(f.has("undecides")).lower()}}},\n'
                    for f in declared.of_kind("finding"))
    overview = "".join(f"    {{{severity}, {quoted(sql)}}},\n" for severity, sql in overview_selects(declared))
    values = ",\n".join(f'    "json_extract(value, \'$.{item.name}\') AS {item.name}' for item in items).replace(",\n", ', "\n') + ' "'
    return f"""#include "findings.h"

#include <string.h>

const struct cs_finding_column cs_finding_columns[] = {{
{columns}}};
const size_t cs_finding_columns_count = sizeof cs_finding_columns / sizeof *cs_finding_columns;

const struct cs_finding_kind cs_finding_kinds[] = {{
{kinds}}};
const size_t cs_finding_kinds_count = sizeof cs_finding_kinds / sizeof *cs_finding_kinds;

const struct cs_finding_kind *cs_finding_find(const char *name)
{{
    for (size_t i = 0; name && i < cs_finding_kinds_count; i++)
        if (strcmp(cs_finding_kinds[i].name, name) == 0)
            return &cs_finding_kinds[i];
    return NULL;
}}

const struct cs_overview_findings cs_overview_findings[] = {{
{overview}}};
const size_t cs_overview_findings_count = sizeof cs_overview_findings / sizeof *cs_overview_findings;

const char cs_findings_of_json[] =
    "SELECT "
{values}
    "FROM json_each(?1)";
"""


# ---- documentation ----

def page(declared):
    """docs/findings.md"""
    lines = ["# Findings", "", "<!-- Made by db/trace/describe.py from gen/model/finding.model: change that. -->",
             "For users who ask what `callsign report RUN` looks for. Each finding is a row of the view [findings](schema.md#findings), with the columns of the view",
             "that finds it, and a severity: 1 for errors, 2 for warnings, 3 for notes. `callsign report RUN --format json` has the findings, too.", ""]
    for severity in SEVERITIES:
        lines += [f"## {severity.capitalize()}s", "", "| kind | what it is | view |", "|---|---|---|"]
        for finding in declared.of_kind("finding"):
            if finding.get("severity") == severity:
                view = f"[{finding.get('from')}](schema.md#{finding.get('from')})" if finding.has("from") else "none: `callsign report` proves it"
                lines.append(f"| `{finding.name}` | {finding.comment} | {view} |")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def kinds_page(declared):
    """docs/kinds.md"""
    lines = ["# Kinds of wrong calls", "", "<!-- Made by db/trace/describe.py from gen/model/finding.model: change that. -->",
             "For users of `callsign run --check all`: wrong calls that one process can detect. Each kind has the smallest wrong example, and a correct one that looks",
             "alike. [checks.md](checks.md#arguments-and-use) explains the kinds. The column `found` says when callsign finds the error:", "",
             "- `before` the call; with `--check stop` the program ends there,",
             "- `after`: when `callsign check` compares the ranks,",
             "- `all`: only with `--check all` ([cost](checks.md#cost)).", "",
             "Two ranks run the examples; `peer` is the other rank. `a` and `b` are arrays of integers, and `room` has 1,000 bytes. `win` is a window of 8 integers in units",
             "of an integer, `line` a Cartesian communicator with one dimension, `inter` an intercommunicator. `t` is a datatype, and `copy_of_t` a copy of its handle. `r` is a",
             "request; `MPI_Send_init` made it if the example starts it at once.", "",
             "| kind | MPI 4.1 | found | wrong | correct |", "|---|---|---|---|---|"]
    for finding in declared.of_kind("finding"):
        if finding.has("wrong"):
            found = f"{'after' if finding.has('afterwards') else 'before'}{'' if finding.has('always') else ', all'}"
            wrong, right = (finding.get(word).replace("|", "\\|") for word in ("wrong", "right"))
            lines.append(f"| `{finding.name}` | {finding.get('section')} | {found} | `{wrong}` | `{right}` |")
    return "\n".join(lines) + "\n"
