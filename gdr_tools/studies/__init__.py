"""Studies of why diffusion helps: over randomised versions of a graph, and over many graphs."""
