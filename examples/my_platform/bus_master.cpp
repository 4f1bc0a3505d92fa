#include "bus_master.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace gossamer::platform {
namespace {

void require_ok(tlm::tlm_response_status status, const char* what, std::uint64_t address) {
  if (status == tlm::TLM_OK_RESPONSE) return;
  throw std::runtime_error(
      fmt::format("{} at {:#x} was answered with {}", what, address, static_cast<int>(status)));
}

}  // namespace

tlm::tlm_response_status BusMaster::transport(tlm::tlm_command command, std::uint64_t address,
                                              void* data, std::size_t bytes) {
  tlm::tlm_generic_payload transaction;
  transaction.set_command(command);
  transaction.set_address(address);
  transaction.set_data_ptr(static_cast<unsigned char*>(data));
  transaction.set_data_length(static_cast<unsigned>(bytes));
  transaction.set_streaming_width(static_cast<unsigned>(bytes));
  transaction.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  socket->b_transport(transaction, delay);
  wait(delay);
  ++transactions_;
  return transaction.get_response_status();
}

void BusMaster::write(std::uint64_t address, std::vector<std::uint32_t> words) {
  require_ok(transport(tlm::TLM_WRITE_COMMAND, address, words.data(), words.size() * 4), "write",
             address);
}

std::vector<std::uint32_t> BusMaster::read(std::uint64_t address, std::size_t words) {
  std::vector<std::uint32_t> found(words);
  require_ok(transport(tlm::TLM_READ_COMMAND, address, found.data(), words * 4), "read", address);
  return found;
}

}  // namespace gossamer::platform
