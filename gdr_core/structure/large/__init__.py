"""Communities of large graphs: Markov stability without a matrix of all pairs of nodes."""
