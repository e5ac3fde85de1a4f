"""Writes what gen/model and the comments in views/*.sql say of a trace: docs/schema.md, docs/findings.md and docs/kinds.md.

    describe.py          write these files
    describe.py --check  fail if one is out of date

Fails if a view or column has no comment, or if SQLite finds other columns than the comments describe.
"""
import argparse
import dataclasses
import pathlib
import re
import sqlite3
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent.parent)]
import embed  # noqa: E402  (the path must be set first)
from gen import findings, model, model_tables  # noqa: E402

DOCS = HERE.parent.parent / "docs"
COMPUTED = (HERE / "event_tables.sql").read_text(encoding="utf-8")

BEGIN = re.compile(r"CREATE VIEW (\w+) \( -- (.+)")
COLUMN = re.compile(r"    (\w+),? -- (.+)")
SHARED = re.compile(r"    ((?:\w+, )+\w+),? -- as in (\w+)")  # columns that an earlier view describes
CONTINUED = re.compile(r"        -- (.+)")  # continues the comment of the line before
MORE = re.compile(r"    -- (.+)")


@dataclasses.dataclass
class Column:
    name: str
    type: str
    comment: str


@dataclasses.dataclass
class Relation:
    kind: str
    name: str
    comment: str
    note: str = ""  # the text after the comment, on its own lines
    columns: list = dataclasses.field(default_factory=list)
    key: list = dataclasses.field(default_factory=list)


class Problem(Exception):
    pass


def tables(declared):
    """All tables of the model."""
    return [Relation("table", table.name, table.comment,
                     columns=[Column(c.name, model_tables.declaration(table, c).removesuffix(" PRIMARY KEY"), c.comment) for c in table.items],
                     key=[c.name for c in table.items if model_tables.is_key(c)])
            for table in declared.of_kind("table")]


def shared(names, source, relations):
    """The columns of these names, as a view further up in the file describes them."""
    described = {column.name: column for relation in relations if relation.name == source for column in relation.columns}
    missing = [name for name in names if name not in described]
    if missing:
        raise Problem(f"{relations[-1].name}: no earlier view {source} of the file has {missing}")
    return [dataclasses.replace(described[name]) for name in names]


def parse(name, text):
    """All views of a file, in order."""
    relations = []
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        if begin := BEGIN.fullmatch(line):
            relations.append(Relation("view", begin[1], begin[2]))
            inside = True
        elif line.startswith("CREATE"):
            raise Problem(f"{name}:{number}: no comment behind the parenthesis: {line}")
        elif line.startswith(")"):
            inside = False
        elif not inside or not line.strip():
            inside = False
        elif more := CONTINUED.fullmatch(line):
            described = relations[-1].columns[-1] if relations[-1].columns else relations[-1]
            described.comment += " " + more[1]
        elif more := MORE.fullmatch(line):
            if relations[-1].columns:
                relations[-1].columns[-1].comment += " " + more[1]
            else:
                relations[-1].note += " " + more[1]
        elif several := SHARED.fullmatch(line):
            relations[-1].columns += shared(several[1].split(", "), several[2], relations)
        elif column := COLUMN.fullmatch(line):
            relations[-1].columns.append(Column(column[1], "", column[2]))
        else:
            raise Problem(f"{name}:{number}: a column without a comment: {line.strip()}")
    return relations


def described(texts):
    """The views of files, in order."""
    return [view for name, text in sorted(texts.items()) for view in parse(name, text)]


def check(relations, schema, texts):
    """Compares the comments with what SQLite finds in the texts of the views."""
    database = sqlite3.connect(":memory:")
    database.executescript(COMPUTED)
    computed = {name for (name,) in database.execute("SELECT name FROM sqlite_schema")}
    database.executescript(schema)
    for text in texts:
        database.executescript(text)
    real = {name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")} - computed
    if real != {relation.name for relation in relations}:
        raise Problem(f"not described: {sorted(real.symmetric_difference({r.name for r in relations}))}")
    for relation in relations:
        columns = [row[1] for row in database.execute(f"PRAGMA table_info({relation.name})")]
        described = [column.name for column in relation.columns]
        if columns != described:
            raise Problem(f"{relation.name} has the columns {columns}, but these are described: {described}")


def escape(text):
    return text.replace("|", "\\|").replace("<", "&lt;")


def sentence(text):
    return escape(text[:1].upper() + text[1:])


def table(relation):
    lines = [f"### {relation.name}", "", sentence(relation.comment) + "." + escape(relation.note), ""]
    if relation.kind == "table":
        if relation.key:
            lines += [f"Key: {', '.join(f'`{part}`' for part in relation.key)}", ""]
        lines += ["| column | type | meaning |", "|---|---|---|"]
        lines += [f"| `{c.name}` | {c.type} | {escape(c.comment)} |" for c in relation.columns]
    else:
        lines += ["| column | meaning |", "|---|---|"]
        lines += [f"| `{c.name}` | {escape(c.comment)} |" for c in relation.columns]
    return "\n".join(lines) + "\n"


def notes():
    """The conventions, as a list."""
    items = []
    for line in model_tables.PREAMBLE.replace("-- ", "").replace("--", "").splitlines():
        if match := re.match(r"  (\S+)   +(.*)", line):
            items.append(f"- `{match[1]}`: {escape(match[2])}")
        elif line.startswith("   ") and items:
            items[-1] += " " + escape(line.strip())
    return "\n".join(items)


def page(views, declared_tables):
    contents = "\n".join(f"| [{r.name}](#{r.name}) | {r.kind} | {sentence(r.comment)} |" for r in views + declared_tables)
    return "\n".join([
        "# The trace: tables and views",
        "",
        "<!-- Made by db/trace/describe.py from gen/model and db/trace/views/*.sql: change those. -->",
        f"A trace is an SQLite file, schema version {model_tables.VERSION}. The file of one rank and a merged run have the same tables. Each row has the rank, in",
        "`MPI_COMM_WORLD`, of the process that recorded it. Names of tables are singular, those of views plural. Tables have the recorded facts, views the answers.",
        "",
        "The file of a rank has only tables, to stay small. `callsign query` adds the views to it, also to a single file. `callsign merge` writes them into the",
        "merged file, with the comments below: `sqlite3 merged.db .schema` shows them.",
        "",
        "`messages`, `collective_times`, `wait_states`, `critical_path`, `efficiency`, `timeline` and the views that read them need rows that callsign computes from",
        "the events of all ranks. `callsign query` computes them. `callsign merge -o` writes them into tables `computed_...`. The file `merged.db` in the folder of a run",
        "lacks these tables, so plain `sqlite3` cannot read these views there.",
        "",
        notes(),
        "",
        "| name | | what it holds |",
        "|---|---|---|",
        contents,
        "",
        "## Views",
        "",
        "\n".join(table(view) for view in views),
        "## Tables",
        "",
        "\n".join(table(one) for one in declared_tables),
    ]).rstrip() + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    try:
        declared = model.read_folder()
        texts = embed.view_texts()
        views = described(texts)
        check(views + tables(declared), model_tables.schema(declared), texts.values())
    except (Problem, model.Problems) as problem:
        sys.exit("\n".join(getattr(problem, "lines", None) or [str(problem)]))
    made = {DOCS / "schema.md": page(views, tables(declared)), DOCS / "findings.md": findings.page(declared), DOCS / "kinds.md": findings.kinds_page(declared)}
    for path, text in made.items():
        if not arguments.check:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            sys.exit(f"{path.relative_to(HERE.parent.parent)} is not what gen/model and db/trace/views say: run db/trace/describe.py")


if __name__ == "__main__":
    main()
