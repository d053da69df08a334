"""Plots of matplotlib, of the same values as the plots of ``cll plot``."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from .errors import MissingPackageError, UsageError

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw(specs: list[dict[str, Any]], ax: Axes | None) -> Axes:
    """Draws each plot in an axes of its own; returns the first."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise MissingPackageError("this needs matplotlib: pip install 'cll[plot]'") from error
    if ax is not None:
        if len(specs) > 1:
            found = ", ".join(spec["title"] for spec in specs)
            raise UsageError(f"one axes holds one experiment; the model has {found}: experiment='…' chooses one")
        return one(ax, specs[0])
    size = plt.rcParams["figure.figsize"]
    _, axes = plt.subplots(len(specs), 1, figsize=(size[0], size[1] * len(specs)), squeeze=False, layout="constrained")
    drawn = [one(place, spec) for place, spec in zip(axes[:, 0], specs)]
    return drawn[0]


def one(ax: Axes, spec: dict[str, Any]) -> Axes:
    """Draws one experiment."""
    beyond = {True: "--", False: "-"}
    for number, series in enumerate(spec["series"]):
        color = f"C{number % 10}"
        points = series["points"]
        used = [point for point in points if not point["excluded"]]
        left = [point for point in points if point["excluded"]]
        label = series["label"] or "measured"
        # The range of the repetitions is thin, the quartiles are thick.
        xs = [point["x"] for point in used]
        for low, high, width in (("minimum", "maximum", 0.6), ("lower_quartile", "upper_quartile", 2.5)):
            lows, highs = ([point["spread"][name] for point in used] for name in (low, high))
            ax.vlines(xs, lows, highs, color=color, linewidth=width, alpha=0.5)
        ax.plot(xs, [point["y"] for point in used], "o", color=color, markersize=4, label=label)
        if left:
            ax.plot([p["x"] for p in left], [p["y"] for p in left], "x", color=color, label="left out")
        for curve in series["curves"]:
            along = [point["x"] for point in curve["points"]]
            ax.plot(
                along, [point["y"] for point in curve["points"]], beyond[curve["beyond"]], color=color, linewidth=1.3
            )
            band = [(point["x"], *point["band"]) for point in curve["points"] if point["band"]]
            if band:
                at, lower, upper = zip(*band)
                ax.fill_between(at, lower, upper, color=color, alpha=0.15, linewidth=0)
    for gap in spec["boundaries"]:
        ax.axvspan(gap["low"], gap["high"], color="0.5", alpha=0.2, linewidth=0)
    for reference in spec["references"]:
        ax.axvline(reference["at"], color="0.5", linestyle=":", linewidth=1)
        ax.annotate(reference["label"], (reference["at"], 1), xycoords=("data", "axes fraction"), rotation=90, va="top")
    for marker in spec["markers"]:
        color = f"C{marker['series'] % 10}"
        band = marker["band"]
        error = [[max(marker["y"] - band[0], 0)], [max(band[1] - marker["y"], 0)]] if band else None
        ax.errorbar([marker["x"]], [marker["y"]], yerr=error, fmt="D", color=color, mfc="none", label=marker["label"])
    for which, scale, limits in (("x", ax.set_xscale, spec["x"]), ("y", ax.set_yscale, spec["y"])):
        if limits["scale"] == "binary":
            scale("log", base=2)
        elif limits["scale"] == "log":
            scale("log")
        title = limits["title"] + (f" [{unit(limits['unit'])}]" if unit(limits["unit"]) else "")
        (ax.set_xlabel if which == "x" else ax.set_ylabel)(title)
    ax.set_title("\n".join([spec["title"], *spec["formula"][:3]]), fontsize="medium")
    ax.legend(fontsize="small")
    if not spec["measurable"]:
        ax.set_title("NOT MEASURABLE", loc="right", color="C3", fontsize="small")
    doubts = "\n".join(textwrap.fill(doubt["text"], 100) for doubt in spec["doubts"])
    if doubts:
        ax.annotate(doubts, (0.01, 0.99), xycoords="axes fraction", va="top", fontsize="x-small", color="C3", wrap=True)
    for note in spec["notes"]:
        ax.annotate(note, (0.01, 0.01), xycoords="axes fraction", fontsize="x-small")
    return ax


def unit(of: Any) -> str:
    """The name of a unit."""
    if of == "seconds":
        return "s"
    return of.get("other", "") if isinstance(of, dict) else str(of)
