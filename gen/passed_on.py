"""Functions of an MPI that callsign cannot record. They pass through as if callsign were absent and are listed, so that callsign works with an MPI that
is newer than itself.

A function of the standard that gen/spec lacks stops the build, unless that is disabled: one line there makes it recorded. Extensions and Fortran
entry points come and go with releases, so they never stop it."""

from .text import BANNER

# Why.
UNKNOWN = "not in gen/spec"
UNDECLARED = "mpi.h does not declare it"
OTHER = "its arguments are not those of gen/spec"

# The functions that may pass through.
NOTHING, EXTENSIONS, EVERYTHING = range(3)

HINT = "to build callsign without recording what it does not know: -DCALLSIGN_UNKNOWN=pass"

SOURCE = """\
/* Functions of this MPI that callsign does not record: names, each with its end, and an empty one. `callsign version` reads them in the library's file. */
extern const char callsign_passed_on[] __attribute__((visibility("default")));
const char callsign_passed_on[] ={names};
"""


class PassedOn:
    """Functions that pass through, each with its reason."""

    def __init__(self, allowed=NOTHING):
        self.allowed = allowed
        self.reasons = {}

    def may(self, extension):
        return self.allowed >= (EXTENSIONS if extension else EVERYTHING)

    def take(self, name, reason, extension):
        """True if the function may pass through; then it is noted. extension: it is no function of the standard."""
        if self.may(extension):
            self.reasons[name] = reason
        return self.may(extension)

    def __contains__(self, name):
        return name in self.reasons

    def leave_out(self, names):
        """Removes the functions that callsign serves after all."""
        self.reasons = {name: reason for name, reason in self.reasons.items() if name not in names}

    def line(self):
        """All functions as text, grouped by reason."""
        reasons = sorted(set(self.reasons.values()))
        return "; ".join(f"{', '.join(sorted(name for name in self.reasons if self.reasons[name] == reason))} ({reason})" for reason in reasons)


def text(passed):
    """passed_on.txt: one name per line, followed by its reason."""
    return "".join(f"{name} # {reason}\n" for name, reason in sorted(passed.reasons.items()))


def source(passed):
    names = "".join(f'\n    "{name}\\0"' for name in sorted(passed.reasons)) or ' ""'
    return BANNER.format(source="gen/spec") + SOURCE.format(names=names)
