"""slang OPTION...: the driver of slang, from its Python package."""

import shlex
import sys

from pyslang.driver import Driver

driver = Driver()
driver.addStandardArgs()
good = driver.parseCommandLine(shlex.join(["slang", *sys.argv[1:]])) and driver.processOptions() and driver.parseAllSources()
sys.exit(0 if good and driver.runFullCompilation(quiet=True) else 1)
