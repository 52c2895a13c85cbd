"""Why diffusion helps here and not there: alignment, influence, smoothing, communities."""
