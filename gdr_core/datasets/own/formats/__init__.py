"""One file a format: from the bytes of a graph file or an array file to parts of a graph."""
