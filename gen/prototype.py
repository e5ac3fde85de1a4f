"""Prototypes of MPI functions, as header.py reads them. Programs that read no header need no pycparser, which loads slowly."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Type:
    """The type of a parameter or result, as roles see it: `const int[]` is Type("int", 1)."""

    base: str
    pointers: int

    def __str__(self):
        return self.base + (" " + "*" * self.pointers if self.pointers else "")


@dataclass(frozen=True)
class Parameter:
    name: str
    text: str  # the whole declarator: `const int recvcounts[]`
    type: Type
    constant: bool  # the target of the pointer is const


@dataclass(frozen=True)
class Prototype:
    name: str
    result: str  # text of the result type
    parameters: tuple
    variadic: bool
    where: str  # file:line of the header
