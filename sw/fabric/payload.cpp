#include "fabric/payload.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gossamer_constants.hpp"
#include "support/refuse.hpp"

namespace gossamer {
Payload::Payload(const Schedule& schedule, unsigned flits, std::uint32_t seed)
    : nodes_(schedule.topology().nodes()),
      same_to_all_(same_to_all(schedule.collective())),
      adds_(reduces(schedule.collective())),
      blocks_(has_root(schedule.collective()) ? 1 : nodes_),
      cut_(schedule.chunk_flits(flits)),
      flits_(cut_.longest().flits),
      seed_(seed),
      root_(schedule.root) {
  refuse_unrunnable(schedule.topology(), schedule.collective(), flits_);
  if (schedule.tolerance == 0) return;
  parity_.resize(cut_.of({root_}));
  for (std::uint32_t k = 1; k < cut_.pieces(); ++k) {
    const Message piece{root_, kNoNode, k};
    for (std::uint32_t i = 0; i < cut_.of(piece); ++i) parity_[i] ^= word({piece, i});
  }
}

void refuse_unrunnable(const Topology& topology, Collective collective, unsigned flits) {
  if (topology.ports() > rtl::MAX_PORTS) {
    refuse("{} has nodes of {} ports; the hardware's nodes have at most {} ports", topology.spec(),
           topology.ports(), std::uint32_t{rtl::MAX_PORTS});
  }
  constexpr std::uint64_t kWords = std::uint64_t{1} << 32;
  const bool one_for_each = same_to_all(collective) && collective != Collective::ReduceScatter;
  const std::uint64_t messages =
      (one_for_each ? 1 : std::uint64_t{topology.nodes()}) * topology.nodes();
  if (messages <= kWords / flits) return;
  refuse("{} messages of {} flit{} are too many to tell apart in 32 bits; expected {}", messages,
         flits, flits == 1 ? "" : "s",
         messages <= kWords ? fmt::format("{} flits at most", kWords / messages)
                            : fmt::format("{} messages at most", kWords));
}

std::optional<FlitId> Payload::identify(std::uint32_t word) const {
  if (adds_) return {};
  if (const auto at = std::ranges::find(parity_, word); at != parity_.end()) {
    return FlitId{{root_}, static_cast<std::uint32_t>(at - parity_.begin())};
  }
  const std::uint32_t number = unmix(word) - seed_;
  FlitId id;
  id.index = number % flits_;
  const std::uint32_t message = number / flits_;
  id.message.origin = same_to_all_ ? message : message / nodes_;
  if (!same_to_all_) id.message.destination = message % nodes_;
  if (id.message.origin >= nodes_) return {};
  const PieceFlits cut = cut_.cut(id.message);
  if (id.index >= cut.flits) return {};
  if (cut.pieces > 1) {
    id.message.piece = cut.piece(id.index);
    id.index -= cut.first(id.message.piece);
  }
  if (is_parity(id.message)) return {};
  return id;
}

}  // namespace gossamer
