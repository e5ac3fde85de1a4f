#!/usr/bin/env python3
"""Executes the cells of a notebook, without Jupyter: for tests, and to renew the pictures that are kept in it.

    execute.py NOTEBOOK           prints what each cell printed, and the size of each figure
    execute.py --write NOTEBOOK   also stores both in the notebook

Environment: that of the cells (RUN_DB). Exit code 1: a cell failed, with its traceback; 77: pandas or matplotlib is missing.
"""
import ast
import base64
import contextlib
import io
import json
import pathlib
import struct
import sys
import traceback

try:
    import matplotlib
    import pandas  # noqa: F401  (the cells use it)
except ImportError as missing:
    print(f"{missing}: the notebook is not executed")
    sys.exit(77)

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402  (after the choice of its output)


def show(outputs):
    """What pyplot.show() does in a notebook: all open figures become outputs."""
    for number in pyplot.get_fignums():
        picture = io.BytesIO()
        pyplot.figure(number).savefig(picture, format="png", dpi=72, bbox_inches="tight", metadata={"Software": None})
        outputs.append({"output_type": "display_data", "metadata": {},
                        "data": {"image/png": base64.b64encode(picture.getvalue()).decode("ascii"), "text/plain": ["<figure>"]}})
    pyplot.close("all")


def execute(source, names):
    """Runs one cell. Returns its outputs: what it printed, the value of its last expression, its figures."""
    outputs = []
    printed = io.StringIO()
    tree = ast.parse(source)
    last = ast.Expression(tree.body.pop().value) if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    pyplot.show = lambda: show(outputs)
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "<cell>", "exec"), names)
        value = eval(compile(last, "<cell>", "eval"), names) if last else None
    show(outputs)
    if value is not None:
        outputs.insert(0, {"output_type": "execute_result", "metadata": {}, "execution_count": None, "data": {"text/plain": str(value).splitlines(True)}})
    if printed.getvalue():
        outputs.insert(0, {"output_type": "stream", "name": "stdout", "text": printed.getvalue().splitlines(True)})
    return outputs


def describe(output):
    if output["output_type"] == "stream":
        return "".join(output["text"])
    picture = output["data"].get("image/png")
    if picture:
        width, height = struct.unpack(">II", base64.b64decode(picture)[16:24])
        return f"figure, {width} x {height}"
    return "".join(output["data"]["text/plain"])


def main():
    write = sys.argv[1] == "--write"
    path = pathlib.Path(sys.argv[-1])
    notebook = json.loads(path.read_text(encoding="utf-8"))
    names, count = {"__name__": "__main__"}, 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        count += 1
        try:
            cell["outputs"] = execute("".join(cell["source"]), names)
        except Exception:
            traceback.print_exc()
            print(f"cell {count} failed:\n{''.join(cell['source'])}", file=sys.stderr)
            return 1
        cell["execution_count"] = count
        for output in cell["outputs"]:
            if output["output_type"] == "execute_result":
                output["execution_count"] = count
            print(f"[{count}] {describe(output)}")
    if write:
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
