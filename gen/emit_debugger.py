"""Writes debugger/callsign_debugger/layout.py: the structures and numbers of include/callsign/debug.h for Python, and those of gen/model with the
property python. The file is checked in, because debuggers read tables without a build. A test in tests/gen fails if the file is out of date."""

import textwrap

from .emit_layouts import enumerator, enumerators
from .layout import SCALARS

COLUMNS = 150

HEAD = '''\
"""Written by `python3 -m gen --debugger` from include/callsign/debug.h, journal/format.h and gen/model: change those, not this."""

from .shape import Shape
'''


def python_name(name):
    return name.removeprefix("CALLSIGN_").removeprefix("CS_")


def constants(layouts):
    """The constants of the headers, without the limits of C and the enumerations."""
    in_enums = {name for values in layouts.enums.values() for name in values}
    known = {python_name(name): value for name, value in layouts.constants.items()
             if name.startswith(("CALLSIGN_", "CS_")) and value is not None and name not in in_enums}
    return [f"{name} = {hex(value) if isinstance(value, int) and value >= 1 << 16 else repr(value)}" for name, value in known.items()]


def enumerations(model, layouts):
    """The enumerations of the headers, and the other flags of the model."""
    counts = {block.get("count") for block in model.of_kind("enum")}
    for name, values in layouts.enums.items():
        yield f"\n# enum {name}"
        yield from (f"{python_name(each)} = {number}" for each, number in values.items() if each not in counts)
    for block in model.of_kind("flags"):
        yield f"\n# enum cs_{block.name}_flag, private ones"
        yield from (f"{python_name(enumerator(block, item))} = {item.type}" for item in block.items if item.type.isdigit())


def parts(structure, layouts, prefix=""):
    """The fields as Python reads them, `name:format`. Parts of structures become fields; arrays become bytes."""
    at = 0
    for each in structure.fields:
        if each.offset > at:
            yield f":{each.offset - at}x"
        elif each.offset < at:
            continue  # one more bit-field of the same word
        at = each.offset + each.bytes
        part = layouts.structures.get(each.type)
        if part and each.count is None:
            yield from parts(part, layouts, f"{prefix}{each.name}_")
        elif each.count is not None:
            yield from [f"{prefix}{each.name}:{each.bytes}s"] if each.bytes else []
        else:
            yield f"{prefix}{each.name}:{SCALARS[each.type][2]}"
    if structure.bytes > at:
        yield f":{structure.bytes - at}x"


def shape(structure, layouts, taken):
    """The assignment of a Shape. A private structure with the name of a public one is called JOURNAL_..."""
    name = structure.name.removeprefix("callsign_").removeprefix("cs_").upper()
    name = f"JOURNAL_{name}" if name in taken else name
    taken.add(name)
    lines = textwrap.wrap(" ".join(parts(structure, layouts)), COLUMNS - 7)
    block = structure.block
    number = f", {block.number}" if block and block.number is not None else ""
    alone = f'{name} = Shape("{lines[0]}"{number})'
    if len(lines) == 1 and len(alone) <= COLUMNS:
        return [alone]
    return [f"{name} = Shape(", *(f'    "{line} "' for line in lines[:-1]), f'    "{lines[-1]}"{number})']


def words(block, layouts):
    pairs = [f'{number}: "{word}"'.replace(" ", "\0") for number, (_, word, _) in entries(block, layouts) if word]
    lines = textwrap.wrap(f"{block.name.upper()}_WORDS = {{{', '.join(pairs)}}}", COLUMNS, subsequent_indent="    ", break_on_hyphens=False)
    return [line.replace("\0", " ") for line in lines]


def entries(block, layouts):
    """[(number, (C name, word, comment))]"""
    named = enumerators(block, layouts)
    if block.has("header"):
        return [(layouts.enums[block.get("header")][entry[0]], entry) for entry in named]
    return [(int(item.type), entry) for item, entry in zip(block.items, named)]


def source(model, layouts):
    lines = [HEAD, "# Constants of the headers.", *constants(layouts), *enumerations(model, layouts)]
    lines += ["", "# Words of traces for the numbers of enumerations."]
    lines += [line for block in model.of_kind("enum") if block.has("python") for line in words(block, layouts)]
    lines += ["", "# The type of blocks of facts.", "BLOCK_LOG = 1", "", "# Structures: each field and its format, see the module struct; the number of the fact or block. Arrays are bytes."]
    taken = set()
    for structure in layouts.structures.values():
        if not structure.block or structure.block.has("python"):
            lines += shape(structure, layouts, taken)
    return "\n".join(lines) + "\n"
