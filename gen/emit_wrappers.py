"""Writes the wrappers of one chapter: one short function per function of MPI."""

from . import roles
from .text import BANNER, spaced, wrap_assignment, wrap_call

STATUS_LOCAL = "cs_status"


def chapter_source(chapter, pairs):
    """The C of a chapter; `pairs` are (Function, Prototype)."""
    head = BANNER.format(source=f"gen/spec/{chapter}.spec")
    includes = '#include "next.h"\n\n#include "functions.h"\n#include "wrappers/call/call.h"\n#include "wrappers/roles.h"\n'
    return head + includes + "".join("\n" + wrapper(function, prototype) for function, prototype in pairs)


def wrapper(function, prototype, next_pointer="cs_next.{}"):
    """The C of a function; next_pointer says, by its name, what it forwards to."""
    lines = [f"/* {function} */"]
    lines += signature(prototype)
    lines += ["{"] + body(function, prototype, next_pointer.format(prototype.name)) + ["}"]
    return "\n".join(lines) + "\n"


def signature(prototype):
    parameters = [parameter.text for parameter in prototype.parameters] or ["void"]
    return wrap_call(f"CS_EXPORT {spaced(prototype.result)}{prototype.name}(", parameters, ")")


def body(function, prototype, forward):
    def at_work(*times):
        return [use for use in function.uses if roles.ROLES[use.role].when in times]

    statuses = [prototype.parameters[use.positions[0] - 1].name for use in at_work(roles.STATUS)]
    frees = at_work(roles.FREES)
    after = at_work(roles.DETAIL) + at_work(roles.AFTER_OBJECT) + at_work(roles.AFTER_BYTES) + at_work(roles.AFTER_REQUEST)
    lines = ["    struct cs_call cs_call;"]
    lines += [f"    MPI_Status {STATUS_LOCAL};" for _ in statuses]
    arguments = [parameter.name for parameter in prototype.parameters]
    lines += ["", "    if (cs_is_forwarded(__builtin_return_address(0)))"] + wrap_call(f"        return {forward}(", arguments, ");")
    lines += [f"    cs_enter(&cs_call, CS_{prototype.name}, __builtin_return_address(0));"]
    for use in at_work(roles.BEFORE):
        lines += statement(use, prototype, 4)
    for status in statuses:
        lines += [f"    if ({status} == MPI_STATUS_IGNORE)", f"        {status} = &{STATUS_LOCAL};"]
    for use in frees:
        lines += guarded_free(use, prototype)
    lines += ["    cs_start(&cs_call);"] + native_call(prototype, forward) + ["    cs_stop(&cs_call);"]
    if frees or at_work(roles.DETAIL, roles.AFTER_OBJECT):
        lines += ["    CS_KEEP_ERRNO;"]
    if frees:
        lines += ["    cs_freed(&cs_call, cs_result == MPI_SUCCESS);"]
    if after:
        lines += after_success(after, prototype)
    elif any(use.role in roles.NAMING for use in function.uses) and prototype.result == "int":
        # A handle that callsign does not know yet is known to be good once a call with it has succeeded.
        lines += ["    cs_succeeded(&cs_call, cs_result);"]
    return lines + ["    cs_leave(&cs_call);", "    return cs_result;"]


def native_call(prototype, forward):
    arguments = [parameter.name for parameter in prototype.parameters]
    return wrap_assignment(f"    {spaced(prototype.result)}cs_result =", f"{forward}(", arguments, ");")


def guarded_free(use, prototype):
    """The program may pass NULL for the handle, and the MPI will say so: callsign must not fall over it first."""
    name = prototype.parameters[use.positions[0] - 1].name
    return [f"    if ({name})"] + statement(use, prototype, 8)


def after_success(uses, prototype):
    statements = [line for use in uses for line in statement(use, prototype, 8)]
    braces = len(statements) > 1
    opening = "    if (cs_succeeded(&cs_call, cs_result))" + (" {" if braces else "")
    return [opening] + statements + (["    }"] if braces else [])


def statement(use, prototype, indent):
    condition, function, arguments = roles.call(use, prototype)
    lines = []
    if condition:
        lines.append(" " * indent + f"if ({condition})")
        indent += 4
    return lines + wrap_call(" " * indent + function + "(", arguments, ");")
