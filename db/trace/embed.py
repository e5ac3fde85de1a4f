"""Turns SQL files into a C file.

    embed.py findings OUT.sql                       the view that unites all findings
    embed.py schema OUT.c SCHEMA.sql COMPUTED.sql   the text for db/trace/schema.h
    embed.py reports OUT.c FILE.sql...              a text for each report, and for SQL beside its user in cli
    embed.py reports_header OUT.h REPORT.sql...     their declarations
    embed.py pictures OUT.c PICTURE.sql...          the text for cli/report/pictures.h
"""
import contextlib
import itertools
import pathlib
import re
import sqlite3
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent.parent))
from gen import findings as declared_findings, model  # noqa: E402  (the path must be set first)

FINDINGS = "findings.sql"
LINE_MOST = 120  # columns of SQL in this folder
IMAGE_PAGE_BYTES = 1024  # of a small trace


def read(file):
    """The text of a file without the line that names its licence."""
    text = pathlib.Path(file).read_text(encoding="utf-8")
    of_trace = pathlib.Path(file).resolve().is_relative_to(HERE)
    for number, line in enumerate(text.splitlines(), 1):
        if of_trace and len(line) > LINE_MOST:
            raise SystemExit(f"{file}:{number}: {len(line)} columns, of at most {LINE_MOST}; a comment of a column goes on behind `        -- `")
    return re.sub(r"\A-- SPDX-[^\n]*\n", "", text)


def literal(text):
    """The text as C string literals, one for each line, so that the C file looks like the original."""
    lines = text.splitlines(keepends=True)
    escaped = (line.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("?", "\\?") for line in lines)
    return "\n".join(f'    "{line}"' for line in escaped) or '    ""'


def array(declaration, symbol, rows):
    """An array of structures of a name and texts, and how many there are."""
    entries = "".join(f'    {{"{name}",\n' + ",\n".join(map(literal, texts)) + "},\n" for name, *texts in rows)
    return f"\n{declaration} {symbol}[] = {{\n{entries}}};\nconst size_t {symbol}_count = sizeof {symbol} / sizeof *{symbol};\n"


def without_heading(text):
    """A statement without the comments before it."""
    return re.sub(r"\A(\s*--[^\n]*(\n|\Z))+", "", text).strip()


def bare(sql):
    """A table's definition without comments, on one line: a rank's file has many tables and few rows."""
    return re.sub(r"\s+", " ", re.sub(r"--[^\n]*", "", sql)).replace("( ", "(").strip()


def headed_statements(text):
    """The statements of a script, each with the comments before it and without its semicolon."""
    begin = 0
    for token in re.finditer(r"--[^\n]*|'[^']*'|\"[^\"]*\"|;", text):  # semicolons in comments and strings do not count
        if token[0] == ";":
            yield text[begin:token.start()].strip()
            begin = token.end()
    if without_heading(text[begin:]):
        raise SystemExit(f"embed.py: a statement has no end: {text[begin:].strip()[:200]}")


def statements(text):
    """The statements of a script, each without its semicolon and surrounding blanks and comments."""
    return map(without_heading, headed_statements(text))


READERS = ("overview", "others", "whatif")  # of views that are kept or shared; schema.h has a bit for each


class View:
    """A view: its name and text, as SQLite stores them, its columns, and who keeps or shares its rows."""

    def __init__(self, file, text):
        self.sql = without_heading(text)
        found = re.match(r"CREATE VIEW (\w+) ", self.sql)
        if not found:
            raise SystemExit(f"embed.py: {file} has something that is no CREATE VIEW: {self.sql[:200]}")
        self.name, self.columns = found[1], columns(self.sql)
        marks = re.findall(r"^-- (kept|shared): (.+)$", text[:len(text) - len(self.sql)], re.MULTILINE)
        self.marks = {(kind, who) for kind, several in marks for who in several.split(", ")}
        unknown = self.marks - set(itertools.product(("kept", "shared"), (*READERS, "events")))
        if unknown:
            raise SystemExit(f"embed.py: {self.name} in {file} has unknown marks: {unknown}. kept, shared: overview, others, whatif, events")


def views_of(texts):
    """The views of files, by {name: text}."""
    return [View(name, text) for name, several in sorted(texts.items()) for text in headed_statements(several)]


def view_texts():
    """{name: text} of the files in views/, and of the view `findings`, which the model declares."""
    texts = {path.name: read(path) for path in (HERE / "views").glob("*.sql")}
    return dict(sorted({**texts, FINDINGS: findings(texts)}.items()))


def findings(texts):
    """The view `findings`. texts: those of the other views."""
    declared, others = model.read_folder(), {view.name: view.columns.split(", ") for view in views_of(texts)}
    declared_findings.check(declared, others)
    return declared_findings.view_sql(declared, others)


def views():
    """Name and text of each view, and its columns."""
    return [(view.name, view.sql, view.columns) for view in views_of(view_texts())]


def reads_directly(view, known, tables):
    """The names of the views that a view reads, as SQLite tells when it prepares it. In place of other views there are tables. The comment of a
    computed table may name a view that is read to compute it."""
    names, found = {other.name for other in known} - {view.name}, set()
    behind = dict(re.findall(r"^CREATE TABLE (\w+) \( -- reads: (\w+)$", tables, re.MULTILINE))

    def note(action, table, *_):
        if action == sqlite3.SQLITE_READ and behind.get(table, table) in names:
            found.add(behind.get(table, table))
        return sqlite3.SQLITE_OK
    with contextlib.closing(sqlite3.connect(":memory:")) as database:
        database.executescript(tables)
        for other in known:
            database.execute(view.sql if other is view else f"CREATE TABLE {other.name} ({other.columns})")
        database.set_authorizer(note)
        database.execute(f"EXPLAIN SELECT * FROM {view.name}")
    return found


def read_by(known, tables):
    """{name: the names of the views that a view reads}, and the same with those that it reads by way of others. known: all views; tables: SQL that makes
    the tables."""
    direct = {view.name: reads_directly(view, known, tables) for view in known}

    def reach(name, found):
        for other in direct[name] - found:
            found.add(other)
            reach(other, found)
        return found
    return direct, {name: reach(name, set()) for name in direct}


def in_order(chosen, reads):
    """Views, each behind those that it reads."""
    return sorted(chosen, key=lambda view: (len(reads[view.name]), view.name))


def columns(view):
    """The names of a view's columns, with commas."""
    head = re.search(r"\((.*?)\) AS\b", re.sub(r"--[^\n]*", "", view), re.S)
    return ", ".join(re.findall(r"\w+", head[1]))


def tables_of(text):
    """The settings of a schema, and name and texts of each table."""
    settings, definitions = "", []
    for sql in statements(text):
        found = re.match(r"CREATE TABLE (\w+) ", sql)
        if found:
            definitions.append((found[1], sql, bare(sql)))
        else:
            settings += bare(sql) + ";"
    return settings, definitions


def image(settings, definitions):
    """The file of an empty trace of a rank, as SQLite makes it."""
    with tempfile.TemporaryDirectory(prefix="callsign-embed-") as folder:
        path = pathlib.Path(folder) / "empty.db"
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as database:
            database.execute(f"PRAGMA page_size = {IMAGE_PAGE_BYTES}")
            database.executescript(f"BEGIN; {settings} {'; '.join(bare_sql for _, _, bare_sql in definitions)}; COMMIT; VACUUM")
        return path.read_bytes()


def image_text(settings, definitions):
    """That file in C. Most of its pages are empty: only what is not zero is embedded."""
    content = image(settings, definitions)
    parts = [(found.start(), found[0]) for found in re.finditer(rb"[^\0](?:\0{0,31}[^\0])*", content)]
    entries = "".join(f'    {{{at}, {len(part)}, "{"".join(f"{chr(92)}{byte:03o}" for byte in part)}"}},\n' for at, part in parts)
    return (f"\nstatic const struct cs_trace_image_part image_parts[] = {{\n{entries}}};\n"
            f"const struct cs_trace_image cs_empty_trace = {{{IMAGE_PAGE_BYTES}, {len(content)}, image_parts, {len(parts)}}};\n")


def types_of(known, reads, tables):
    """{name: the declared types of a view's columns, a letter for each}. In place of the views that it reads there are tables."""
    found = {}
    with contextlib.closing(sqlite3.connect(":memory:")) as database:
        database.executescript(tables)
        for view in in_order(known, reads):
            database.execute(view.sql)
            columns_of = [row[1:3] for row in database.execute(f"PRAGMA table_info({view.name})")]
            database.execute(f"DROP VIEW {view.name}")
            database.execute(f"CREATE TABLE {view.name} ({', '.join(f'{name} {kind}' for name, kind in columns_of)})")
            found[view.name] = "".join({"INT": "i", "INTEGER": "i", "TEXT": "t"}.get(kind, "?") for _, kind in columns_of)
    return found


def view_lists(known, tables):
    """The numbers of views that are kept or shared, in the order in which they can be computed, and what each view reads."""
    (direct, reads), number = read_by(known, tables), {view.name: i for i, view in enumerate(known)}

    def array_of(symbol, chosen):
        return f"const unsigned short {symbol}[] = {{{', '.join(str(number[view.name]) for view in chosen)}}};\n"

    def of(*marks):
        return in_order([view for view in known if set(marks) & view.marks], reads)
    kept = [of(("kept", who)) for who in READERS]
    events = of(("shared", "events"), ("kept", "events"))
    shared = of(*(("shared", who) for who in READERS))
    flags = "".join(f"    {' | '.join(['CS_MATERIALIZED_' + who.upper() for kind, who in sorted(view.marks) if kind == 'shared' and who != 'events']) or 0},"
                    f" /* {view.name} */\n" for view in known)
    lists = "".join(f"static const unsigned short reads_{view.name}[] = {{{', '.join(str(number[name]) for name in sorted(direct[view.name])) or 0}}};\n"
                    for view in known)
    entries = "".join(f"    {{reads_{view.name}, {len(direct[view.name])}}},\n" for view in known)
    kinds = types_of(known, reads, tables)
    types = "".join(f'    "{kinds[view.name]}",\n' for view in known).replace("??", "?\\?")
    ends = itertools.accumulate(len(group) for group in kept)
    return ("\n" + array_of("cs_kept_views", sum(kept, [])) + f"const size_t cs_kept_views_end[] = {{{', '.join(map(str, ends))}}};\n"
            + array_of("cs_shared_views", shared)
            + f"const size_t cs_shared_views_count = {len(shared)};\n" + array_of("cs_event_views", events)
            + f"const size_t cs_event_views_count = {len(events)};\n" + f"const unsigned char cs_view_shared_by[] = {{\n{flags}}};\n"
            + f"const char *const cs_view_types[] = {{\n{types}}};\n" + lists + f"const struct cs_view_reads cs_view_reads[] = {{\n{entries}}};\n")


def schema(tables_file, computed_file):
    settings, definitions = tables_of(read(tables_file))
    _, computed = tables_of(read(computed_file))
    known = views_of(view_texts())
    return ('#include "db/trace/schema.h"\n\nconst char cs_schema_settings[] =\n' + literal(settings) + ";\n"
            + array("const struct cs_table_definition", "cs_tables", definitions) + image_text(settings, definitions)
            + array("const struct cs_table_definition", "cs_computed_tables", computed)
            + array("const struct cs_view", "cs_views", ((view.name, view.sql, view.columns) for view in known)) + view_lists(known, read(tables_file) + read(computed_file)))


def reports(*files):
    named = ((pathlib.Path(file).stem, read(file)) for file in sorted(files))
    return '#include "reports_sql.h"\n' + "".join(f"\nconst char cs_sql_{name}[] =\n{literal(text)};\n" for name, text in named)


def reports_header(*files):
    names = sorted(pathlib.Path(file).stem for file in files)
    return "/* SQL of db/trace/reports, and of files beside their users in cli. */\n#pragma once\n\n" + "".join(f"extern const char cs_sql_{name}[];\n" for name in names)


def pictures(*files):
    named = ((pathlib.Path(file).stem, read(file)) for file in sorted(files))
    return '#include "cli/report/pictures.h"\n' + array("const struct cs_picture", "cs_pictures", named)


def main():
    what, out, *files = sys.argv[1:]
    make = {"findings": lambda: view_texts()[FINDINGS], "schema": schema, "reports": reports, "reports_header": reports_header, "pictures": pictures}[what]
    try:
        pathlib.Path(out).write_text(make(*files), encoding="utf-8")
    except model.Problems as problems:
        sys.exit("\n".join(problems.lines))


if __name__ == "__main__":
    main()
