#include "play/stores.hpp"

#include "schedule/chunks.hpp"
#include "support/job.hpp"

namespace gossamer {

Stores::Stores(const Schedule& schedule, const ChunkFlits& flits, Port ports, bool contents)
    : s_(schedule),
      flits_(flits),
      contents_(contents),
      numbers_(s_.pieces()),
      all_(s_.symmetry().classes()) {
  for (Node c = 0; c < all_.size(); ++c) {
    stop_if_interrupted();
    all_[c].lengths.resize(ports == 1 ? 1 : ports + 1);
    const Node x = s_.symmetry().representative(c);
    if (!reduces(s_.collective())) {
      for_each_initial(s_, x, [&](const Message& m) { append(c, own_log(), m); });
      continue;
    }
    // There is room for the sums of all groups in every node.
    for (const Node origin : origins_of_sums(s_)) {
      for (Message m{origin}; m.piece < s_.pieces(); ++m.piece) {
        if (is_initial(s_, x, m)) {
          append(c, own_log(), m);
        } else {
          all_[c].lengths[own_log()] += flits_.of(m);
        }
      }
    }
  }
}

void Stores::append(Node c, unsigned log, const Message& m) {
  Logs& logs = all_[c];
  if (contents_) {
    const std::uint64_t number = numbers_.number(m);
    const LogPlace place{log, static_cast<std::uint32_t>(logs.lengths[log])};
    const auto [first, is_new] = logs.places.add(number, place);
    if (is_new) {
      logs.arrived.resize(logs.lengths.size());
      logs.arrived[log].push_back(number);
    } else if (reduces(s_.collective())) {
      *first = place;
    }
  }
  logs.lengths[log] += flits_.of(m);
}

Stores::Carried Stores::carried(const Transfer& t) const {
  if (!contents_ || t.carry == Carry::Listed) return nullptr;
  const Logs& logs = all_[s_.symmetry().class_of(s_.source(t))];
  auto all = std::make_shared<std::vector<Message>>();
  const auto take = [&](unsigned log) {
    if (log >= logs.arrived.size()) return;
    for (const std::uint64_t number : logs.arrived[log]) all->push_back(numbers_.message(number));
  };
  take(own_log());
  for (unsigned log = 0; log < own_log(); ++log) take(log);
  return all;
}

void Stores::store(const Brought<Carried>& brought, std::uint64_t words) {
  const Node to = brought.hop.to, c = s_.symmetry().class_of(to);
  const unsigned log = own_log() == 0 ? 0 : brought.in;
  if (!contents_) {
    all_[c].lengths[log] += words;
    return;
  }
  visit(*brought.transfer, brought.carried, to, [&](const Message& m) { append(c, log, m); });
}

}  // namespace gossamer
