"""A test double of an MPI for several ranks that lacks names and attributes: the MPICH at hand with these taken out of its header and of its
library. What is left is under the names MPI_ alone, in libtwo.so.1, with an mpi.h that does not say whose it is."""

import pathlib
import re
import struct

# Functions that the double lacks, in its header and in its library.
LACKS = re.compile(r"MPI_(?:Comm|Type|Win)_(?:set_name|get_name|create_keyval|free_keyval|set_attr|get_attr|delete_attr)"
                   r"|MPI_Keyval_(?:create|free)|MPI_Attr_(?:put|get|delete)|MPI_DUP_FN|MPIR_Dup_fn")
TWIN = re.compile(r"[PQ]MPI[XO]?_\w+")
HIDDEN = re.compile(f"{LACKS.pattern}|{TWIN.pattern}")

# Of the header: each must be there, or the double would not lack what it is to lack. Statements are from a line's beginning to their `;`.
DECLARATIONS = [rf"(?:{LACKS.pattern})\s*\(", r"[PQ]MPI[XO]?_\w+\s*\(", r"\(QMPIX?_\w+_t\)\s*\(",
                r"\(MPI_(?:Comm|Type|Win)_(?:copy|delete)_attr_function\)\s*\(", r"\(MPI_(?:Copy|Delete)_function\)\s*\("]
MACROS = [r"P?MPI_MAX_OBJECT_NAME", r"MPI_KEYVAL_INVALID", r"MPI_ERR_KEYVAL", r"MPI_(?:COMM_|TYPE_|WIN_)?(?:NULL_COPY|NULL_DELETE|DUP)_FN",
          r"MPI_(?:TAG_UB|HOST|IO|WTIME_IS_GLOBAL|UNIVERSE_SIZE|LASTUSEDCODE|APPNUM)",
          r"MPI_WIN_(?:BASE|SIZE|DISP_UNIT|CREATE_FLAVOR|MODEL)", r"PMPI[XO]?_\w+(?:\(\w*\))?", r"MPICH_(?:NAME|VERSION|NUMVERSION)"]

# Of the format of shared libraries of 64 bits (elf.h): the size of a symbol and of an entry of the dynamic section, a visibility, a tag, a binding.
SYMBOL, ENTRY, STV_HIDDEN, DT_SONAME, STB_WEAK = 24, 16, 2, 14, 2


class Unexpected(Exception):
    """This MPICH is not as the double needs it."""


def make_headers(includes, folder):
    """Writes the headers of the double into a folder, from those of MPICH in one of the folders `includes`."""
    source = next((path for path in map(pathlib.Path, includes) if (path / "mpi.h").exists()), None)
    if source is None:
        raise Unexpected(f"no mpi.h in {includes}")
    names = [name for name in ("mpi.h", "mpi_proto.h", "mpio.h") if (source / name).exists()]
    texts = {name: re.sub(r"/\*.*?\*/", "", (source / name).read_text(encoding="utf-8"), flags=re.S) for name in names}
    rules = [(re.compile(rf"^(?:typedef )?\w+ \**{words}[^;]*;\n?", re.M), words) for words in DECLARATIONS]
    rules += [(re.compile(rf"^[ \t]*#[ \t]*define[ \t]+{words}[ \t].*\n", re.M), words) for words in MACROS]
    for rule, words in rules:
        removed = 0
        for name in names:
            texts[name], count = rule.subn("", texts[name])
            removed += count
        if not removed:
            raise Unexpected(f"nothing like {words} in {source}")
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        if re.search(rf"\b(?:{LACKS.pattern})\b", texts[name]):
            raise Unexpected(f"{name} of the double still has {re.search(LACKS, texts[name])[0]}")
        write(folder / name, texts[name].encode())


def make_library(mpich, path, soname=None, hides=HIDDEN):
    """Writes a copy of a shared library in which the functions that are not to be there are hidden and have no name: it uses them itself,
    nobody else can. Calls within the library are bound to what is hidden, without looking it up. soname: its new name, if it gets one."""
    data = bytearray(pathlib.Path(mpich).read_bytes())
    if data[:6] != b"\x7fELF\x02\x01":
        raise Unexpected(f"{mpich} is not of 64 bits, lowest byte first")
    sections = sections_of(data)
    symbols, strings, dynamic = sections[".dynsym"], sections[".dynstr"], sections[".dynamic"]
    hidden = []
    for at in range(symbols[0], symbols[0] + symbols[1], SYMBOL):
        word, defined = strings[0] + struct.unpack_from("<I", data, at)[0], struct.unpack_from("<H", data, at + 6)[0] != 0
        name = text_at(data, word)
        if defined and hides.fullmatch(name):
            hidden.append((at + 5, word))
    if not hidden:
        raise Unexpected(f"{mpich}: it has nothing that could be hidden")
    for visibility, word in hidden:
        data[visibility] = data[visibility] & ~3 | STV_HIDDEN
        data[word] = ord("_")  # in the same bytes the name MPI_Send is the end of the name PMPI_Send: only the first of each
    for at in range(dynamic[0], dynamic[0] + dynamic[1], ENTRY):
        tag, value = struct.unpack_from("<QQ", data, at)
        if tag == DT_SONAME and soname:
            old = text_at(data, strings[0] + value)
            if len(old) < len(soname):
                raise Unexpected(f"{mpich} calls itself {old}: no room for {soname}")
            data[strings[0] + value:strings[0] + value + len(soname) + 1] = soname.encode() + b"\0"
    write(path, bytes(data))


def make_user(library, path, lacks):
    """Writes a copy of a shared library that uses such functions: it is loaded without them, also where all is bound at once."""
    data = bytearray(pathlib.Path(library).read_bytes())
    sections = sections_of(data)
    symbols, strings = sections[".dynsym"], sections[".dynstr"]
    for at in range(symbols[0], symbols[0] + symbols[1], SYMBOL):
        word, defined = strings[0] + struct.unpack_from("<I", data, at)[0], struct.unpack_from("<H", data, at + 6)[0] != 0
        if not defined and lacks.fullmatch(text_at(data, word)):
            data[at + 4] = data[at + 4] & 15 | STB_WEAK << 4
    write(path, bytes(data))


def sections_of(data):
    """Offset and size of each section, by name."""
    table, = struct.unpack_from("<Q", data, 40)
    size, count, names = struct.unpack_from("<HHH", data, 58)
    headers = [struct.unpack_from("<IIQQQQ", data, table + size * i) for i in range(count)]
    return {text_at(data, headers[names][4] + header[0]): (header[4], header[5]) for header in headers}


def text_at(data, at):
    return data[at:data.index(0, at)].decode()


def write(path, content):
    """Leaves a file alone that is as it should be: what is built from it is up to date then."""
    if not path.exists() or path.read_bytes() != content:
        path.write_bytes(content)
