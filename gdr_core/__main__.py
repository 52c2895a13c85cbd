"""`python -m gdr_core`: the command line."""

import sys

from gdr_tools.cli import main

if __name__ == "__main__":
    sys.exit(main())
