"""Errors that stop a build. Each is one line that says where it is, what it is, and what to do."""


class Problems(Exception):
    """One or more problems, all of them shown at once."""

    def __init__(self, lines):
        super().__init__("\n".join(lines))
        self.lines = list(lines)


class Collector:
    """Gathers problems, so that one build shows all of them."""

    def __init__(self):
        self.lines = []

    def add(self, where, what):
        self.lines.append(f"{where}: {what}")

    def raise_if_any(self):
        if self.lines:
            raise Problems(self.lines)
