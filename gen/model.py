"""Reads gen/model/*.model: facts, cells, tables and enumerations, each declared once.

A file holds one subject. A block begins with a line at the left margin; its items follow, indented:

    KIND NAME [NUMBER] [PROPERTY[:VALUE]...] -- comment
        NAME TYPE [PROPERTY[:VALUE]...] -- comment
            -- more of the comment above

A value with spaces is quoted: word:"receive unknown". Lines that begin with # are notes for those who edit the model.

    table   a table of the trace; gen/model_tables.py lists types and properties of columns
    load    another source for rows of a table: fact.NAME or cell.NAME; gen/model_loaders.py
    update  changes rows of a table later, from fact.NAME or by hand-written code: its items are columns, keys find the rows
    fact    appended to the journal's log: struct cs_fact_NAME, CS_FACT_NAME
    cell    counted in place: struct cs_NAME_cell, CS_BLOCK_NAME; valid:FIELD is 0 until the cell is filled in
    struct  a part of facts, of cells, or of the live table
    enum    named numbers. The type of an item is its number. word:TEXT is its word in a trace, by default its name; noword: it has no
            word. header:ENUM takes the items from a C header
    flags   named bits of a number
    union   the columns of the view that unites all findings: gen/findings.py
    finding a kind of finding; an indented text in quotes is a part of its sentence

gen/layout.py has the types of fields. Blocks with the property python are in debugger/callsign_debugger/layout.py, too.
"""

import os
import re
from dataclasses import dataclass, field

from .problem import Collector, Problems  # noqa: F401  (read_folder raises them)

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "model")

# The subjects, in the order of the tables in traces and documents.
SUBJECTS = ("journal", "stretch", "process", "site", "object", "communicator", "datatype", "wait", "attribute", "placement", "message", "profile", "event", "summary", "finding")

KINDS = ("table", "load", "update", "fact", "cell", "struct", "enum", "flags", "union", "finding")


@dataclass
class Item:
    """A column, a field, or an enumerator."""

    name: str
    type: str
    properties: dict  # property -> value; "" for one without value
    comment: str
    where: str  # file:line

    def has(self, name):
        return name in self.properties

    def get(self, name, default=""):
        return self.properties.get(name, default)


@dataclass
class Block:
    kind: str
    name: str
    number: int  # None: no number
    properties: dict
    comment: str
    where: str
    subject: str
    items: list = field(default_factory=list)
    sentence: str = ""  # of a finding

    def has(self, name):
        return name in self.properties

    def get(self, name, default=""):
        return self.properties.get(name, default)

    def item(self, name):
        """The item with this name, or None."""
        return next((item for item in self.items if item.name == name), None)


class Model:
    """All blocks of all subjects, in order."""

    def __init__(self, blocks):
        self.blocks = blocks

    def of_kind(self, kind):
        return [block for block in self.blocks if block.kind == kind]

    def find(self, kind, name):
        """The block of this kind and name, or None."""
        return next((block for block in self.blocks if block.kind == kind and block.name == name), None)


def read_folder(folder=FOLDER):
    """Reads the model. Raises Problems."""
    problems = Collector()
    subjects = [file.removesuffix(".model") for file in os.listdir(folder) if file.endswith(".model")]
    for unknown in sorted(set(subjects) - set(SUBJECTS)):
        problems.add(f"gen/model/{unknown}.model", "SUBJECTS in gen/model.py does not name this file")
    blocks = []
    for subject in SUBJECTS:
        if subject in subjects:
            with open(os.path.join(folder, f"{subject}.model"), encoding="utf-8") as lines:
                blocks += parse(lines, f"gen/model/{subject}.model", subject, problems)
    check_unique(blocks, problems)
    complete_findings(blocks, problems)
    problems.raise_if_any()
    return Model(blocks)


def parse(lines, filename, subject, problems):
    """Parses the blocks of one file."""
    blocks = []
    for count, line in enumerate(lines, 1):
        where, text = f"{filename}:{count}", line.rstrip()
        if not text.strip() or text.lstrip().startswith("#"):
            continue
        indented = text[0] == " "
        words, _, comment = (" " + text.strip() + " ").partition(" -- ")
        words, comment = words.strip(), comment.strip()
        if not indented:
            blocks.append(parse_header(words, comment, where, subject, problems))
        elif not blocks:
            problems.add(where, "an item without a block")
        elif not words:
            owner = blocks[-1].items[-1] if blocks[-1].items else blocks[-1]
            owner.comment = f"{owner.comment} {comment}".strip()
        elif blocks[-1].kind == "finding":
            blocks[-1].sentence = f"{blocks[-1].sentence} {text.strip().strip(chr(34))}".strip()
        else:
            blocks[-1].items.append(parse_item(words, comment, where, problems))
    return blocks


EXAMPLES = ("wrong", "right", "always", "afterwards")  # properties of one kind, which no other one has by being like it


def complete_findings(blocks, problems):
    """Gives findings that are like another one its properties, and all of them their whole sentence."""
    findings = {block.name: block for block in blocks if block.kind == "finding"}
    patterns = {name: (block.properties, block.sentence) for name, block in findings.items()}
    for block in findings.values():
        like = block.get("like", block.name)
        if like not in patterns:
            problems.add(block.where, f"there is no finding {like}")
            continue
        properties, sentence = patterns[like]
        properties = {name: value for name, value in properties.items() if name not in EXAMPLES}
        own = {name for name in block.properties if name not in ("severity", "from", "where", "picture", "next", "like", "overview", "scarce", "brief", "undecides", *EXAMPLES) and f"<{name}>" not in sentence}
        for unknown in sorted(own):
            problems.add(block.where, f"{unknown} is no property of a finding, and its sentence has no <{unknown}>")
        block.properties = {**properties, **block.properties}
        block.sentence = re.sub(r"<(\w+)>", lambda word, block=block: block.get(word[1]), sentence)


def tokens(words):
    return re.findall(r'[^\s"]+"[^"]*"|\S+', words)


def parse_header(words, comment, where, subject, problems):
    kind, *rest = tokens(words)
    name, *rest = rest or [""]
    if kind not in KINDS:
        problems.add(where, f"{kind} is none of {', '.join(KINDS)}")
    properties = parse_properties(rest[1:] if rest and rest[0].isdigit() else rest)
    if kind in ("load", "update") and "." in name:
        properties["from"], name = name, name.partition(".")[2]
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        problems.add(where, f"expected `{kind} NAME ...`, NAME in lower case")
    if not comment:
        problems.add(where, f"{kind} {name} has no comment")
    number = int(rest[0]) if rest and rest[0].isdigit() else None
    return Block(kind, name, number, properties, comment, where, subject)


def parse_item(words, comment, where, problems):
    name, *rest = tokens(words)
    if not rest:
        problems.add(where, f"{name} has no type")
    return Item(name, rest[0] if rest else "", parse_properties(rest[1:]), comment, where)


def parse_properties(words):
    pairs = (word.partition(":") for word in words)
    return {name: value.strip('"') for name, _, value in pairs}


def check_unique(blocks, problems):
    names, numbers = {}, {}
    for block in blocks:
        first = names.setdefault((block.kind, block.name), block)
        if first is not block:
            problems.add(block.where, f"{block.kind} {block.name} was declared at {first.where}")
        if block.number is not None:
            other = numbers.setdefault((block.kind, block.number), block)
            if other is not block:
                problems.add(block.where, f"{block.kind} {block.number} is {other.name} at {other.where}")
        seen = set()
        for item in block.items:
            if item.name in seen:
                problems.add(item.where, f"{block.name} has {item.name} twice")
            seen.add(item.name)
