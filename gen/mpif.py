"""Reads the integer constants of an MPI's mpif.h that are plain numbers. Needs no Fortran compiler."""

import os
import re


def constants(includes):
    """The constants by name in upper case, from the first folder that has an mpif.h."""
    for folder in includes:
        try:
            with open(os.path.join(folder, "mpif.h"), encoding="utf-8", errors="replace") as file:
                return parse(file.read())
        except FileNotFoundError:
            continue
    return {}


def parse(text):
    """Parses `parameter (A=1, B=2)` and `integer, parameter :: A = 1`, in fixed or free form."""
    code = re.sub(r"^[cC*].*$|!.*$", "", text, flags=re.MULTILINE)
    lists = re.findall(r"\bparameter\s*\(([^)]*)\)|\bparameter\s*::(.*)", code, flags=re.IGNORECASE)
    pairs = re.findall(r"(\w+)\s*=\s*([-+]?\d+)\b", ",".join(first or second for first, second in lists))
    return {name.upper(): int(value) for name, value in pairs}
