"""Turns files of SQL into a C file: embed.py OUT.c [--include HEADER] [--views SYMBOL=FILE] SYMBOL=FILE...

A file becomes one string; the file of --views an array of struct cs_view, one for each CREATE VIEW, as SQLite would keep them."""
import argparse
import pathlib
import re


def literal(text):
    """The text as C string literals, one per line of text, so that the C file reads like the original."""
    lines = text.splitlines(keepends=True)
    escaped = (line.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("?", "\\?") for line in lines)
    return "\n".join(f'    "{line}"' for line in escaped) or '    ""'


def statements(text):
    """The statements of a script, each without its semicolon and what stands around it."""
    text = re.sub(r"\A(\s*--[^\n]*\n)+", "", text)
    begin = 0
    for token in re.finditer(r"--[^\n]*|'[^']*'|\"[^\"]*\"|;", text):  # comments and strings may have semicolons of their own
        if token[0] == ";":
            yield text[begin:token.start()].strip()
            begin = token.end()
    if text[begin:].strip():
        raise SystemExit(f"embed.py: a statement has no end: {text[begin:].strip()[:200]}")


def text_of(symbol, file):
    return f"\n/* {file.name} */\nconst char {symbol}[] =\n" + literal(file.read_text(encoding="utf-8")) + ";\n"


def views_of(symbol, file):
    parts = [f"\n/* {file.name} */\nconst struct cs_view {symbol}[] = {{\n"]
    for sql in statements(file.read_text(encoding="utf-8")):
        found = re.match(r"CREATE VIEW (\w+) ", sql)
        if not found:
            raise SystemExit(f"embed.py: {file} has something that is no CREATE VIEW: {sql[:200]}")
        parts.append(f'    {{"{found[1]}",\n{literal(sql)}}},\n')
    return "".join(parts) + "    {0},\n};\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--include", default="")
    parser.add_argument("--views", action="append", default=[], metavar="SYMBOL=FILE")
    parser.add_argument("text", nargs="+", metavar="SYMBOL=FILE")
    arguments = parser.parse_args()
    parts = [f'#include "{arguments.include}"\n'] if arguments.include else []
    for write, named in ((text_of, arguments.text), (views_of, arguments.views)):
        for symbol, file in (one.split("=", 1) for one in named):
            parts.append(write(symbol, pathlib.Path(file)))
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    arguments.out.write_text("".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
