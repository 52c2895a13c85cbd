"""What is known for every t_min of a view at once: what the bar sends, and the verdict."""

from __future__ import annotations

from typing import Final

from gdr_app.components.t_min_bar import Count, Line, PackedSweep, Sweep, pack_sweep
from gdr_app.computing.deciding import decision_of
from gdr_app.computing.kept import kept
from gdr_app.computing.results import dataset_of, parts_of, result_of
from gdr_app.widgets.tiles import NOT_JUDGED
from gdr_app.wording import readable
from gdr_core.datasets.hiding import truth_codes, truth_names
from gdr_core.figures.palette import PART_COLOURS
from gdr_core.figures.ticks import decades
from gdr_core.gdr import verdict
from gdr_core.gdr.tallies import tallies
from gdr_core.gdr.trust import gains
from gdr_core.method import Method

_COUNTED: Final = {
    "relabelled": ("Relabelled", "Nodes whose label differs from the prior's."),
    "fixed": ("Fixed", "Wrong before, right now."),
    "broken": ("Broken", "Right before, wrong now."),
    "still_wrong": ("Still wrong", "Relabelled, but wrong before and after."),
    "not_judged": ("Not judged", NOT_JUDGED),
}


@kept(most=24)
def verdicts_of(view: Method) -> tuple[str, ...]:
    """Whether the graph should be trusted, in one sentence for every t_min."""
    result = result_of(view)
    if view.auto and result.keeps_prior:
        return (decision_of(view).sentence,) * result.times.size
    labels, members = result.scan.predicted, result.split.validation
    found = gains(result.prior_labels, labels, result.truth, members)
    said = {each: verdict(each) for each in set(found)}
    return tuple(said[each] for each in found)


@kept(most=24)
def sweep_of(view: Method) -> PackedSweep:
    """Labels, accuracies and counts for every t_min; test nodes judge only where they may."""
    graph, result = dataset_of(view), result_of(view)
    names, counts = list(map(readable, graph.class_names)), tallies(result)
    return pack_sweep(
        Sweep(
            names=result.time_names,
            ticks=decades(result.relative_times),
            chosen=result.chosen,
            labels=result.scan.predicted,
            prior=result.prior_labels,
            truth=truth_codes(graph),
            classes=names,
            truths=truth_names(names),
            lines=[
                Line(part, PART_COLOURS[part], result.accuracy[part], result.prior_accuracy[part])
                for part in parts_of(view)
                if getattr(result.split, part).size
            ],
            counts=[
                Count(*said, getattr(counts, field))
                for field, said in _COUNTED.items()
                if field != "not_judged" or counts.not_judged.any()
            ],
        )
    )
