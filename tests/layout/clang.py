#!/usr/bin/env python3
"""Checks the product's sources with clang, which accepts and rejects other code than gcc. Warnings are errors. No code is generated for C.

    tests/layout/clang.py BUILD    a finished build, with compile_commands.json
"""

import concurrent.futures
import itertools
import json
import os
import pathlib
import shlex
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import bounded  # noqa: E402  (the path must be set first)


def commands(build):
    """(source, folder, command) for each source of the product."""
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        folder, source = entry["directory"], pathlib.Path(entry["directory"], entry["file"])
        words = list(itertools.dropwhile(lambda word: not word.startswith("-"), shlex.split(entry["command"])))  # the compiler of the build
        output = words.index("-o")
        if words[output + 1].startswith(("tests/", "bench/")) or source.suffix not in (".c", ".S"):
            continue
        options = [word for word in words[:output] if not word.startswith(("-mmem", "-ffat-lto", "-O", "-g"))]  # the first two: of gcc only
        # Assembler is assembled: clang's own assembler reads it.
        result = ["-fsyntax-only"] if source.suffix == ".c" else ["-c", "-o", os.devnull]
        yield source, folder, ["clang", *options, *result, str(source)]


def check(source, folder, command):
    done = bounded.run(command, 120, cwd=folder, capture_output=True, text=True, errors="replace")
    return "" if done.returncode == 0 else f"{source}: {done.stdout}{done.stderr}"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    found = list(commands(pathlib.Path(sys.argv[1]).resolve()))
    if not found:
        sys.exit(f"clang.py: {sys.argv[1]} has no compile_commands.json with sources of the product")
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        problems = [problem for problem in pool.map(lambda each: check(*each), found) if problem]
    print(f"clang: {len(found)} sources, {len(problems)} with problems")
    sys.exit("\n".join(problems) or None)


if __name__ == "__main__":
    main()
