"""`python -m gossamer VERB ...`: the command."""

import os
import sys

from ._command import GossamerError, command

try:
    os.execv(command(), [command(), *sys.argv[1:]])
except GossamerError as error:
    sys.exit(f"gossamer: {error}")
