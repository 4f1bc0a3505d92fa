"""Finds the command, calls it, and turns its exit status into exceptions."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from importlib import metadata
from pathlib import Path
from typing import IO, Any, Iterable, Mapping, Sequence, cast

import numpy as np

_OK, _CHECK_FAILED, _BAD_INPUT, _INTERRUPTED = 0, 1, 2, 130
_ERASE = "\r\033[K"  # a line of progress begins and ends so


class GossamerError(RuntimeError):
    """The command is missing, or ended in a way that it should not."""


class InputError(GossamerError, ValueError):
    """The command refused what it was given; the message is its own, one line."""


def command() -> str:
    named = os.environ.get("GOSSAMER")
    if named:
        return named
    found = _of_the_wheel() or shutil.which("gossamer")
    if found:
        return found
    checkout = Path(__file__).resolve().parents[2] / "build/bin/gossamer"
    if checkout.exists():
        return str(checkout)
    raise GossamerError("no command `gossamer` on the PATH: install the wheel of `make wheel`, which has it, run `make install`, or set "
                        "GOSSAMER to it")


def _of_the_wheel() -> str | None:
    """The command that pip has installed with this package, in an environment that need not be active."""
    try:
        files = metadata.files("gossamer-fabric") or []
    except metadata.PackageNotFoundError:
        return None
    return next((str(file.locate()) for file in files if file.parts[-2:] == ("bin", "gossamer")), None)


def _text(name: str, value: Any, folder: str) -> str:
    """Lists, ranges and arrays as the command reads them: [0, 1, 5] as 0,1,5 and lists of members as groups. Sizes go into a
    file: by origin, a square of them, or a dict of either, {(0, 1): 5}. A graph has `nodes` and `edges`, as those of networkx."""
    if hasattr(value, "nodes") and hasattr(value, "edges"):
        return "edges:" + str(_graph(value))
    if name == "sizes" and isinstance(value, Mapping):
        pairs = any(isinstance(key, tuple) for key in value)
        rows = [[*np.atleast_1d(np.asarray(key)).tolist(), flits] for key, flits in value.items()]
        file = Path(folder) / "sizes.csv"
        header = "origin,destination,flits" if pairs else "origin,flits"
        file.write_text("\n".join([header] + [",".join(map(str, row)) for row in rows]))
        return str(file)
    if isinstance(value, (str, Path)) or not isinstance(value, Iterable):
        return str(value)
    rows = [np.atleast_1d(np.asarray(row)).tolist() for row in value]
    nested = any(np.ndim(row) > 0 for row in value)
    if name != "sizes":
        return ("/" if nested else ",").join(",".join(map(str, row)) for row in rows)
    if not nested:
        rows = [[origin, *row] for origin, row in enumerate(rows)]
    file = Path(folder) / "sizes.csv"
    file.write_text("\n".join(["square" if nested else "origin,flits"] + [",".join(map(str, row)) for row in rows]))
    return str(file)


def _graph(graph: Any) -> Path:
    """A file of its edges, which stays for plans that name it. Nodes are numbered in the graph's order."""
    number = {node: i for i, node in enumerate(graph.nodes)}
    arcs = [(number[edge[0]], number[edge[1]]) for edge in graph.edges]
    edges: list[Any] = arcs
    if getattr(graph, "is_directed", lambda: False)():
        edges = [{"link": arc, "one_way": True} for arc in arcs if arc[::-1] not in arcs]
        edges += [arc for arc in arcs if arc[::-1] in arcs and arc[0] < arc[1]]
    text = json.dumps({"n": len(number), "edges": edges})
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    file = cache / "gossamer" / f"graph-{hashlib.sha256(text.encode()).hexdigest()[:16]}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def _options(options: Mapping[str, Any], folder: str) -> list[str]:
    """flits=8 becomes --flits 8, symmetric=True --symmetric, symmetric=False --no-symmetric; None is left out, and False
    where there is no opposite."""
    words = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is True:
            words.append(option)
        elif value is False and name in ("symmetric", "check"):
            words.append(option.replace("--", "--no-", 1))
        elif value is not None and value is not False:
            words += [option, _text(name, value, folder)]
    return words


def _watched() -> dict[str, str]:
    """The command shows its progress where a person may look on: in a notebook, or on a terminal."""
    return {"GOSSAMER_PROGRESS": "1"} if "ipykernel" in sys.modules or sys.stderr.isatty() else {}


def _shown(errors: IO[bytes]) -> str:
    """Passes on the lines of progress, each of which erases the one before. What else the command says."""
    said = ""
    while chunk := os.read(errors.fileno(), 65536).decode(errors="replace"):
        if _ERASE in chunk:
            print(chunk, end="", file=sys.stderr, flush=True)
        said = (said + chunk).rpartition(_ERASE)[2]
    return said


def call(verb: str, arguments: Sequence[str], options: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON object that the command prints, if the verb has one. A failed check is in it, under `verdict` and `problems`."""
    as_json = [] if verb == "report" else ["--json"]
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile("w+") as out:
        words = [command(), verb, *arguments, *as_json, *_options(options, folder)]
        with subprocess.Popen(words, stdout=out, stderr=subprocess.PIPE, env={**os.environ, **_watched()}) as process:
            try:
                said = _shown(cast(IO[bytes], process.stderr))
            except KeyboardInterrupt:
                process.send_signal(signal.SIGINT)  # it may be this program's alone, as in a notebook
                raise
        out.seek(0)
        printed = out.read()
    if process.returncode in (_OK, _CHECK_FAILED):
        result: dict[str, Any] = json.loads(printed) if as_json else {}
        return result
    if process.returncode == _INTERRUPTED:
        raise KeyboardInterrupt
    said = said.strip().removeprefix("gossamer: ")
    if process.returncode == _BAD_INPUT:
        raise InputError(said)
    raise GossamerError(f"{' '.join(words)}: exit status {process.returncode}: {said}")
