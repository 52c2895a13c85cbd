"""An error that nobody expected: the visitor gets a number to report, the log everything else."""

from __future__ import annotations

import logging
import secrets
from typing import Final

import streamlit as st

LOG: Final = logging.getLogger(__name__)
_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"  # none that are taken for one another
_LENGTH: Final = 8
_TOLD: Final = (
    "Something went wrong on this page, and it is our fault. Reload it, or choose something else. "
    "If it happens again, please report the number **{number}**: the server's log tells under it "
    "what happened."
)


def report(error: Exception) -> bool:
    """Log an error under a new number and show the number; True, so that nothing else is shown."""
    number = "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))
    LOG.error("error %s", number, exc_info=error)
    st.error(_TOLD.format(number=number), icon=":material/bug_report:")
    return True
