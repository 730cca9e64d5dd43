#!/usr/bin/env python3
"""Executes the notebooks of docs/examples and compares their texts with those that are committed; test_notebooks.sh runs it.

    tests/notebooks.py NOTEBOOK...            compares
    tests/notebooks.py --write NOTEBOOK...    executes the notebooks and keeps their outputs, so that a reader on the web sees them

Pictures are not compared, since their letters depend on the fonts of a machine, but must be there again."""
import json
import os
import subprocess
import sys
import tempfile


def executed(path):
    """Returns the notebook with what its cells print now; ends the program if a cell fails."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["jupyter-nbconvert", "--to", "notebook", "--execute", "--output-dir", folder, path]
        done = subprocess.run(command, capture_output=True, check=False)
        made = os.path.join(folder, os.path.basename(path))
        if done.returncode or not os.path.exists(made):
            sys.exit(f"{path} cannot be executed:\n{done.stderr.decode()[-3000:]}")
        return read(made)


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def shown(cell):
    """Returns what a reader sees below a cell: texts, and `picture` for each picture."""
    found = []
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        if "image/svg+xml" in data:
            found.append("picture")
        else:
            found.append("".join(output.get("text", data.get("text/plain", ""))))
    return "".join(found)


def compare(path):
    cells, now = read(path)["cells"], executed(path)["cells"]
    good = True
    for cell, again in zip(cells, now):
        if shown(cell) != shown(again):
            good = False
            source = "".join(cell["source"])
            print(f"{path}: the cell\n{source}\nshows\n{shown(again)}\nand not, as is committed,\n{shown(cell)}")
    return good and any(shown(cell) for cell in cells)


def write(path):
    notebook = executed(path)
    for cell in notebook["cells"]:
        cell["metadata"] = {}  # has when it was executed
    notebook["metadata"]["language_info"] = {"name": "python"}
    with open(path, "w", encoding="utf-8") as file:
        json.dump(notebook, file, indent=1, ensure_ascii=False)
        file.write("\n")
    return True


arguments = sys.argv[1:]
act = write if arguments[:1] == ["--write"] else compare
sys.exit(0 if all([act(path) for path in arguments if path != "--write"]) else 1)
