"""Schedule files and link loads as NumPy arrays."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

EVERYBODY = 2**32 - 1
LISTED, EVERYTHING, NEW = 0, 1, 2

#: A transfer. `round` counts from 1; `source` and `destination` are nodes; `hops` are the links of its path, whose
#: hops + 1 nodes begin at `path` in `Schedule.nodes`; its `messages` begin at `first` in `Schedule.messages`. `carry`
#: is 0 where they are listed there, 1 for everything that the source holds, 2 for what is new to the link of that.
#: A tree is a transfer to each node that stores what comes, over the path that leads there; a join is one from each
#: node, over the path to its root.
TRANSFER = np.dtype([("round", "u4"), ("source", "u4"), ("destination", "u4"), ("hops", "u4"), ("path", "u8"),
                     ("messages", "u4"), ("first", "u8"), ("carry", "u1")])
#: A message: its `origin`, and its `destination`, 2^32 - 1 for everybody; of messages that are cut, one `piece`.
MESSAGE = np.dtype([("origin", "u4"), ("destination", "u4"), ("piece", "u4")])
#: What a link, from `source` to `destination`, carries in a `round` (0: in all rounds together): `messages`, and
#: `cycles` in which it is busy.
LINK_LOAD = np.dtype([("round", "u4"), ("source", "u4"), ("destination", "u4"), ("messages", "u8"), ("cycles", "u8")])


@dataclass(frozen=True)
class Schedule:
    """A schedule file: its first line, and arrays of shapes (transfers,), (nodes of all paths,) and (messages,)."""

    header: dict[str, Any]
    transfers: NDArray[np.void]
    nodes: NDArray[np.uint32]
    messages: NDArray[np.void]


def paths(transfer: dict[str, Any]) -> list[list[int]]:
    """The paths to all nodes that store what comes: one, unless the transfer has a tree. Of a join, one from each node."""
    if "join" in transfer:
        to_root: dict[int, list[int]] = {}
        for tail, head in reversed(transfer["join"]):
            to_root[tail] = [tail] + to_root.get(head, [head])
        return list(to_root.values())
    if "tree" not in transfer and "to" not in transfer:
        return [transfer["path"]]
    path = transfer.get("path", [])
    arcs = transfer.get("tree", list(zip(path, path[1:])))
    to = {arcs[0][0]: [arcs[0][0]]}
    for tail, head in arcs:
        to[head] = to[tail] + [head]
    return [to[x] for x in transfer.get("to", list(to)[1:])]


def _message(name: Any, cut: bool) -> tuple[int, int, int]:
    numbers = name if isinstance(name, list) else [name]
    piece = numbers.pop() if cut else 0
    return numbers[0], numbers[1] if len(numbers) > 1 else EVERYBODY, piece


def read_schedule(file: Path) -> Schedule:
    transfers: list[tuple[int, ...]] = []
    nodes: list[int] = []
    messages: list[tuple[int, int, int]] = []
    with file.open() as lines:
        header = json.loads(next(lines))
        for line in lines:
            if not line.strip():
                continue
            transfer = json.loads(line)
            carried = transfer["msgs"]
            carry = {"*": EVERYTHING, "new": NEW}[carried] if isinstance(carried, str) else LISTED
            listed = [_message(m, "pieces" in header) for m in carried] if carry == LISTED else []
            for path in paths(transfer):
                transfers.append((transfer["r"], path[0], path[-1], len(path) - 1, len(nodes), len(listed),
                                  len(messages), carry))
                nodes += path
                messages += listed
    return Schedule(header, np.array(transfers, TRANSFER), np.array(nodes, np.uint32), np.array(messages, MESSAGE))


def read_loads(file: Path) -> NDArray[np.void]:
    """All rows of a `--loads` file; the sums over all rounds have round 0."""
    with file.open() as lines:
        next(lines)
        rows = [line.rstrip().split(",") for line in lines]
    return np.array([tuple(0 if field == "sum" else int(field) for field in row) for row in rows], LINK_LOAD)
