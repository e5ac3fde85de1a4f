"""Writes creations.h and .c: what the names of new communicators, windows and files say of the function that created them.

From roles such as `lineage:dup,whole`: the verb, as names have it, and who takes part."""

from .emit_tables import COMMON_BANNER
from .spec import PARTICIPANTS

HEADER = """\
#ifndef CS_GENERATED_CREATIONS_H
#define CS_GENERATED_CREATIONS_H

#include <stdint.h>

/* What a name says of the call. Calls of one verb on one parent are counted together. */
enum cs_verb {{
{verbs}
}};

/* A verb as names have it: "split_type". */
extern const char *const cs_verb_words[];

/* Who takes part in a creation. */
enum cs_participants {{
{participants}
}};

struct cs_creation {{
    uint16_t function;
    enum cs_verb verb;
    enum cs_participants participants;
}};

/* What the function with this number creates, of what has a name from its lineage; NULL: nothing. */
const struct cs_creation *cs_creation_find(uint16_t function);

#endif
"""

SOURCE = """\
#include "creations.h"

#include <stdlib.h>

#include "functions.h"

const char *const cs_verb_words[] = {{
{words}
}};

/* Sorted by number. */
static const struct cs_creation creations[] = {{
{creations}
}};

static int compare(const void *function, const void *creation)
{{
    return *(const uint16_t *)function - ((const struct cs_creation *)creation)->function;
}}

const struct cs_creation *cs_creation_find(uint16_t function)
{{
    return bsearch(&function, creations, sizeof creations / sizeof *creations, sizeof *creations, compare);
}}
"""


def header(functions):
    verbs = "\n".join(f"    {verb_constant(verb)}," for verb in verbs_of(functions))
    participants = "\n".join(f"    {participants_constant(word) + ',':11} /* {meaning} */" for word, meaning in PARTICIPANTS.items())
    return COMMON_BANNER.format(source="gen/spec") + HEADER.format(verbs=verbs, participants=participants)


def source(functions):
    words = "\n".join(f'    [{verb_constant(verb)}] = "{verb}",' for verb in verbs_of(functions))
    creations = "\n".join(creation(function) for function in functions if function.lineage)
    return COMMON_BANNER.format(source="gen/spec") + SOURCE.format(words=words, creations=creations)


def creation(function):
    verb, participants = verb_constant(function.lineage.verb), participants_constant(function.lineage.participants)
    return f"    {{CS_{function.name}, {verb}, {participants}}},"


def verbs_of(functions):
    return sorted({function.lineage.verb for function in functions if function.lineage})


def verb_constant(verb):
    return f"CS_VERB_{verb.upper()}"


def participants_constant(word):
    return f"CS_{word.upper()}"
