"""Writes the wrappers of one chapter: one short C function for each MPI function."""

from .emit_body import Wrapper
from .text import BANNER, spaced, wrap_call


class CWrapper(Wrapper):
    """The wrapper of a C function. native is the function that it forwards to."""

    entering = "cs_enter"
    knows_plain = True

    def __init__(self, function, prototype, native):
        super().__init__(function, prototype)
        self.native = native
        self.result = prototype.result
        self.code = "cs_result" if prototype.result == "int" else ""

    def declarations(self):
        return []

    def opening(self):
        return []

    def arguments(self):
        return [parameter.name for parameter in self.prototype.parameters]

    def is_ignored(self, status):
        return f"{status} == MPI_STATUS_IGNORE"

    def guarded(self, use):
        """The program may pass NULL for the handle. The MPI reports that; callsign must not crash before."""
        if not use.positions:
            return self.statements([use], 4)
        return [f"    if ({self.name_at(use.positions[0])})"] + self.statements([use], 8)

    def argument(self, position, argument):
        return argument.text(self.prototype.parameters[position - 1])

    def is_true(self, position):
        return f"*{self.name_at(position)}"

    def function_of(self, role):
        return (self.function.wait and role.waiting) or role.function


def chapter_source(chapter, pairs):
    """The C file of a chapter; `pairs` are (Function, Prototype)."""
    head = BANNER.format(source=f"gen/spec/{chapter}.spec")
    includes = '#define CS_ALL_ARE_RECORDED /* see call.h */\n\n#include "next.h"\n\n#include "functions.h"\n#include "wrappers/roles.h"\n'
    return head + includes + "".join("\n" + wrapper(function, prototype) for function, prototype in pairs)


def wrapper(function, prototype, native="cs_next.{}"):
    """The C text of one wrapper; native is the pattern of the function that it forwards to."""
    lines = [f"/* {function} */"] + signature(prototype)
    lines += ["{"] + CWrapper(function, prototype, native.format(prototype.name)).body() + ["}"]
    return "\n".join(lines) + "\n"


def signature(prototype):
    parameters = [parameter.text for parameter in prototype.parameters] or ["void"]
    return wrap_call(f"CS_EXPORT {spaced(prototype.result)}{prototype.name}(", parameters, ")")
