"""`python -m gossamer VERB ...`: the command."""

import os
import sys

from ._command import command

os.execv(command(), [command(), *sys.argv[1:]])
