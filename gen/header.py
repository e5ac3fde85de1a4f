"""Reads the prototypes of an MPI with the C preprocessor and pycparser."""

import os
import subprocess
import tempfile

from pycparser import c_ast, c_generator, c_parser

from .problem import Problems
from .prototype import Parameter, Prototype, Type

# Makes a header declare all that its library exports. These are also the first lines of every generated file. By default Open MPI hides the functions
# that MPI-3.0 removed, but still exports them.
INCLUDES = """\
#ifndef OMPI_OMIT_MPI1_COMPAT_DECLS
#define OMPI_OMIT_MPI1_COMPAT_DECLS 0
#endif
#include <mpi.h>
#if defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
"""

# GNU extensions of C that pycparser does not know.
GNU_C = [
    "-D__attribute__(x)=",
    "-D__asm__(x)=",
    "-D__extension__=",
    "-D__inline=inline",
    "-D__inline__=inline",
    "-D__restrict=restrict",
    "-D__builtin_va_list=int",
    "-D__builtin_offsetof(t,m)=0",
]

PREFIXES = ("MPI_", "MPIX_")


def read_prototypes(compiler, includes):
    """The functions that the mpi.h in the folders `includes` declares, by name. `compiler` is a command."""
    prototypes = parse_prototypes(preprocess(compiler, includes), "mpi.h")
    if not prototypes:
        raise Problems([f"mpi.h in {' '.join(includes)}: it declares no function of MPI: is this the right folder?"])
    return prototypes


def preprocess(compiler, includes, options=()):
    """The preprocessed text of INCLUDES. Raises Problems."""
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "mpi_all.c")
        with open(source, "w", encoding="utf-8") as file:
            file.write(INCLUDES)
        command = [compiler, "-E", "-std=c11", *options, *GNU_C, *("-I" + include for include in includes), source]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise Problems([f"mpi.h: the preprocessor failed: {' '.join(command)}\n{run.stderr.strip()}"])
    return run.stdout


def parse_prototypes(text, filename):
    """The MPI_ and MPIX_ functions that preprocessed C declares, by name."""
    try:
        tree = c_parser.CParser().parse(text, filename)
    except Exception as error:  # the class of pycparser's error differs between versions
        raise Problems([f"{filename}: pycparser does not understand this header: {error}"]) from error
    prototypes = {}
    for node in tree.ext:
        if isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.FuncDecl) and node.name.startswith(PREFIXES):
            prototypes[node.name] = prototype(node)
    return prototypes


def macro_names(compiler, includes):
    """The names of all macros that are defined after including mpi.h."""
    lines = preprocess(compiler, includes, ["-dM"]).splitlines()
    return {line.split()[1].split("(")[0] for line in lines if line.startswith("#define ")}


def prototype(node):
    generator = c_generator.CGenerator()
    nodes = node.type.args.params if node.type.args else []
    variadic = any(isinstance(parameter, c_ast.EllipsisParam) for parameter in nodes)
    nodes = [parameter for parameter in nodes if not isinstance(parameter, c_ast.EllipsisParam)]
    if len(nodes) == 1 and not nodes[0].name and type_of(nodes[0].type) == Type("void", 0):
        nodes = []
    return Prototype(
        name=node.name,
        result=result_text(generator, node.type.type),
        parameters=tuple(parameter(generator, position, each) for position, each in enumerate(nodes, 1)),
        variadic=variadic,
        where=f"{os.path.basename(node.coord.file)}:{node.coord.line}",
    )


def result_text(generator, node):
    # The innermost declarator has the function's name, which is not part of the type.
    inner = declarator(node)
    name, inner.declname = inner.declname, None
    text = generator.visit(node)
    inner.declname = name
    return text


def parameter(generator, position, node):
    name = node.name
    if not name:
        name = f"argument{position}"
        declarator(node.type).declname = name
    constant = "const" in declarator(node.type).quals
    return Parameter(name=name, text=generator.visit(node), type=type_of(node.type), constant=constant)


def declarator(node):
    while not isinstance(node, c_ast.TypeDecl):
        node = node.type
    return node


def type_of(node):
    pointers = 0
    while isinstance(node, (c_ast.PtrDecl, c_ast.ArrayDecl)):
        pointers += 1
        node = node.type
    if isinstance(node, c_ast.FuncDecl):
        return Type("function", pointers)
    inner = node.type
    base = " ".join(inner.names) if isinstance(inner, c_ast.IdentifierType) else f"struct {inner.name}"
    return Type(base, pointers)
