"""Numbers and texts as people read them."""

import unicodedata

from .layout import KIND_WORDS



def number_of(words, word):
    """The number that has this word."""
    return next(number for number, each in words.items() if each == word)


KIND_NUMBER = {word: number for number, word in KIND_WORDS.items()}


def escape(text):
    """A text, or bytes from memory, without anything that would change the screen."""
    if isinstance(text, bytes):
        text = text.decode("utf-8", "surrogateescape")
    if text.isprintable() and '"' not in text and "\\" not in text:
        return text
    return "".join(escape_one(letter) for letter in text)


def escape_one(letter):
    if letter in '"\\':
        return "\\" + letter
    if not unicodedata.category(letter).startswith(("C", "Zl", "Zp")):
        return letter
    short = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\x1b": "\\e"}
    number = ord(letter)
    if 0xDC80 <= number <= 0xDCFF:  # a byte that is no UTF-8
        number -= 0xDC00
    return short.get(letter) or (f"\\x{number:02x}" if number < 256 else f"\\u{number:04x}" if number < 65536 else f"\\U{number:08x}")


def duration(ns):
    if ns is None:
        return ""
    seconds = ns / 1e9
    for limit, text in ((1e-3, f"{seconds * 1e6:.0f} us"), (1, f"{seconds * 1e3:.0f} ms"), (120, f"{seconds:.1f} s"),
                        (7200, f"{seconds / 60:.0f} min"), (172800, f"{seconds / 3600:.1f} h")):
        if seconds < limit:
            return text
    return f"{seconds / 86400:.1f} days"


def columns(titles, rows):
    """A table of texts, one line each."""
    rows = [titles, *rows]
    widths = [max(len(row[i]) for row in rows) for i in range(len(titles))]
    return ["  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip() for row in rows]
