"""Writes the wrappers of one chapter: one short C function for each MPI function."""

from . import argument_checks, roles
from .emit_body import Wrapper
from .text import BANNER, spaced, wrap_assignment, wrap_call


class CWrapper(Wrapper):
    """The wrapper of a C function. native is the function that it forwards to."""

    entering = "cs_enter"
    repeats = "cs_is_checked_before"
    kinds = {"comm": "CALLSIGN_COMMUNICATOR", "win": "CALLSIGN_WINDOW", "file": "CALLSIGN_FILE"}

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


    # ---- calls that are about an object at most ----

    @property
    def is_plain(self):
        """In the steady state such a call takes a way of its own (wrappers/call/leave.h)."""
        function = self.function
        others = [use for use in function.uses if use.role not in self.kinds and use.role != "ignores"]
        return not (self.result == "void" or others or function.collective or function.polls or function.reads_clock or argument_checks.checks(function))

    def plain_body(self):
        about = [f"{self.kinds[use.role]}, CS_KEY({self.name_at(use.positions[0])})" for use in self.uses(roles.BEFORE)] or ["0, 0"]
        noted = self.code if self.function.notes_failure and self.code else "MPI_SUCCESS"
        end = f"cs_end_plain(&cs_call, {noted});"
        name = self.prototype.name
        site, frame = "__builtin_return_address(0)", "__builtin_frame_address(0)"
        lines = ["    struct cs_call cs_call;", "", f"    if (!cs_begin_plain(&cs_call, CS_{self.function.name}, {about[0]}, {site})) {{"]
        lines += wrap_assignment(f"        {self.result} cs_result =", f"{name}_otherwise(", ["&cs_call", site, frame] + self.arguments(), ");")
        # Not a jump: the exceptions of the MPI pass through this function.
        lines += ['        __asm__("" : "+r"(cs_result));', "        return cs_result;", "    }"]
        lines += self.native_call()
        return lines + ([f"    return {end}"] if noted == "cs_result" else [f"    {end}", "    return cs_result;"])

    def otherwise(self):
        """A function for such calls that are not in the steady state."""
        parameters = ["struct cs_call *cs_call", "const void *cs_site", "const void *cs_frame"] + [parameter.text for parameter in self.prototype.parameters]
        opening = f"static __attribute__((noinline)) {spaced(self.result)}{self.prototype.name}_otherwise("
        self.entering = "cs_enter_of_frame"
        body = [line.replace("&cs_call", "cs_call").replace("__builtin_return_address(0)", "cs_site, cs_frame") for line in self.body()[1:]]
        return wrap_call(opening, parameters, ")") + ["{"] + body[1:] + ["}", ""]


def chapter_source(chapter, pairs):
    """The C file of a chapter; `pairs` are (Function, Prototype)."""
    head = BANNER.format(source=f"gen/spec/{chapter}.spec")
    includes = '#define CS_ALL_ARE_RECORDED /* see call.h */\n\n#include "next.h"\n\n#include "functions.h"\n#include "wrappers/roles.h"\n'
    return head + includes + "".join("\n" + wrapper(function, prototype) for function, prototype in pairs)


def wrapper(function, prototype, native="cs_next.{}"):
    """The C text of one wrapper; native is the pattern of the function that it forwards to."""
    it = CWrapper(function, prototype, native.format(prototype.name))
    lines = [f"/* {function} */"] + (it.otherwise() if it.is_plain else []) + signature(prototype)
    lines += ["{"] + (it.plain_body() if it.is_plain else it.body()) + ["}"]
    return "\n".join(lines) + "\n"


def signature(prototype):
    parameters = [parameter.text for parameter in prototype.parameters] or ["void"]
    return wrap_call(f"CS_EXPORT {spaced(prototype.result)}{prototype.name}(", parameters, ")")
