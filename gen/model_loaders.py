"""The loaders of gen/model: rows of the trace from facts and cells that need no hand-written code.

    table ... from:fact.NAME     each such fact is a row
    table ... from:cell.NAME     each such cell is a row. With `filled`, cells with equal keys are added up
    table ... filled from:fact.NAME    cs_row_of_TABLE makes the row of a fact; code by hand gathers the facts and completes the rows
    load cell.NAME into:TABLE    rows for a table that has another source, too; columns that are not listed are NULL
    update fact.NAME of:TABLE    see gen/model_tables.py

The source of a column is by default the field with its name; for an instant or a span with _ticks instead of _ns. Otherwise:

    from:PATH      another field or text; fact.ticks: when the fact was appended; each.FIELD: see `each`; none: NULL, or a `hook` sets it
    const:VALUE    this value, no field
    null:VALUE     this value of the field is NULL
    ns             the field of a span has nanoseconds, not ticks
    else:WORD      for a number that the enumeration lacks. A `word` column without an enumeration uses that of its field
    or:FIELD       replaces a field that is 0
    valid          0 means no row: an invalid fact, or an empty cell

Facts that no block names are loaded by cs_load_FACT, written by hand. Those with `first` are loaded before all others.

Sums:

    bounded        a cell that would make the sum of all rows overflow is left out
    modular        cells may subtract what other cells counted; only the sums of a key are checked
    null:VALUE     with sum: the sum is NULL if a value is
    capped         modular, but an honest number may be too large for SQL sums: then it is cut, and the row stays
    known          takes whichever of two values is not NULL

Properties of a block with cells:

    each:FIELD        a row for each item of this array
    when:unfinished   only if the process did not reach the end of MPI_Finalize
    hook              cs_complete_TABLE (db/convert/cell_rows.c) first completes or skips the cell
"""

from .emit_layouts import words_function
from .layout import c_name
from .model_tables import NOTE, is_key, values
from .problem import Collector


def conversion(column):
    return column.type.partition(":")[0]


def path_of(column):
    """The source field of a column; "": none."""
    default = column.name.removesuffix("_ns") + "_ticks" if column.type in ("instant", "span") and not column.has("ns") else column.name
    path = column.get("from", default)
    return "" if path == "none" or column.has("const") else path


def field_of(column):
    """The name of a column's value in a line."""
    return path_of(column).rpartition(".")[2] or column.name


def access(column):
    """The C expression for the source of a column."""
    path = path_of(column)
    if column.has("const"):
        return column.get("const")
    return f"each->{path[5:]}" if path.startswith("each.") else f"it->{path}"


def value(source, column, expression, site):
    """The C expression that converts the source to a struct cs_value. site: the variable with the number of a call site."""
    kind = conversion(column)
    if kind == "site":
        return f"cs_int({site})" if is_key(column) or column.has("required") else f"cs_int_unless({site}, 0)"
    if kind == "word":
        word = f"{source.words_of(column)}({expression})"
        return f"cs_text(word_or({word}, \"{column.get('else')}\"))" if column.has("else") else f"cs_text({word})"
    if kind == "span" and column.has("ns"):
        kind = "int"
    if kind == "instant" and column.has("null"):
        return f"cs_conversion_instant_unless_0(conversion, {expression})"
    if kind == "int" and column.has("null"):
        return f"cs_int_unless((int64_t){expression}, (int64_t){column.get('null')})"
    return {
        "int": f"cs_int((int64_t){expression})",
        "flag": f"cs_int({expression} != 0)",
        "count": f"cs_int(cs_conversion_count(conversion, {expression}))",
        "text": f"cs_text(*{expression} ? {expression} : NULL)",
        "instant": f"cs_int(cs_conversion_instant(conversion, {expression}))",
        "span": f"cs_int(cs_conversion_span(conversion, {expression}))",
        "function": f"cs_conversion_function(conversion, {expression})",
    }[kind]


class Source:
    """One block: rows from a fact or a cell."""

    def __init__(self, model, block):
        self.block = block
        self.origin, _, self.name = block.get("from").partition(".")
        self.target = block.get("into") or block.name
        self.table = model.find("table", self.target)
        self.filled = self.origin == "cell" and block.has("filled")
        self.by_hand = self.origin == "fact" and block.has("filled")
        self.columns = [column for column in values(block) if path_of(column) or column.has("const") or self.filled]
        if block.kind == "update":
            self.table, self.target = model.find("table", block.get("of")), block.name
        self.model, self.declared = model, model.find(self.origin, self.name)

    @property
    def structure(self):
        return f"struct {c_name(self.declared)}"

    def item_of(self, column):
        """The field or text of the model that is a column's source. None: there is none, or another structure has it."""
        return self.declared.item(path_of(column)) if self.declared else None

    def words_of(self, column):
        """The function that returns the words of the enumeration."""
        item = self.item_of(column)
        enumeration = column.type.partition(":")[2] or (item.get("enum") if item else "")
        return words_function(self.model.find("enum", enumeration))

    def is_text(self, column):
        item = self.item_of(column)
        return self.origin == "fact" and item is not None and item.type == "text"

    def having(self, name):
        return [column for column in self.columns if column.has(name)]


def sources(model, origin):
    blocks = [block for block in model.blocks if block.kind in ("table", "load", "update") and block.get("from").startswith(f"{origin}.")]
    return [Source(model, block) for block in blocks]


def find_sites(source, ticks, give_up):
    """C lines that look up the numbers of call sites."""
    lines = []
    for column in (c for c in source.columns if conversion(c) == "site"):
        lines += [f"    int64_t {column.name};",
                  f"    status = cs_sites_find(conversion->sites, {access(column)}, {ticks}, &{column.name});",
                  f"    if (status != CS_OK)\n        return {give_up};"]
    return lines and ["    enum cs_status status;", *lines]


def expression_of(source, column):
    return column.name if source.is_text(column) else access(column)


def insert(source, indent="    "):
    fields = [f"{indent}    .{column.name} = {value(source, column, expression_of(source, column), column.name)}," for column in source.columns]
    row = f"struct cs_row_{source.target}"
    return [f"{indent}const {row} row = {{", *fields, f"{indent}}};"], f"cs_trace_insert(conversion->rows, CS_ROW_{source.target}, &row)"


# ---- facts ----


def texts_of(source):
    return [f"    const char *{c.name} = cs_fact_{source.name}_{path_of(c)}(it);" for c in source.columns if source.is_text(c)]


def row_of_fact(source):
    """The head of a C function, and the function: makes a row of a fact that code by hand keeps."""
    head = f"struct cs_row_{source.target} cs_row_of_{source.target}(struct cs_conversion *conversion, const {source.structure} *it)"
    return head, "\n".join([head, "{", "    (void)conversion;", *texts_of(source), *insert(source)[0], "    return row;", "}"]) + "\n"


def fact_loader(source):
    lines = [f"static enum cs_status load_{source.name}(struct cs_conversion *conversion, const struct cs_fact *fact)", "{",
             f"    const {source.structure} *it = (const void *)fact;", *texts_of(source)]
    wrong = [f"!{access(column)}" for column in source.having("valid")]
    if wrong:
        lines += [f"    if ({' || '.join(wrong)})", "        return CS_CORRUPT;"]
    made, written = insert(source)
    lines += find_sites(source, "fact->ticks", "status") + made + [f"    return {written};", "}"]
    return "\n".join(lines) + "\n"


# ---- cells, each a row ----


def visit(source):
    each, array = source.block.get("each"), [c for c in source.columns if conversion(c) == "text"]
    lines = [f"static enum cs_status visit_{source.name}(void *context, const void *visited)", "{",
             "    struct visit *visit = context;", "    struct cs_conversion *conversion = visit->conversion;",
             f"    const {source.structure} *it = visited;"]
    checks = [column for column in source.having("valid") if not path_of(column).startswith("each.")]
    lines += [f"    if (!{field})\n        return CS_OK;" for field in map(access, checks)]
    for column in array:
        lines += [f"    if (!memchr({access(column)}, 0, sizeof {access(column)})) {{", "        conversion->damaged = true;",
                  "        return CS_OK;", "    }"]
    lines += [f"    if (!cs_conversion_add(conversion, &visit->sum[{i}], {access(column)}))\n        return CS_OK;"
              for i, column in enumerate(source.having("bounded"))]
    sites = find_sites(source, "CS_SITES_COUNTED", "status")
    if each:
        made, written = insert(source, "        ")
        made = ["    " + line.replace("\n", "\n    ") for line in sites] + made
        valid = " && ".join([access(c) for c in source.having("valid") if c not in checks] or ["true"])
        lines += ["    for (size_t i = 0; i < sizeof it->{0} / sizeof *it->{0}; i++) {{".format(each),
                  f"        const __typeof__(it->{each}[0]) *each = &it->{each}[i];", f"        if (!({valid}))\n            continue;", *made,
                  f"        enum cs_status written = {written};", "        if (written != CS_OK)\n            return written;", "    }",
                  "    return CS_OK;", "}"]
    else:
        made, written = insert(source)
        lines += sites + made + [f"    return {written};", "}"]
    return "\n".join(lines) + "\n"


# ---- cells, added up by key ----


def line_type(column):
    if conversion(column) in ("word", "text"):
        return "const char *"
    return "uint64_t " if column.has("sum") or column.type in ("instant", "span") else "int64_t "


def line_struct(source):
    fields = "".join(f"    {line_type(column)}{field_of(column)};\n" for column in source.columns)
    hook = ""
    if source.block.has("hook"):
        hook = ("\n/* Completes a cell, and sets what of the line is not in it. *skip: it cannot be true. */\n"
                f"enum cs_status cs_complete_{source.target}(struct cs_conversion *conversion, {source.structure} *cell,\n"
                f"    struct cs_line_{source.target} *line, bool *skip);\n")
    return f"\n/* Cells of one key of the table {source.target}. */\nstruct cs_line_{source.target} {{\n{fields}}};\n{hook}"


def raw(source, column):
    """The C expression for a column's value in a line, from the cell."""
    if conversion(column) == "word":
        return f"{source.words_of(column)}({access(column)})"
    if conversion(column) == "flag":
        return f"{access(column)} != 0"
    if column.has("or"):
        return f"{access(column)} ? {access(column)} : it->{column.get('or')}"
    return f"({line_type(column).strip()}){access(column)}"


def read(source):
    """C function: fills a line from a cell."""
    lines = [f"static enum cs_status read_{source.target}(struct cs_conversion *conversion, const void *visited, void *made, uint64_t *sum, bool *skip)",
             "{", f"    {source.structure} cell = *(const {source.structure} *)visited, *it = &cell;",
             f"    struct cs_line_{source.target} *line = made;", "    enum cs_status status = CS_OK;", "    (void)sum;"]
    if source.block.has("hook"):
        lines += [f"    status = cs_complete_{source.target}(conversion, it, line, skip);", "    if (*skip || status != CS_OK)", "        return status;"]
    stored = [column for column in source.columns if path_of(column) and conversion(column) != "site"]
    lines += [f"    line->{field_of(column)} = {raw(source, column)};" for column in stored]
    words = " || ".join(f"!line->{field_of(column)}" for column in source.columns if is_key(column) and conversion(column) == "word")
    if words:
        lines += [f"    *skip = {words};", "    conversion->damaged |= *skip;"]
    added = [f"!cs_conversion_add(conversion, &sum[{i}], line->{field_of(column)})" for i, column in enumerate(source.having("bounded"))]
    if added:
        lines += [f"    *skip = *skip || {' || '.join(added)};"]
    for column in (c for c in source.columns if conversion(c) == "site"):
        lines += ["    if (!*skip)", f"        status = cs_sites_find(conversion->sites, {access(column)}, CS_SITES_COUNTED, &line->{field_of(column)});"]
    return "\n".join([*lines, "    return status;", "}"]) + "\n"


def compare(source):
    """C function: compares lines by the table's key."""
    lines = [f"static int compare_{source.target}(const void *left, const void *right)", "{",
             f"    const struct cs_line_{source.target} *a = left, *b = right;", "    int order = 0;"]
    for column in (c for c in source.columns if is_key(c)):
        function = "strcmp" if conversion(column) == "word" else "cs_compare"
        lines += ["    if (!order)", f"        order = {function}(a->{field_of(column)}, b->{field_of(column)});"]
    if not any(is_key(column) for column in source.columns):
        lines.append("    (void)a, (void)b; /* one row for each rank */")
    return "\n".join([*lines, "    return order;", "}"]) + "\n"


def add(source):
    """C function: adds a line with the same key."""
    lines = [f"static void add_{source.target}(void *left, const void *right)", "{",
             f"    struct cs_line_{source.target} *sum = left;", f"    const struct cs_line_{source.target} *more = right;"]
    for column in source.columns:
        into, other = f"sum->{field_of(column)}", f"more->{field_of(column)}"
        if column.has("sum") and column.has("null"):
            null = column.get("null")
            lines.append(f"    {into} = {into} == {null} || {other} == {null} ? {null} : {into} + {other};")
        elif column.has("sum"):
            lines.append(f"    {into} += {other};")
        elif column.has("least"):
            lines.append(f"    if ({other} < {into})\n        {into} = {other};")
        elif column.has("most"):
            lines.append(f"    if ({other} > {into})\n        {into} = {other};")
        elif column.has("known"):
            lines.append(f"    if ({into} == {column.get('null')})\n        {into} = {other};")
    if not any(column.has(how) for column in source.columns for how in ("sum", "least", "most", "known")):
        lines.append("    (void)sum, (void)more; /* each key has one cell */")
    return "\n".join([*lines, "}"]) + "\n"


def row(source):
    """C function: makes the row of a line."""
    lines = [f"static bool make_{source.target}(struct cs_conversion *conversion, const void *made, uint64_t *sum, void *row)", "{",
             f"    const struct cs_line_{source.target} *line = made;", "    (void)conversion, (void)sum;"]
    wrong = [f"!line->{field_of(column)}" for column in source.having("valid") if column.has("modular")]
    wrong += [f"!cs_conversion_add(conversion, &sum[{i}], line->{field_of(column)})" for i, column in enumerate(source.having("modular"))]
    if wrong:
        lines += [f"    if ({' || '.join(wrong)})", "        return false;"]
    first = len(source.having("modular"))
    capped = {column.name: f"cs_int((int64_t)cs_conversion_add_bytes(&sum[{first + i}], line->{field_of(column)}))"
              for i, column in enumerate(source.having("capped"))}
    lines.append(f"    *(struct cs_row_{source.target} *)row = (struct cs_row_{source.target}){{")
    for column in source.columns:
        if column.name in capped:
            lines.append(f"        .{column.name} = {capped[column.name]},")
            continue
        field = f"line->{field_of(column)}"
        is_text = conversion(column) in ("word", "text")
        made = f"cs_text({field})" if is_text else f"cs_int({field})" if column.type == "flag" else value(source, column, field, field)
        lines.append(f"        .{column.name} = {made},")
    return "\n".join([*lines, "    };", "    return true;", "}"]) + "\n"


def gathering(source):
    functions = "\n".join([read(source), compare(source), add(source), row(source)])
    return functions + f"""
static enum cs_status gather_{source.target}(struct cs_conversion *conversion)
{{
    static const struct cs_gathering how = {{.type = CS_BLOCK_{source.name.upper()},
                                            .line_bytes = sizeof(struct cs_line_{source.target}),
                                            .row = CS_ROW_{source.target},
                                            .read = read_{source.target},
                                            .compare = compare_{source.target},
                                            .add = add_{source.target},
                                            .make = make_{source.target}}};
    return cs_cells_gather(conversion, &how);
}}
"""


# ---- all of them ----

VISITING = """
struct visit {
    struct cs_conversion *conversion;
    uint64_t sum[CS_GATHER_SUMS];
};

static enum cs_status visit_all(struct cs_conversion *conversion, enum cs_block_type type,
                                enum cs_status (*each)(void *context, const void *cell))
{
    struct visit visit = {.conversion = conversion};
    return cs_journal_read_cells(conversion->reader, type, each, &visit);
}
"""

INCLUDES = """\
#include "base/array.h"
#include "journal/reader.h"
#include "db/convert/cell_rows.h"
#include "db/convert/facts.h"
#include "db/convert/sites.h"
#include "journal_facts.h"
#include "journal_words.h"
"""

WORD_OR = """
static const char *word_or(const char *word, const char *otherwise)
{
    return word ? word : otherwise;
}
"""


def load_cells(cells):
    lines = ["enum cs_status cs_cells_load(struct cs_conversion *conversion)", "{", "    enum cs_status status = CS_OK;"]
    for source in cells:
        unless = " && conversion->unfinished" if source.block.get("when") == "unfinished" else ""
        call = (f"gather_{source.target}(conversion)" if source.filled else
                f"visit_all(conversion, CS_BLOCK_{source.name.upper()}, visit_{source.name})")
        lines += [f"    if (status == CS_OK{unless})", f"        status = {call};"]
    return "\n".join([*lines, "    return status;", "}"]) + "\n"


def header(model):
    """loaders.h: lines for cells with equal keys, and prototypes of hand-written loaders."""
    filled = [source for source in sources(model, "cell") if source.filled]
    rows = [source for source in sources(model, "fact") if source.by_hand]
    last = max(fact.number for fact in model.of_kind("fact"))
    by_hand = ", ".join(f"cs_load_{fact.name}" for fact in facts_by_hand(model))
    return (NOTE.replace("tables", "loaders") + "#pragma once\n" + "".join(line_struct(source) for source in filled)
            + f"\n/* Loaders of facts that are more than a row. */\ncs_fact_load {by_hand};\n\nenum {{ CS_FACT_LOADERS = {last + 1} }};\n"
            + "\n/* The rows of such facts, as far as these have their values. */\n" + "".join(row_of_fact(each)[0] + ";\n" for each in rows))


def facts_by_hand(model):
    generated = {source.name for source in sources(model, "fact") if not source.by_hand}
    return [fact for fact in model.of_kind("fact") if fact.name not in generated]


def source(model):
    """loaders.c."""
    from_facts, cells = sources(model, "fact"), sources(model, "cell")
    facts = [each for each in from_facts if not each.by_hand]
    loaders = [(s.declared, f"load_{s.name}") for s in facts] + [(fact, f"cs_load_{fact.name}") for fact in facts_by_hand(model)]
    table = "".join(f"    [CS_FACT_{fact.name.upper()}] = {{{name}, {'true' if fact.has('first') else 'false'}}},\n" for fact, name in loaders)
    parts = [NOTE.replace("tables", "loaders") + "#include <string.h>\n\n" + INCLUDES + WORD_OR]
    parts += [fact_loader(each) for each in facts] + [row_of_fact(each)[1] for each in from_facts if each.by_hand]
    parts.append(f"const struct cs_fact_loader cs_fact_loaders[CS_FACT_LOADERS] = {{\n{table}}};\n{VISITING}")
    parts += [gathering(each) if each.filled else visit(each) for each in cells]
    return "\n".join([*parts, load_cells(cells)])


def check(model):
    """Raises Problems for invalid sources."""
    problems = Collector()
    for source in sources(model, "fact") + sources(model, "cell"):
        if not source.declared:
            problems.add(source.block.where, f"there is no {source.origin} {source.name}")
            continue
        for column in source.columns:
            path = path_of(column).partition(".")
            if path[0] and path[0] not in ("fact", "each") and not source.declared.item(path[0]):
                problems.add(column.where, f"{source.origin} {source.name} has no {path[0]}")
            if conversion(column) == "word" and column.type == "word" and not (source.item_of(column) and source.item_of(column).has("enum")):
                problems.add(column.where, f"{column.name} has no enumeration: word:ENUM")
    problems.raise_if_any()
