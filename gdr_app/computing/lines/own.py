"""Own data as Python: the lines that read the same files with the same choices."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, Final

from gdr_app.computing.lines.training import lines_of_run
from gdr_app.state.own import PROBABILITIES, Own, opened, own_of
from gdr_core.datasets.own import Choices, FileChoice
from gdr_core.method import Method
from gdr_core.method.lines import PriorLines, literal

IMPORTS: Final = "from gdr_core.datasets.own import Choices, FileChoice, read\n"
_INPUT_IMPORTS: Final = (
    "from dataclasses import replace\nimport numpy as np\nfrom scipy.sparse import csr_array\n"
)
_NOT_SAID: Final = ("files", "draw_layout", "limits")


def lines_for(view: Method) -> PriorLines | None:
    """The lines that a view needs beside its own: for a training run, for own data, or for both."""
    run, mine = lines_of_run(view.prior), own_of(view.dataset)
    if mine is None:
        return run
    given = "opened.probabilities" if view.prior == PROBABILITIES else ""
    lines = PriorLines("", "", given) if run is None else _on_own(run, mine)
    return replace(lines, imports=IMPORTS + lines.imports, dataset=_reading_lines(mine))


def training_imports(key: str) -> str:
    """The imports that `training_dataset` needs; empty for datasets that have a name."""
    own = opened().get(key)
    return "" if own is None else IMPORTS + (_INPUT_IMPORTS if own.inputs else "")


def training_dataset(key: str) -> str:
    """The lines that make `dataset` as a network reads it; empty for those that have a name."""
    own = opened().get(key)
    if own is None:
        return ""
    inputs = f"dataset = replace(dataset, features=csr_array({own.inputs}))\n"
    return _reading_lines(own) + (inputs if own.inputs else "")


def _on_own(run: PriorLines, mine: Own) -> PriorLines:
    """The lines of a run on own data; without features the network reads something else."""
    if not mine.inputs:
        return run
    inputs = f"graph = dataset\ndataset = replace(dataset, features=csr_array({mine.inputs}))\n"
    return replace(
        run, imports=_INPUT_IMPORTS + run.imports, lines=f"{inputs}{run.lines}dataset = graph\n"
    )


def _reading_lines(own: Own) -> str:
    """From the files, which lie in the present folder, to `dataset`."""
    names = [literal(file.name) for file in own.files]
    return (
        f"opened = read([{', '.join(names)}], {_choices(own.choices, own.dataset.name)})\n"
        "dataset = opened.dataset\n"
    )


def _choices(choices: Choices, name: str) -> str:
    said = _changed(replace(choices, name=name), Choices(), _NOT_SAID)
    if choices.files:
        about = ", ".join(f"{literal(k)}: {_about(v)}" for k, v in choices.files.items())
        said.append(f"files={{{about}}}")
    return f"Choices({', '.join(said)})"


def _about(choice: FileChoice) -> str:
    return f"FileChoice({', '.join(_changed(choice, FileChoice()))})"


def _changed(record: Any, plain: Any, without: tuple[str, ...] = ()) -> list[str]:
    return [
        f"{each.name}={literal(getattr(record, each.name))}"
        for each in fields(record)
        if each.name not in without and getattr(record, each.name) != getattr(plain, each.name)
    ]
