"""What an MPI has and callsign cannot record: left to the MPI as if callsign were not there, and named, so that an MPI that is newer than
callsign is served all the same.

A function of the standard that gen/spec lacks ends the build, because a line there has it recorded, unless that is not wanted. Extensions and
entry points for Fortran come and go with releases: those never do."""

from .text import BANNER

# Why.
UNKNOWN = "not in gen/spec"
UNDECLARED = "mpi.h does not declare it"
OTHER = "its arguments are not those of gen/spec"

# What may be passed on.
NOTHING, EXTENSIONS, EVERYTHING = range(3)

HINT = "to build callsign without recording what it does not know: -DCALLSIGN_UNKNOWN=pass"

SOURCE = """\
/* What this MPI has and callsign does not record: names, each with its end, and an empty one. `callsign version` reads them in the library's file. */
extern const char callsign_passed_on[] __attribute__((visibility("default")));
const char callsign_passed_on[] ={names};
"""


class PassedOn:
    """Names, with the reason of each."""

    def __init__(self, allowed=NOTHING):
        self.allowed = allowed
        self.reasons = {}

    def may(self, extension):
        return self.allowed >= (EXTENSIONS if extension else EVERYTHING)

    def take(self, name, reason, extension):
        """Whether it may be passed on; then it is noted. extension: it is no function of the standard."""
        if self.may(extension):
            self.reasons[name] = reason
        return self.may(extension)

    def __contains__(self, name):
        return name in self.reasons

    def leave_out(self, names):
        """Of what callsign serves all the same."""
        self.reasons = {name: reason for name, reason in self.reasons.items() if name not in names}

    def line(self):
        """All of them, by reasons."""
        reasons = sorted(set(self.reasons.values()))
        return "; ".join(f"{', '.join(sorted(name for name in self.reasons if self.reasons[name] == reason))} ({reason})" for reason in reasons)


def text(passed):
    """passed_on.txt: a name in each line, the reason behind it."""
    return "".join(f"{name} # {reason}\n" for name, reason in sorted(passed.reasons.items()))


def source(passed):
    names = "".join(f'\n    "{name}\\0"' for name in sorted(passed.reasons)) or ' ""'
    return BANNER.format(source="gen/spec") + SOURCE.format(names=names)
