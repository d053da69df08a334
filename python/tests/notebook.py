"""Runs the notebooks of docs/ and stores what they give: python/tests/.venv/bin/python python/tests/notebook.py

Outputs of cells with the tag `measured` are not stored: they are of the machine on which they ran.
"""

from pathlib import Path

import nbformat
from nbclient import NotebookClient

for path in sorted((Path(__file__).resolve().parents[2] / "docs/notebooks").glob("*.ipynb")):
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(path.parent)}}).execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if "measured" in cell.metadata.get("tags", []):
            cell.outputs, cell.execution_count = [], None
    notebook.metadata.language_info = {"name": "python"}
    nbformat.write(notebook, path)
