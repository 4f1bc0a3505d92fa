// The bus of host.c: an axi_fabric in simulation, whose streams are not used.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "Vaxi_fabric.h"

namespace {

Vaxi_fabric& fabric() {
  static Vaxi_fabric* dut = nullptr;
  if (dut != nullptr) return *dut;
  dut = new Vaxi_fabric;
  dut->rst_ni = 0;
  dut->m_axis_tready_i = 0xffff;
  for (int cycle = 0; cycle < 8; ++cycle) {
    dut->rst_ni = cycle >= 4;
    dut->clk_i = 0;
    dut->eval();
    dut->clk_i = 1;
    dut->eval();
  }
  return *dut;
}

void tick() {
  fabric().clk_i = 1;
  fabric().eval();
  fabric().clk_i = 0;
  fabric().eval();
}

void check(int response, std::uint32_t address) {
  if (response == 0) return;
  std::printf("0x%08x: refused\n", address);
  std::exit(1);
}

}  // namespace

extern "C" void write32(std::uint32_t address, std::uint32_t data) {
  Vaxi_fabric& f = fabric();
  f.s_axi_awaddr_i = address;
  f.s_axi_wdata_i = data;
  f.s_axi_wstrb_i = 15;
  f.s_axi_awvalid_i = f.s_axi_wvalid_i = f.s_axi_bready_i = 1;
  f.clk_i = 0;
  f.eval();
  while (f.s_axi_awvalid_i || f.s_axi_wvalid_i) {
    const bool address_taken = f.s_axi_awready_o, data_taken = f.s_axi_wready_o;
    tick();
    if (address_taken) f.s_axi_awvalid_i = 0;
    if (data_taken) f.s_axi_wvalid_i = 0;
    f.eval();
  }
  while (!f.s_axi_bvalid_o) tick();
  check(f.s_axi_bresp_o, address);
  tick();
  f.s_axi_bready_i = 0;
}

extern "C" std::uint32_t read32(std::uint32_t address) {
  Vaxi_fabric& f = fabric();
  f.s_axi_araddr_i = address;
  f.s_axi_arvalid_i = f.s_axi_rready_i = 1;
  f.clk_i = 0;
  f.eval();
  while (f.s_axi_arvalid_i) {
    const bool taken = f.s_axi_arready_o;
    tick();
    if (taken) f.s_axi_arvalid_i = 0;
    f.eval();
  }
  while (!f.s_axi_rvalid_o) tick();
  const std::uint32_t data = f.s_axi_rdata_o;
  check(f.s_axi_rresp_o, address);
  tick();
  f.s_axi_rready_i = 0;
  return data;
}
