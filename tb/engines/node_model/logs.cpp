#include "engines/node_model/node_model.hpp"

#include <algorithm>
#include <bit>


namespace gossamer::model {

MessageLogs::MessageLogs(const NodeKind& kind, std::span<const std::uint32_t> own,
                         std::uint32_t capacity)
    : kind_(kind), capacity_(capacity), logs_(kind.own_log() + 1) {
  logs_.back().assign(own.begin(), own.end());
}

const std::vector<std::uint32_t>* MessageLogs::find(unsigned log) const {
  if (logs_.size() == 1) return logs_.data();
  log &= (1u << std::bit_width(kind_.ports)) - 1;  // a node uses the low bits of the log number
  return log < logs_.size() ? &logs_[log] : nullptr;
}

bool MessageLogs::written(unsigned log, std::uint32_t address) const {
  const auto* words = find(log);
  return words != nullptr && address < words->size();
}

std::uint32_t MessageLogs::read(unsigned log, std::uint32_t address) const {
  return written(log, address) ? (*find(log))[address] : 0;
}

bool MessageLogs::append(Port port, std::uint32_t word) {
  if (full(port)) return false;
  logs_[kind_.single_port ? 0 : port].push_back(word);
  return true;
}

namespace {

constexpr std::uint32_t kSlotNumbers = 1u << rtl::ADAPTIVE_SLOT_W;

bool before(const std::optional<std::uint32_t>& when, std::uint32_t slot) {
  return when && *when != slot % kSlotNumbers;
}

}  // namespace

ExchangeLogs::ExchangeLogs(const NodeSetup& setup)
    : kind_(setup.kind),
      capacity_(setup.capacity),
      messages_(setup.messages),
      shift_(setup.shift),
      partner_(setup.partner),
      awaited_(setup.initiator),
      has_message_(!setup.own_words.empty()),
      logs_(kind_.own_log() + 1, std::vector<std::uint32_t>(capacity_)),
      arrived_words_(logs_.size(), std::vector<bool>(capacity_)),
      crossings_(std::size_t{messages_} * kind_.ports),
      stages_(setup.stages),
      passed_(3 + (stages_.empty() ? 0 : std::ranges::max(stages_))) {
  std::ranges::copy(setup.own_words, logs_[kind_.own_log()].begin());
}

void ExchangeLogs::start() {
  std::ranges::fill(crossings_, Crossing{});
  heard_.reset();
}

ExchangeLogs::Crossing& ExchangeLogs::crossing(std::uint32_t message, Port port) {
  return crossings_[std::size_t{message % messages_} * kind_.ports + port];
}
const ExchangeLogs::Crossing& ExchangeLogs::crossing(std::uint32_t message, Port port) const {
  return crossings_[std::size_t{message % messages_} * kind_.ports + port];
}

std::optional<Port> ExchangeLogs::arrived_before(std::uint32_t message, std::uint32_t slot) const {
  for (Port p = kind_.ports; p-- > 0;) {
    if (before(crossing(message, p).arrived, slot)) return p;
  }
  return {};
}

std::uint64_t ExchangeLogs::ports_of(std::uint32_t message) const {
  std::uint64_t ports = 0;
  for (Port p = 0; p < kind_.ports; ++p) {
    if (crossing(message, p).arrived) ports |= std::uint64_t{1} << p;
  }
  return ports;
}

/// The initiator itself does not wait.
bool ExchangeLogs::awake(std::uint32_t slot) const {
  return !awaited_ || *awaited_ == 0 || before(heard_, slot);
}

std::uint64_t ExchangeLogs::offer(const Position& position, std::uint64_t outputs,
                                  std::uint32_t slot) {
  passed_.push_front(position);
  passed_.pop_back();
  const std::uint32_t message = message_at(position.address);
  if (outputs == 0 || !awake(slot) || (!own(message) && !arrived_before(message, slot))) return 0;
  std::uint64_t senders = 0;
  for (Port p = 0; p < kind_.ports; ++p) {
    if (!(outputs >> p & 1) || message == message_at(partner(p))) continue;
    Crossing& here = crossing(message, p);
    if (before(here.sent, slot) || before(here.arrived, slot)) continue;
    here.sent = slot % kSlotNumbers;
    senders |= std::uint64_t{1} << p;
  }
  return senders;
}

std::uint32_t ExchangeLogs::read(std::uint32_t slot) const {
  const std::uint32_t address = passed_[0].address, message = message_at(address);
  const Port from = own(message) ? kind_.own_log() : *arrived_before(message, slot);
  const auto& log = logs_[kind_.single_port ? 0 : from];
  return address < log.size() ? log[address] : 0;
}

std::optional<std::uint32_t> ExchangeLogs::arrive(Port port, std::uint32_t slot) {
  const Position& position = passed_[2 + (port < stages_.size() ? stages_[port] : 0)];
  const std::uint32_t address = position.address ^ (position.same ? 0 : partner(port));
  if (address >= capacity_) return {};
  const std::uint32_t message = message_at(address);
  crossing(message, port).arrived = slot % kSlotNumbers;
  if (!heard_ && awaited_ && message == message_at(*awaited_)) heard_ = slot % kSlotNumbers;
  return address;
}

void ExchangeLogs::store(unsigned log, std::uint32_t address, std::uint32_t word) {
  if (address >= logs_[log].size()) return;  // only an address of several words is
  logs_[log][address] = word;
  arrived_words_[log][address] = true;
}

}  // namespace gossamer::model
