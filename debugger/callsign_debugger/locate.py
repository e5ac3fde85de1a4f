"""Finds the table by its symbol, or by its magic anywhere in writable memory. Every candidate is checked."""

from .layout import DEBUG, DEBUG_BYTE_ORDER, DEBUG_MAGIC, DEBUG_MAJOR, RECORD
from .memory import Trouble, Unreadable


def check(memory, address):
    """The header that lies there, or None. Trouble: it is one that cannot be read."""
    try:
        if memory.read(address, len(DEBUG_MAGIC)) != DEBUG_MAGIC:
            return None
        head = DEBUG.beginning(memory.read(address, DEBUG.offsets["epoch"]))  # all that tells whether the rest can be read
        if head.byte_order == int.from_bytes(DEBUG_BYTE_ORDER.to_bytes(4, "little"), "big"):
            raise Trouble("the process has another byte order than this machine: read it on a machine like its own")
        if head.byte_order != DEBUG_BYTE_ORDER or head.self != address:
            return None
        if head.major != DEBUG_MAJOR:
            raise Trouble(f"its live table has layout {head.major}.{head.minor}, this callsign reads {DEBUG_MAJOR}: use the callsign that was loaded there")
        if head.header_bytes < DEBUG.bytes or head.record_bytes != RECORD.bytes:
            return None
        header = DEBUG.at(memory, address)
    except Unreadable:
        return None
    return header if header.first_record_log2 <= 24 and 4 <= header.first_string_log2 <= 32 and header.handle_bytes in (4, 8) else None


def locate(memory, scan=True):
    """The address of the table, or None."""
    refused = None
    for address in memory.addresses_of("callsign_debug"):
        try:
            if check(memory, address):
                return address
        except Trouble as trouble:
            refused = trouble
    for address in memory.search(DEBUG_MAGIC) if scan else ():
        try:
            if check(memory, address):
                return address
        except Trouble as trouble:
            refused = trouble
    if refused:
        raise refused
    return None
