"""Plans, checks and runs collective schedules on tori, with results as NumPy arrays.

A thin layer over the command `gossamer`, which does all the work: ::

    import gossamer
    p = gossamer.plan("torus:7x7x7", algorithm="translation")
    p.rounds, p.cycles, len(p.transfers), p.link_load()["messages"].max()

The command is the one that the environment variable GOSSAMER names, or its wheel's, or the first on the PATH, or that of the checkout
from which this package was installed with ``pip install -e``.
"""

from ._command import GossamerError, InputError
from ._schedule import LINK_LOAD, MESSAGE, TRANSFER
from ._verbs import Plan, Run, Tables, check, plan, run, tables

__all__ = ["GossamerError", "InputError", "LINK_LOAD", "MESSAGE", "Plan", "Run", "TRANSFER", "Tables", "check", "plan",
           "run", "tables"]
