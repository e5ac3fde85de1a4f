#!/usr/bin/env python3
"""Copies an ELF file and gives a library another, no longer, name in the copy: where the file needs it, and as its own soname. The copy searches no
folders: those of the build are not where the other library is.

    rename_library.py FILE OLD NEW COPY
"""
import pathlib
import shutil
import struct
import sys

PT_LOAD, PT_DYNAMIC = 1, 2
DT_NEEDED, DT_STRTAB, DT_SONAME, DT_RPATH, DT_RUNPATH = 1, 5, 14, 15, 29


def dynamic_of(data):
    """Where the strings of the dynamic linker are, and its entries: their place and [(tag, value)]."""
    if data[:6] != b"\x7fELF\x02\x01":
        raise ValueError("not an ELF file of 64 bits, little-endian")
    first, size, count = struct.unpack_from("<Q", data, 32)[0], *struct.unpack_from("<HH", data, 54)
    headers = [struct.unpack_from("<IIQQQQ", data, first + i * size) for i in range(count)]  # type, flags, offset, vaddr, paddr, filesz
    _, _, at, _, _, length = next(header for header in headers if header[0] == PT_DYNAMIC)
    entries = [struct.unpack_from("<qQ", data, at + i) for i in range(0, length, 16)]
    address = dict(entries)[DT_STRTAB]
    begin = next(offset + address - vaddr for kind, _, offset, vaddr, _, filesz in headers if kind == PT_LOAD and vaddr <= address < vaddr + filesz)
    return begin, at, entries


def main():
    path, old, new, copy = sys.argv[1:]
    data = bytearray(pathlib.Path(path).read_bytes())
    begin, at, entries = dynamic_of(data)
    names = [value for tag, value in entries if tag in (DT_NEEDED, DT_SONAME)]
    old_bytes, new_bytes = old.encode() + b"\0", new.encode() + b"\0"
    places = [begin + name for name in names if data[begin + name:].startswith(old_bytes)]
    if not places or len(new_bytes) > len(old_bytes):
        sys.exit(f"{path} does not need {old}, or {new} is longer")
    for place in places:
        data[place:place + len(old_bytes)] = new_bytes.ljust(len(old_bytes), b"\0")
    kept = [entry for entry in entries if entry[0] not in (DT_RPATH, DT_RUNPATH)]
    for i, entry in enumerate(kept + [(0, 0)] * (len(entries) - len(kept))):
        struct.pack_into("<qQ", data, at + 16 * i, *entry)
    pathlib.Path(copy).write_bytes(data)
    shutil.copymode(path, copy)


if __name__ == "__main__":
    main()
