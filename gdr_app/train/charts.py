"""What the charts of the Train page show, from reports of runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from gdr_app.components.graph_canvas import Detail, Looks, Mark
from gdr_app.components.training_canvas import Bars, Entry, Heat, Line, Lines
from gdr_app.components.training_canvas.panels import DASHED, DOTTED, SOLID
from gdr_app.wording import percent, readable
from gdr_core.datasets import Dataset
from gdr_core.figures.palette import CLASS_COLOURS, UNKNOWN_COLOUR, class_colours
from gdr_tools.jobs import Picture, Report

_STYLES: Final = {"validation": SOLID, "train": DASHED, "test": DOTTED}
BINS: Final = 20
SURE: Final = 0.5
_BANDS: Final = ("under 25%", "25 to 50%", "50 to 75%", "75 to 90%", "over 90%")
_BAND_EDGES: Final = (0.25, 0.5, 0.75, 0.9)


def colours_of_runs(reports: Sequence[Report]) -> dict[str, str]:
    """The colour of every run by its id, by its number where that is free.

    Owners count their runs on their own, so a run from a link can have the number of one's own:
    the earlier in `reports` has the colour of the number, the other one that nobody has.
    """
    places: dict[int, str] = {}
    for report in reports:
        places.setdefault((report.number - 1) % len(CLASS_COLOURS), report.id)
    free = (place for place in range(len(CLASS_COLOURS)) if place not in places)
    found = {run: CLASS_COLOURS[place] for place, run in places.items()}
    others = (report.id for report in reports if report.id not in found)
    return found | {run: CLASS_COLOURS[next(free, 0)] for run in list(others)}


def legend(reports: Sequence[Report]) -> list[Entry]:
    """The colour of every run."""
    colours = colours_of_runs(reports)
    return [Entry(report.name, colours[report.id]) for report in reports]


def styles(parts: Sequence[str]) -> list[Entry]:
    """The dashes of the parts of the split."""
    return [Entry(part, dash=_STYLES[part]) for part in parts]


def panels(
    graph: Dataset,
    reports: Sequence[Report],
    shown: Report,
    parts: Sequence[str],
    epoch: int | None = None,
) -> list[Lines | Bars]:
    """Loss, accuracy, the learned time where there is one, confidence.

    epoch   the one that is looked at, where a run that stands still is gone through
    """
    last = max(report.job.options.epochs for report in reports)
    reached = max(report.epoch for report in reports)
    last = reached if epoch is not None else min(last, max(2 * reached, 20))
    losses = [part for part in parts if part != "test"]
    colours = colours_of_runs(reports)

    def lines(figure: str, parts: Sequence[str]) -> list[Line]:
        pairs = [(report, part) for report in reports for part in parts]
        return [_line(r, f"{part}_{figure}", part, colours[r.id], r is shown) for r, part in pairs]

    def chart(figure: str, parts: Sequence[str], percent: bool = False) -> Lines:
        said = _said(figure, shown, f"validation_{figure}", epoch)
        drawn = lines(figure, parts)
        return Lines(figure.capitalize(), said, drawn, percent=percent, last=last, cursor=epoch)

    found: list[Lines | Bars] = [chart("loss", losses), chart("accuracy", parts, percent=True)]
    if shown.job.options.learns_time:
        found.append(_times(reports, shown, last, epoch))
    return [*found, confidence(graph, shown, epoch)]


def _line(report: Report, column: str, part: str, colour: str, strong: bool) -> Line:
    history = report.history
    return Line(
        f"{report.name}, {part}",
        history["epoch"],
        history[column],
        colour,
        _STYLES[part],
        strong,
    )


def _times(reports: Sequence[Report], shown: Report, last: int, epoch: int | None = None) -> Lines:
    """t·r̄ as it is learned over the accuracy that fixed values would give at that moment."""
    colours = colours_of_runs(reports)
    lines = [
        Line(
            f"{report.name}, learned t·r̄",
            report.history["epoch"],
            report.history["relative_time"],
            "" if report is shown else colours[report.id],
            strong=report is shown,
        )
        for report in reports
        if report.job.options.learns_time
    ]
    heat = None
    if scans := shown.scans:
        heat = Heat(
            np.array([scan.epoch for scan in scans]),
            scans[-1].relative_times,
            np.array([scan.accuracy for scan in scans]),
            "points below the best fixed t",
        )
    return Lines(
        "Learned time t·r̄",
        _said("learned time", shown, "relative_time", epoch),
        lines,
        logarithmic=True,
        heat=heat,
        last=last,
        cursor=epoch,
    )


def confidence(graph: Dataset, shown: Report, epoch: int | None = None) -> Bars:
    """How sure the network is of the nodes outside the training set, by predicted class."""
    edges = np.linspace(0, 1, BINS + 1)
    counts = np.zeros((graph.classes, BINS), dtype=int)
    others = np.ones(graph.nodes, dtype=bool)
    others[graph.split.train] = False
    when = ""
    picture = shown.picture if epoch is None else shown.picture_at(epoch)
    if picture is not None:
        sure = np.minimum(picture.confidence.astype(float), 1.0)
        for k in range(graph.classes):
            members = others & (picture.labels == k)
            counts[k] = np.histogram(sure[members], edges)[0]
        when = f" at epoch {picture.epoch}"
    return Bars(
        f"Confidence by predicted class{when}",
        f"Histogram of the network's confidence in {int(counts.sum()):,} nodes{when}.",
        edges,
        counts,
        [readable(name) for name in graph.class_names],
        class_colours(graph.classes),
        "largest probability of a node",
    )


def training_looks(graph: Dataset, picture: Picture, changed: np.ndarray) -> Looks:
    """Every node in the colour of its predicted class; nodes that have just changed stand out.

    Nothing here tells right from wrong: that would show the test nodes.
    """
    names = [readable(name) for name in graph.class_names]
    training = np.zeros(graph.nodes, dtype=bool)
    training[graph.split.train] = True
    sure = picture.confidence >= SURE
    return Looks(
        colours=picture.labels.astype(int),
        classes=names,
        palette=class_colours(graph.classes),
        unknown_colour=UNKNOWN_COLOUR,
        details=[Detail("confidence", np.digitize(picture.confidence, _BAND_EDGES), _BANDS)],
        marks=np.select([training, changed, sure], [3, 2, 1], 0),
        mark_styles=(
            Mark("unsure", opacity=0.4, size=0.85),
            Mark("sure, 50% or more"),
            Mark("just changed", shape="diamond", size=1.6),
            Mark("training node", shape="square", size=1.3),
        ),
    )


def _said(what: str, shown: Report, column: str, epoch: int | None = None) -> str:
    """The sentence that stands for a chart."""
    if not len(shown.history):
        return f"Chart of {what} over epochs; nothing trained yet."
    at = shown.epoch if epoch is None else epoch
    value = float(shown.history[column][at - 1])
    number = percent(value) if column.endswith("accuracy") else f"{value:.3g}"
    return f"Chart of {what} over epochs: {number} at epoch {at} of {shown.name}."
