"""Writes the C file that holds the reports: embed_reports.py OUTPUT REPORT.sql..."""
import pathlib
import sys


def c_string(text):
    lines = []
    for line in text.splitlines(keepends=True):
        escaped = line.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("?", "\\?")
        lines.append(f'        "{escaped}"')
    return "\n".join(lines)


def main():
    output, *names = sys.argv[1:]
    files = sorted(map(pathlib.Path, names), key=lambda path: path.stem)
    entries = ",\n".join(f'    {{"{path.stem}",\n{c_string(path.read_text(encoding="utf-8"))}}}' for path in files)
    pathlib.Path(output).write_text(
        '#include "cli/reports.h"\n\n'
        f"const struct cs_report_file cs_reports[] = {{\n{entries},\n}};\n"
        "const size_t cs_reports_count = sizeof cs_reports / sizeof *cs_reports;\n", encoding="utf-8")


if __name__ == "__main__":
    main()
