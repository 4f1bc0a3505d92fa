#!/bin/sh
# Verilates rtl/fabric/torus_fabric.sv as an sc_module for the example platform:
#
#   verilate.sh VERILATOR SOURCE OUT
#
# leaves OUT/fabric_rtl.h, and OUT/fabric_rtl.cc, which includes the whole model and its runtime.
set -e
verilator=$1 source=$2 out=$3
mkdir -p "$out"
rm -f "$out"/fabric_rtl*
cd "$source"
# shellcheck disable=SC2046 # a list of files on purpose
"$verilator" --sc --Mdir "$out" --prefix fabric_rtl --top-module torus_fabric -O3 --no-timing \
  --x-assign unique --x-initial unique --noassert -DGOSSAMER_SIM -GDIMS=2 "-GRADICES=32'h00040004" \
  "-GSINGLE_PORT=1'b1" -GSLOT_DEPTH=64 -GLIST_DEPTH=64 -GSTORE_DEPTH=256 tb/engines/flat/flat_fabric.vlt $(grep ^rtl/ rtl/files.f)
include=$("$verilator" --getenv VERILATOR_ROOT)/include
for file in "$include/verilated.cpp" "$include/verilated_threads.cpp" "$out"/fabric_rtl*.cpp; do
  echo "#include \"$file\""
done > "$out/fabric_rtl.cc"
