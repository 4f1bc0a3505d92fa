#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <systemc>
#include <tlm>
#include <vector>

#include "fabric_map.hpp"

namespace gossamer::platform {

/// An initiator: reads and writes words through its TLM-2.0 socket.
class BusMaster : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<BusMaster> socket{"socket"};

  std::uint64_t transactions() const { return transactions_; }

 protected:
  explicit BusMaster(const sc_core::sc_module_name& name) : sc_module(name) {}

  void write(std::uint64_t address, std::vector<std::uint32_t> words);
  std::vector<std::uint32_t> read(std::uint64_t address, std::size_t words);
  std::uint32_t read(std::uint64_t address) { return read(address, 1).front(); }
  /// One transaction of any kind; returns the response.
  tlm::tlm_response_status transport(tlm::tlm_command command, std::uint64_t address, void* data,
                                     std::size_t bytes);

 private:
  std::uint64_t transactions_ = 0;
};

}  // namespace gossamer::platform
