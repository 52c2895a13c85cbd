"""The paper's five tables, computed again: each cell's runs, their storage and the report."""
