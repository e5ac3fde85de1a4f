"""The interface of a source of memory: the only difference between debuggers, cores and processes."""

MOST_AT_ONCE = 1 << 26
CHUNK = 1 << 22
LARGEST_SEARCHED = 1 << 30  # the table is in the data of a library; what is larger is often memory that is only reserved


class Trouble(Exception):
    """An error with one line for the user."""


class Unreadable(Exception):
    """There is no such memory, or it is not in the core."""


class Memory:
    moves = False  # the process runs on while it is read

    def fetch(self, address, size):
        """Exactly `size` bytes, or Unreadable."""
        raise NotImplementedError

    def addresses_of(self, symbol):
        """Possible addresses of this symbol; they need not be right."""
        return []

    def writable(self):
        """(address, bytes) of writable memory, what is likely to be callsign's first."""
        return []

    def where(self, address):
        """An address of code as text. By default it is a return address."""
        return f"{address:#x}"

    def now(self):
        """CLOCK_MONOTONIC of the process at the time of the reading, in ns; None: unknown."""
        return None

    def read(self, address, size):
        if not 0 < address < 1 << 63 or not 0 <= size <= MOST_AT_ONCE:
            raise Unreadable(f"{size} bytes at {address:#x}")
        return self.fetch(address, size)

    def string(self, address, most=4096):
        """The bytes of a string that ends with NUL; without an end, what there is."""
        found = b""
        while len(found) < most:
            step = 64 - (address + len(found)) % 64  # never over the edge of a page when the end lies before it
            try:
                part = self.read(address + len(found), step)
            except Unreadable:
                if not found:
                    raise
                return found
            end = part.find(b"\0")
            if end >= 0:
                return found + part[:end]
            found += part
        return found[:most]

    def search(self, what):
        """All places of these bytes in writable memory, not more than a few."""
        left = 64
        for begin, size in self.writable():
            if size > LARGEST_SEARCHED:
                continue
            for place in self.search_region(begin, size, what):
                yield place
                left -= 1
                if not left:
                    return

    def search_region(self, begin, size, what):
        at, kept = begin, b""
        while at < begin + size:
            step = min(CHUNK, begin + size - at)
            try:
                part = kept + self.read(at, step)
            except Unreadable:
                return
            found = part.find(what)
            while found >= 0:
                yield at - len(kept) + found
                found = part.find(what, found + 1)
            kept = part[-(len(what) - 1):]
            at += step
