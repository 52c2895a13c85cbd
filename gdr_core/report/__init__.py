"""One self-contained HTML page about one reclassification, for e-mail and appendix."""

from gdr_core.report.page import report_page

__all__ = ["report_page"]
