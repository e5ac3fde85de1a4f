"""Turns SQL files into a C file.

    embed.py schema OUT.c SCHEMA.sql VIEWS.sql...   the text for db/trace/schema.h
    embed.py reports OUT.c REPORT.sql...            the text for cli/report/reports.h
    embed.py pictures OUT.c PICTURE.sql...          the text for cli/report/pictures.h
"""
import itertools
import pathlib
import re
import sys


def read(file):
    return pathlib.Path(file).read_text(encoding="utf-8")


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


def statements(text):
    """The statements of a script, each without its semicolon and surrounding blanks and comments."""
    begin = 0
    for token in re.finditer(r"--[^\n]*|'[^']*'|\"[^\"]*\"|;", text):  # semicolons in comments and strings do not count
        if token[0] == ";":
            yield without_heading(text[begin:token.start()])
            begin = token.end()
    if without_heading(text[begin:]):
        raise SystemExit(f"embed.py: a statement has no end: {text[begin:].strip()[:200]}")


def views(file):
    """Name and text of each view, as SQLite stores them, and its columns."""
    for sql in statements(read(file)):
        found = re.match(r"CREATE VIEW (\w+) ", sql)
        if not found:
            raise SystemExit(f"embed.py: {file} has something that is no CREATE VIEW: {sql[:200]}")
        yield found[1], sql, columns(sql)


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


def schema(tables_file, *views_files):
    settings, definitions = tables_of(read(tables_file))
    return ('#include "db/trace/schema.h"\n\nconst char cs_schema_settings[] =\n' + literal(settings) + ";\n"
            + array("const struct cs_table_definition", "cs_tables", definitions)
            + array("const struct cs_view", "cs_views", itertools.chain(*map(views, sorted(views_files)))))


def reports(*files):
    named = ((pathlib.Path(file).stem, read(file)) for file in sorted(files))
    return '#include "cli/report/reports.h"\n' + "".join(f"\nconst char cs_sql_{name}[] =\n{literal(text)};\n" for name, text in named)


def pictures(*files):
    named = ((pathlib.Path(file).stem, read(file)) for file in sorted(files))
    return '#include "cli/report/pictures.h"\n' + array("const struct cs_picture", "cs_pictures", named)


def main():
    what, out, *files = sys.argv[1:]
    pathlib.Path(out).write_text({"schema": schema, "reports": reports, "pictures": pictures}[what](*files), encoding="utf-8")


if __name__ == "__main__":
    main()
