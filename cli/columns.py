"""Writes docs/columns.md: what each column of each report means.

    columns.py          write it
    columns.py --check  fail if it is out of date

The meaning of a column is the comment of the view that has it (db/trace/views). A column that no view has under this name is explained in the SQL of the
report (db/trace/reports): `-- column NAME: MEANING`, continued on lines that begin with `--   `. Fails if a column is not explained.
"""
import pathlib
import re
import sqlite3
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "db/trace")]
import describe  # noqa: E402  (the path must be set first)
import embed  # noqa: E402
from gen import model, model_tables  # noqa: E402

OUT = ROOT / "docs/columns.md"
HEAD = """\
# The columns of reports

For users who ask what a column means. `cli/columns.py` makes this page from the comments of the views and of the reports' SQL; [reports.md](reports.md) explains
how to read a report. A column is named as in CSV and JSON. The table on a terminal shows `waiting_percent` as `waiting %`, `seconds` as `time`,
`sent_bytes` as `sent` and `site` as `where`.
"""
FUNCTIONS = {"row_name": 5, "location": 1, "charged": 1, "ranges": 1, "pattern": 1, "label": 2, "labels": 1}
MADE_TABLES = ("CREATE TABLE call_tree (line, call, depth, path, ranks, calls, open, time_ns, lifecycle, most_ns, most_rank, sent_bytes, received_bytes);"
               "CREATE TABLE world (ranks); CREATE TABLE delay (rank, site, part, direct, indirect)")
OWN = re.compile(r"(?m)^-- column (\w+): (.*(?:\n--   .*)*)")


def reports():
    """(name, title, hidden columns, name of its SQL) of each report that is a table of its own."""
    source = (ROOT / "cli/report/reports.c").read_text(encoding="utf-8")
    for entry in source.split("    {\n")[1:]:
        values = {key: "".join(re.findall(r'"([^"]*)"', text)) for key, text in re.findall(r"\.(\w+) =((?:\s*\"[^\"]*\")+)", entry)}
        sql = re.search(r"\.sql = cs_sql_(\w+)", entry)
        if sql:
            yield values["name"], values["title"], values.get("hidden", "").split(", "), sql[1]


def views():
    """The described views, with their columns by name."""
    found = {}
    for relation in describe.described(embed.view_texts()):
        found[relation.name] = {column.name: column.comment for column in relation.columns}
    for table in model.read_folder().of_kind("table"):
        found.setdefault(table.name, {column.name: column.comment for column in table.items})
    return found


def resolved(known, comment, column):
    """A comment "as in function_time" is that of the other view."""
    other = re.fullmatch(r"as in (\w+)", comment)
    return resolved(known, known[other[1]][column], column) if other and column in known.get(other[1], {}) else comment


def meaning(known, sql, column):
    own = {name: " ".join(text.replace("--", " ").split()) for name, text in OWN.findall(sql)}
    if column in own:
        return own[column]
    sources = [name for name in re.findall(r"\b(?:FROM|JOIN) \(?(?:SELECT \* FROM )?(\w+)", sql) if name in known]
    renamed = re.search(rf"\b(?:\w+\.)?(\w+)(?:, 0\))? AS {column}\b", sql)
    for name in (column, renamed and renamed[1]):
        for source in sources:
            if name in known[source]:
                return resolved(known, known[source][name], name)
    return None


def database():
    db = sqlite3.connect(":memory:")
    db.executescript(model_tables.schema(model.read_folder()))
    for text in (describe.COMPUTED, *embed.view_texts().values()):
        db.executescript(text)
    db.executescript(MADE_TABLES)
    for name, arguments in FUNCTIONS.items():
        db.create_function(name, arguments, lambda *values: None)
    return db


class Ranges:
    def step(self, *values):
        pass

    def finalize(self):
        return None


def page():
    known, db, parts, missing = views(), database(), [HEAD], []
    for name in ("ranges", "labels"):
        db.create_aggregate(name, 1, Ranges)
    for name, title, hidden, file in reports():
        sql = (ROOT / f"db/trace/reports/{file}.sql").read_text(encoding="utf-8")
        columns = [column[0] for column in db.execute(sql).description if column[0] not in (*hidden, "more")]
        meanings = {column: meaning(known, sql, column) for column in columns}
        missing += [f"db/trace/reports/{file}.sql: add `-- column {column}: ...`" for column in columns if not meanings[column]]
        rows = [f"| `{column}` | {describe.escape(text or '')} |" for column, text in meanings.items()]
        parts.append(f"## {name}\n\n{title}.\n\n| column | meaning |\n|---|---|\n" + "\n".join(rows) + "\n")
    if missing:
        sys.exit("\n".join(missing))
    return "\n".join(parts)


def main():
    text = page()
    if sys.argv[1:] != ["--check"]:
        OUT.write_text(text, encoding="utf-8")
    elif not OUT.exists() or OUT.read_text(encoding="utf-8") != text:
        sys.exit(f"docs/{OUT.name} is out of date: run cli/columns.py")


if __name__ == "__main__":
    main()
