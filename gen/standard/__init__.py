"""Declarations of the standard that an MPI may lack, and callsign's queries to an MPI: names.h, private.h and pmpi_queries.txt in this folder.

Both headers contain C as in an mpi.h, but are never compiled as they are. The declarations that the installed mpi.h lacks go into the headers that
the build makes (gen/emit_standard.py). To find out, the build compiles a use of each: a constant may be a macro, an enumerator or a variable, and a
macro may hide a function."""

import os
import re
from dataclasses import dataclass

from ..header import parse_prototypes
from ..problem import Collector, Problems

FOLDER = os.path.dirname(os.path.abspath(__file__))

# Every mpi.h has these. Without them an MPI cannot be supported.
EVERYWHERE = """\
typedef int MPI_Comm;
typedef int MPI_Datatype;
typedef int MPI_Group;
typedef int MPI_Request;
typedef int MPI_Op;
typedef struct MPI_Status MPI_Status;
"""


@dataclass(frozen=True)
class Declaration:
    """One declaration of a header in this folder."""

    name: str
    kind: str  # constant, type, function, or inline: a function with its body
    text: str  # its text, with line breaks
    use: str  # one line of C that compiles only if it is declared

    @property
    def is_about_windows(self):
        return bool(re.search(r"\bMPI_W(IN|in)(_|\b)", self.text))


def declarations(filename):
    """All declarations of a header of this folder, in their order. Raises Problems."""
    with open(os.path.join(FOLDER, filename), encoding="utf-8") as file:
        text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.DOTALL)
    found = []
    for statement in re.findall(r"^#define .*$|^static inline [^}]*}|^[a-zA-Z][^;#]*;", text, flags=re.MULTILINE):
        found.append(declaration(statement, filename))
    return found


def declaration(statement, filename):
    patterns = {
        "constant": r"#define\s+(\w+)\s+(.*)",
        "type": r"typedef\s+.*?(\w+)(?:\(.*\))?;",
        "inline": r"static inline \w+\s+(MPI_\w+)\(.*}",
        "function": r"\w+\s+\**(MPI_\w+)\(.*\);",
    }
    for kind, pattern in patterns.items():
        match = re.fullmatch(pattern, statement, flags=re.DOTALL)
        if match:
            name = match[1]
            address = f"void cs_use_{name}(void); void cs_use_{name}(void) {{ (void)&{name}; }}"
            uses = {
                "inline": address,
                "constant": f"void cs_use_{name}(void); void cs_use_{name}(void) {{ (void)({name}); }}",
                "type": f"typedef {name} *cs_use_{name};",
                "function": address,
            }
            return Declaration(name, kind, statement, uses[kind])
    raise Problems([f"gen/standard/{filename}: this is no #define, typedef or prototype: {statement}"])


def prototypes():
    """The prototypes of all functions in both headers, by name."""
    text = EVERYWHERE + "".join(each.text + "\n" for name in ("private.h", "names.h") for each in declarations(name) if each.kind in ("type", "function"))
    return parse_prototypes(text, "gen/standard")


@dataclass(frozen=True)
class Asked:
    """A function that callsign calls, and the answer if the MPI lacks it: see pmpi_queries.txt."""

    name: str
    answer: str
    where: str  # file:line

    @property
    def short(self):
        return self.name.removeprefix("MPI_")


def pmpi_queries():
    """All functions of pmpi_queries.txt. Raises Problems."""
    problems = Collector()
    known = prototypes()
    found = []
    with open(os.path.join(FOLDER, "pmpi_queries.txt"), encoding="utf-8") as file:
        for count, line in enumerate(file, 1):
            words = line.split("#")[0].split(None, 2)
            where = f"gen/standard/pmpi_queries.txt:{count}"
            if not words:
                continue
            if len(words) < 2 or not re.fullmatch(r"fails|same|cs_\w+|\d=\w+(,\d=\w+)*", words[1]):
                problems.add(where, "expected `function answer`; the first lines of the file say which answers there are")
            elif words[0] not in known:
                problems.add(where, f"{words[0]}: no header in gen/standard declares it")
            elif words[0] in [each.name for each in found]:
                problems.add(where, f"{words[0]} stands there twice")
            else:
                found.append(Asked(words[0], words[1], where))
    problems.raise_if_any()
    return found
