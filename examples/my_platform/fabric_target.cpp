#include "fabric_target.hpp"

#include <bit>
#include <cstring>

namespace gossamer::platform {
namespace {

constexpr unsigned kWord = sizeof(std::uint32_t);

}  // namespace

FabricTarget::FabricTarget(const sc_core::sc_module_name& name, Node nodes, sc_core::sc_time period)
    : sc_module(name), nodes_(nodes), clock_("clock", period), rtl_("rtl") {
  rtl_.clk_i(clock_);
  rtl_.rst_ni(rst_n_);
  rtl_.start_i(start_);
  rtl_.cfg_valid_i(cfg_valid_);
  rtl_.cfg_write_i(cfg_write_);
  rtl_.cfg_node_i(cfg_node_);
  rtl_.cfg_addr_i(cfg_addr_);
  rtl_.cfg_wdata_i(cfg_wdata_);
  rtl_.cfg_rdata_o(cfg_rdata_);
  rtl_.link_valid_o(link_valid_);
  rtl_.link_last_o(link_last_);
  rtl_.link_data_o(link_data_);
  rtl_.link_arrived_o(link_arrived_);
  rtl_.done_o(done_);
  rtl_.error_o(error_);
  socket.register_b_transport(this, &FabricTarget::b_transport);
  SC_THREAD(reset);
  SC_METHOD(watch);
  sensitive << clock_.posedge_event();
  dont_initialize();
}

FabricTarget::~FabricTarget() { rtl_.final(); }

void FabricTarget::reset() {
  for (int i = 0; i < 4; ++i) wait_cycle();
  rst_n_.write(true);
  out_of_reset_.notify(sc_core::SC_ZERO_TIME);
}

/// Watches the links at every rising edge, which ends a cycle.
void FabricTarget::watch() {
  cycle_ = start_.read() ? 0 : cycle_ + 1;
  if (link_valid_.read() != 0) last_arrival_ = cycle_;
}

void FabricTarget::b_transport(int, tlm::tlm_generic_payload& transaction,
                               sc_core::sc_time& delay) {
  wait(delay);
  delay = sc_core::SC_ZERO_TIME;
  transaction.set_response_status(check(transaction));
  if (transaction.is_response_error()) return;
  if (!rst_n_.read()) wait(out_of_reset_);
  port_.lock();
  wait(sc_core::SC_ZERO_TIME);  // the previous owner of the port may still write its signals
  for (unsigned at = 0; at < transaction.get_data_length(); at += kWord) {
    std::uint32_t word = 0;
    unsigned char* data = transaction.get_data_ptr() + at;
    std::memcpy(&word, data, kWord);
    access(transaction.get_address() + at, transaction.is_write(), word);
    if (transaction.is_read()) std::memcpy(data, &word, kWord);
  }
  port_.unlock();
}

tlm::tlm_response_status FabricTarget::check(const tlm::tlm_generic_payload& t) const {
  const unsigned length = t.get_data_length();
  if (!t.is_read() && !t.is_write()) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (t.get_byte_enable_ptr() != nullptr) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  if (length == 0 || length % kWord != 0 || t.get_streaming_width() < length) {
    return tlm::TLM_BURST_ERROR_RESPONSE;
  }
  const std::uint64_t last = t.get_address() + length - kWord;
  if (t.get_address() % kWord != 0 || !known(t.get_address()) || !known(last)) {
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  return tlm::TLM_OK_RESPONSE;
}

bool FabricTarget::known(std::uint64_t address) const {
  if (address >= kFabricPage) return address <= address_of(FabricRegister::Nodes);
  // With the bank's bit it is larger than any region: these nodes have one bank of tables.
  const auto region = static_cast<std::uint32_t>(address >> 2) >> rtl::CFG_REGION_LSB;
  return address >> kNodeBits < nodes_ && region <= rtl::CFG_STORE;
}

void FabricTarget::access(std::uint64_t address, bool write, std::uint32_t& word) {
  if (address >= kFabricPage) {
    access_fabric(static_cast<FabricRegister>((address - kFabricPage) >> 2), write, word);
    return;
  }
  cfg_valid_.write(true);
  cfg_write_.write(write);
  cfg_node_.write(static_cast<std::uint32_t>(address >> kNodeBits));
  cfg_addr_.write(static_cast<std::uint32_t>(address >> 2));
  cfg_wdata_.write(word);
  wait_cycle();
  cfg_valid_.write(false);
  if (write) return;
  wait_cycle();
  word = cfg_rdata_.read();
}

void FabricTarget::access_fabric(FabricRegister r, bool write, std::uint32_t& word) {
  if (write) {
    if (r != FabricRegister::Start) return;
    start_.write(true);
    wait_cycle();
    start_.write(false);
    return;
  }
  wait_cycle();
  switch (r) {
    case FabricRegister::Start: word = 0; break;
    case FabricRegister::Done: word = static_cast<unsigned>(std::popcount(done_.read())); break;
    case FabricRegister::Errors: word = static_cast<unsigned>(std::popcount(error_.read())); break;
    case FabricRegister::Nodes: word = nodes_; break;
  }
}

}  // namespace gossamer::platform
