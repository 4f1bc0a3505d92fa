#include "engines/tile/crossings.hpp"

namespace gossamer::tb {
namespace {

constexpr std::uint32_t kLine = 64;

std::uint32_t rounded_up(std::uint32_t slot, std::uint32_t unit) {
  return (slot + unit - 1) / unit * unit;
}

}  // namespace

void Crossings::wire(std::vector<std::uint32_t>& to, std::size_t ports, const NodeBlocks& blocks,
                     std::uint32_t first_ghost) {
  const std::size_t stride = FlitSlots::stride(ports);
  arriving_.assign(blocks.size(), {});
  end_ = first_ghost;
  for (unsigned receiver = 0; receiver < blocks.size(); ++receiver) {
    for (unsigned sender = 0; sender < blocks.size(); ++sender) {
      if (sender == receiver) continue;
      end_ = rounded_up(end_, kLine);
      for (std::size_t i = blocks.first(sender) * ports; i < blocks.last(sender) * ports; ++i) {
        const std::size_t target = to[i] / stride;
        if (target < blocks.first(receiver) || target >= blocks.last(receiver)) continue;
        if (end_ % FlitSlots::kGroup == 0) arriving_[receiver].push_back({end_, {}});
        arriving_[receiver].back().slots[end_ % FlitSlots::kGroup] = to[i];
        to[i] = end_++;
      }
    }
  }
  end_ = rounded_up(end_, FlitSlots::kGroup);
}

}  // namespace gossamer::tb
