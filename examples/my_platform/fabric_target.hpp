#pragma once

#include <tlm_utils/multi_passthrough_target_socket.h>

#include <systemc>
#include <tlm>

#include "fabric_map.hpp"
#include "fabric_rtl.h"

namespace gossamer::platform {

/// rtl/fabric/torus_fabric.sv, Verilated as an sc_module, behind a TLM-2.0 socket for any number of
/// initiators (addresses: fabric_map.hpp). A transaction is a read or write of one or more
/// successive words; each takes a clock cycle at the configuration port, a read two. b_transport
/// blocks while another initiator is served. The target refuses, with the matching TLM-2.0
/// response: parts of words and byte enables, unknown nodes, regions and registers.
class FabricTarget : public sc_core::sc_module {
 public:
  tlm_utils::multi_passthrough_target_socket<FabricTarget> socket{"socket"};

  SC_HAS_PROCESS(FabricTarget);
  FabricTarget(const sc_core::sc_module_name& name, Node nodes, sc_core::sc_time period);
  ~FabricTarget() override;

  /// The last cycle with a flit on a link; cycle 0 is that of the start pulse.
  std::uint64_t last_arrival() const { return last_arrival_; }

 private:
  void b_transport(int initiator, tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay);
  tlm::tlm_response_status check(const tlm::tlm_generic_payload& transaction) const;
  bool known(std::uint64_t address) const;
  void access(std::uint64_t address, bool write, std::uint32_t& word);
  void access_fabric(FabricRegister r, bool write, std::uint32_t& word);
  void wait_cycle() { wait(clock_.posedge_event()); }
  void reset();
  void watch();

  const Node nodes_;
  sc_core::sc_clock clock_;
  sc_core::sc_signal<bool> rst_n_{"rst_n"};
  // Written by the initiator that holds the port.
  template <class T>
  using BusSignal = sc_core::sc_signal<T, sc_core::SC_MANY_WRITERS>;
  BusSignal<bool> start_{"start"}, cfg_valid_{"cfg_valid"}, cfg_write_{"cfg_write"};
  BusSignal<std::uint32_t> cfg_node_{"cfg_node"}, cfg_addr_{"cfg_addr"}, cfg_wdata_{"cfg_wdata"};
  sc_core::sc_signal<std::uint32_t> cfg_rdata_{"cfg_rdata"};
  sc_core::sc_signal<std::uint64_t> link_valid_{"link_valid"}, link_last_{"link_last"},
      link_arrived_{"link_arrived"};
  sc_core::sc_signal<sc_dt::sc_bv<2048>> link_data_{"link_data"};
  sc_core::sc_signal<std::uint32_t> done_{"done"}, error_{"error"};
  sc_core::sc_mutex port_{"port"};  ///< the configuration port: one transaction at a time
  sc_core::sc_event out_of_reset_;
  fabric_rtl rtl_;

  std::uint64_t cycle_ = 0, last_arrival_ = 0;
};

}  // namespace gossamer::platform
