"""XML read as a stream, without entities, document types or anything from outside the file."""

from __future__ import annotations

import io
from typing import Any
from xml.sax.handler import ContentHandler

from gdr_core.datasets.own.files import File
from gdr_core.datasets.own.findings import Notebook, ReadingError, short
from gdr_core.datasets.own.formats.building import GraphBuilder, weight_of

DEPTH = 50


class Elements(ContentHandler):
    """Builds a graph; calls `opened` and `closed` for every element, with local name and text."""

    def __init__(self, file: File, notebook: Notebook):
        super().__init__()
        self.file = file
        self.builder = GraphBuilder(file, notebook)
        self.node = -1
        self.path: list[str] = []
        self.text: list[str] = []
        self.size = 0

    @classmethod
    def graph_in(cls, file: File, notebook: Notebook) -> GraphBuilder:
        """The graph that a file holds."""
        return _graph_of(cls(file, notebook))

    @property
    def line(self) -> int:
        """The line that is being read."""
        locator: Any = getattr(self, "_locator", None)
        return (locator.getLineNumber() or 0) if locator else 0

    def startElement(self, name: str, attrs: Any) -> None:  # noqa: N802
        """Remember where we are and tell."""
        self.path.append(name.rpartition(":")[2].lower())
        if len(self.path) > DEPTH:
            raise self.file.error(f"elements are nested more than {DEPTH} deep", self.line)
        self.text, self.size = [], 0
        self.opened(self.path[-1], dict(attrs.items()))

    def characters(self, content: str) -> None:
        """Collect the text of the innermost element."""
        self.text.append(content)
        self.size += len(content)
        if self.size > self.file.limits.name:
            raise self.file.error("an element holds too long a text", self.line)

    def endElement(self, name: str) -> None:  # noqa: N802
        """Tell, and step out."""
        self.closed(self.path[-1], "".join(self.text).strip())
        self.text, self.size = [], 0
        self.path.pop()

    def opened(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""

    def closed(self, name: str, text: str) -> None:
        """An element ends; text is what stood in it."""

    def edge_of(self, attributes: dict[str, str], line: int) -> None:
        """Take in an edge, whose ends and weight are attributes."""
        for end in ("source", "target"):
            if not attributes.get(end, "").strip():
                raise self.file.error(f"an edge has no {end}", line)
        weight = weight_of(self.builder, attributes.get("weight"))
        self.builder.edge(attributes["source"], attributes["target"], weight, line)


def _graph_of(handler: Elements) -> GraphBuilder:
    """What the handler builds of its file; every problem becomes one sentence with a line."""
    from xml.sax import SAXException, SAXParseException

    import defusedxml.sax
    from defusedxml.common import DefusedXmlException

    file = handler.file
    file.check_size(file.limits.slow_bytes)
    try:
        defusedxml.sax.parse(io.BytesIO(file.content), handler, forbid_dtd=True)
    except DefusedXmlException as problem:
        raise file.error(
            "a document type or an entity is declared in the file; remove it", handler.line or None
        ) from problem
    except SAXParseException as problem:
        said = f"the XML is broken ({short(problem.getMessage())})"
        raise file.error(said, problem.getLineNumber()) from problem
    except ReadingError:
        raise
    except (SAXException, ValueError, LookupError, OSError) as problem:
        raise file.error(
            f"the XML cannot be read ({short(str(problem))})", handler.line or None
        ) from problem
    return handler.builder
