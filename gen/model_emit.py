"""python3 -m gen.model_emit OUT: writes the files that the build needs from gen/model into a folder."""

import os
import sys

from . import findings, model, model_loaders, model_tables, model_writers
from .problem import Problems


def main():
    try:
        declared = model.read_folder()
        model_tables.check(declared)
        model_tables.check_version(declared)
        model_loaders.check(declared)
        files = {
            "schema.sql": model_tables.schema(declared),
            "tables.h": model_tables.rows_header(declared),
            "tables.c": model_tables.rows_source(declared),
            "loaders.h": model_loaders.header(declared),
            "loaders.c": model_loaders.source(declared),
            "journal_writers.h": model_writers.header(declared),
            "findings.h": findings.header(declared),
            "findings.c": findings.source(declared),
        }
    except Problems as problems:
        sys.exit("\n".join(problems.lines))
    os.makedirs(sys.argv[1], exist_ok=True)
    for name, text in files.items():
        with open(os.path.join(sys.argv[1], name), "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
