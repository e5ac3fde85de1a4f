"""Layouts of structures in memory: those of gen/model, and those of the C headers in HEADERS."""

import hashlib
import os
import re
from dataclasses import dataclass, field

from .problem import Collector

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DEBUG_HEADER = "include/callsign/debug.h"
HEADERS = ("base/clock.h", DEBUG_HEADER, "journal/format.h")

# type in the model -> C type, size, letter of Python's struct
SCALARS = {"char": ("char", 1, "s"), "u8": ("uint8_t", 1, "B"), "u16": ("uint16_t", 2, "H"), "u32": ("uint32_t", 4, "I"),
           "u64": ("uint64_t", 8, "Q"), "i8": ("int8_t", 1, "b"), "i16": ("int16_t", 2, "h"), "i32": ("int32_t", 4, "i"),
           "i64": ("int64_t", 8, "q")}
IN_MODEL = {c_type: name for name, (c_type, _, _) in SCALARS.items()}
LIMITS = {"INT32_MIN": -2**31, "INT32_MAX": 2**31 - 1, "UINT32_MAX": 2**32 - 1, "INT64_MIN": -2**63, "UINT64_MAX": 2**64 - 1}
BEHIND = ("text", "bytes")  # types of items that follow the structure of a fact
WITH_LAYOUT = ("struct", "fact", "cell")

# Layouts of releases by their fingerprint: entries are added and never changed. A journal of another layout was not written by a release: its version
# is the fingerprint.
JOURNALS = {0xb2ff276f: 1}  # fingerprint: version
DEBUG_TABLES = {0xf74268b2: (1, 0)}  # fingerprint: CALLSIGN_DEBUG_MAJOR and _MINOR. A build fails if there is no entry


@dataclass
class Field:
    name: str
    type: str  # a scalar, or the C name of a structure
    count: int  # array length; None: no array; 0: as many as fit
    count_text: str
    bits: int  # width of a bit-field; None: no bit-field
    item: object  # item of the model; None: from a C header
    offset: int = 0
    bytes: int = 0


@dataclass
class Structure:
    name: str  # in C: cs_fact_object
    block: object  # block of the model; None: from a C header
    where: str
    fields: list = field(default_factory=list)
    bytes: int = 0
    align: int = 1
    padded: list = field(default_factory=list)  # fields with padding before them

    def field(self, name):
        return next((each for each in self.fields if each.name == name), None)


@dataclass
class Layouts:
    structures: dict  # C name -> Structure
    constants: dict  # constants of the C headers: name -> number or bytes
    enums: dict  # enumerations of the C headers: name -> {enumerator: number}


def c_name(block):
    """The C name of a structure of the model."""
    if block.kind == "fact":
        return f"cs_fact_{block.name}"
    if block.kind == "cell":
        return f"cs_{block.get('struct') or block.name + '_cell'}"
    return f"cs_{block.name}"


def behind(block):
    """The items that follow the structure of a fact."""
    return [item for item in block.items if item.type in BEHIND or item.type.endswith("[]")]


def read(model, source=SOURCE):
    """All layouts. Raises Problems."""
    problems = Collector()
    layouts = Layouts({}, dict(LIMITS), {})
    for header in HEADERS:
        with open(os.path.join(source, header), encoding="utf-8") as file:
            read_header(file.read(), header, layouts, problems)
    check_debug_table(layouts, problems)
    for block in ordered(model):
        lay_block(block, layouts, problems)
    problems.raise_if_any()
    found = fingerprint(model, layouts)
    layouts.constants["CS_JOURNAL_VERSION"] = JOURNALS.get(found, found)
    return layouts


def check_debug_table(layouts, problems):
    """The layout of debug.h must be that of its version."""
    structures = [each for each in layouts.structures.values() if each.where == DEBUG_HEADER]
    numbers = [f"{name} {value}" for name, value in layouts.constants.items() if name.startswith("CALLSIGN_")]
    found = digest(lines_of(structures) + numbers)
    version = tuple(layouts.constants[f"CALLSIGN_DEBUG_{part}"] for part in ("MAJOR", "MINOR"))
    if DEBUG_TABLES.get(found) != version:
        problems.add(DEBUG_HEADER, f"the layout of the debugger's table has changed: raise its version and add {found:#010x} to DEBUG_TABLES of gen/layout.py")


def lines_of(structures):
    return [f"{each.name} {field.name} {field.type} {field.count} {field.bits} {field.offset} {field.bytes}" for each in structures for field in each.fields]


def digest(lines):
    """A number of 32 bits, not 0 and none that a version has."""
    return int.from_bytes(hashlib.sha256("\n".join(lines).encode()).digest()[:4], "big") | 1 << 31


def fingerprint(model, layouts):
    """A number that another layout or meaning of a number changes. The debugger's table has a version of its own."""
    lines = lines_of(each for each in layouts.structures.values() if each.where != DEBUG_HEADER)
    lines += [f"{name} {value}" for name, value in layouts.constants.items()]
    for block in model.blocks:
        if block.kind in ("enum", "flags", *WITH_LAYOUT):
            behind_it = behind(block) if block.kind in WITH_LAYOUT else block.items
            lines += [f"{block.kind} {block.name} {block.number} {block.get('valid', '')}", *(f"{item.name} {item.type}" for item in behind_it)]
    return digest(lines)


def ordered(model):
    """Blocks with a layout: structures first, because others contain them."""
    return [block for kind in WITH_LAYOUT for block in model.of_kind(kind)]


# ---- C headers ----

def read_header(text, where, layouts, problems):
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
    for name, value in re.findall(r"^#define (\w+) +(\S.*)$", text, re.MULTILINE):
        layouts.constants[name] = constant(value.strip(), layouts.constants)
    for name, body in re.findall(r"enum (\w*) ?\{(.*?)\}", text, re.DOTALL):
        values, number = {}, -1
        for part in filter(None, map(str.strip, body.split(","))):
            enumerator, _, value = map(str.strip, part.partition("="))
            number = constant(value, layouts.constants) if value else number + 1
            layouts.constants[enumerator] = values[enumerator] = number
        if name:
            layouts.enums[name] = values
    for name, body in re.findall(r"^struct (\w+) \{(.*?)\n\}", text, re.MULTILINE | re.DOTALL):
        structure = Structure(name, None, where)
        for declaration in filter(None, (" ".join(part.split()) for part in body.split(";"))):
            structure.fields += c_fields(declaration, layouts.constants)
        place(structure, layouts, problems)


def constant(text, known):
    """The value of a C constant: a number, or the bytes of a text. None: anything else."""
    if text.startswith('"'):
        return text.strip('"').encode("ascii").decode("unicode_escape").encode("latin-1")
    text = re.sub(r"\(u?int\d+_t\)", "", text)
    text = re.sub(r"\b(0x[0-9a-fA-F]+|\d+)[uUlL]*\b", r"\1", text)
    try:
        return eval(text, {"__builtins__": {}}, known)  # pylint: disable=eval-used
    except (SyntaxError, NameError, TypeError):
        return None


def c_fields(declaration, constants):
    """Parses `int32_t size, rank` or `struct callsign_instant first, last`."""
    kind, _, names = declaration.removeprefix("struct ").partition(" ")
    for name in names.split(","):
        name, bracket, count = name.strip().partition("[")
        count = count.rstrip("]")
        yield Field(name, IN_MODEL.get(kind, kind), (constant(count, constants) if count else 0) if bracket else None, count, None, None)


# ---- the model ----

def lay_block(block, layouts, problems):
    structure = Structure(c_name(block), block, block.where)
    if block.kind == "fact":
        structure.fields.append(Field("fact", "cs_fact", None, "", None, None))
    tail = behind(block)
    for item in block.items:
        if item not in tail:
            structure.fields.append(model_field(item, layouts, problems))
        elif block.kind != "fact":
            problems.add(item.where, f"only facts have {item.type}")
    place(structure, layouts, problems)
    for each in structure.padded:
        problems.add(each.item.where, f"{structure.name} has a hole before {each.name}: fill it with a reserved field")
    if structure.bytes % 8 and not structure.padded and block.kind != "struct":
        problems.add(block.where, f"{structure.name} has {structure.bytes} bytes: facts and cells have a multiple of 8")
    if block.has("bytes") and int(block.get("bytes")) != structure.bytes:
        problems.add(block.where, f"{structure.name} has {structure.bytes} bytes, not {block.get('bytes')}")


def model_field(item, layouts, problems):
    """Parses `u32`, `u32:3`, `char[8]`, `u64[CS_KEPT]`, or a structure's name."""
    found = re.fullmatch(r"(\w+)(?:\[(\w+)\]|:(\d+))?", item.type)
    kind, count, bits = found.groups() if found else ("", None, None)
    if kind not in SCALARS:
        kind = f"cs_{kind}"
        if kind not in layouts.structures:
            problems.add(item.where, f"{item.type} is no type")
            kind = "u8"
    number = constant(count, layouts.constants) if count else None
    if count and not isinstance(number, int):
        problems.add(item.where, f"{count} is no constant of {HEADERS[-1]}")
    return Field(item.name, kind, number, count or "", int(bits) if bits else None, item)


def place(structure, layouts, problems):
    """Computes offsets and sizes like a C compiler that aligns integers by their size."""
    at = bits = 0
    for each in structure.fields:
        part = layouts.structures.get(each.type)
        if part is None and each.type not in SCALARS:
            problems.add(structure.where, f"{structure.name}.{each.name}: {each.type} is not known")
            return
        size, align = (part.bytes, part.align) if part else (SCALARS[each.type][1],) * 2
        if each.bits and 0 < bits <= 8 * size - each.bits:
            each.offset, each.bytes, bits = at - size, size, bits + each.bits
            continue
        bits = each.bits or 0
        start = -(-at // align) * align
        if start != at:
            structure.padded.append(each)
        each.offset, each.bytes = start, size * (1 if each.count is None else each.count)
        at = start + each.bytes
        structure.align = max(structure.align, align)
    structure.bytes = -(-at // structure.align) * structure.align
    if structure.bytes != at:
        structure.padded.append(structure.fields[-1])
    layouts.structures[structure.name] = structure
