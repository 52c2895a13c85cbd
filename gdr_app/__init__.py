"""The app as a package: `gdr-explorer` opens it."""
