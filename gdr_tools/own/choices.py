"""What a user has decided about own files, as JSON: for workers and for project files."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import Any

from gdr_core.datasets.own import Choices, FileChoice
from gdr_core.datasets.own.limits import MEGABYTE, Limits

# A server is shared: what one visitor may ask of it is less than what fits on one's own machine.
WEB_LIMITS = Limits(
    file_bytes=64 * MEGABYTE,
    slow_bytes=24 * MEGABYTE,
    files=20,
    nodes=200_000,
    edges=3_000_000,
    classes=200,
    columns=20_000,
    cells=30_000_000,
    name=20_000,
)
WEB_TOGETHER = 128 * MEGABYTE  # bytes of all files that are read together
_PLAIN = ("directed", "neighbours", "metric", "seed", "name")


def choices_to_json(choices: Choices) -> dict[str, Any]:
    """Everything but limits and layout, as plain values.

    >>> choices_from_json(choices_to_json(Choices(seed=3))).seed
    3
    """
    return {
        **{name: getattr(choices, name) for name in _PLAIN},
        "shares": list(choices.shares),
        "treatments": dict(choices.treatments),
        "files": {name: asdict(said) for name, said in choices.files.items()},
    }


def choices_from_json(given: dict[str, Any]) -> Choices:
    """The choices that `choices_to_json` wrote; a ValueError for what it cannot have written."""
    try:
        return Choices(
            files={str(k): _file_choice(v) for k, v in _mapping(given["files"]).items()},
            treatments={str(k): str(v) for k, v in _mapping(given["treatments"]).items()},
            directed=_one_of(given["directed"], (None, True, False)),
            neighbours=_between(given["neighbours"], 1, 100),
            metric=_one_of(given["metric"], ("cosine", "euclidean")),
            seed=_between(given["seed"], 0, 2**32 - 1),
            shares=_shares(given["shares"]),
            name=str(given["name"])[:80],
            draw_layout=False,
            limits=WEB_LIMITS,
        )
    except (KeyError, TypeError, AttributeError) as problem:
        raise ValueError("these choices are not complete") from problem


def _file_choice(given: dict[str, Any]) -> FileChoice:
    known = {each.name for each in fields(FileChoice)}
    if unknown := set(given) - known:
        raise ValueError(f"a file has no choice {min(unknown)!r}")
    columns = {str(k): _column(v) for k, v in _mapping(given.get("columns") or {}).items()}
    return FileChoice(
        format=_text_or_none(given.get("format")),
        role=_text_or_none(given.get("role")),
        separator=_text_or_none(given.get("separator")),
        header=_one_of(given.get("header"), (None, True, False)),
        columns=columns,
        split=_between(given.get("split", 0), 0, 1000),
    )


def _column(given: Any) -> Any:
    if isinstance(given, list | tuple):
        return tuple(_between(each, 0, 10**6) for each in given)
    return given if given is None or isinstance(given, str) else _between(given, 0, 10**6)


def _mapping(given: Any) -> dict[Any, Any]:
    if not isinstance(given, dict):
        raise ValueError("choices are told by name")
    return given


def _is_number(given: Any) -> bool:
    return isinstance(given, int | float) and not isinstance(given, bool) and 0 <= given <= 1


def _text_or_none(given: Any) -> str | None:
    return None if given is None else str(given)[:100]


def _one_of(given: Any, allowed: tuple[Any, ...]) -> Any:
    if not any(given is each or (isinstance(each, str) and given == each) for each in allowed):
        raise ValueError(f"{given!r} is none of {allowed}")
    return given


def _between(given: Any, low: int, high: int) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or not low <= given <= high:
        raise ValueError(f"{given!r} is no whole number from {low} to {high}")
    return given


def _shares(given: Any) -> tuple[float, float, float]:
    if not isinstance(given, list | tuple) or len(given) != 3 or not all(map(_is_number, given)):
        raise ValueError("a split has three shares, which are numbers")
    train, validation, test = (float(each) for each in given)
    if (
        min(train, validation, test) < 0
        or not train > 0
        or abs(train + validation + test - 1) > 1e-6
    ):
        raise ValueError("the shares of a split must sum to one")
    return train, validation, 1.0 - train - validation
