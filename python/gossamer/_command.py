"""Finds the command, calls it, and turns its exit status into exceptions."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Iterable, Mapping, Sequence

import numpy as np

_OK, _CHECK_FAILED, _BAD_INPUT, _INTERRUPTED = 0, 1, 2, 130


class GossamerError(RuntimeError):
    """The command is missing, or ended in a way that it should not."""


class InputError(GossamerError, ValueError):
    """The command refused what it was given; the message is its own, one line."""


def _command() -> str:
    named = os.environ.get("GOSSAMER")
    if named:
        return named
    found = shutil.which("gossamer")
    if found:
        return found
    checkout = Path(__file__).resolve().parents[2] / "build/bin/gossamer"
    if checkout.exists():
        return str(checkout)
    raise GossamerError("no command `gossamer` on the PATH: run `make install` in its folder, or set GOSSAMER to it")


def _text(name: str, value: Any, folder: str) -> str:
    """Lists, ranges and arrays as the command reads them: [0, 1, 5] as 0,1,5 and lists of members as groups. Sizes go into a
    file: by origin, or a square of them."""
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


def call(verb: str, arguments: Sequence[str], options: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON object that the command prints. A failed check is in it, under `verdict` and `problems`."""
    with tempfile.TemporaryDirectory() as folder:
        words = [_command(), verb, *arguments, "--json", *_options(options, folder)]
        done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode in (_OK, _CHECK_FAILED):
        result: dict[str, Any] = json.loads(done.stdout)
        return result
    if done.returncode == _INTERRUPTED:
        raise KeyboardInterrupt
    said = done.stderr.strip().removeprefix("gossamer: ")
    if done.returncode == _BAD_INPUT:
        raise InputError(said)
    raise GossamerError(f"{' '.join(words)}: exit status {done.returncode}: {said}")
