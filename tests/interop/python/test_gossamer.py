"""The Python package, installed as a user would: against the command, and the example of docs/use/session.md."""

import doctest
import json
import os
import re
import signal
import subprocess
import sys
import threading
import zlib
from pathlib import Path
from types import SimpleNamespace

import gossamer
import numpy as np
import pytest

ROOT = Path(os.environ["ROOT"])


def test_readme_example():
    text = (ROOT / "docs/use/session.md").read_text()
    block = re.search(r"```pycon\n(.*?)```", text, re.S)[1]
    example = doctest.DocTestParser().get_doctest(block, {}, "session.md", "session.md", 0)
    failed, tried = doctest.DocTestRunner().run(example)
    assert tried > 4 and not failed


def test_it_is_the_installed_package():
    assert Path(gossamer.__file__).parents[2] != ROOT


def test_the_version_is_the_cores():
    version = re.search(r'^version = "(.*)"', (ROOT / "pyproject.toml").read_text(), re.M)[1]
    assert f":{version}\n" in (ROOT / "gossamer.core").read_text()


@pytest.mark.parametrize("topology, options", [
    ("torus:3x4", {}),
    ("ring:6", {"algorithm": "ring", "flits": 3}),
    ("torus:4x4", {"collective": "total-exchange", "ports": "single"}),
    ("torus:7x7", {"algorithm": "translation"}),
    ("hypercube:4", {"algorithm": "bertsekas", "flits": 2}),
])
def test_arrays_are_what_the_command_says(topology, options):
    p = gossamer.plan(topology, **options)
    assert p.passed and not p.problems
    t = p.transfers
    assert t["round"].min() == 1 and t["round"].max() <= p.rounds
    # Hops and messages: in the transfers, in the report, on the links in total and round by round.
    moved = int((t["hops"].astype(np.uint64) * t["messages"]).sum())
    assert moved == p.report["transmissions"] == p.link_load()["messages"].sum()
    by_round = p.link_load(by_round=True)
    piece, rest = divmod(p.flits, p.report.get("pieces", 1))
    assert rest == 0 and by_round["messages"].sum() == moved and by_round["cycles"].sum() == moved * piece
    assert t["messages"].sum() == len(p.messages)
    for k in (0, len(t) // 2, len(t) - 1):
        path = p.path(k)
        assert (path[0], path[-1], len(path)) == (t[k]["source"], t[k]["destination"], t[k]["hops"] + 1)
    # By the schedule alone every node gets what it should.
    if not p.report["model"]["combining"] and p.report["collective"] == "gossip":
        held = {(n, n) for n in range(p.nodes)}
        for transfer in t:
            first = int(transfer["first"])
            for message in p.messages[first:first + int(transfer["messages"])]:
                held.add((int(transfer["destination"]), int(message["origin"])))
        assert len(held) == p.nodes ** 2


def test_combining_schedules_say_what_they_carry():
    p = gossamer.plan("hypercube:3", algorithm="chau-fu")
    assert set(p.transfers["carry"]) <= {1, 2} and not p.transfers["messages"].any()


def test_messages_may_have_pieces_and_several_lengths():
    data = Path(__file__).parents[2] / "data"
    cut = gossamer.check(data / "pieces-scatter-path-3.jsonl", flits=3)
    assert {tuple(m) for m in cut.messages} == {(0, d, k) for d in (1, 2) for k in range(cut.report["pieces"])}
    p = gossamer.plan("torus:4x4", sizes=data / "sizes-16.csv")
    assert p.report["sizes"]["most"] == p.flits == max(p.schedule.header["flits"])
    assert gossamer.run(p).passed
    assert gossamer.plan("ring:3", sizes=np.array([1, 2, 3])).schedule.header["flits"] == [1, 2, 3]
    square = [[0, 1], [2, 0]]
    for sizes in square, {(0, 1): 1, (1, 0): 2}:
        assert gossamer.plan("path:2", sizes=sizes, collective="total-exchange").schedule.header["flits"] == square
    assert gossamer.plan("ring:3", sizes={2: 3, 0: 1}).schedule.header["flits"] == [1, 0, 3]


def test_a_graph_is_a_topology(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    ring = [("a", "b"), ("b", "c"), ("c", "a")]
    both = gossamer.plan(SimpleNamespace(nodes="abc", edges=ring))
    assert len(both.link_load()) == 6
    one_way = SimpleNamespace(nodes="abc", edges=ring, is_directed=lambda: True)
    assert len(gossamer.plan(one_way).link_load()) == 3
    assert both._repr_html_().startswith("<svg") and "<table>" in gossamer.run(both)._repr_html_()


@pytest.mark.parametrize("name, value, text", [
    ("members", [0, 1, 5], "0,1,5"), ("members", range(4), "0-3"), ("members", [[1, 0], np.arange(4, 8)], "1,0/4-7"),
    ("link_stages", np.array([0, 2]), "0,2")])
def test_lists_are_what_their_texts_are(name, value, text):
    assert gossamer.plan("torus:4x4", **{name: value}).text == gossamer.plan("torus:4x4", **{name: text}).text


@pytest.mark.parametrize("options", [
    {"collective": "reduce", "root": 3}, {"collective": "reduce-scatter", "op": "max"}, {"collective": "all-reduce", "flits": 30},
    {"collective": "all-reduce", "members": "0-3/4-8"}, {"collective": "barrier"}])
def test_reductions_add_up(options):
    plan = gossamer.plan("torus:3x3", **options)
    assert plan.schedule.header["op"] == options.get("op", "sum")
    result = gossamer.run(plan)
    assert result.passed and result.cycles == plan.cycles
    tables = gossamer.tables(plan)
    assert len(tables.own) == 9 and ".MODEL(32'h" in tables.parameters
    assert all(plan.path(k)[-1] == t["destination"] for k, t in enumerate(plan.transfers))
    if options["collective"] == "reduce-scatter":
        assert list(tables.own[4]) == list(range(9))


def test_a_plan_can_be_checked_and_run():
    p = gossamer.plan("torus:3x3", flits=5)
    assert gossamer.check(p, flits=5).cycles == p.cycles
    result = gossamer.run(p)
    assert result.passed and result.cycles == p.cycles
    assert result.words_checked == p.nodes * (p.nodes - 1) * 5
    assert gossamer.run("ring:4", flits=2).passed


@pytest.mark.parametrize("kind", ["edges:g.json", "product:edges:g.json,ring:3"])
def test_a_plan_of_an_own_graph_means_the_same_from_any_folder(tmp_path, monkeypatch, kind):
    graph = tmp_path / "d" / "g.json"
    graph.parent.mkdir()
    graph.write_text('{"n":4,"edges":[[0,1],[1,2],[2,3],[0,2]]}')
    monkeypatch.chdir(graph.parent)
    plan = gossamer.plan(kind, flits=2, output="s.jsonl")
    assert f'"{kind}"' in Path("s.jsonl").read_text()
    monkeypatch.chdir(tmp_path)
    read = gossamer.check("d/s.jsonl")
    monkeypatch.chdir("/")
    for p in (plan, read):
        assert json.loads(p.text.splitlines()[0]) == p.schedule.header and str(graph) in p.schedule.header["topology"]
        assert gossamer.check(p).cycles == gossamer.run(p).cycles == plan.cycles
    if kind.startswith("edges"):
        with pytest.raises(gossamer.InputError, match="torus_fabric is a product"):
            gossamer.tables(read)


@pytest.mark.parametrize("options", [{"flits": 3}, {"link_stages": 3}, {"link_stages": 0}, {"faults": "nodes=5"},
                                     {"faults": "random:2", "seed": 7}])
def test_a_run_takes_the_options_of_its_check(options):
    planned = gossamer.plan("hypercube:4", algorithm="chau-fu", link_stages=2, faults="links=0-1")
    checked = gossamer.check(planned, **options)
    again = gossamer.check(checked, flits=None)
    ran = gossamer.run(checked)
    for key in ("flits", "link_stages", "faults"):
        assert checked.report.get(key) == again.report.get(key) == ran.report.get(key)
    assert checked.report != planned.report
    assert ran.passed and ran.cycles == checked.cycles == again.cycles
    assert gossamer.run(checked, faults="nodes=3").report["faults"]["nodes"] == [3]


def test_tables_take_the_options_of_their_check():
    checked = gossamer.check(gossamer.plan("torus:3x3", flits=1), flits=2, link_stages=3)
    assert gossamer.tables(checked).checksum == gossamer.tables(checked, flits=2, link_stages=3).checksum
    assert "LINK_STAGES" in gossamer.tables(checked).parameters
    # Those of a fabric in which nothing is broken: the faults are a run's.
    plan = gossamer.plan("hypercube:3", algorithm="translation", flits=1)
    broken = gossamer.check(plan, faults="links=0-1", seed=2)
    assert not broken.passed and gossamer.tables(broken).checksum == gossamer.tables(plan).checksum


def test_no_option_is_lost(tmp_path):
    assert gossamer.run("ring:5", flits=1, symmetric=False).report["nodes_simulated"] == 5
    out, loads = tmp_path / "mine.jsonl", tmp_path / "mine.csv"
    plan = gossamer.plan("ring:5", output=out, loads=str(loads))
    assert out.read_text() == plan.text and len(loads.read_text().splitlines()) > len(plan.link_load())


def test_a_schedule_that_is_refused_has_no_cycles(tmp_path):
    file = tmp_path / "refused.jsonl"
    file.write_text(gossamer.plan("ring:4", algorithm="ring").text + '{"r":9,"path":[0,2],"msgs":[0]}\n')
    result = gossamer.run(file)
    assert not result.passed and "2" in result.problems[0]
    assert result.cycles is None and result.words_checked is None and gossamer.check(file).cycles is None


def test_a_wrong_schedule_says_why(tmp_path):
    p = gossamer.plan("ring:4", algorithm="ring")
    file = tmp_path / "broken.jsonl"
    file.write_text("".join(p.text.splitlines(keepends=True)[:-1]))
    broken = gossamer.check(file)
    assert not broken.passed and any("lacks message" in problem for problem in broken.problems)


def test_tables_are_the_words_of_the_bus():
    p = gossamer.plan("torus:3x3", collective="total-exchange")
    tables = gossamer.tables(p, flits=1)
    crc = zlib.crc32(tables.writes.astype([("address", "<u4"), ("data", "<u4")]).tobytes())
    assert crc == tables.checksum
    assert ".DIMS(2), .RADICES(32'h00030003)" in tables.parameters
    assert all(sorted(own) == [d for d in range(9) if d != node] for node, own in tables.own.items())
    assert len(tables.own) == 9


def test_bad_input_is_the_commands_own_line():
    with pytest.raises(gossamer.InputError, match="unknown kind 'tours': did you mean 'torus'"):
        gossamer.plan("tours:4x4")
    with pytest.raises(gossamer.InputError, match="did you mean --flits"):
        gossamer.plan("torus:4x4", flit=3)


def test_long_work_is_seen_and_can_be_stopped(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "ipykernel", sys)  # as in a notebook
    threading.Timer(3, signal.raise_signal, [signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        gossamer.plan("torus:200x200", collective="all-reduce", flits=64)
    assert "planning  2 s" in capsys.readouterr().err


def test_a_plan_that_fails_says_why():
    with pytest.raises(gossamer.GossamerError, match="messages are missing at healthy nodes"):
        gossamer.plan("hypercube:3", algorithm="chau-fu", faults="nodes=1,2,4")


def test_without_a_command_it_says_so(monkeypatch):
    monkeypatch.delenv("GOSSAMER")
    monkeypatch.setenv("PATH", "/nowhere")
    assert "make install" in subprocess.run([sys.executable, "-m", "gossamer", "list"], capture_output=True, text=True).stderr
    with pytest.raises(gossamer.GossamerError, match="make install"):
        gossamer.plan("ring:4")


def test_types():
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.devnull,
                           str(Path(gossamer.__file__).parent)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("notebook", sorted((ROOT / "python/notebooks").glob("*.ipynb")), ids=lambda n: n.name)
def test_notebooks_run(notebook):
    import nbclient
    import nbformat
    done = nbclient.NotebookClient(nbformat.read(notebook, as_version=4), timeout=300, kernel_name="python3").execute()
    drawn = [output for cell in done.cells for output in cell.get("outputs", []) if "image/png" in output.get("data", {})]
    assert drawn, "it draws nothing"
    assert not any(cell.get("outputs") for cell in json.loads(notebook.read_text())["cells"]), "saved with its outputs"
