#!/usr/bin/env python3
"""Writes the manual pages and the completion of shells from the output of the command itself, as reference.py does.

    manual.py CALLSIGN FOLDER    FOLDER gets share/man and the files of bash, zsh and fish below share; CALLSIGN: the command

Each help page consists of parts with empty lines between them: "Usage:", paragraphs, options, other indented lines with or without a title,
and "Examples:". `parts_of` reads them; nothing else knows the words of a help page.
"""
import dataclasses
import pathlib
import re
import sys

import reference

SOURCE = pathlib.Path(__file__).resolve().parent.parent
OPTION = re.compile(r"^  (?: {0,4})((?:-\w, )?--[\w-]+|-\w)(\[?[= ]\S+)?(?:  +(\S.*))?$")


@dataclasses.dataclass
class Option:
    letter: str
    name: str
    argument: str  # placeholder; "": none
    optional: bool
    text: str

    def choices(self):
        return self.argument.split("|") if "|" in self.argument else []


@dataclasses.dataclass
class Part:
    kind: str  # usage, text, options, lines
    title: str
    lines: list
    options: list = dataclasses.field(default_factory=list)


def read_option(line):
    """The option of a line of a help page; None: the line has none."""
    match = OPTION.match(line)
    if not match:
        return None
    names, argument, text = match.groups()
    letter, _, name = names.rpartition(", ") if names.startswith("--") or ", " in names else (names, "", "")
    argument = argument or ""
    return Option(letter.lstrip("-"), name[2:], argument.strip("[]= "), argument.startswith("["), text or "")


def read_options(lines):
    options = []
    for line in lines:
        option = read_option(line)
        if option:
            options.append(option)
        elif options:
            options[-1].text = f"{options[-1].text} {line.strip()}".strip()
    return options


def parts_of(page):
    """The parts of a help page, in order."""
    parts = []
    for block in re.split(r"\n\n+", page.rstrip()):
        lines = block.splitlines()
        title = lines.pop(0)[:-1] if len(lines) > 1 and re.match(r"\w.*:$", lines[0]) and lines[1].startswith("  ") else ""
        if block.startswith("Usage:"):
            parts.append(Part("usage", "", [line[7:] for line in lines]))
        elif read_option(lines[0]):
            parts.append(Part("options", title, lines, read_options(lines)))
        elif all(line.startswith("  ") for line in lines):
            parts.append(Part("lines", title, lines))
        else:
            parts.append(Part("text", title, lines))
    return parts


class Command:
    def __init__(self, callsign, name, summary):
        self.name = name
        self.summary = summary
        self.parts = parts_of(reference.ask(callsign, name)) if name != "help" else []
        self.options = [option for part in self.parts for option in part.options]

    def lines(self, title):
        """The first words of the lines with this title."""
        return [line.split()[0] for part in self.parts if part.title == title for line in part.lines]


def commands_of(callsign):
    overview = reference.ask(callsign)
    return [Command(callsign, name, summary) for name, summary in re.findall(r"(?m)^  (\w+)  +(\w.*)$", overview)]


def schema():
    """Rows (name, "view" or "table", comment) of docs/schema.md."""
    page = (SOURCE / "docs/schema.md").read_text(encoding="utf-8")
    return re.findall(r"(?m)^\| \[(\w+)\]\(#\w+\) \| (view|table) \| (.*) \|$", page)


def report_columns():
    """(report, title, rows (column, meaning)) of docs/columns.md."""
    page = (SOURCE / "docs/columns.md").read_text(encoding="utf-8")
    for name, title, table in re.findall(r"(?m)^## (\w+)\n\n(.*)\.\n\n((?:\|.*\n)+)", page):
        yield name, title, re.findall(r"(?m)^\| `(\w+)` \| (.*) \|$", table)


# ---- manual pages ----

def escape(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "")
    return "\\&" + text if text.startswith((".", "'")) else text


def verbatim(lines):
    least = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return [".PP", ".RS 4", ".nf", *(escape(line[least:]) for line in lines), ".fi", ".RE"]


def option_rows(options):
    rows = []
    for option in options:
        names = ", ".join([f"\\fB\\-{option.letter}\\fR"] * bool(option.letter) + [f"\\fB\\-\\-{escape(option.name)}\\fR"] * bool(option.name))
        value = f"\\fI{escape(option.argument)}\\fR" if option.argument else ""
        value = f"[={value}]" if option.optional else f" {value}" if value else ""
        rows += [".TP", names + value, escape(option.text)]
    return rows


def head(name, section, version, summary):
    return [f'.TH {name.upper()} {section} "" "callsign {version}" "callsign"', ".SH NAME", f"{escape(name)} \\- {escape(summary)}"]


def see_also(*pages):
    rows = [f".BR {escape(name)} ({section})," for name, section in pages]
    return [".SH SEE ALSO", *rows[:-1], rows[-1][:-1]]


def body(parts, options_title="OPTIONS"):
    rows, titles = [], set()

    def begin(title):
        if title not in titles:
            rows.append(f".SH {title}")
        titles.add(title)

    for part in parts:
        if part.kind == "options":
            begin(options_title)
            rows.extend(option_rows(part.options))
        elif part.title.startswith("Example"):
            begin("EXAMPLES")
            rows.extend(verbatim(part.lines))
        elif part.kind == "usage":
            begin("SYNOPSIS")
            rows.extend([".nf", *(f"\\fB{escape(line)}\\fR" for line in part.lines), ".fi"])
        else:
            begin(part.title.upper() if part.title else "NOTES" if options_title in titles else "DESCRIPTION")
            rows.extend(verbatim(part.lines) if part.kind == "lines" else [".PP", *map(escape, part.lines)])
    return rows


USUAL_CODES = {0: "success", 1: "an error, which one line on stderr names", 2: "wrong arguments"}
EXIT_CODES = {
    "check": {0: "all known calls match, and all calls are known", 1: "something is wrong", 2: "wrong arguments, or no run in the current folder", 3: "undecided: calls may be missing, or the run cannot be read"},
    "compare": {1: "a rule of \\-\\-fail\\-on is met; or an error, which one line on stderr names", 2: "a rule cannot be decided; or wrong arguments"},
    "doctor": {0: "no problem was found", 1: "a problem was found; or an error, which one line on stderr names"},
    "names": {1: "a file of rules has mistakes; or an error, which one line on stderr names"},
}
# Commands that end as another program does.
STARTING = {"run": "program", "gdb": "debugger", "lldb": "debugger"}


def codes_of(command=None):
    """{exit code: its meaning}"""
    return {**USUAL_CODES, **EXIT_CODES.get(command, {})}


def exit_status(command=None):
    if command in STARTING:
        return [".SH EXIT STATUS", f"That of the {STARTING[command]}; 127 if it is not found, 126 if it cannot be executed, 2 after wrong arguments."]
    codes = codes_of(command)
    return [".SH EXIT STATUS", *(row for code, meaning in sorted(codes.items()) for row in (".TP", str(code), meaning))]


def page_of_command(command, version):
    status = exit_status(command.name)
    rows = body(command.parts)
    at = next((index for index, row in enumerate(rows) if row == ".SH EXAMPLES"), len(rows))
    return [*head(f"callsign-{command.name}", 1, version, command.summary), *rows[:at], *status, *rows[at:],
            *see_also(("callsign", 1), *[("callsign-columns", 5)] * (command.name == "report"), ("callsign", 7), ("callsign-trace", 5))]


def page_of_callsign(callsign, commands, version):
    title = reference.ask(callsign).splitlines()[0].partition(" - ")[2]
    rows = [*head("callsign", 1, version, title), ".SH SYNOPSIS", "\\fBcallsign\\fR \\fICOMMAND\\fR [\\fIARGUMENT\\fR...]", ".SH COMMANDS"]
    for command in commands:
        where = f"\\fBcallsign\\-{command.name}\\fR(1)" if command.parts else "\\fBcallsign help\\fR"
        rows += [".TP", where, escape(command.summary)]
    examples = [part for part in parts_of(reference.ask(callsign)) if part.title.startswith("Example")]
    return [*rows, *exit_status(), *body(examples), *see_also(("callsign", 7), ("callsign-trace", 5))]


def sentences(lines):
    """The lines about a setting: a phrase without a full stop, the default, and sentences."""
    ends = 2 if len(lines) > 1 and lines[1].startswith("Default: ") else 1
    return [line + "." if number < ends and not line.endswith(".") else line for number, line in enumerate(lines)]


def page_of_settings(callsign, version):
    """callsign(7): what a run is, and its settings."""
    rows = [*head("callsign", 7, version, "runs, settings and files"), ".SH DESCRIPTION",
            "\\fBcallsign run\\fR preloads a library into a program. The library records the MPI calls of each rank in a journal, a file that is mapped",
            "into memory, so that nothing is lost if the process is killed. In MPI_Finalize each rank converts its journal to a trace, an SQLite file.",
            "The traces of all ranks are in one folder, the run. Other commands read it, and take the newest run of the current folder if none is named.",
            ".SH ENVIRONMENT"]
    for block in re.split(r"\n\n+", reference.ask(callsign, "settings").rstrip()):
        lines = block.splitlines()
        if lines[0].startswith("  CALLSIGN_"):
            names, _, rest = lines[0].strip().partition(", ")
            rows += [".TP", f"\\fB{names}\\fR, \\fB{escape(rest)}\\fR", *(escape(line) for line in sentences([line.strip() for line in lines[1:]]))]
        elif lines[0].startswith("Example"):
            rows += [".SH EXAMPLES", *verbatim(lines[1:])]
        else:
            rows += [".PP", *map(escape, lines)]
    at = rows.index(".SH EXAMPLES")
    files = [".SH FILES", ".TP", "\\fINAME.ID.callsign\\fR", "a run: rank\\-NNNNN.db is a trace, rank\\-NNNNN.journal a journal, node\\-NAME.db the trace of a node",
             ".TP", "\\fImerged.db\\fR", "in a run: all ranks in one database",
             ".TP", "\\fI~/.config/callsign/config\\fR, \\fIcallsign.conf\\fR beside the program", "values of options; see \\fBcallsign\\-config\\fR(1)"]
    return [*rows[:at], *files, *rows[at:], *see_also(("callsign", 1), ("callsign-run", 1), ("callsign-trace", 5))]


def page_of_trace(version):
    """callsign-trace(5): tables and views, a line each."""
    rows = [*head("callsign-trace", 5, version, "tables and views of a recorded run"), ".SH DESCRIPTION",
            "A trace is an SQLite file. One rank's file and a merged run have the same tables: every row carries the rank, in MPI_COMM_WORLD, of the",
            "process that recorded it. The views read like answers. \\fBcallsign query\\fR adds them to any file;",
            "a file of \\fBcallsign merge\\fR has them, with a comment for each column: \\fBsqlite3 FILE .schema\\fR shows them.",
            ".PP", "Columns that end in _ns are nanoseconds, instants count from the return of MPI_Init. Columns that end in _bytes are octets.",
            "NULL means not known, or did not happen."]
    for kind, title in (("view", "VIEWS"), ("table", "TABLES")):
        rows.append(f".SH {title}")
        for name, _, text in (row for row in schema() if row[1] == kind):
            rows += [".TP", f"\\fB{name}\\fR", escape(text)]
    return [*rows, *see_also(("callsign-query", 1), ("callsign-merge", 1), ("callsign-columns", 5), ("sqlite3", 1))]


def page_of_columns(version):
    """callsign-columns(5): what the columns of each report mean."""
    rows = [*head("callsign-columns", 5, version, "columns of the reports"), ".SH DESCRIPTION",
            "The tables of \\fBcallsign report\\fR. A column is named as in CSV and JSON. The table on a terminal shows waiting_percent as \"waiting %\",",
            "seconds as \"time\", sent_bytes as \"sent\", and site as \"where\". NULL is shown as an empty cell."]
    for name, title, columns in report_columns():
        rows += [f".SH {name.upper()}", escape(f"{title}.")]
        for column, meaning in columns:
            rows += [".TP", f"\\fB{column}\\fR", escape(meaning)]
    return [*rows, *see_also(("callsign-report", 1), ("callsign-trace", 5))]


# ---- completion ----

RUNNERS = ("run", "doctor", "config", "gdb", "lldb")  # they take a command with its arguments


FILES = ("convert", "names", "core")  # they take other files than runs, too


def words_after(command):
    """Names that the command's arguments may be, other than runs."""
    if command.name == "report":
        return command.lines("Reports")
    if command.name == "query":
        return [name for name, _, _ in schema()]
    return []


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


BASH = """\
# Completion of callsign for bash. cli/manual.py writes it from the command's help.
_callsign() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} command=${{COMP_WORDS[1]}} options= words= i
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W {commands} -- "$word")
        return
    fi
    # --option=value comes as three words.
    [ "$word" = = ] && word=
    [ "$before" = = ] && before=${{COMP_WORDS[COMP_CWORD - 2]}}
    case $command in
{runners}) # behind these the words are a command of its own
        for ((i = 2; i < COMP_CWORD; i++)); do
            case ${{COMP_WORDS[i]}} in
            --)
                if [ "$i" -eq $((COMP_CWORD - 1)) ]; then
                    mapfile -t COMPREPLY < <(compgen -c -- "$word")
                else
                    mapfile -t COMPREPLY < <(compgen -f -- "$word")
                fi
                compopt -o filenames 2>/dev/null
                return
                ;;
            esac
        done
        ;;
    esac
    case $command:$before in
{values}
    esac
    case $command in
{cases}
    esac
    if [ "${{word:0:1}}" = - ]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
        return
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word"; compgen -d -X '!*.callsign' -- "$word"; compgen -f -X '!*.db' -- "$word")
    [ "${{#COMPREPLY[@]}}" -gt 0 ] || mapfile -t COMPREPLY < <(compgen -f -- "$word")
    compopt -o filenames 2>/dev/null
}}
complete -F _callsign callsign
"""


def flags(option):
    return [f"-{option.letter}"] * bool(option.letter) + [f"--{option.name}"] * bool(option.name)


def bash(commands):
    values, cases = [], []
    for command in commands:
        for option in command.options:
            if not option.argument:
                continue
            pattern = " | ".join(f"{command.name}:{flag}" for flag in flags(option))
            how = f"-W {quoted(' '.join(option.choices()))}" if option.choices() else "-f"
            values.append(f"    {pattern})\n        mapfile -t COMPREPLY < <(compgen {how} -- \"$word\")\n        return\n        ;;")
        words = [other.name for other in commands] + ["settings"] if command.name == "help" else words_after(command)
        options = " ".join(flag for option in command.options for flag in flags(option))
        cases.append(f"    {command.name}) options={quoted(options)} words={quoted(' '.join(words))} ;;")
    return BASH.format(commands=quoted(" ".join(command.name for command in commands)), runners="    " + " | ".join(RUNNERS),
                       values="\n".join(values), cases="\n".join(cases))


ZSH = """\
#compdef callsign
# Completion of callsign for zsh. cli/manual.py writes it from the command's help.
_callsign_runs() {{
    _alternative 'runs:run:_files -/ -g "*.callsign"' 'files:merged file:_files -g "*.db"' "$@"
}}
_callsign() {{
    local state
    local -a commands
    commands=({commands})
    _arguments -C '1: :->command' '*:: :->arguments'
    case $state in
    command) _describe command commands ;;
    arguments)
        case $words[1] in
{cases}
        esac
        ;;
    esac
}}
_callsign "$@"
"""


def zsh_text(text):
    return re.sub(r"([\[\]:\\])", r"\\\1", text)


def zsh_option(option):
    excluded = f"({' '.join(flags(option))})" if len(flags(option)) > 1 else ""
    values = f"({' '.join(option.choices())})" if option.choices() else "_files"
    value = f":{zsh_text(option.argument)}:{values}" if option.argument else ""
    equals = {True: "=-" if option.optional else "=", False: ""}[bool(value)]
    return [quoted(f"{excluded}{flag}{equals if flag.startswith('--') else '+' if value else ''}[{zsh_text(option.text)}]{value}")
            for flag in flags(option)]


def zsh(commands):
    cases = []
    for command in commands:
        options = [row for option in command.options for row in zsh_option(option)]
        if command.name in RUNNERS:
            rest = "'*:: :_normal'"
        elif command.name == "help":
            rest = quoted(f"1:command:({' '.join(other.name for other in commands)} settings)")
        elif words_after(command):
            rest = quoted(f"*: :{{_callsign_runs \"names:name:({' '.join(words_after(command))})\"}}")
        else:
            rest = "'*: :_callsign_runs'"
        rows = " \\\n            ".join([*options, rest])
        cases.append(f"        {command.name})\n            _arguments -s -S {rows} ;;")
    return ZSH.format(commands=" ".join(quoted(f"{command.name}:{zsh_text(command.summary)}") for command in commands), cases="\n".join(cases))


def fish(commands):
    rows = ["# Completion of callsign for fish. cli/manual.py writes it from the command's help.",
            "function __callsign_runs", "    set -l begin (commandline -ct)", "    for run in $begin*.callsign/ $begin*.db $begin*/", "        echo $run", "    end", "end", "complete -c callsign -f"]
    names = " ".join(command.name for command in commands)
    for command in commands:
        rows.append(f"complete -c callsign -n {quoted(f'not __fish_seen_subcommand_from {names}')} -a {command.name} -d {quoted(command.summary)}")
    for command in commands:
        seen = f"-n {quoted(f'__fish_seen_subcommand_from {command.name}')}"
        for option in command.options:
            text = option.text if len(option.text) < 70 else option.text[:66].rsplit(" ", 1)[0] + " ..."
            row = f"complete -c callsign {seen}" + f" -s {option.letter}" * bool(option.letter) + f" -l {option.name}" * bool(option.name)
            if option.choices():
                row += f" -x -a {quoted(' '.join(option.choices()))}"
            elif option.argument and not option.optional:
                row += " -r -F"
            rows.append(f"{row} -d {quoted(text)}")
        if command.name in RUNNERS:
            rows.append(f"complete -c callsign {seen} -F -a '(__fish_complete_command)'")
        elif command.name == "help":
            rows.append(f"complete -c callsign {seen} -a {quoted(names + ' settings')}")
        else:
            files = " -F" if command.name in FILES else ""
            rows.append(f"complete -c callsign {seen}{files} -a '(__callsign_runs)'")
            if words_after(command):
                rows.append(f"complete -c callsign {seen} -a {quoted(' '.join(words_after(command)))}")
    return "\n".join(rows) + "\n"


def pages(callsign):
    """Path below share -> text."""
    commands = commands_of(callsign)
    version = re.search(r"(?m)^callsign +(\S+)$", reference.subprocess.run([callsign, "version"], check=True, capture_output=True, text=True).stdout)[1]
    made = {"man/man1/callsign.1": page_of_callsign(callsign, commands, version), "man/man7/callsign.7": page_of_settings(callsign, version),
            "man/man5/callsign-trace.5": page_of_trace(version), "man/man5/callsign-columns.5": page_of_columns(version)}
    for command in commands:
        if command.parts:
            made[f"man/man1/callsign-{command.name}.1"] = page_of_command(command, version)
    # A section begins a paragraph itself.
    made = {path: re.sub(r"(?m)^(\.SH .*)\n\.PP$", r"\1", "\n".join(rows)) + "\n" for path, rows in made.items()}
    made["bash-completion/completions/callsign"] = bash(commands)
    made["zsh/site-functions/_callsign"] = zsh(commands)
    made["fish/vendor_completions.d/callsign.fish"] = fish(commands)
    return made


def main(callsign, folder):
    for path, text in pages(callsign).items():
        file = pathlib.Path(folder) / "share" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
