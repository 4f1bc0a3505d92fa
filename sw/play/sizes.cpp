#include "play/sizes.hpp"

#include <algorithm>
#include <memory>

#include "play/play.hpp"
#include "schedule/message_sets.hpp"
#include "support/job.hpp"

namespace gossamer {

std::vector<std::uint64_t> carried_flits(const Schedule& s, const ChunkFlits& flits) {
  using Carried = std::shared_ptr<const MessageSet>;  // null: it is listed
  const auto transfers = s.transfers();
  std::vector<std::uint64_t> sizes;
  sizes.reserve(transfers.size());
  std::uint32_t last = 0;  // round in which it matters what nodes hold
  for (const Transfer& t : transfers) {
    if (t.carry == Carry::Everything) last = t.round;
  }
  if (last == 0) {
    for (const Transfer& t : transfers) sizes.push_back(s.listed_flits(t, flits));
    return sizes;
  }
  const Frames frames(s);
  MessageSets held(s);
  const auto send = [&](const Transfer& t) -> Carried {
    stop_if_interrupted();
    if (t.carry == Carry::Listed) {
      sizes.push_back(s.listed_flits(t, flits));
      return nullptr;
    }
    const Carried all = held[frames.class_of(s.source(t))];
    sizes.push_back(flits.equal() ? all->size() * flits.longest().of(0) : all->flits(flits));
    return all;
  };
  const auto store = [&](const Brought<Carried>& brought) {
    if (brought.transfer->round >= last) return;
    const Node to = brought.hop.to;
    MessageSet& set = held.changing(frames.class_of(to));
    if (brought.carried) {
      set.merge(*brought.carried, frames.change(s.source(*brought.transfer), to));
      return;
    }
    const Frames::View seen = frames.view_of(to);
    for (const Message& m : s.messages(*brought.transfer)) set.insert(seen(m));
  };
  Story<Carried>(s).tell(send, [&](const auto& all) { std::ranges::for_each(all, store); });
  return sizes;
}

}  // namespace gossamer
