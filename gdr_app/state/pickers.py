"""Widgets over the state of the visit, and what is said when a link asks for what cannot be had.

A widget is drawn with the visit's value as its default and tells the visit when it is changed. The
browser remembers a widget's value under its key, whatever is sent to it later. So a widget whose
value or choices were changed by anything but itself gets another key: the browser then draws it
anew, with the value that the page computes with.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import streamlit as st

from gdr_app.state import link
from gdr_app.state.visit import Value, number_text, parameter_of
from gdr_app.wording import plain

_HELD: Final = "held by the browser"
LISTED: Final = 12  # options that a message names


@dataclass
class Held:
    """What the browser holds for a control: how often it was made anew, its choices, its value."""

    times: int
    shape: object
    value: object


def identity(control: str, value: object, shape: object = None) -> str:
    """The key of a control that shows this value: a new one unless the browser shows it already.

    shape   what else the browser remembers, such as the choices
    """
    every: dict[str, Held] = st.session_state.setdefault(_HELD, {})
    held = every.setdefault(control, Held(0, shape, value))
    if (held.value, held.shape) != (value, shape):
        held = every[control] = Held(held.times + 1, shape, value)
    return f"{control}~{held.times}" if held.times else control


def moved(control: str, value: object) -> None:
    """The visitor has moved a control: the browser now holds this value. For callbacks."""
    st.session_state[_HELD][control].value = value


class Picker:
    """A select box; a value that it does not have gives the default, and says so.

    Making one looks at what the link asks for; a fragment may draw one that was made outside of it.
    The choices are shown as they are named in the library and in links.
    on_choose is called with the choice before the page runs, after the visit has heard of it.
    """

    def __init__(
        self,
        label: str,
        choices: tuple[str, ...],
        *,
        key: str,
        default: str | None = None,
        on_choose: Callable[[str], None] | None = None,
        **more: Any,
    ) -> None:
        first = choices[0] if default is None else default
        chosen_of(label, key, choices, first)
        self.label, self.choices, self.key, self.on_choose = label, choices, key, on_choose
        self.silent = _unsaid(key, first)
        self.more = more

    @property
    def chosen(self) -> str:
        """What is chosen."""
        asked = link.recall(self.key)
        return self.silent if asked is None else asked

    def draw(self) -> str:
        """Draw it; what is chosen."""
        value = self.chosen
        control = identity(self.key, value, self.choices)
        self._show(value, key=control, on_change=self._take, args=(control,), **self.more)
        return value

    def _show(self, value: str, **more: Any) -> None:
        st.selectbox(self.label, self.choices, self.choices.index(value), **more)

    def _take(self, control: str) -> None:
        chosen = st.session_state[control]
        moved(self.key, chosen)
        link.remember(self.key, None if chosen == self.silent else chosen)
        if self.on_choose is not None:
            self.on_choose(chosen)


class Tabs(Picker):
    """The same as a row of tabs, for the parts of a page; its label is for screen readers."""

    def _show(self, value: str, **more: Any) -> None:
        st.segmented_control(
            self.label,
            self.choices,
            default=value,
            required=True,
            label_visibility="collapsed",
            **more,
        )


def pick(label: str, choices: tuple[str, ...], *, key: str, **more: Any) -> str:
    """A select box that is made and drawn at once; see `Picker`."""
    return Picker(label, choices, key=key, **more).draw()


def chosen_of(label: str, key: str, choices: tuple[str, ...], default: str) -> str:
    """Which of the choices holds; what is none of them is forgotten, with a word if it came from a
    link."""
    link.visit().settle(key)
    asked, silent = link.recall(key), _unsaid(key, default)
    value = silent if asked is None else asked
    if value not in choices:
        if key in link.visit().asked:
            _warn(f"{_asks(value, label)}, which is {_none_of(choices)}. Showing {default}.")
        value = default
    if asked != (wanted := None if value == silent else value):
        link.correct(key, wanted)
    link.visit().asked.discard(key)
    return value


def _unsaid(key: str, default: str) -> str:
    """The choice that links do not name: the same on all pages, or else this page's default."""
    everywhere = parameter_of(key).default
    return default if everywhere is None else everywhere(link.visit())


class Pills:
    """Pills of which several or none can be chosen; made and drawn as a `Picker` is.

    The choices should not depend on what moves while one looks: a pill that goes takes its being
    chosen with it.
    """

    def __init__(self, label: str, choices: Sequence[str], *, key: str) -> None:
        self.label, self.choices, self.key = label, tuple(choices), key
        some_of(label, key, self.choices, ())

    def draw(self) -> list[str]:
        """Draw them; what is chosen."""
        value = link.visit().get(self.key) or ()
        control = identity(self.key, value, self.choices)
        st.pills(
            self.label,
            self.choices,
            default=list(value),
            selection_mode="multi",
            key=control,
            on_change=_take,
            args=(self.key, control, tuple, ()),
        )
        return list(value)


def pick_several(
    label: str,
    choices: Sequence[str],
    *,
    key: str,
    default: Sequence[str],
    help: str | None = None,
    **more: Any,
) -> list[str]:
    """A box for several choices; at first those of the default."""
    first = tuple(default)
    value = some_of(label, key, tuple(choices), first)
    control = identity(key, value, tuple(choices))
    st.multiselect(
        label,
        choices,
        default=list(value),
        key=control,
        help=help,
        on_change=_take,
        args=(key, control, tuple, first),
        **more,
    )
    return list(value)


def some_of(
    label: str, key: str, choices: tuple[str, ...], default: tuple[str, ...]
) -> tuple[str, ...]:
    """Which of several choices hold; those that are none are forgotten as in `chosen_of`."""
    asked = link.visit().get(key)
    if asked is None:
        return default
    names = (asked,) if isinstance(asked, str) else asked
    known = tuple(name for name in names if name in choices)
    unknown = [name for name in names if name not in choices]
    if unknown and key in link.visit().asked:
        _warn(f"{_asks(', '.join(unknown), label)}: {_none_of(choices, len(unknown))}.")
    if unknown and not known:
        known = default
    link.visit().asked.discard(key)
    if known != names or known == default:
        link.correct(key, None if known == default else known)
    return known


def pick_number(
    label: str,
    low: float | None,
    high: float | None,
    default: float,
    *,
    key: str,
    step: float,
    slider: bool = False,
    **more: Any,
) -> float:
    """A field for a number, or a slider; whole numbers where default and step are."""
    value = number_of(label, key, low, high, default)
    kind = int if isinstance(default, int) and isinstance(step, int) else float
    control = identity(key, number_text(value), (low, high, step))

    def take() -> None:
        chosen = st.session_state[control]
        text = number_text(default if chosen is None else chosen)
        moved(key, None if chosen is None else text)  # an emptied field is filled again
        link.remember(key, None if text == number_text(default) else text)

    draw: Callable[..., Any] = st.slider if slider else st.number_input
    limits = [None if limit is None else kind(limit) for limit in (low, high)]
    draw(label, *limits, kind(value), step=kind(step), key=control, on_change=take, **more)
    return kind(value)


def number_of(label: str, key: str, low: float | None, high: float | None, default: float) -> float:
    """The number that holds; what is none, or out of range, is forgotten as in `chosen_of`."""
    asked = link.recall(key)
    if asked is None:
        return default
    value = _number(asked)
    whole = not isinstance(default, int) or (value is not None and value.is_integer())
    if (
        value is not None
        and whole
        and (low is None or low <= value)
        and (high is None or value <= high)
    ):
        link.visit().asked.discard(key)
        if value == default:
            link.correct(key, None)
        return value
    if key in link.visit().asked:
        kind = "whole number" if isinstance(default, int) else "number"
        limits = "" if low is None or high is None else f" from {low:g} to {high:g}"
        _warn(f"{_asks(asked, label)}; it must be a {kind}{limits}. Showing {default:g}.")
    link.correct(key, None)
    return default


def type_text(
    label: str, *, key: str, longest: int, default: str = "", placeholder: str | None = None
) -> str:
    """A text field; an emptied one has its default again."""
    asked = link.recall(key)
    value = (asked or default)[:longest]
    if asked != (wanted := None if value == default else value):
        link.correct(key, wanted)
    control = identity(key, value)
    st.text_input(
        label,
        value,
        key=control,
        max_chars=longest,
        placeholder=placeholder,
        on_change=_take,
        args=(key, control, str, default),
    )
    return value


def _take(key: str, control: str, kind: Callable[[Any], Value], default: Value) -> None:
    value = kind(st.session_state[control] or "")
    moved(key, value)
    link.remember(key, None if value in ("", default) else value)


def _warn(text: str) -> None:
    st.warning(text, icon=":material/link_off:")


def _asks(asked: str, label: str) -> str:
    return f"The link asks for “{plain(asked)}” under **{label}**"


def _none_of(choices: Sequence[str], asked: int = 1) -> str:
    which = "not one of the options" if asked == 1 else "these are not among the options"
    more = f" and {len(choices) - LISTED:,} more" if len(choices) > LISTED else ""
    return f"{which}: {', '.join(choices[:LISTED])}{more}"


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if abs(value) < float("inf") else None
