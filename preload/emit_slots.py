"""Writes the assembly list of the front library: one slot and one stub per MPI function name.

    emit_slots.py OUTPUT NAMES...

NAMES are files with one function name per line ('#' begins a comment). A slot's index is the name's position in the sorted
union of the lists; the front library finds a name by binary search in the same order (cs_front_names). The code of a stub is the
macro SLOT of preload/stub_<processor>.h.
"""

import re
import sys

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


def read_names(paths):
    """The sorted union of the lists, in the byte order of strcmp."""
    names = set()
    for path in paths:
        with open(path, encoding="ascii") as lines:
            for number, line in enumerate(lines, 1):
                name = line.partition("#")[0].strip()
                if not name:
                    continue
                if not NAME.match(name):
                    sys.exit(f"{path}:{number}: '{name}' is not a function name")
                names.add(name)
    if not names:
        sys.exit(f"{' '.join(paths)}: no function names: the front library would intercept nothing")
    return sorted(names)


def slots_text(names):
    """The assembly file: stubs, their slots, and the names in the same order."""
    stubs = "\n".join(f"    SLOT {name}, {index}" for index, name in enumerate(names))
    offsets, position = [], 0
    for name in names:
        offsets.append(f"    .long {position}")
        position += len(name) + 1
    strings = "\n".join(f'    .asciz "{name}"' for name in names)
    distances = "\n".join(f"    .long .Lstub_{index} - ." for index in range(len(names)))
    return f"""/* {len(names)} MPI functions. Written by preload/emit_slots.py. */
#include "preload/stub.h"

    .text
{stubs}

/* Zero until the first call of any of them: nothing to relocate when the library is loaded. */
    .bss
    .balign 64
    .hidden cs_front_slots
    .globl cs_front_slots
    .type cs_front_slots, %object
cs_front_slots:
    .skip {8 * len(names)}
    .size cs_front_slots, . - cs_front_slots

    .section .rodata
    .balign 8
    .hidden cs_front_count
    .globl cs_front_count
    .type cs_front_count, %object
cs_front_count:
    .long {len(names)}
    .size cs_front_count, 4

/* Offsets and not pointers: pointers would have to be relocated in every process. */
    .balign 8
    .hidden cs_front_name_offsets
    .globl cs_front_name_offsets
    .type cs_front_name_offsets, %object
cs_front_name_offsets:
{chr(10).join(offsets)}
    .size cs_front_name_offsets, . - cs_front_name_offsets

/* From each entry to its stub. */
    .balign 8
    .hidden cs_front_stub_distances
    .globl cs_front_stub_distances
    .type cs_front_stub_distances, %object
cs_front_stub_distances:
{distances}
    .size cs_front_stub_distances, . - cs_front_stub_distances

    .hidden cs_front_names
    .globl cs_front_names
    .type cs_front_names, %object
cs_front_names:
{strings}
    .size cs_front_names, . - cs_front_names

    .section .note.GNU-stack, "", %progbits
"""


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    output, *lists = sys.argv[1:]
    text = slots_text(read_names(lists))
    with open(output, "w", encoding="ascii") as file:
        file.write(text)


if __name__ == "__main__":
    main()
