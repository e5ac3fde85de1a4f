"""lldb: summaries for handles, the command `mpi`, and functions for scripts and breakpoints. No function of the program is called."""

import os
import re

import lldb

from . import handles, mpi_command
from .handles import POINTED, TYPES, WORDS, Handle
from .lldb_memory import needed, quietly
from .memory import Trouble, Unreadable
from .words import escape


# ---- values ----

def kind_of(type_):
    """(word, whether it is a handle of Fortran's type), or None. A typedef of a typedef is looked through step by step."""
    for _ in range(16):
        type_ = type_.GetUnqualifiedType()
        if type_.IsReferenceType():
            type_ = type_.GetDereferencedType()
            continue
        word = WORDS.get((type_.GetName() or "").lower())
        if word:
            return word, type_.GetTypeClass() == lldb.eTypeClassStruct
        if not type_.IsTypedefType():
            break
        type_ = type_.GetTypedefedType()
    if type_.IsPointerType():
        word = POINTED.get((type_.GetPointeeType().GetUnqualifiedType().GetName() or "").replace("struct ", ""))
        return (word, False) if word else None
    return None


def referred(value):
    """The target of a reference."""
    return value.Dereference() if value.GetType().IsReferenceType() else value


def handle_of(value):
    """A Handle; of no kind if the value's type is that of a plain number."""
    word, in_fortran = kind_of(value.GetType()) or (None, False)
    value = referred(value)
    if in_fortran:
        value = value.GetChildAtIndex(0)
    error = lldb.SBError()
    number = value.GetValueAsSigned(error)
    if error.Fail():
        raise Trouble(f"{escape(value.GetName() or 'it')} is no number, or cannot be read")
    return Handle(number, value.GetByteSize(), word, in_fortran)


def summary(value, _):
    """The text in place of a handle. Always a text: lldb would print None."""
    value = value.GetNonSyntheticValue()
    table = quietly(value.GetProcess())
    try:
        return handles.value_text(table, handle_of(value)) if table else plain(value)
    except Trouble:
        return plain(value)


def plain(value):
    """The value as lldb shows it."""
    return referred(value).GetValue() or ""


# ---- the command ----

def value_of(text, frame, target):
    """The value of an expression. The process does not run meanwhile: nothing is compiled into it."""
    value = frame.GetValueForVariablePath(text) if frame.IsValid() else None
    if value and value.IsValid() and value.GetError().Success():
        return value
    for language in (None, lldb.eLanguageTypeC):  # in words of the frame's language; lldb knows nothing of Fortran's
        options = lldb.SBExpressionOptions()
        options.SetAllowJIT(False)
        options.SetSuppressPersistentResult(True)
        if language:
            options.SetLanguage(language)
        value = frame.EvaluateExpression(text, options) if frame.IsValid() else target.EvaluateExpression(text, options)
        if value.GetError().Success():
            return value
    reason = [line for line in (value.GetError().GetCString() or "").splitlines() if line and "failed to parse" not in line]
    raise Trouble(f"{text}: {escape(re.sub(r'^error: |<user expression.*?: ', '', reason[0]) if reason else 'it has no value')}")


def mpi(debugger, text, context, result, _):
    word, _, rest = text.strip().partition(" ")
    if word not in mpi_command.COMMANDS:
        if word:
            result.SetError(f"mpi {escape(word)}: there is no such command")
        result.AppendMessage("\n".join(mpi_command.help_lines()))
        return
    try:
        table = needed(context.GetProcess())
        lines = mpi_command.answer(table, word, rest, lambda expression: handle_of(value_of(expression, context.GetFrame(), context.GetTarget())))
        result.AppendMessage("\n".join(lines))
    except (Unreadable, Trouble) as trouble:
        result.SetError(f"callsign: {trouble}")


# The text of `help mpi`.
mpi.__doc__ = "Names of MPI objects. EXPR is an expression of the program.\n\n" + "\n".join(mpi_command.help_lines())


# ---- for scripts and breakpoints ----

debugger_here = None  # lldb.debugger is there only while a line of the user's own is run


def selected_frame():
    return debugger_here.GetSelectedTarget().GetProcess().GetSelectedThread().GetSelectedFrame()


def name(expression, frame=None):
    """The name of a handle, or "". The handle is an expression of the program in this frame, or in the selected one."""
    frame = frame or selected_frame()
    process = frame.GetThread().GetProcess()
    table = quietly(process)
    return handles.name_of(table, handle_of(value_of(expression, frame, process.GetTarget()))) if table else ""


def handle(called, kind=None):
    """The handle of the living object of that name. kind: "comm", "type", ..."""
    return handles.called(needed(debugger_here.GetSelectedTarget().GetProcess()), called, kind)


def only(frame, location, arguments, _):
    """For `breakpoint command add -F callsign_lldb.only -k EXPRESSION -v NAME`: stops only if the handle has that name. It does not stop if the
    program's variables are unknown, as at a second location of the breakpoint in a library without debug information."""
    expressions = lldb.SBStringList()
    arguments.GetKeys(expressions)
    try:
        for i in range(expressions.GetSize()):
            expression = expressions.GetStringAtIndex(i)
            if name(expression, frame) != arguments.GetValueForKey(expression).GetStringValue(4096):
                return False
    except (Unreadable, Trouble) as trouble:
        if frame.GetFunction().IsValid():
            print(f"callsign: {trouble}")
            return True
        return False
    return True


# ---- setting it up ----

def register(debugger, module):
    """In a debugger. module: what lldb knows this package's functions by."""
    global debugger_here
    debugger_here = debugger
    category = debugger.CreateCategory("callsign")
    options = lldb.eTypeOptionCascade | lldb.eTypeOptionSkipPointers | lldb.eTypeOptionHideValue
    for type_ in (*TYPES, *(f"{structure} *" for structure in POINTED)):
        category.AddTypeSummary(lldb.SBTypeNameSpecifier(type_), lldb.SBTypeSummary.CreateWithFunctionName(f"{module}.summary", options))
    category.SetEnabled(True)
    result = lldb.SBCommandReturnObject()
    debugger.GetCommandInterpreter().HandleCommand("command script delete mpi", result)  # a second import finds it there
    debugger.HandleCommand(f'command script add -h "names of MPI objects" -f {module}.mpi mpi')


def record(debugger, library):
    """Records programs that lldb starts. It does not use lldb's own environment, which lldb's helpers share."""
    preload = ":".join(filter(None, (library, os.environ.get("LD_PRELOAD"))))
    debugger.HandleCommand('settings append target.env-vars "LD_PRELOAD=' + preload.replace("\\", "\\\\").replace('"', '\\"') + '"')
