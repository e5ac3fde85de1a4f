"""Writes journal_writers.h from gen/model: a function for each fact that appends the fact with its texts."""

from .layout import c_name
from .model_tables import NOTE
from .problem import Problems

HEAD = """\
#pragma once

#include "journal/writer.h"

/* Each appends a fact, whose fields the caller names, and its texts; NULL is "". See cs_journal_append. */
"""


STRINGS_MOST = 4  # in cs_journal_append


def writer(fact):
    texts = [item.name for item in fact.items if item.type == "text"]
    if len(texts) > STRINGS_MOST:
        raise Problems([f"fact {fact.name}: it has {len(texts)} texts, and cs_journal_append takes {STRINGS_MOST}"])
    parameters = "".join(f", const char *{name}" for name in texts)
    append, strings = "cs_journal_append", ""
    if texts:
        append, strings = "cs_journal_append_texts", f", (const char *const[]){{{', '.join(texts)}}}, {len(texts)}"
    return (f"\n/* {fact.comment} */\n"
            f"static inline void cs_write_{fact.name}(struct cs_journal *journal, struct {c_name(fact)} fact{parameters})\n{{\n"
            f"    {append}(journal, CS_FACT_{fact.name.upper()}, &fact.fact, sizeof fact{strings});\n}}\n")


def header(model):
    # Writers of facts with bytes or an array behind their structure are written by hand.
    simple = [fact for fact in model.of_kind("fact") if not any(item.type == "bytes" or item.type.endswith("[]") for item in fact.items)]
    return NOTE.replace("tables", "writers") + HEAD + "".join(writer(fact) for fact in simple)
