"""Names that tell how a datatype or a file was made: "contiguous(3) of vector(4,2,8) of MPI_DOUBLE". What journal/datatype_name.c does for traces,
from the same items (journal/detail.h)."""

import posixpath
import struct

from .layout import DETAIL_FORM_WORDS, DETAIL_KEY_WORDS, JOURNAL_DETAIL as DETAIL
from .words import escape, number_of

SHOWN, NAME_BYTES = 4, 256
DEEPEST = 64  # each level takes more than 4 bytes of a name

INTEGER, INTEGERS, TEXT, OBJECTS, TEXTS = (number_of(DETAIL_FORM_WORDS, word) for word in ("integer", "integers", "text", "objects", "texts"))


def items(detail):
    """{key: (form, values)}; the first of each key."""
    found, at = {}, 0
    while at + DETAIL.bytes <= len(detail):
        item = DETAIL.of(detail[at:at + DETAIL.bytes])
        at += DETAIL.bytes
        if item.bytes > len(detail) - at or item.bytes % 8:
            break
        if item.key in DETAIL_KEY_WORDS:
            found.setdefault(DETAIL_KEY_WORDS[item.key], (item.form, detail[at:at + item.bytes]))
        at += item.bytes
    return found


def integers(values):
    """The original length of a list, and its recorded values."""
    if len(values) < 8:
        return 0, []
    were, *here = struct.unpack(f"<{len(values) // 8}q", values)
    return were, here[:max(were, 0)]


def argument(item):
    form, values = item or (0, b"")
    if form == INTEGER and len(values) >= 8:
        return str(struct.unpack_from("<q", values)[0])
    if form in (INTEGERS, OBJECTS):
        were, here = integers(values)
        return "[" + ",".join(map(str, here[:SHOWN])) + (",...]" if were > SHOWN else "]")
    if form == TEXTS:
        words = [escape(word) for word in values[8:].split(b"\0") if word]
        return "[" + ",".join(words[:SHOWN]) + (",...]" if len(words) > SHOWN else "]")
    return "?"


def struct_types(found, name_of):
    """" of MPI_INT, MPI_DOUBLE": each once for a run of equal ones. None: it has no list of types."""
    form, values = found.get("types", (0, b""))
    if form not in (INTEGERS, OBJECTS):
        return None
    names, former = [], 0
    for number in integers(values)[1]:
        name = name_of(number) if number != former and 0 < number < 1 << 32 else ""
        if not name:
            continue
        former = number
        names.append(name)
        if len(names) > SHOWN:
            names[-1] = "..."
            break
    return " of " + ", ".join(names) if names else ""


def datatype_name(shape, parent, detail, name_of):
    """"" if it is not known. shape: "vector,count,blocklength,stride", as the table has it. name_of(id): the name of another object."""
    word, *keys = shape.split(",")
    if not word or (keys and not detail):
        return ""
    found = items(detail)
    arguments = ",".join(argument(found.get(key)) for key in keys)
    text = word + (f"({arguments})" if keys else "")
    of = struct_types(found, name_of)
    if of is None:
        one = name_of(parent) if parent else ""
        of = f" of {one}" if one else ""
    return cut(text + of)


def cut(text):
    data = text.encode("utf-8", "surrogateescape")
    return text if len(data) < NAME_BYTES else data[:NAME_BYTES - 4].decode("utf-8", "ignore") + "..."


def file_name(detail):
    form, values = items(detail).get("filename", (0, b""))
    return cut(posixpath.basename(values.split(b"\0")[0].decode("utf-8", "surrogateescape"))) if form == TEXT else ""
