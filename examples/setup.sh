# Sourced by each example's `run`: finds Gossamer, and makes a folder for output. Gossamer is the checkout,
# after `make`, or an installation by `make install` or the package; elsewhere GOSSAMER names the command.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
fail() { echo "$(basename "$here"): $*" >&2; exit 2; }
if [ -z "${GOSSAMER:-}" ]; then
  GOSSAMER=$here/../../build/bin/gossamer
  [ -x "$GOSSAMER" ] || GOSSAMER=$(command -v gossamer) || fail "no gossamer: run make first, or set GOSSAMER to the command"
fi
bin=$(dirname "$(readlink -f "$GOSSAMER")")
for sources in "$here/../.." "$bin/../share/gossamer" "$bin/../.."; do
  [ ! -e "$sources/rtl/files.f" ] || break
done
[ -e "$sources/rtl/files.f" ] || fail "no rtl/files.f beside this folder or beside $GOSSAMER"
sources=$(cd "$sources" && pwd)
if [ -w "$here" ]; then out=${OUT:-$here/out}; else out=${OUT:-$PWD/$(basename "$here")}; fi
mkdir -p "$out"

# The RTL files in order, with full paths: for any tool, called from any folder.
rtl=$(sed -n "s,^rtl/,$sources/&,p" "$sources/rtl/files.f")

# simulate TOOL TOP FILE...: compiles and runs a testbench, in the folder `out`. Ends the script with status 1 if the
# testbench does not print PASS. `trace_depth`: the levels of modules that the waveform has, of a large design.
simulate() {
  tool=$1 top=$2
  shift 2
  cd "$out"
  # shellcheck disable=SC2086 # a list of files on purpose
  case $tool in
    icarus)
      iverilog -g2012 -DGOSSAMER_SIM -Wall -Wno-timescale -I "$out" -I "$here/.." -s "$top" -o "$top.vvp" $rtl "$@"
      vvp -n "$top.vvp" | tee "$top.said" ;;
    verilator)  # in one file and without optimization: the compilation takes longer than the run
      verilator --binary -DGOSSAMER_SIM --timescale 1ns/1ps -I"$out" -I"$here/.." --trace ${trace_depth:+--trace-depth "$trace_depth"} --top-module "$top" --Mdir "$top.verilated" \
        -j 0 -MAKEFLAGS "VM_PARALLEL_BUILDS=0 OPT_FAST=-O0 OPT_GLOBAL=-O0" $rtl "$@" > "$top.log" 2>&1 || { cat "$top.log" >&2; exit 1; }
      "./$top.verilated/V$top" | tee "$top.said" ;;
    lint)
      verilator --lint-only --timing --timescale 1ns/1ps -I"$out" -I"$here/.." --top-module "$top" $rtl "$@" > "$top.log" 2>&1 ||
        { cat "$top.log" >&2; exit 1; }
      return ;;
    *) fail "unknown simulator '$tool': icarus, verilator or lint" ;;
  esac
  grep -qx PASS "$top.said" || exit 1
}
