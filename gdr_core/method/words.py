"""The words for a method, on the command line and in links: one table for both."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NoReturn

import numpy as np

from gdr_core.datasets import Dataset, Spec, names, own_spec, spec_of
from gdr_core.datasets.choice import SEED
from gdr_core.diffusion import PRECISIONS
from gdr_core.gdr import RULES, SPACINGS, GDROptions
from gdr_core.laplacians import ALPHA, DIRECTIONS, LAPLACIANS, SCOPES, fitting
from gdr_core.option import Option
from gdr_core.priors import PRIORS
from gdr_core.priors import spec_of as prior_spec

PRIOR: Final = "projection"
ENSEMBLE: Final = "ensemble"
PLAIN: Final = GDROptions()


CHOSEN_BY_AUTO: Final = ("rule", "laplacian")


class InapplicableError(ValueError):
    """A choice that has no meaning beside the others."""


def usual_laplacian(spec: Spec) -> str:
    """The Laplacian for a dataset when none is asked for."""
    return fitting(spec.directed)[0]


def _scientific(value: float) -> str:
    return np.format_float_scientific(value, trim="-", exp_digits=1)


@dataclass(frozen=True)
class Choice:
    """A field, what it may be, and its names on the command line and in links."""

    field: str
    argument: str
    parameter: str
    option: Option
    scientific: bool = False

    def text(self, value: Any) -> str:
        """The value as a link has it, the same word that the app's select boxes show."""
        return _scientific(value) if self.scientific else self.option.word(value)


def _text(name: str, default: str, meaning: str, choices: Collection[str] = ()) -> Option:
    return Option(name, default, meaning, choices=tuple(choices))


def _named(option: Option, *, scientific: bool = False) -> Choice:
    """A choice whose field, argument and parameter all have the name of its option."""
    word = option.name.replace("_", "-")
    return Choice(option.name, f"--{word}", word, option, scientific)


_PRIOR_SEED: Final = "of a random prior; default: as --seed"
_LAPLACIAN: Final = "default: combinatorial, or directed"
_AUTO: Final = "choose rule and Laplacian on the validation nodes, or keep the prior"
FIRST: Final = Option("first", PLAIN.first, "where the time window begins, in relaxation times")
LAST: Final = Option("last", None, "where the time window ends", kind=float)
TIMES: Final = (Choice("first", "", "from", FIRST), Choice("last", "", "to", LAST))
CHOICES: Final = (
    _named(Option("split", None, "default: the dataset's own", kind=str)),
    _named(SEED),
    _named(_text("prior", PRIOR, "the classifier to begin with")),
    _named(Option("prior_seed", None, _PRIOR_SEED, 0, SEED.high, kind=int)),
    _named(Option("laplacian", None, _LAPLACIAN, choices=tuple(LAPLACIANS), kind=str)),
    _named(
        _text("direction", DIRECTIONS[0], "walk along A or its transpose (directed)", DIRECTIONS)
    ),
    _named(Option("alpha", ALPHA, "follow an edge with this probability (directed)")),
    _named(Option("auto", False, _AUTO)),
    _named(_text("rule", PLAIN.rule, "how overshoots decide", RULES)),
    _named(_text("stationary", SCOPES[0], "π over the whole graph or each component", SCOPES)),
    _named(Option("tolerance", PLAIN.tolerance, "largest error, proved"), scientific=True),
    Choice("count", "--times", "times", Option("times", PLAIN.count, "size of the time grid", 2)),
    _named(_text("spacing", SPACINGS[0], "of the time grid", SPACINGS)),
    _named(
        _text("precision", PLAIN.precision, "of the sparse products; see --tolerance", PRECISIONS)
    ),
    _named(Option("normalise", False, "divide the rows of a prior by their sum")),
)


def add_arguments(parser: argparse.ArgumentParser, *, own: bool = False) -> None:
    """Give a parser the arguments of a method, for `Method.from_arguments`.

    own   whether the dataset may be left out, because it can come from files
    """
    dataset = "name of a dataset; `data` lists them"
    parser.add_argument("dataset", nargs="?" if own else None, help=dataset)
    for choice in CHOICES:
        _add_argument(parser, choice)
    parser.add_argument(
        "--window",
        type=_time,
        nargs=2,
        metavar=("FIRST", "LAST"),
        help="time window in relaxation times; default: 0.0001 automatic, which ends at 1, with a "
        "directed Laplacian later",
    )
    for name, whose in (("option", "dataset"), ("prior-option", "prior")):
        parser.add_argument(
            f"--{name}",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help=f"an option of the {whose}; can be given several times",
        )
    parser.add_argument(
        "--mean-of",
        nargs="+",
        metavar="PRIOR",
        help="the prior is the mean of these; heat-net*5 is the mean over five seeds",
    )
    parser.add_argument(
        "--probabilities", metavar="FILE", help="CSV or NPY of class probabilities (external prior)"
    )


def _add_argument(parser: argparse.ArgumentParser, choice: Choice) -> None:
    option = choice.option
    if option.kind is bool:
        parser.add_argument(choice.argument, action="store_true", help=option.meaning)
        return
    listed: Collection[str] = sorted(PRIORS) if choice.field == "prior" else option.choices
    default = "" if "default" in option.meaning else f"; default: {choice.text(option.default)}"
    parser.add_argument(
        choice.argument,
        dest=choice.field,
        type=option.kind,
        choices=listed or None,
        help=option.meaning + default,
        metavar=None if listed or option.kind is str else "N" if option.kind is int else "X",
    )


def from_arguments(
    arguments: Sequence[str] | argparse.Namespace, own: Dataset | None = None
) -> dict[str, Any]:
    """What `Method.on` takes, from words or parsed arguments; what was not given is left out.

    own   the dataset, where the arguments do not name one
    """
    found = arguments if isinstance(arguments, argparse.Namespace) else _parsed(arguments)
    given = {
        choice.field: value
        for choice in CHOICES
        if (value := getattr(found, choice.field)) is not None
    }
    if found.window is not None:
        given |= {"first": found.window[0], "last": found.window[1]}
    of_prior = [*found.prior_option]
    if found.mean_of:
        if found.prior is not None or found.probabilities is not None:
            raise InapplicableError("--mean-of is a prior itself; leave out --prior and its file")
        if any(word.startswith("members=") for word in of_prior):
            raise InapplicableError("--mean-of names the members; leave out that --prior-option")
        given["prior"] = ENSEMBLE
        of_prior += [f"members={','.join(found.mean_of)}"]
    name = found.dataset if own is None else own.name
    spec, prior = spec_of(name) if own is None else own_spec(own), given.get("prior", PRIOR)
    _refuse_chosen(given)
    _refuse_void(given, given.get("laplacian") or usual_laplacian(spec))
    allowed = spec.options_with(given.get("split") or spec.splits[0])
    file = [] if found.probabilities is None else [f"probabilities={found.probabilities}"]
    return given | {
        "name": own or name,
        "options": _pairs(found.option, allowed, name),
        "prior_options": _pairs([*of_prior, *file], options_of(prior), prior),
    }


def from_link(link: Mapping[str, str], other_priors: Collection[str] = ()) -> dict[str, Any]:
    """What `Method.on` takes, from the parameters of a link.

    Values that only a program on this machine can mean, as the name of a file, are not read.
    """
    given = {
        choice.field: _read(choice.option, link[choice.parameter], choice.parameter)
        for choice in (*CHOICES, *TIMES)
        if choice.parameter in link
    }
    if given.get("auto"):
        given = {name: value for name, value in given.items() if name not in CHOSEN_BY_AUTO}
    name, prior = link.get("dataset", names()[0]), given.get("prior", PRIOR)
    if prior not in other_priors:
        prior_spec(prior)
    spec = spec_of(name)
    return given | {
        "name": name,
        "options": _read_options(
            link, name, spec.options_with(given.get("split") or spec.splits[0])
        ),
        "prior_options": _read_options(link, prior, options_of(prior)),
    }


class _Parser(argparse.ArgumentParser):
    """A parser that raises where others end the program."""

    def error(self, message: str) -> NoReturn:
        """Refuse the words."""
        raise ValueError(message)


def _parsed(words: Sequence[str]) -> argparse.Namespace:
    parser = _Parser(prog="classify")
    add_arguments(parser)
    return parser.parse_args(list(words))


def _refuse_chosen(given: Mapping[str, Any]) -> None:
    """Say that what `auto` chooses was named, too."""
    if not given.get("auto"):
        return
    for name in CHOSEN_BY_AUTO:
        if name in given:
            raise InapplicableError(f"--auto chooses rule and Laplacian; leave out --{name}")


def _refuse_void(given: Mapping[str, Any], laplacian: str) -> None:
    """Say that a direction or an α was asked for where it has no effect."""
    for name in ("direction", "alpha"):
        if name in given and not LAPLACIANS[laplacian].directed:
            kinds = [kind for kind in LAPLACIANS if LAPLACIANS[kind].directed]
            raise InapplicableError(
                f"--{name} needs a directed Laplacian, but the {laplacian} one has no direction; "
                f"use --laplacian {' or '.join(kinds)}"
            )


def _pairs(words: Sequence[str], options: Mapping[str, Option], whose: str) -> dict[str, Any]:
    """Options given as NAME=VALUE."""
    found = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or name not in options:
            known = ", ".join(options) or "none"
            raise ValueError(f"{whose} has no option {word!r}; it takes NAME=VALUE with {known}")
        found[name] = options[name].read(value)
    return found


def _read_options(
    link: Mapping[str, str], owner: str, options: Mapping[str, Option]
) -> dict[str, Any]:
    """Options given as OWNER-NAME in a link."""
    return {
        name: _read(option, link[f"{owner}-{name}"], f"{owner}-{name}")
        for name, option in options.items()
        if option.portable and f"{owner}-{name}" in link
    }


def _read(option: Option, word: str, parameter: str) -> Any:
    try:
        return option.read(word)
    except ValueError as error:
        raise ValueError(f"the link's parameter {parameter} cannot be used: {error}") from error


def _time(word: str) -> float | None:
    return LAST.read(word)


def options_of(prior: str) -> dict[str, Option]:
    """The options of a prior by name; none where the registry does not know it."""
    return {option.name: option for option in PRIORS[prior].options} if prior in PRIORS else {}
