"""Writes the code that all MPIs share: numbers, names and classes of functions, and the names for preload/."""

from .spec import COLLECTIVES, EPOCH_ACTS, MODES, PARTICIPANTS, REQUEST_ACTS, TOPOLOGIES, TRANSFERS, WAITS
from .text import BANNER

HEADER = """\
#ifndef CS_GENERATED_FUNCTIONS_H
#define CS_GENERATED_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of an MPI function: the same in all traces, for ever. 0 is none. */
enum cs_function_number {{
{numbers}
    CS_FUNCTION_MAX = {most} /* the largest one */
}};

{enums}

struct cs_function {{
    uint16_t number;
    const char *name;  /* of the C function: "MPI_Send" */
    const char *class; /* what it is for: "point-to-point" */
    enum cs_collective collective;
    enum cs_wait wait;
    enum cs_transfer transfer;
    enum cs_mode mode;
    enum cs_request_act request_act;
    enum cs_epoch_act epoch_act;
    enum cs_new_topology new_topology;
    enum cs_verb verb;
    enum cs_participants participants;
    const char *shape;     /* of the datatype that it makes, and the arguments that its name tells: "vector,count,blocklength,stride" */
    uint8_t root, op, datatype; /* which arguments these are, from 1; 0: it has none. Of several datatypes that of what it sends */
    bool synchronizing; /* nobody leaves it before all members have entered it */
    bool synchronous;   /* its sends are complete only when their receive has begun */
    bool buffered;      /* its sends are complete without the receiver */
    bool duplicates;    /* what it makes is a copy of its parent, with the attributes that their functions copy */
    bool inactive;       /* do not ask the MPI about what it makes: it has to be started first */
    bool polls;          /* it returns at once, and programs repeat it until it finds something */
    bool needs_mpi;      /* it must not be called after MPI_Finalize */
    bool runs_callbacks; /* it may run functions of the program that copy or delete attributes */
}};

/* The words of gen/spec for the constants of each enum; NULL: none. */
{words_declared}

/* All functions that callsign knows, sorted by number. */
extern const struct cs_function cs_functions[];
extern const size_t cs_function_count;

/* The same for debuggers, a line each: "1000 MPI_Send class:point-to-point transfer:send". It can be written to so that it lies in memory that is in cores. */
extern char cs_function_text[];
extern const size_t cs_function_text_bytes;

/* The function with this number; NULL if there is none. */
const struct cs_function *cs_function_find(uint16_t number);

#endif
"""

SOURCE = """\
#include "functions.h"

const struct cs_function cs_functions[] = {{
{entries}
}};
{words}
const size_t cs_function_count = sizeof cs_functions / sizeof cs_functions[0];

char cs_function_text[] =
{lines};
const size_t cs_function_text_bytes = sizeof cs_function_text - 1;

/* Numbers are sparse: the numbers of a block have a row of places, if there are any. */
static const uint8_t row[] = {{
{rows}
}};
static const uint16_t place[][{block}] = {{
{places}
}};

const struct cs_function *cs_function_find(uint16_t number)
{{
    size_t at = number <= CS_FUNCTION_MAX ? place[row[number / {block}]][number % {block}] : 0;

    return at ? &cs_functions[at - 1] : NULL;
}}
"""

BLOCK = 32 # numbers of functions in a row

COMMON_BANNER = BANNER.replace(" and the mpi.h at hand: change those", ": change that")


ENUMS = {
    "collective": ("The processes that a member waits for in a collective call.", COLLECTIVES),
    "wait": ("The event that a blocking call waits for.", WAITS),
    "transfer": ("The direction of a call's data.", TRANSFERS),
    "mode": ("The way in which a call, and an operation that it begins, ends.", MODES),
    "request_act": ("What a call does to the requests that it is on.", REQUEST_ACTS),
    "epoch_act": ("What a call does to an epoch of one-sided communication with certain ranks.", EPOCH_ACTS),
    "participants": ("The processes that take part in making a communicator, a window or a file.", PARTICIPANTS),
    "new_topology": ("The topology of a new communicator, if the MPI must not be queried for it.", TOPOLOGIES),
}


def enums_of(functions):
    """All enums: the fixed ones, and the verbs of the spec."""
    verbs = {function.verb: f'"{function.verb}"' for function in functions if function.verb}
    return {**ENUMS, "verb": ("The word for the creating call in derived names. Calls of one verb on one parent are counted together.", dict(sorted(verbs.items())))}


# Enums whose words appear in a table of the trace or in names.
WORDED = ("collective", "wait", "transfer", "mode", "request_act", "epoch_act", "verb")
ARGUMENTS = ("root", "op", "datatype")
FLAGS = ("synchronizing", "synchronous", "buffered", "duplicates", "inactive", "polls", "needs_mpi", "runs_callbacks")


def header(functions):
    numbers = "\n".join(f"    CS_{function.name} = {function.number}," for function in functions)
    enums = "\n\n".join(enum(kind, comment, words) for kind, (comment, words) in enums_of(functions).items())
    declared = "\n".join(f"extern const char *const cs_{kind}_words[];" for kind in WORDED)
    return COMMON_BANNER.format(source="gen/spec") + HEADER.format(numbers=numbers, most=functions[-1].number, enums=enums, words_declared=declared)


def enum(kind, comment, words):
    lines = [f"/* {comment} */", f"enum cs_{kind} {{", f"    {constant(kind, '')},"]
    lines += [f"    {constant(kind, word)}, /* {meaning} */" for word, meaning in words.items()]
    return "\n".join(lines + ["};"])


def constant(kind, word):
    """The C constant of a word of ENUMS; "" is none."""
    return f"CS_{kind}_{word}".upper().replace("-", "_") if word else f"CS_NO_{kind}".upper()


def source(functions):
    entries = "\n".join(map(entry, functions))
    words = "\n".join(words_of(kind, words) for kind, (_, words) in enums_of(functions).items() if kind in WORDED)
    lines = "\n".join(f'    "{text_line(function)}\\n"' for function in functions)
    rows, places = places_of(functions)
    return COMMON_BANNER.format(source="gen/spec") + SOURCE.format(entries=entries, lines=lines, words=words, rows=rows, places=places, block=BLOCK)


def places_of(functions):
    """The row of each block of numbers, and the rows: a function's place in the table plus 1. Row 0 is of blocks without functions."""
    rows, places = {}, ["    {0},"]
    for at, function in enumerate(functions):
        block, column = divmod(function.number, BLOCK)
        if block not in rows:
            rows[block] = len(places)
            places.append([])
        places[rows[block]].append(f"[{column}] = {at + 1}")
    assert len(places) <= 256
    lines = places[:1] + ["    {" + ", ".join(each) + "}," for each in places[1:]]
    return "\n".join(f"    [{block}] = {row}," for block, row in rows.items()), "\n".join(lines)


def text_line(function):
    """The line of a function that debuggers read."""
    properties = (("class", function.klass), ("transfer", function.transfer), ("shape", function.shape))
    return " ".join([str(function.number), function.name, *(f"{word}:{value}" for word, value in properties if value)])


def words_of(kind, words):
    lines = [f'    [{constant(kind, word)}] = "{word}",' for word in words]
    return "\n".join([f"const char *const cs_{kind}_words[] = {{"] + lines + ["};"])


def entry(function):
    """The fields that are not 0."""
    fields = [f".number = {function.number}", f'.name = "{function.name}"', f'.class = "{function.klass}"']
    fields += [f".{kind} = {constant(kind, getattr(function, kind))}" for kind in [*ENUMS, "verb"] if getattr(function, kind)]
    fields += [f'.shape = "{function.shape}"'] if function.shape else []
    fields += [f".{argument} = {getattr(function, argument)}" for argument in ARGUMENTS if getattr(function, argument)]
    fields += [f".{flag} = true" for flag in FLAGS if getattr(function, flag)]
    return f"    {{{', '.join(fields)}}},"


def columns(function):
    """The row of a function in the trace's table, by column."""
    row = {"function": function.number, "name": function.name, "class": function.klass, "waits": function.wait, "mode": function.mode}
    row |= {"transfer": function.transfer, "collective": function.collective, "creates": function.verb, "request_act": function.request_act}
    row |= {argument: getattr(function, argument) or None for argument in ARGUMENTS}
    row |= {"epoch_act": function.epoch_act, "synchronizing": int(function.synchronizing), "synchronous": int(function.synchronous)}
    row |= {"duplicates": int(function.duplicates)}
    return {column: value if value != "" else None for column, value in row.items()}


def names(functions):
    return "".join(function.name + "\n" for function in functions)


def stand_in(symbols):
    """A library of empty functions. Programs that link it find one of several MPIs when they run."""
    names = sorted(symbols.functions | symbols.pmpi)
    lines = "\n".join(f"void {name}(void);\nvoid {name}(void)\n{{\n}}" for name in names)
    return f"/* Generated by gen/: programs are linked with it; it is never loaded. */\n#pragma GCC visibility push(default)\n\n{lines}\n"
