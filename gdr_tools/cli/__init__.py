"""The command line: one module for each sub-command.

A sub-command's module has `register(subparsers)`, which adds a parser and sets its default
`run`, a function of the parsed arguments that returns the exit code. Modules import what is
heavy inside `run`, so that `--help` answers at once.

Exit codes: 0 fine, 1 failure, 2 bad usage, 130 interrupted.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from gdr_core import __version__
from gdr_core.extras import missing
from gdr_core.progress import Cancelled

COMMANDS = (
    "data",
    "classify",
    "bench",
    "train",
    "tune",
    "reproduce",
    "attempts",
    "study",
    "lessons",
    "beyond",
    "blocks",
    "diffuse",
    "fuzz",
)
_INTERRUPTED = 130


class CommandError(Exception):
    """A failure that one sentence explains; exit code 1."""

    code = 1


class UsageError(CommandError):
    """Arguments that cannot be meant; exit code 2."""

    code = 2


def main(argv: list[str] | None = None) -> int:
    """Run the command line and return its exit code; errors become one sentence on stderr."""
    try:
        words = sys.argv[1:] if argv is None else argv
        arguments = parser(words).parse_args(words)
        code = int(arguments.run(arguments))
        sys.stdout.flush()
    except BrokenPipeError:
        return _silenced()
    except (KeyboardInterrupt, Cancelled):
        return _failed("interrupted", _INTERRUPTED)
    except CommandError as error:
        return _failed(error, error.code)
    except ModuleNotFoundError as error:
        return _failed(missing(error.name or str(error)), 1)
    except (ValueError, OSError) as error:
        return _failed(error, 1)
    return code


def parser(words: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The grammar, from the modules of `COMMANDS` that exist.

    Where the first of `words` names a sub-command, the others are not even imported.
    """
    top = argparse.ArgumentParser(
        prog="gdr" if Path(sys.argv[0]).stem == "gdr" else "python -m gdr_core",
        description="Graph diffusion reclassification: let a graph correct a classifier.",
    )
    top.add_argument("--version", action="version", version=f"gdr_core {__version__}")
    subparsers = top.add_subparsers(title="sub-commands", metavar="COMMAND", required=True)
    named = tuple(words[:1])
    for name in named if named and named[0] in COMMANDS else COMMANDS:
        if find_spec(f"{__name__}.{name}") is not None:
            import_module(f"{__name__}.{name}").register(subparsers)
    return top


def _failed(error: object, code: int) -> int:
    print(f"error: {' '.join(str(error).split())}", file=sys.stderr)
    return code


def _silenced() -> int:
    """The reader went away, as `head` does: end without a word, also when Python flushes."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1
