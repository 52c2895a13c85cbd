"""Our own figures as PDF: vectors and real text, written in plain Python.

    data = pdf_of(study_figure(rows, "test"))

A figure is SVG of the few shapes that `gdr_core.figures.svg` makes; each becomes strokes and fills
of one page that is exactly as large as the figure (1 pixel is ¾ point). Text is in Helvetica and
Symbol, two of the fonts that every reader of PDF has, so that nothing is embedded. `lettering`
says which letters these have.
"""

from gdr_core.figures.pdf.lettering import missing_letters
from gdr_core.figures.pdf.writing import pdf_of

__all__ = ["missing_letters", "pdf_of"]
