"""Names that tell how a datatype or a file was made: "contiguous(3) of vector(4,2,8) of MPI_DOUBLE". What db/journal/datatype_name.c does for traces,
from the same items (db/journal/detail.h)."""

import posixpath
import struct

from .words import escape

INTEGER, INTEGERS, TEXT, PAIRS, OBJECTS, TEXTS = range(1, 7)
SHOWN, NAME_BYTES = 4, 256
DEEPEST = 64  # each level takes more than 4 bytes of a name

# Numbers of arguments, from 1.
KEYS = """color key split_type info tag stringtag local_leader remote_leader high dims periods reorder remain_dims index edges indegree outdegree
sources degrees destinations command commands maxprocs root port_name fd size disp_unit filename amode count blocklength stride blocklengths
displacements types sizes subsizes starts order rank gsizes distribs dargs psizes lb extent p r commute ranks pset_name""".split()


def items(detail):
    """{key: (form, values)}; the first of each key."""
    found, at = {}, 0
    while at + 8 <= len(detail):
        key, form, size = struct.unpack_from("<HHI", detail, at)
        if size > len(detail) - at - 8 or size % 8:
            break
        if 1 <= key <= len(KEYS):
            found.setdefault(KEYS[key - 1], (form, detail[at + 8:at + 8 + size]))
        at += 8 + size
    return found


def integers(values):
    """How many there were, and those that are here."""
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
