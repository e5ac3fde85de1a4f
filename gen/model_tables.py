"""The tables of a trace, as gen/model declares them: schema.sql, rows with named columns, and the merging of ranks.

Types of columns:

    int, text, any   a number; a text; any value
    flag             0 or 1
    count            a number of events, small enough for SQL sums
    instant          a point in time: merging ranks moves it to the common clock
    span             a duration in nanoseconds
    zero             a clock's reading at instant 0: merging ranks keeps it correct
    offset           what was added to instants
    site, function   numbers of a call site and of an MPI function
    word:ENUM        the enumeration's word for a number

Properties of columns:

    key                    part of the primary key. A single key is the rowid
    required               never NULL
    sum, least, most       combines two values when rows have equal keys; any other column keeps the last one
    own                    in a common table: differs from rank to rank, or from row to row of a rank

Properties of tables:

    repeated:first, repeated:last   which of two rows with equal keys stays; default: keys do not repeat
    filled                          all rows are written at once, which is several times faster: cs_trace_fill
    common                          ranks have most of it in common: the file of a node has each distinct row without rank and `own` columns
                                    once, in common_NAME. own_NAME has the rest and the number of that row. The view NAME joins them

gen/model_loaders.py has the properties that name a column's source.
"""

import hashlib
import re

from .problem import Collector, Problems

TIMES = ("instant", "span", "zero", "offset")
TYPES = ("int", "text", "any", "flag", "count", "site", "function", "word", *TIMES)

VERSION = 1  # version of tables and columns: raise it with any change
TABLES = 0xee3a2fbf  # their fingerprint(): a build fails if they change and VERSION does not

PREAMBLE = """\
-- callsign trace: the tables. One rank's file and a merged run have the same tables: every row carries the rank,
-- in MPI_COMM_WORLD, of the process that recorded it. The views (views/*.sql) read like answers and work on both;
-- a merged run has them.
--
--   *_ns      nanoseconds. Instants count from the rank's return from MPI_Init (process.zero_utc_ns says when that was); what
--             happened before is negative. A merged run counts on the clock of its lowest rank: process.clock_offset_ns and
--             clock_drift_ppb say what was added. Durations are by the clock of the rank
--   *_bytes   octets
--   NULL      not known, or did not happen. A column of a key has 0 for "none" instead
--
-- gen/model declares tables and columns; docs/schema.md shows them. The comments are part of a merged run: `.schema` shows them.
"""


def check(model):
    """Raises Problems for invalid tables."""
    problems = Collector()
    for table in model.of_kind("table"):
        for column in table.items:
            if not column.comment:
                problems.add(column.where, f"{table.name}.{column.name} has no comment")
            if column.type.partition(":")[0] not in TYPES:
                problems.add(column.where, f"{column.type} is none of {', '.join(TYPES)}")
            if column.name.endswith("_ns") != (column.type in TIMES):
                problems.add(column.where, f"{table.name}.{column.name}: times, and only they, are called *_ns: {', '.join(TIMES)}")
    for block in model.of_kind("load") + model.of_kind("update"):
        table = model.find("table", block.get("into") or block.get("of"))
        if not table:
            problems.add(block.where, f"{block.kind} {block.name}: there is no such table")
        problems.lines += [f"{item.where}: {table.name} has no column {item.name}" for item in block.items if table and not table.item(item.name)]
    for table in filter(is_common, model.of_kind("table")):
        if not is_ranked(table) or len(table.items) > 64 or on_conflict(table):
            problems.add(table.where, f"{table.name} cannot be common: it has no rank, too many columns, or adds up rows")
        if table.get("repeated") and any(is_key(column) and not column.has("own") for column in values(table)):
            problems.add(table.where, f"{table.name}: keys repeat, so all of them must be own")
    problems.raise_if_any()


def fingerprint(model):
    """A number of 32 bits that any other table of a rank's or a node's file, column, or word of a column changes; comments do not."""
    lines = [re.sub(" *--.*", "", create(table)) for table in model.of_kind("table")]
    lines += [create_common(table) for table in filter(is_common, model.of_kind("table"))]
    lines += [f"{block.kind} {block.name} {item.name} {item.type}" for kind in ("enum", "flags") for block in model.of_kind(kind) for item in block.items]
    return int.from_bytes(hashlib.sha256("\n".join(lines).encode()).digest()[:4], "big")


def check_version(model):
    """Raises Problems for tables that VERSION does not stand for."""
    found = fingerprint(model)
    if found != TABLES:
        raise Problems([f"gen/model_tables.py: a table, a column or a word of one has changed: raise VERSION, unless this release has raised it, write TABLES = {found:#010x}, "
                        "and run python3 db/trace/describe.py"])


def is_common(table):
    return table.has("common")


def is_key(column):
    return column.has("key")


def sql_type(column):
    kind = column.type.partition(":")[0]
    return {"text": "TEXT", "word": "TEXT", "any": "ANY"}.get(kind, "INT")


def declaration(table, column):
    """The column's type in SQL, and whether it may be NULL."""
    keys = [each for each in table.items if is_key(each)]
    if keys == [column]:
        return "INTEGER PRIMARY KEY"
    return sql_type(column) + (" NOT NULL" if is_key(column) or column.has("required") else "")


def create(table):
    """The statement that creates a table, with its comments."""
    keys = [column.name for column in table.items if is_key(column)]
    lines = [f"CREATE TABLE {table.name} ( -- {table.comment}"]
    for column in table.items:
        last = column is table.items[-1] and len(keys) < 2
        lines.append(f"    {column.name} {declaration(table, column)}{');' if last else ','} -- {column.comment}")
    if len(keys) > 1:
        lines.append(f"    PRIMARY KEY ({', '.join(keys)})) WITHOUT ROWID;")
    return "\n".join(lines) + "\n"


def schema(model):
    """The text of schema.sql."""
    pragmas = f"PRAGMA application_id = 0x43414c4c; -- 'CALL'\nPRAGMA user_version = {VERSION};\n"
    return "\n".join([PREAMBLE + pragmas] + [create(table) for table in model.of_kind("table")])


# ---- rows in C ----

NOTE = "/* Generated by gen/model_tables.py from gen/model: change those. */\n"


def values(table):
    """The columns that a writer passes. The rank is missing: all rows have the same."""
    return [column for column in table.items if column.name != "rank"]


def is_ranked(table):
    return table.items[0].name == "rank"


def on_conflict(table):
    """The SQL that combines rows with equal keys."""
    merged = {"sum": "{0} + excluded.{0}", "least": "min({0}, excluded.{0})", "most": "max({0}, excluded.{0})"}
    others = [column for column in table.items if not is_key(column)]
    kind = {column.name: next((word for word in merged if column.has(word)), "") for column in others}
    if table.has("filled") or not any(kind.values()):
        return ""
    sets = [f"{name} = " + merged.get(word, "excluded.{0}").format(name) for name, word in kind.items()]
    return " ON CONFLICT DO UPDATE SET " + ", ".join(sets)


def insert(table):
    """The statement that writes a row, or all rows of a filled table."""
    names = ", ".join(column.name for column in table.items)
    if table.has("filled"):
        chosen = ["?1"] * is_ranked(table) + [f"c{i}" for i in range(len(values(table)))]
        return f"INSERT INTO {table.name} ({names}) SELECT {', '.join(chosen)} FROM source"
    verb = {"first": "INSERT OR IGNORE", "last": "INSERT OR REPLACE"}.get(table.get("repeated"), "INSERT")
    marks = ", ".join("?" * len(table.items))
    return f"{verb} INTO {table.name} ({names}) VALUES ({marks}){on_conflict(table)}"


# ---- rows that the ranks of a node have in common ----

def own(table):
    """The columns of own_NAME between the rank and the number of the common row."""
    return [column for column in values(table) if column.has("own")]


def in_common(table):
    return [column for column in values(table) if not column.has("own")]


def create_common(table):
    """The statements that create both tables and the view, in the file of a node."""
    def declared(columns):
        return [f"{column.name} {sql_type(column)}" + " NOT NULL" * (is_key(column) or column.has("required")) for column in columns]

    keys = [column for column in values(table) if is_key(column)]
    key = ["rank INT NOT NULL", *declared(column for column in keys if column.has("own"))]
    key += ["common INT NOT NULL"] * any(not column.has("own") for column in keys)
    # SQLite 3.40 checks the wrong columns for NULL if the key is not first
    columns = key + declared(column for column in own(table) if not is_key(column)) + ["common INT NOT NULL"] * ("common INT NOT NULL" not in key)
    ordered = f", PRIMARY KEY ({', '.join(column.split()[0] for column in key)})) WITHOUT ROWID" if keys else ")"
    return (f"CREATE TABLE common_{table.name} ({', '.join(['common INTEGER PRIMARY KEY', *declared(in_common(table))])}); "
            f"CREATE TABLE own_{table.name} ({', '.join(columns)}{ordered}; "
            f"CREATE VIEW {table.name} AS {read_common(table, '')}")


def read_common(table, database):
    return f"SELECT {names(table)} FROM {database}own_{table.name} JOIN {database}common_{table.name} USING (common)"


def order_common(table):
    """The SQL after read_common that brings rows into the order of the table, if another one is stored."""
    keys = [column for column in table.items if is_key(column)]
    moved = [column for column in keys[1:] if not column.has("own")]
    return f" ORDER BY {', '.join(column.name for column in keys)}" if moved else ""


def add_common(table):
    columns = in_common(table)
    return f"INSERT INTO common_{table.name} (common{''.join(', ' + column.name for column in columns)}) VALUES (?{', ?' * len(columns)})"


def add_own(table):
    """As insert(). Values keep their numbers; that of the common row follows them."""
    number = {column.name: i for i, column in enumerate(values(table))}
    numbers = [number[column.name] for column in own(table)] + [len(number)]
    into = f"own_{table.name} (rank{''.join(', ' + column.name for column in own(table))}, common)"
    if table.has("filled"):
        return f"INSERT INTO {into} SELECT ?1{''.join(f', c{each}' for each in numbers)} FROM source"
    verb = {"first": "INSERT OR IGNORE", "last": "INSERT OR REPLACE"}.get(table.get("repeated"), "INSERT")
    return f"{verb} INTO {into} VALUES (?1{''.join(f', ?{each + 2}' for each in numbers)})"


def common_row(table):
    own_values = sum(1 << i for i, column in enumerate(values(table)) if column.has("own"))
    texts = [create_common(table), add_common(table), add_own(table), read_common(table, "main."), order_common(table)]
    return f"    [CS_ROW_{table.name}] = {{{','.join(f'{chr(10)}        {chr(34)}{text}{chr(34)}' for text in texts)},\n        {own_values:#x}}},\n"


# ----

def change(model, update):
    """The statement of an update."""
    table = model.find("table", update.get("of"))
    number = {column.name: i + 1 + is_ranked(table) for i, column in enumerate(update.items)}
    number["rank"] = 1
    keys = [c.name for c in table.items if is_key(c)]
    sets = ", ".join(f"{name} = ?{at}" for name, at in number.items() if name not in keys)
    return f"UPDATE {table.name} SET {sets} WHERE " + " AND ".join(f"{key} = ?{number[key]}" for key in keys)


def struct(block, columns):
    fields = "".join(f"    struct cs_value {column.name}; /* {column.comment} */\n" for column in columns)
    return (f"\n/* {block.comment} */\nstruct cs_row_{block.name} {{\n{fields}}};\n"
            f"static_assert(sizeof(struct cs_row_{block.name}) == {len(columns)} * sizeof(struct cs_value), \"an array of values\");\n")


def named_updates(model):
    return [update for update in model.of_kind("update")]


def rows_header(model):
    """tables.h: what db/trace/trace_writer.h includes after struct cs_value."""
    tables, updates = model.of_kind("table"), named_updates(model)
    numbers = "".join(f"    CS_ROW_{block.name},\n" for block in tables + updates)
    most = max(len(values(table)) for table in tables)
    return (NOTE + "#pragma once\n\n#include <assert.h>\n#include <stdbool.h>\n#include <stdint.h>\n\n"
            f"#define CS_TRACE_VERSION {VERSION} /* PRAGMA user_version of a trace */\n\n"
            "/* Tables, and changes of rows that were written before. */\n"
            f"enum cs_row {{\n{numbers}    CS_ROW_COUNT\n}};\n\nenum {{ CS_ROW_VALUES = {most} }}; /* of one row, at most */\n"
            + "".join(struct(table, values(table)) for table in tables)
            + "".join(struct(update, update.items) for update in updates) + """
struct cs_row_statement {
    const char *sql;
    int values;  /* that are bound */
    bool ranked; /* behind the rank */
};
extern const struct cs_row_statement cs_row_statements[CS_ROW_COUNT];

/* How the rows of one rank come into a merged trace. */
struct cs_merge_statement {
    const char *table;
    const char *read;  /* a trace's rows */
    const char *write; /* from callsign_rows, the columns c0, c1, ... as they were read; ?1 offset, ?2 added to ranks,
                          ?3 instant that becomes 0 */
    int columns;       /* that are read */
    bool shared;       /* rows of equal first columns are equal on all ranks */
    const char *move;  /* corrects instants by temp.correction; NULL: it has none */
};
extern const struct cs_merge_statement cs_merge_statements[]; /* the tables of enum cs_row, in the same order */
extern const size_t cs_merge_statements_count;

/* How the file of a node has a table whose rows its ranks have in common; gen/model_tables.py describes it. */
struct cs_common_table {
    const char *create;     /* NULL: the table is as in the file of a rank */
    const char *add_common; /* its number, and the values that are in common */
    const char *add_own;    /* as cs_row_statement.sql; after all values comes the number of the common row */
    const char *read;       /* as cs_merge_statement.read */
    const char *order;      /* ORDER BY of the table's key; "": they are stored so */
    uint64_t own;           /* bit i: value i is not in common */
};
extern const struct cs_common_table cs_common_tables[CS_ROW_COUNT];
""")


# ---- merging ----

def written(number, column):
    """The SQL that writes a column into a merged trace."""
    if column.name == "rank":
        return f"c{number} + ?2"
    shift = {"instant": "c{0} + ?1", "zero": "c{0} + ?3", "offset": "coalesce(c{0}, 0) + ?1"}
    return shift.get(column.type, "c{0}").format(number)


def names(table):
    return ", ".join(column.name for column in table.items)


def read(table):
    return f"SELECT {names(table)} FROM main.{table.name}"


def write(table):
    """From the virtual table of db/trace/rows_table.c."""
    chosen = ", ".join(written(number, column) for number, column in enumerate(table.items))
    return f"INSERT OR IGNORE INTO main.{table.name} ({names(table)}) SELECT {chosen} FROM callsign_rows"


def move(table):
    """The stored instant t was moved by `was` before; its correct value is t + offset + drift * t."""
    sets = [f"{c.name} = t.{c.name} - c.was_ns + c.offset_ns + CAST(round((t.{c.name} - c.was_ns) * c.drift) AS INT)"
            for c in table.items if c.type == "instant"]
    return sets and (f"UPDATE main.{table.name} AS t SET {', '.join(sets)} FROM temp.correction c"
                     " WHERE c.rank = t.rank AND (c.offset_ns <> c.was_ns OR c.drift <> 0)")


def rows_source(model):
    """tables.c."""
    def text(sql):
        return f'"{sql}"' if sql else "NULL"

    statements = [(table, insert(table), values(table)) for table in model.of_kind("table")]
    statements += [(update, change(model, update), update.items) for update in named_updates(model)]
    lines = []
    for block, sql, columns in statements:
        ranked = is_ranked(model.find("table", block.get("of")) if block.kind == "update" else block)
        lines.append(f"    [CS_ROW_{block.name}] = {{{text(sql)},\n        {len(columns)}, {'true' if ranked else 'false'}}},\n")
    merged = [f"    {{{text(t.name)},\n     {text(read(t))},\n     {text(write(t))},\n     {len(t.items)}, {'false' if is_ranked(t) else 'true'},\n"
              f"     {text(move(t))}}},\n" for t in model.of_kind("table")]
    return (NOTE + '#include "db/trace/trace_writer.h"\n\n#include <stddef.h>\n\n'
            f"const struct cs_row_statement cs_row_statements[CS_ROW_COUNT] = {{\n{''.join(lines)}}};\n\n"
            f"const struct cs_merge_statement cs_merge_statements[] = {{\n{''.join(merged)}}};\n"
            "const size_t cs_merge_statements_count = sizeof cs_merge_statements / sizeof *cs_merge_statements;\n\n"
            f"const struct cs_common_table cs_common_tables[CS_ROW_COUNT] = {{\n{''.join(map(common_row, filter(is_common, model.of_kind('table'))))}}};\n")
