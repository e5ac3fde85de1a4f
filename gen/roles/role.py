"""What a role is: which C function it becomes, when, with which arguments."""

from dataclasses import dataclass

# When a role is at work; a wrapper has them in this order. Those up to STATUS come before the native call, STATUS takes care that there is a
# status to look at. ALWAYS runs whatever the call returned, which is its last argument. All that follow run only when the call succeeded.
NEVER, BEFORE, FREES, STATUS, ALWAYS, DETAIL, AFTER_OBJECT, AFTER_BYTES, AFTER_REQUEST = range(9)


@dataclass(frozen=True)
class Role:
    name: str
    function: str
    when: int
    arguments: tuple
    optional: int = 0  # that many of the last arguments may be missing
    missing: str = ""  # what is passed instead
    condition: int = 0  # number in `arguments` (from 1) of one that is not passed but must be true at run time
    template: str = ""  # how the arguments are combined, where it is not one after the other
    fortran: str = ""  # the function for Fortran, where it is another
    waiting: str = ""  # the function in calls that wait, where it is another
    first: tuple = ()  # what is passed before the arguments
    receives: bool = False  # a message that was too long for the buffer has come nevertheless
    before: str = ""  # a function that comes right before the native call, without arguments
    always: str = ""  # a function that follows the native call whatever it returned, which is its only argument


def from_fortran_too(name, function, when, arguments):
    """A role whose arguments have another shape in Fortran."""
    return Role(name, function, when, arguments, fortran=function + "_fortran")
