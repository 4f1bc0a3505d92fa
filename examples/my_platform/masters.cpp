#include "masters.hpp"

#include <set>

#include "tables/node_build.hpp"

namespace gossamer::platform {

using sc_core::sc_time;

// ---- Host.

Host::Host(const sc_core::sc_module_name& name, const FabricImage& image, Milestones& milestones)
    : BusMaster(name), image_(image), milestones_(milestones) {
  SC_THREAD(main);
}

void Host::main() {
  for (Node x = 0; x < image_.topology.nodes(); ++x) {
    check_fits(image_, read_build([&](unsigned r) {
                 return read(config_address(x, rtl::CFG_REGISTERS, r));
               }));
    write_program(x, image_.programs[image_.program_of[x]]);
  }
  ask_nonsense();
  while (milestones_.ready < image_.topology.nodes()) wait(milestones_.progress);
  write(address_of(FabricRegister::Start), {1});
  do {
    wait(sc_time(100, sc_core::SC_NS));
  } while (read(address_of(FabricRegister::Done)) < image_.topology.nodes());
  errors_ = read(address_of(FabricRegister::Errors));
  finished_ = true;
  milestones_.delivered.notify();
}

/// Writes the table, and zeros after it, where the hardware finds an end.
void Host::write_program(Node x, const NodeProgram& program) {
  const NodeKind& kind = image_.kind;
  std::uint32_t entry = 0;
  for (const SlotEntry& e : program.slots) {
    write(config_address(x, rtl::CFG_SLOTS, entry++ << rtl::CFG_SLOT_LSB), encode(e, kind));
  }
  write(config_address(x, rtl::CFG_SLOTS, entry << rtl::CFG_SLOT_LSB),
        std::vector<std::uint32_t>((slot_bits(kind) + 31) / 32));
  for (unsigned c = 0; c < kind.channels; ++c) {
    std::uint32_t address = c << rtl::CFG_CHANNEL_LSB;
    for (const Segment& s : program.channels[c]) {
      write(config_address(x, rtl::CFG_LISTS, address), encode(s));
      address += 1u << rtl::CFG_SEG_LSB;
    }
    write(config_address(x, rtl::CFG_LISTS, address), std::vector<std::uint32_t>(rtl::SEG_W / 32));
  }
}

/// Sends transactions that must be refused.
void Host::ask_nonsense() {
  std::uint32_t word = 0;
  const Node nodes = image_.topology.nodes();
  const auto expect = [&](tlm::tlm_response_status wanted, std::uint64_t address,
                          std::size_t bytes) {
    if (transport(tlm::TLM_READ_COMMAND, address, &word, bytes) != wanted) ++wrong_answers_;
  };
  expect(tlm::TLM_OK_RESPONSE, config_address(0, rtl::CFG_REGISTERS, rtl::CFG_PORTS), 4);
  expect(tlm::TLM_ADDRESS_ERROR_RESPONSE, config_address(nodes, rtl::CFG_REGISTERS, 0), 4);
  expect(tlm::TLM_ADDRESS_ERROR_RESPONSE, config_address(0, 9, 0), 4);
  expect(tlm::TLM_ADDRESS_ERROR_RESPONSE, address_of(FabricRegister::Nodes) + 4, 4);
  expect(tlm::TLM_ADDRESS_ERROR_RESPONSE, config_address(0, rtl::CFG_REGISTERS, 0) + 2, 4);
  expect(tlm::TLM_BURST_ERROR_RESPONSE, config_address(0, rtl::CFG_REGISTERS, 0), 3);
}

// ---- Endpoint.

Endpoint::Endpoint(const sc_core::sc_module_name& name, Node node, const FabricImage& image,
                   const Payload& payload, Milestones& milestones)
    : BusMaster(name), node_(node), image_(image), payload_(payload), milestones_(milestones) {
  SC_THREAD(main);
}

void Endpoint::main() {
  std::vector<std::uint32_t> own;
  for (unsigned i = 0; i < payload_.flits(); ++i) {
    own.push_back(payload_.word({{node_, kNoNode}, i}));
  }
  const std::uint32_t own_log = image_.kind.own_log() << rtl::CFG_LOG_LSB;
  write(config_address(node_, rtl::CFG_REGISTERS, rtl::CFG_OWN_WORDS), {payload_.flits()});
  write(config_address(node_, rtl::CFG_STORE, own_log), own);
  ++milestones_.ready;
  milestones_.progress.notify();

  wait(milestones_.delivered);
  const std::uint32_t words = read(config_address(node_, rtl::CFG_REGISTERS, rtl::CFG_LOG_LENGTH));
  messages_ = count_messages(read(config_address(node_, rtl::CFG_STORE, 0), words));
}

/// Counts whole messages, flit after flit, each of another origin.
Node Endpoint::count_messages(const std::vector<std::uint32_t>& words) const {
  std::set<Node> origins;
  for (std::size_t at = 0; at + payload_.flits() <= words.size(); at += payload_.flits()) {
    const auto first = payload_.identify(words[at]);
    if (!first) continue;
    bool whole = true;
    for (unsigned i = 0; i < payload_.flits(); ++i) {
      whole = whole && words[at + i] == payload_.word({first->message, i});
    }
    if (whole) origins.insert(first->message.origin);
  }
  return static_cast<Node>(origins.size());
}

}  // namespace gossamer::platform
