#include "schedule/schedule.hpp"

#include <stdexcept>
#include <utility>

namespace gossamer {

Schedule::Schedule(Topology topology, Collective collective, Model model, Symmetry symmetry)
    : topology_(std::move(topology)),
      symmetry_(std::move(symmetry)),
      collective_(collective),
      model_(model) {}

Schedule::Schedule(Topology topology, Collective collective, Model model)
    : Schedule(topology, collective, model, Symmetry(topology)) {}

void Schedule::add(std::uint32_t round, std::span<const Node> path,
                   std::span<const Message> messages, std::uint32_t line) {
  if (round == 0) throw std::logic_error("Schedule::add: rounds count from 1");
  if (round < rounds()) throw std::logic_error("Schedule::add: rounds must not decrease");
  transfers_.push_back({.round = round,
                        .line = line,
                        .path_begin = paths_.size(),
                        .messages_begin = messages_.size(),
                        .path_size = static_cast<std::uint32_t>(path.size()),
                        .messages_size = static_cast<std::uint32_t>(messages.size()),
                        .carry = Carry::Listed});
  paths_.insert(paths_.end(), path.begin(), path.end());
  messages_.insert(messages_.end(), messages.begin(), messages.end());
}

void Schedule::add_everything(std::uint32_t round, std::span<const Node> path, std::uint32_t line) {
  add(round, path, {}, line);
  transfers_.back().carry = Carry::Everything;
}

void Schedule::add_new(std::uint32_t round, std::span<const Node> path, std::uint32_t line) {
  add(round, path, {}, line);
  transfers_.back().carry = Carry::New;
}

void Schedule::add_hop(std::uint32_t round, Node from, Node to, Node origin) {
  const Node path[] = {from, to};
  const Message message[] = {{.origin = origin}};
  add(round, path, message);
}

}  // namespace gossamer
