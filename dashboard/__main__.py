"""`python -m dashboard`."""

import sys

from dashboard.cli import main

if __name__ == "__main__":
    sys.exit(main())
