"""The layout of a structure in memory, and its fields."""

import struct


class Shape:
    """A structure, from `name:format` of each field in order; `:4x` is a hole of four bytes. number: of the fact or block."""

    def __init__(self, fields, number=None):
        self.number = number
        pairs = [field.rpartition(":") for field in fields.split()]
        self.layout = struct.Struct("<" + "".join(letter for _, _, letter in pairs))
        self.names, self.offsets, self.letters, at = [], {}, {}, 0
        for name, _, letter in pairs:
            if name:
                self.names.append(name)
                self.offsets[name], self.letters[name] = at, letter
            at += struct.calcsize("<" + letter)
        self.bytes = at

    def of(self, data):
        return Fields(zip(self.names, self.layout.unpack(data)))

    def at(self, memory, address):
        return self.of(memory.read(address, self.bytes))

    def beginning(self, data):
        """The fields that lie in the first bytes of a structure; all others are 0."""
        return self.of(data[:self.bytes].ljust(self.bytes, b"\0"))

    def pack_one(self, name, value):
        """The bytes of one field."""
        return struct.pack("<" + self.letters[name], value)

    def pack(self, /, **fields):
        """The bytes of a structure; fields that are not given are 0."""
        values = self.beginning(b"")
        unknown = fields.keys() - values.keys()
        if unknown:
            raise KeyError(f"there is no {', '.join(sorted(unknown))}")
        return self.layout.pack(*{**values, **fields}.values())


class Fields(dict):
    __getattr__ = dict.__getitem__
