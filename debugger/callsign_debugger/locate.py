"""Where the table is: by its symbol, or by its magic anywhere in writable memory. What is found is not trusted."""

import struct

from .layout import HEADER, MAGIC, MAJOR, RECORD
from .memory import Trouble, Unreadable


def check(memory, address):
    """The header that lies there, or None. Trouble: it is one that cannot be read."""
    try:
        if memory.read(address, 16) != MAGIC:
            return None
        head = memory.read(address + 16, 24)
        order, major, minor, header_bytes, record_bytes, own = struct.unpack("<IHHIIQ", head)
        if order == 0x04030201:
            raise Trouble("the process has another byte order than this machine: read it on a machine like its own")
        if order != 0x01020304 or own != address:
            return None
        if major != MAJOR:
            raise Trouble(f"its live table has layout {major}.{minor}, this callsign reads {MAJOR}: use the callsign that was loaded there")
        if header_bytes < HEADER.bytes or record_bytes != RECORD.bytes:
            return None
        header = HEADER.at(memory, address)
    except Unreadable:
        return None
    return header if header.first_record_log2 <= 24 and 4 <= header.first_string_log2 <= 32 and header.handle_bytes in (4, 8) else None


def locate(memory, scan=True):
    """The address of the table; None: there is none."""
    refused = None
    for address in memory.addresses_of("callsign_debug"):
        try:
            if check(memory, address):
                return address
        except Trouble as trouble:
            refused = trouble
    for address in memory.search(MAGIC) if scan else ():
        try:
            if check(memory, address):
                return address
        except Trouble as trouble:
            refused = trouble
    if refused:
        raise refused
    return None
