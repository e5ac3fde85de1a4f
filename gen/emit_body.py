"""Writes the body of a wrapper. C and Fortran share the steps; wrappers/call/call.h shows them."""

from . import argument_checks, roles
from .text import wrap_assignment, wrap_call

STATUS_LOCAL = "cs_status"


class Wrapper:
    """A wrapper of one function. Subclasses for C and Fortran define what differs, and these attributes:

    result          type of the native function's result: "void", "int"
    code            its error code as an expression; "" if it has none
    native          the native function as an expression
    entering        the function that begins the call
    """

    def __init__(self, function, prototype):
        self.function = function
        self.prototype = prototype
        self.has_list = roles.has_list(function.uses)

    # ---- what differs ----

    def declarations(self):
        """Lines after the first local variable."""

    def opening(self):
        """Lines before cs_enter."""

    def arguments(self):
        """The arguments of the native function: those of the wrapper."""

    def is_ignored(self, status):
        """The condition that the program ignores this status."""

    def guarded(self, use):
        """The lines of a role that frees."""

    def argument(self, position, argument):
        """The text of a role's argument at this position of the function."""

    def is_true(self, position):
        """The condition that the flag at this position was set."""

    def function_of(self, role):
        """The C function of a role, in this language."""

    # ---- what does not ----

    def name_at(self, position):
        return self.prototype.parameters[position - 1].name

    def uses(self, *times):
        return [use for time in times for use in self.function.uses if roles.ROLES[use.role].when == time]

    @property
    def is_alone(self):
        """The call can have no envelope: its end is shorter."""
        function = self.function
        return not (function.collective or function.polls or function.reads_clock) and all(use.role in roles.ALONE | {*roles.ADOPTING, "ignores", "of"} for use in function.uses)

    def body(self):
        lines = ["    struct cs_call cs_call;"] + self.declarations()
        if self.has_list:
            lines += [f"    struct cs_request_list {roles.LIST};"]
        elif self.uses(roles.STATUS):
            lines += [f"    MPI_Status {STATUS_LOCAL};"]
        lines += [""] + self.opening()
        clock = "_clock" if self.function.reads_clock else ""
        lines += self.enter(clock)
        lines += ["    cs_polls(&cs_call);"] if self.function.polls else []
        lines += self.statements(self.uses(roles.BEFORE), 4)
        for use in self.uses(roles.FREES):
            lines += self.guarded(use)
        lines += self.checks()
        for use in self.uses(roles.STATUS):
            lines += self.own_status(use)
        lines += [f"    {roles.ROLES[use.role].before}(&cs_call);" for use in self.function.uses if roles.ROLES[use.role].before]
        if self.function.collective:
            form = "_with" if any(roles.ROLES[use.role].fills_data for use in self.function.uses) else ""
            lines += [f"    cs_collective{form}(&cs_call, CS_{self.function.operation});"]
        start, stop = (f"    cs_{each}{clock}(&cs_call);" for each in ("start", "stop"))
        lines += [start] + self.native_call() + [stop]
        if self.uses(roles.FREES, roles.DETAIL, roles.AFTER_OBJECT):
            lines += ["    CS_KEEP_ERRNO;"]
        way = "_alone" if self.is_alone else "_collective" if self.function.collective else clock
        lines += self.always() + self.after_success(f"cs_leave{way}(&cs_call);")
        return lines + ([] if self.result == "void" else ["    return cs_result;"])

    def enter(self, way):
        """Passes a call on at once that is not recorded; but those of functions that read a clock may be kept."""
        entering = f"{self.entering.replace('cs_enter', 'cs_enter' + way)}(&cs_call, CS_{self.function.name}, __builtin_return_address(0))"
        if way == "_clock":
            return [f"    {entering};"]
        if self.result == "void":
            return [f"    if (!{entering}) {{"] + wrap_call(f"        {self.native}(", self.arguments(), ");") + ["        return;", "    }"]
        return [f"    if (!{entering})"] + wrap_call(f"        return {self.native}(", self.arguments(), ");")

    def checks(self):
        """Local checks: one branch if CALLSIGN_CHECK does not ask for them."""
        uses = [use for use in argument_checks.checks(self.function) if roles.ROLES[use.role].when == roles.CHECK]
        if not uses:
            return []
        lines = ["    if (cs_is_checked(&cs_call)) {"]
        if argument_checks.continues_row([use.role for use in uses]):
            return lines + self.checks_of_row(uses)
        words, before = self.words(uses), [use.role for use in uses]
        repeats = (self.repeats if argument_checks.checks_once(self.function, before)
                   else "cs_begins_again" if argument_checks.begins_again(self.function, before) else None)
        begin = "cs_begin_checks(&cs_call);"
        if not repeats or not words:
            return lines + [" " * 8 + begin] + self.statements(uses, 8) + ["    }"]
        later = repeats == "cs_is_checked_before"
        lines += [] if later else [" " * 8 + begin]
        lines += wrap_call("        const uint64_t cs_words[CS_REPEATED_WORDS] = {", [f"CS_KEY({word})" for word in words], "};")
        lines += [f"        if (!{repeats}(&cs_call, cs_words)) {{"] + ([" " * 12 + begin] if later else [])
        return lines + self.statements(uses, 12) + ["        }", "    }"]

    def words(self, uses):
        """The arguments that these checks get."""
        return list(dict.fromkeys(self.argument(*each) for use in uses for each in zip(use.positions, roles.ROLES[use.role].arguments)))

    def checks_of_row(self, uses):
        """Those of a one-sided access: fewer for the next one of a row."""
        of_place, of_origin = ([use for use in uses if use.role in some] for some in (argument_checks.OF_PLACE, argument_checks.OF_ORIGIN))
        of = {use.role: self.words([use]) for use in uses}
        origin, displacement = of["reads" if "reads" in of else "writes"][0], of["reaches-target"][1]
        of.pop("checks-handle-or-null", None)  # "checks-accumulation" has the operation, too
        same = [f"CS_KEY({word})" for word in dict.fromkeys(word for words in of.values() for word in words) if word not in (origin, displacement)]
        return (wrap_call("        const uint64_t cs_words[CS_ROW_WORDS] = {", same, "};")
                + wrap_assignment("        enum cs_continuation cs_continues =", "cs_continues_row(", ["&cs_call", "cs_words", f"CS_KEY({origin})", displacement], ");")
                + ["        if (cs_continues != CS_CONTINUES_ALL)", "            cs_begin_checks(&cs_call);"]
                + ["        if (cs_continues == CS_CONTINUES_NOTHING) {"] + self.statements(of_place, 12)
                + ["        }", "        if (cs_continues != CS_CONTINUES_ALL) {"] + self.statements(of_origin, 12) + ["        }", "    }"])

    def own_status(self, use):
        """If the program ignores the status, the native call writes one of ours. With several requests this happens if one of them needs it."""
        status = self.name_at(use.positions[0])
        if self.has_list:
            statuses = f"{self.function_of(roles.ROLES[use.role])}({status})"
            return [f"    {status} = cs_statuses_needed(&cs_call, &{roles.LIST}, {statuses});"]
        return [f"    if ({self.is_ignored(status)})", f"        {status} = &{STATUS_LOCAL};"]

    def native_call(self):
        if self.result == "void":
            return wrap_call(f"    {self.native}(", self.arguments(), ");")
        return wrap_assignment(f"    {self.result} cs_result =", f"{self.native}(", self.arguments(), ");")

    def always(self):
        """Roles that run whatever the native call returned; they get its result. A role with a flag runs if the call failed or the flag is set."""
        lines = [f"    cs_note_failure(&cs_call, {self.code});"] if self.function.notes_failure and self.code else []
        lines += [f"    cs_collective_returned(&cs_call, {self.code});"] if self.function.collective and self.code else []
        for function in dict.fromkeys(roles.ROLES[use.role].always for use in self.function.uses if roles.ROLES[use.role].always):
            lines += [f"    {function}(&cs_call, {self.code});"]
        for use in self.uses(roles.ALWAYS):
            condition, function, arguments = roles.call(use, self)
            lines += [f"    if ({self.code} != MPI_SUCCESS || {condition})"] if condition else []
            lines += wrap_call(" " * (8 if condition else 4) + function + "(", arguments + [self.code], ");")
        return lines

    def after_success(self, leave):
        """Roles that run if the call succeeded, and the end of the call, which the last of them may be a part of."""
        # A handle that callsign does not know is known to be valid once a call with it has succeeded.
        lines = ["        cs_adopt(&cs_call);"] if any(use.role in roles.ADOPTING for use in self.function.uses) else []
        checks = argument_checks.checks(self.function)
        lines += self.statements([use for use in checks if roles.ROLES[use.role].when == roles.AFTER_OBJECT], 8)
        uses = self.uses(roles.DETAIL, roles.AFTER_OBJECT, roles.AFTER_BYTES, roles.AFTER_REQUEST)
        later = [use for use in checks if roles.ROLES[use.role].when == roles.AFTER_BYTES]
        leaving, replaced = (None, 0) if later or self.function.collective else roles.leaving(uses)
        lines += self.statements(uses[:len(uses) - replaced] + later, 8)
        if leaving:
            lines += wrap_call(f"        {self.function_of(leaving)}(", roles.call(uses[-1], self)[2], ");")
        if not lines or not self.code:
            return ["    " + leave]
        braces = len(lines) > 1
        receives = any(roles.ROLES[use.role].receives for use in self.function.uses)
        condition = f"    if ({'cs_has_received' if receives else 'cs_succeeded'}(&cs_call, {self.code}))"
        if leaving:
            return [condition + " {", *lines, "    } else {", " " * 8 + leave, "    }"]
        return [condition + (" {" if braces else ""), *lines] + (["    }"] if braces else []) + ["    " + leave]

    def statements(self, uses, indent):
        lines = []
        for use in uses:
            condition, function, arguments = roles.call(use, self)
            lines += [" " * indent + f"if ({condition})"] if condition else []
            lines += wrap_call(" " * (indent + 4 if condition else indent) + function + "(", arguments, ");")
        return lines
