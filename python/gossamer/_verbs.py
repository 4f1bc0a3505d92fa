"""The command's verbs as functions."""

from __future__ import annotations

import json
import re
import tempfile
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Union

import numpy as np
from numpy.typing import NDArray

from ._command import GossamerError, InputError, call
from ._schedule import Schedule, read_loads, read_schedule


@dataclass(frozen=True)
class _Checked:
    #: The command's whole JSON object; docs/ of Gossamer explain its numbers.
    report: dict[str, Any]

    @property
    def passed(self) -> bool:
        """Whether all is as it should be: the schedule keeps all rules and delivers everything, and a run has measured what
        was predicted. `problems` says what is not."""
        return bool(self.report["verdict"] == "pass")

    @property
    def problems(self) -> list[str]:
        return list(self.report["problems"])

    def _repr_html_(self) -> str:
        """What a notebook shows: numbers and words of the report."""
        rows = "".join(f"<tr><th style='text-align:left'>{escape(key)}<td>{escape(str(value))}" for key, value in self.report.items()
                       if isinstance(value, (int, float, str)))
        return f"<table>{rows}</table>" + "".join(f"<p>{escape(problem)}" for problem in self.problems)

    def _number(self, key: str) -> int | None:
        number = self.report[key]
        return None if number is None else int(number)


@dataclass(frozen=True)
class Plan(_Checked):
    """A schedule, and what the checker says of it."""

    schedule: Schedule
    #: The file, word for word, but for the names of edge lists, which are absolute: `Path(...).write_text(plan.text)` saves
    #: it in any folder.
    text: str
    #: Flits of a message, of a longest one if they are not equally long; `schedule.header["flits"]` then has all.
    flits: int
    _loads: NDArray[np.void]
    #: The options that it was checked with.
    _given: dict[str, Any]

    @property
    def nodes(self) -> int:
        return int(self.report["nodes"])

    @property
    def rounds(self) -> int:
        return int(self.report["rounds"])

    @property
    def cycles(self) -> int | None:
        """Clock cycles from the start pulse to the last flit on its last link, by the timing model. None if the hardware
        cannot run the schedule."""
        return self._number("cycles_predicted")

    @property
    def transfers(self) -> NDArray[np.void]:
        """Structured array of shape (transfers,), dtype `TRANSFER`, by round."""
        return self.schedule.transfers

    @property
    def messages(self) -> NDArray[np.void]:
        """Structured array of shape (messages of all transfers,), dtype `MESSAGE`."""
        return self.schedule.messages

    def _repr_html_(self) -> str:
        """... and the load of its links, if the page's picture has room for them."""
        with tempfile.TemporaryDirectory() as folder:
            picture = Path(folder) / "fabric.svg"
            try:
                call("report", [_file_of(self, folder)], {"svg": f"fabric={picture}", **self._given})
            except InputError:
                return super()._repr_html_()
            return picture.read_text() + super()._repr_html_()

    def path(self, transfer: int) -> NDArray[np.uint32]:
        """The nodes of a transfer's path, shape (hops + 1,)."""
        t = self.transfers[transfer]
        return self.schedule.nodes[int(t["path"]):int(t["path"]) + int(t["hops"]) + 1]

    def link_load(self, by_round: bool = False) -> NDArray[np.void]:
        """What each directed link carries, in messages and in busy clock cycles: dtype `LINK_LOAD`, shape (links,),
        with round 0; or, by round, shape (rows,), without the links that are idle in a round."""
        wanted: NDArray[np.bool_] = (self._loads["round"] > 0) == by_round
        return np.compress(wanted, self._loads)


@dataclass(frozen=True)
class Run(_Checked):
    """A run on the RTL: everything that was measured is in `report`."""

    @property
    def cycles(self) -> int | None:
        """Clock cycles as the monitors on the links saw them, from the start pulse to the last flit on its last link. None
        if the checker refused the schedule: nothing ran."""
        return self._number("cycles_measured")

    @property
    def words_checked(self) -> int | None:
        """Words in all message stores, each compared with what its origin sent. None if nothing ran."""
        return self._number("words_checked")


@dataclass(frozen=True)
class Tables:
    """What a host of `axi_fabric` writes to make it run a schedule (docs/hardware/host.md)."""

    #: Shape (words,), fields `address` (in bytes) and `data`, in the order of writing.
    writes: NDArray[np.void]
    #: The value of AXI_CHECKSUM.
    checksum: int
    #: By node: the destinations of the messages that its stream brings, in order; empty for a message to everybody, and for
    #: the vector of a reduction. Of a reduce-scatter the members whose blocks they are.
    own: dict[int, NDArray[np.uint32]]
    #: The parameters of `axi_fabric`, as SystemVerilog.
    parameters: str


def plan(topology: Any, *, algorithm: str | None = None, collective: str | None = None, ports: str | None = None,
         duplex: str | None = None, root: int | str | None = None, flits: int | None = None, faults: str | None = None,
         seed: int | None = None, **options: Any) -> Plan:
    """Computes a schedule and checks it, without the RTL.

    The arguments are the options of `gossamer plan`, also those not named here; None leaves its default. `flits` is
    the length of a message in flits of 32 bits, `output` a file for the schedule. Members, link stages and a cycle may be
    lists, ranges or arrays, groups lists of them, sizes an array by origin or by origin and destination, or a dict of
    either, and the topology a graph of networkx. Raises `InputError` with the command's own message.
    """
    named = {"algorithm": algorithm, "collective": collective, "ports": ports, "duplex": duplex, "root": root,
             "flits": flits, "faults": faults, "seed": seed}
    return _planned("plan", [], _with_given(topology, {"topology": topology, **named, **options}))


def check(schedule: Union[str, Path, Plan], **options: Any) -> Plan:
    """Checks a schedule file, or a plan anew with other options such as `flits` or `faults`."""
    with tempfile.TemporaryDirectory() as folder:
        return _planned("check", [_file_of(schedule, folder)], _with_given(schedule, options))


def run(schedule: Union[str, Path, Plan], **options: Any) -> Run:
    """Runs a schedule on the RTL, in simulation, and compares every word and every link cycle.

    `schedule` is a plan, a schedule file, or a topology such as ``"torus:7x7x7"``, which is planned with the options. A plan
    runs with those that it was checked with, unless others are given.
    The first run on nodes of another kind builds its simulator, which takes some 10 s.
    """
    with tempfile.TemporaryDirectory() as folder:
        if isinstance(schedule, str) and re.match(r"\w+:", schedule):
            return Run(call("run", [], {"topology": schedule, **options}))
        return Run(call("run", [_file_of(schedule, folder)], _with_given(schedule, options)))


def tables(schedule: Union[str, Path, Plan], **options: Any) -> Tables:
    """Compiles a schedule on a torus, mesh or hypercube into the words that an AXI host writes."""
    with tempfile.TemporaryDirectory() as folder:
        options = {"format": "axi", "output": Path(folder) / "tables.txt", **_with_given(schedule, options, {"faults"})}
        report = call("export", [_file_of(schedule, folder)], options)
        out = Path(options["output"])
        if not out.exists():
            raise GossamerError("; ".join(report.get("problems", ["nothing was written"])))
        text = out.read_text()
    writes = np.array([(int(address, 16), int(data, 16)) for address, data in
                       re.findall(r"^(0x\w+) (0x\w+)$", text, re.M)], [("address", "u4"), ("data", "u4")])
    checksum = re.search(r"^# checksum (0x\w+)$", text, re.M)
    parameters = re.search(r"^# axi_fabric #\(\n(.*?)^# \)$", text, re.M | re.S)
    assert checksum and parameters, text[:500]
    own = {int(node): np.array([int(d.split(":")[0]) for d in to.split() if d[0].isdigit()], np.uint32)
           for node, to in re.findall(r"^# own (\d+):(.*)$", text, re.M)}
    return Tables(writes, int(checksum[1], 16), own, re.sub(r"^#\s*", "", parameters[1], flags=re.M))


def _with_given(schedule: Union[str, Path, Plan], options: dict[str, Any], but: set[str] = set()) -> dict[str, Any]:
    """The options, and those that a plan was checked with, but for some."""
    given = schedule._given if isinstance(schedule, Plan) else {}
    return {**{name: given[name] for name in given.keys() - but},
            **{name: value for name, value in options.items() if value is not None}}


def _anywhere(topology: str) -> str:
    """The topology with absolute names of its edge lists."""
    factors = topology.split(",") if topology.startswith("product:") else [topology]
    return ",".join(re.sub("^((?:product:)?edges:)(.*)", lambda m: m[1] + str(Path(m[2]).resolve()), factor)
                    for factor in factors)


def _file_of(schedule: Union[str, Path, Plan], folder: str) -> str:
    if not isinstance(schedule, Plan):
        return str(schedule)
    file = Path(folder) / "schedule.jsonl"
    file.write_text(schedule.text)
    return str(file)


def _planned(verb: str, arguments: list[str], options: dict[str, Any]) -> Plan:
    with tempfile.TemporaryDirectory() as folder:
        written = {"output": Path(folder) / "plan.jsonl"} if verb == "plan" else {}
        options = {**written, "loads": Path(folder) / "loads.csv", **options}
        report = call(verb, arguments, options)
        report.pop("loads", None)
        file = Path(options["output"] if verb == "plan" else arguments[0])
        if not file.exists():  # not written, because a check fails
            raise GossamerError("; ".join(report.get("problems", ["nothing was written"])))
        schedule, text = read_schedule(file), file.read_text()
        loads = read_loads(Path(options["loads"]))
    if "edges:" in schedule.header["topology"]:
        schedule.header["topology"] = _anywhere(report["topology"])
        text = json.dumps(schedule.header, separators=(",", ":")) + "".join(text.partition("\n")[1:])
    given = {name: value for name, value in options.items() if name in ("flits", "link_stages", "faults", "seed")}
    return Plan(report, schedule, text, int(report["flits"]), loads, given)
