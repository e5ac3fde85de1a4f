"""Defines a role: its C function, its place in a wrapper, and its arguments."""

from dataclasses import dataclass

# The steps of a wrapper, in order. Roles up to STATUS run before the native call; CHECK ones only if CALLSIGN_CHECK asks for them; STATUS provides a
# status to read. ALWAYS runs whatever the call returned, and gets the result as its last argument. The later ones run only if the call succeeded.
NEVER, BEFORE, FREES, CHECK, STATUS, ALWAYS, DETAIL, AFTER_OBJECT, AFTER_BYTES, AFTER_REQUEST = range(10)


@dataclass(frozen=True)
class Role:
    name: str
    function: str
    when: int
    arguments: tuple
    optional: int = 0  # number of arguments at the end that may be missing
    missing: str = ""  # passed in place of a missing argument
    condition: int = 0  # number in `arguments` (from 1) of one that is not passed, but must be true at run time
    template: str = ""  # combines the arguments, if not in order
    fortran: str = ""  # function for Fortran, if another
    waiting: str = ""  # function in calls that wait, if another
    first: tuple = ()  # passed before the arguments
    receives: bool = False  # a message that was too long for the buffer counts as received
    before: str = ""  # function called directly before the native call, without arguments
    fills_data: bool = False  # it fills struct cs_collective_data of the call, which the collective call keeps
    always: str = ""  # function called after the native call, with its result as the only argument


def from_fortran_too(name, function, when, arguments):
    """A role with a separate function for Fortran, whose arguments have another form."""
    return Role(name, function, when, arguments, fortran=function + "_fortran")
