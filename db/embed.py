"""Turns text files into a C file of strings: embed.py OUT.c [--include HEADER] SYMBOL=FILE..."""
import argparse
import pathlib


def literal(text):
    """The text as C string literals, one per line of text, so that the C file reads like the original."""
    lines = text.splitlines(keepends=True)
    escaped = (line.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("?", "\\?") for line in lines)
    return "\n".join(f'    "{line}"' for line in escaped) or '    ""'


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--include", default="")
    parser.add_argument("text", nargs="+", metavar="SYMBOL=FILE")
    arguments = parser.parse_args()
    parts = [f'#include "{arguments.include}"\n'] if arguments.include else []
    for text in arguments.text:
        symbol, file = text.split("=", 1)
        parts.append(f"\n/* {pathlib.Path(file).name} */\nconst char {symbol}[] =\n"
                     + literal(pathlib.Path(file).read_text(encoding="utf-8")) + ";\n")
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    arguments.out.write_text("".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
