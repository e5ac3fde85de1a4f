"""The tables of a trace, as gen/model declares them: schema.sql, and rows with named columns in C.

Types of columns, and what a loader makes of the field that the column comes from:

    int       the number
    text      the text, "" as NULL
    any       whatever the writer has
    instant   a point in time: clock correction moves it when ranks are merged. From ticks; 0 as NULL if the column allows NULL
    span      a duration in nanoseconds, from ticks
    site      the number of a call site, from a return address or a stack
    function  the number of an MPI function, whose row is written then
    word:ENUM what the enumeration calls the number; NULL for an unknown one

Properties of columns:

    key       part of the primary key. A single key is the rowid
    required  never NULL

Properties of tables:

    repeated:first, repeated:last   which of two rows with one key stays
"""

import re

VERSION = 8  # of tables and columns: raise it with any change

PREAMBLE = """\
-- callsign trace: the tables. One rank's file and a merged run have the same tables: every row carries the rank,
-- in MPI_COMM_WORLD, of the process that recorded it. The views (views/*.sql) read like answers and work on both.
--
--   *_ns      nanoseconds. Instants count from the rank's return from MPI_Init (process.zero_utc_ns says when that was); what
--             happened before is negative. A merged run counts on the clock of its lowest rank: process.clock_offset_ns and
--             clock_drift_ppb say what was added. Durations are by the clock of the rank
--   *_bytes   octets
--   NULL      not known, or did not happen. A column of a key has 0 for "none" instead
--
-- gen/model declares tables and columns; docs/schema.md shows them. The comments are part of the trace: `.schema` shows them.
"""


def is_key(column):
    return column.has("key")


def sql_type(column):
    kind = column.type.partition(":")[0]
    return {"text": "TEXT", "word": "TEXT", "any": "ANY"}.get(kind, "INT")


def declaration(table, column):
    """What SQL says of a column: its type, and whether it may be NULL."""
    keys = [each for each in table.items if is_key(each)]
    if keys == [column]:
        return "INTEGER PRIMARY KEY"
    return sql_type(column) + (" NOT NULL" if is_key(column) or column.has("required") else "")


def create(table):
    """The statement that makes a table, with its comments."""
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
