"""The commands of docs/fallback.md."""

import re
import shlex

import places

PAGE = places.SOURCE / "docs" / "fallback.md"
SHARED = "**A shared MPI.**"  # what is behind it is about a callsign that was built for the shared library


def blocks():
    """(static or shared, language, text) of each block of the part about porting."""
    text = PAGE.read_text(encoding="utf-8").split("\n## Porting", 1)[1].split("\n## ", 1)[0]
    return [("static" if text.index(SHARED) > block.start() else "shared", block[1], block[2]) for block in re.finditer(r"```(\w+)\n(.*?)```", text, re.S)]


def commands(text):
    """The lines of a block; what a backslash ends goes on in the next."""
    return re.sub(r"\\\n\s*", "", text).splitlines()


def here(text, part):
    """The text with the folders that there are here, and with the compilers of the test."""
    text = text.replace("/opt/callsign", str(places.INSTALLED[part])).replace("/opt/small", str(places.SMALL))
    compilers = {"cc": places.CC, "gfortran": f"{places.FORTRAN} -w -fallow-argument-mismatch"}
    return re.sub(r"^(cc|gfortran)\b", lambda word: compilers[word[1]], text)


def building(part):
    """The commands that build and install callsign, as lists of words; the one for the shared library names that and no other."""
    text, = [text for _, _, text in blocks() if "cmake --install" in text]
    found = [shlex.split(here(line, part)) for line in commands(text)]
    if part == "shared":
        found[0] = [re.sub(r"libmpi\.a$", "libmpi.so", word) for word in found[0] if "libmpif.a" not in word]
    return found
