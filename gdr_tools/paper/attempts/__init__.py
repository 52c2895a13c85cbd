"""One more attempt at the numbers of the paper that ours fall short of: `gdr attempts`."""
