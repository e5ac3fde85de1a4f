"""Writes the journal's structures, enumerations and words in C, from gen/model:

    journal_layout.h    structures, numbers of blocks and facts, enumerations, flags
    journal_words.h     the words that traces have for numbers
    journal_facts.h     the texts behind facts, for readers
    journal_layout.c    the words, what a reader checks, and assertions that Python and the C compiler agree on every offset
"""

import textwrap

from .layout import BEHIND, SCALARS, behind, c_name
from .problem import Collector
from .text import BANNER, COLUMNS

HEAD = BANNER.format(source="gen/model").replace(" and the mpi.h at hand: change those", ": change that")


# ---- lines of C ----

def comment(text, indent=""):
    """A comment on its own lines."""
    return textwrap.wrap(f"/* {text} */", COLUMNS, initial_indent=indent, subsequent_indent=indent + "   ")


def commented(pairs, indent="    "):
    """Lines of code with their comments behind them in one column, or above them if there is no room."""
    width = max((len(code) for code, text in pairs if text), default=0)
    lines = []
    for code, text in pairs:
        line = f"{indent}{code.ljust(width)} /* {text} */" if text else indent + code
        lines += [line] if len(line) <= COLUMNS else [*comment(text, indent), indent + code]
    return lines


def sentence(text):
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?")) else ".")


# ---- names ----

def enumerator(block, item):
    prefix = block.get("prefix", block.name.upper() if not block.has("prefix") else "")
    return "_".join(filter(None, ("CS", prefix, item.name.upper())))


def enumerators(block, layouts):
    """[(C name, word or None, comment)] of an enumeration in the model, or in the header that it names."""
    if block.has("header"):
        values = layouts.enums[block.get("header")]
        return [(name, name.split("_", 1)[1].lower() if number else None, "") for name, number in values.items() if name != block.get("count")]
    return [(enumerator(block, item), None if item.has("noword") else item.get("word", item.name), item.comment) for item in block.items]


def blocks_of_cells(model):
    return sorted(model.of_kind("cell"), key=lambda block: block.number)


def facts(model):
    return sorted(model.of_kind("fact"), key=lambda block: block.number)


def words_function(block):
    return f"cs_name_of_{block.get('words', block.name)}"


# ---- journal_layout.h ----

def enum(name, entries):
    return [f"enum {name} {{", *commented([(code + ",", text) for code, text in entries]), "};", ""]


def enum_of(block, layouts):
    names = {name: f"{name} = {item.type}" for (name, _, _), item in zip(enumerators(block, layouts), block.items)}
    return comment(sentence(block.comment)) + enum(f"cs_{block.name}", [(names[name], text) for name, _, text in enumerators(block, layouts)])


def flags_of(block):
    entries = [(f"{enumerator(block, item)} = {item.type}", item.comment) for item in block.items]
    return comment(sentence(block.comment)) + enum(f"cs_{block.name}_flag", entries)


def declaration(each):
    kind = SCALARS[each.type][0] if each.type in SCALARS else f"struct {each.type}"
    count = f"[{each.count_text}]" if each.count is not None else ""
    bits = f" : {each.bits}" if each.bits else ""
    return f"{kind} {each.name}{count}{bits};"


def field_comment(item):
    text = item.comment if item else ""
    if item and item.has("enum"):
        kind = f"enum {'callsign' if item.get('enum') in ('kind', 'origin') else 'cs'}_{item.get('enum')}"
        return f"{kind}; {text}" if text else kind
    return text


def behind_comment(block):
    texts = [f"{item.name}" + (f": {item.comment}" if item.comment else "") for item in behind(block)]
    return comment("behind it: " + "; ".join(texts), "    ") if texts else []


def structure_of(structure):
    block = structure.block
    lines = comment(sentence(block.comment)) + [f"struct {structure.name} {{"]
    lines += commented([(declaration(each), field_comment(each.item)) for each in structure.fields])
    return [*lines, *behind_comment(block), "};", f'static_assert(sizeof(struct {structure.name}) == {structure.bytes}, "as other builds have it");', ""]


def layout_header(model, layouts):
    lines = [HEAD.rstrip("\n"), "#pragma once", "", "#include <assert.h>", "#include <stdint.h>", "", '#include "base/clock.h"', '#include "callsign/debug.h"', ""]
    lines += [*comment("The number of a release's layout; else a hash of structures, numbers and constants. gen/layout.py has the releases."),
              f"#define CS_JOURNAL_VERSION {layouts.constants['CS_JOURNAL_VERSION']:#010x}u", ""]
    for block in model.of_kind("enum"):
        if not block.has("header"):
            lines += enum_of(block, layouts)
    for block in model.of_kind("flags"):
        lines += flags_of(block)
    lines += enum("cs_block_type", [("CS_BLOCK_LOG = 1", "facts")] + [
        (f"CS_BLOCK_{block.name.upper()} = {block.number}", f"struct {c_name(block)}") for block in blocks_of_cells(model)])
    lines += enum("cs_fact_type", [(f"CS_FACT_{block.name.upper()} = {block.number}", f"struct {c_name(block)}") for block in facts(model)])
    for structure in layouts.structures.values():
        if structure.block:
            lines += structure_of(structure)
    return "\n".join(lines).rstrip("\n") + "\n"


# ---- journal_words.h ----

def words_header(model):
    lines = [HEAD.rstrip("\n"), "#pragma once", "", "#include <stdint.h>", "",
             "/* The words of traces for the numbers of journals. An unknown number gives NULL, which is NULL in the trace too. */"]
    lines += [f"const char *{words_function(block)}(int64_t number);" for block in model.of_kind("enum")]
    return "\n".join(lines) + "\n"


def words_source(block, layouts):
    entries = [f'[{name}] = "{word}",' for name, word, _ in enumerators(block, layouts) if word]
    return [f"const char *{words_function(block)}(int64_t number)", "{", "    static const char *const words[] = {",
            *("        " + entry for entry in entries), "    };",
            "    return number >= 0 && (uint64_t)number < sizeof words / sizeof *words ? words[number] : NULL;", "}", ""]


# ---- journal_facts.h ----

def accessor(block, item, number):
    name = c_name(block)
    return [*(comment(sentence(item.comment)) if item.comment else []),
            f"static inline const char *{name}_{item.name}(const struct {name} *fact)", "{",
            f"    return cs_fact_text(&fact->fact, {number});", "}", ""]


def facts_header(model):
    lines = [HEAD.rstrip("\n"), "#pragma once", "", "#include <stdbool.h>", "#include <stddef.h>", "", '#include "journal/reader.h"', "",
             *comment("How many texts stand behind a fact of this type, and after how many bytes. A type that is not known has none. The fact must "
                      "have the bytes of a struct cs_fact."),
             "size_t cs_fact_texts(const struct cs_fact *fact, size_t *bytes);", "",
             *comment("The size of the cells in blocks of this type; 0: they have none that is known."),
             "size_t cs_cell_bytes(enum cs_block_type type);", "",
             *comment("Whether its writer has filled in a cell of such a block."),
             "bool cs_cell_is_valid(enum cs_block_type type, const void *cell);", "",
             *comment("The texts behind facts, see cs_fact_text.")]
    for block in facts(model):
        for number, item in enumerate(item for item in behind(block) if item.type == "text"):
            lines += accessor(block, item, number)
    return "\n".join(lines).rstrip("\n") + "\n"


# ---- journal_layout.c ----

def tail_of(block):
    """The items behind a fact whose number is in a field: (field, bytes per item)."""
    for item in behind(block):
        if item.type == "bytes":
            yield item.get("size"), 1
        elif item.type.endswith("[]"):
            yield item.get("count"), SCALARS[item.type[:-2]][1]


def fact_shape(block):
    """C expressions: how many bytes and texts a fact has at least."""
    name = c_name(block)
    tails = [f"(size_t)((const struct {name} *)(const void *)fact)->{field} * {size}" for field, size in tail_of(block)]
    texts = sum(item.type == "text" for item in behind(block))
    bytes_ = f"sizeof(struct {name})"
    lines = [f"    case CS_FACT_{block.name.upper()}:"]
    if tails:
        lines += [f"        *bytes = {bytes_};", "        if (fact->bytes >= *bytes)", f"            *bytes += {' + '.join(tails)};"]
    else:
        lines += [f"        *bytes = {bytes_};"]
    return [*lines, f"        return {texts};"]


def validity(block):
    test = "true" if block.get("valid") == "always" else f"((const struct {c_name(block)} *)cell)->{block.get('valid')} != 0"
    return [f"    case CS_BLOCK_{block.name.upper()}:", f"        return {test};"]


def assertions(structure):
    lines = [] if structure.block else [f"static_assert(sizeof(struct {structure.name}) == {structure.bytes}, \"size\");"]
    for each in structure.fields:
        if not each.bits:
            lines.append(f"static_assert(offsetof(struct {structure.name}, {each.name}) == {each.offset}, \"offset\");")
    return lines


def layout_source(model, layouts):
    lines = [HEAD.rstrip("\n"), '#include "journal_facts.h"', '#include "journal_words.h"', "", "#include <assert.h>", ""]
    for block in model.of_kind("enum"):
        lines += words_source(block, layouts)
    lines += ["size_t cs_fact_texts(const struct cs_fact *fact, size_t *bytes)", "{", "    switch (fact->type) {"]
    lines += [line for block in facts(model) for line in fact_shape(block)]
    lines += ["    default:", "        *bytes = sizeof *fact;", "        return 0;", "    }", "}", ""]
    lines += ["size_t cs_cell_bytes(enum cs_block_type type)", "{", "    switch (type) {"]
    for block in blocks_of_cells(model):
        lines += [f"    case CS_BLOCK_{block.name.upper()}:", f"        return sizeof(struct {c_name(block)});"]
    lines += ["    default:", "        return 0;", "    }", "}", ""]
    lines += ["bool cs_cell_is_valid(enum cs_block_type type, const void *cell)", "{", "    switch (type) {"]
    lines += [line for block in blocks_of_cells(model) for line in validity(block)]
    lines += ["    default:", "        return false;", "    }", "}", ""]
    for structure in layouts.structures.values():
        lines += assertions(structure)
    return "\n".join(lines) + "\n"


# ---- checks ----

def check(model, layouts):
    """Mistakes that the C compiler would not notice. Raises Problems."""
    problems, seen = Collector(), {}
    enums = {block.name for block in model.of_kind("enum")}
    for block in model.blocks:
        if block.kind in ("enum", "flags") and not block.has("header"):
            values = {}
            for item in block.items:
                name, value = enumerator(block, item), layouts.constants.get(item.type, item.type)
                if seen.setdefault(name, item) is not item:
                    problems.add(item.where, f"{name} was declared at {seen[name].where}")
                if values.setdefault(int(value) if str(value).isdigit() else value, item) is not item:
                    problems.add(item.where, f"{item.type} is that of {values[int(value)].name} too")
        if block.kind in ("fact", "cell", "struct"):
            for item in block.items:
                if item.has("enum") and item.get("enum") not in enums:
                    problems.add(item.where, f"there is no enum {item.get('enum')}")
                if item.type in BEHIND and item.has("size") and not block.item(item.get("size")):
                    problems.add(item.where, f"{block.name} has no {item.get('size')}")
        if block.kind == "cell" and block.get("valid") != "always" and not block.item(block.get("valid")):
            problems.add(block.where, f"cell {block.name}: valid:FIELD names the field that is 0 until the cell is valid, or is valid:always")
        if block.kind in ("fact", "cell") and block.number is None:
            problems.add(block.where, f"{block.kind} {block.name} has no number")
    problems.raise_if_any()
