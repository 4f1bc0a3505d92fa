#include "message_logs.hpp"

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

}  // namespace gossamer::model
