"""What surrounds the pages where they are served: headers, errors, what is made ready before.

app = st.App("app.py", **surroundings())
"""

from __future__ import annotations

from typing import Any

from gdr_app.serving.guard import guards
from gdr_app.serving.hearing import hear_pages_only
from gdr_app.serving.readiness import ready
from gdr_app.serving.refusals import tell_refusals
from gdr_app.serving.shell import shells
from gdr_app.serving.taking import take_wholly
from gdr_app.serving.trouble import report

__all__ = ["surroundings"]


def surroundings() -> dict[str, Any]:
    """The arguments of `st.App` that make a server out of the pages."""
    take_wholly()
    tell_refusals()
    hear_pages_only()
    return {"middleware": [*guards(), *shells()], "lifespan": ready, "on_script_error": report}
