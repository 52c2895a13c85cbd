"""What the pages share: the sidebar, cached calls, the graph canvas."""
