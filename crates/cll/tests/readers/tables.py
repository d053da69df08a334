"""Exports as programs in Python read them, told as JSON.

tables.py hatchet FILE       Hatchet: each node's path and columns, and whether what it adds up itself is the same
tables.py csv FILE           the module csv and pandas: rows, and sums of the columns by metric
"""

import csv
import json
import sys


def hatchet(path):
    import hatchet

    with open(path, encoding="utf-8") as file:
        frame = hatchet.GraphFrame.from_literal(json.load(file))
    nodes = []
    for node in frame.graph.traverse():
        names = [one.frame["name"] for one in node.path()]
        row = frame.dataframe.loc[node]
        nodes.append({"path": names, "columns": {name: float(row[name]) for name in row.index if name != "name"}})
    # Hatchet's own sums over what is below each node, of its exclusive columns.
    own = list(frame.exc_metrics)
    told = frame.copy()
    told.subtree_sum(own, [f"{name} summed" for name in own])
    differences = {
        name: float((told.dataframe[f"{name} summed"] - told.dataframe[f"{name} (inc)"]).abs().max()) for name in own
    }
    return {
        "nodes": nodes,
        "exclusive": sorted(frame.exc_metrics),
        "inclusive": sorted(frame.inc_metrics),
        "differences": differences,
        "tree": frame.tree(metric_column="time (inc)"),
    }


def rows(path):
    import pandas

    with open(path, encoding="utf-8", newline="") as file:
        read = list(csv.DictReader(file, strict=True))
    table = pandas.read_csv(path)
    root = table[table["parent"].isna()]
    return {
        "rows": read,
        "types": {name: str(kind) for name, kind in table.dtypes.items()},
        "centres": {
            name: float(table[(table["metric"] == name) & table["kind"].isin(["centre", "end", "start"])]["maximum"].sum())
            for name in table["metric"].unique()
        },
        "root": {row["metric"]: float(row["maximum"]) for _, row in root.iterrows()},
    }


if __name__ == "__main__":
    kind, *arguments = sys.argv[1:]
    print(json.dumps({"hatchet": hatchet, "csv": rows}[kind](*arguments)))
