#pragma once

#include <algorithm>
#include <cstdint>

#include "engines/tile/lanes.hpp"
#include "engines/tile/log_store.hpp"

namespace gossamer::tb {

/// A log of the nodes of a group. As long as what arrives is what should, it is compared for all
/// eight at once, and counted here: LaneStore::settle must be called before anybody else asks for
/// these logs.
struct LaneLog {
  Lanes at = 0, shift = 0;  ///< of the next words
  std::uint32_t left = 0;   ///< as many words in all lanes before one of them begins another run
  std::uint32_t done = 0;   ///< words that the store does not count yet
};

/// A LogStore that also takes the words of a group of nodes.
template <class Store>
class LaneStore : public Store {
 public:
  using Store::append;

  [[gnu::always_inline]] void append(const LaneNodes& nodes, unsigned log, LaneLog& lanes,
                                     Lanes words) {
    if (lanes.left != 0 || start_lanes(nodes, log, lanes)) {
      const DigitPacking& packing = expected_->packing;
      const Lanes origin = packing.nodes(
          packing.translate(Lanes::of(expected_->origins.data(), lanes.at), lanes.shift));
      const Lanes word = Payload::word(origin + Lanes(expected_->payload.first({0, kNoNode})));
      if ((word == words).which() == Lanes::kAll) {
        lanes.at = lanes.at + 1;
        --lanes.left;
        ++lanes.done;
        return;
      }
      settle(nodes, log, lanes);
    }
    for (unsigned lane = 0; lane < nodes.count; ++lane) append(nodes.node[lane], log, words[lane]);
  }

  void settle(const LaneNodes& nodes, unsigned log, LaneLog& lanes) {
    for (const Node i : nodes) {
      auto& written = written_[this->at(i, log)];
      written.length += lanes.done;
      written.words.at += lanes.done;
    }
    lanes.left = lanes.done = 0;
  }

 private:
  using Store::capacity_;
  using Store::expected_;
  using Store::flits_;
  using Store::written_;

  /// Looks how many words a group can take as it is. False if it must take them one by one.
  bool start_lanes(const LaneNodes& nodes, unsigned log, LaneLog& lanes) {
    settle(nodes, log, lanes);
    if (!expected_ || flits_ != 1) return false;
    std::uint32_t left = ~std::uint32_t{0};
    for (const Node i : nodes) {
      auto& written = written_[this->at(i, log)];
      auto& words = written.words;
      if (!this->find_run(words, i, log, written.length)) return false;
      left = std::min({left, words.end - written.length, capacity_ - written.length});
    }
    lanes.at = nodes.lanes([&](Node i) { return written_[this->at(i, log)].words.at; });
    lanes.shift = nodes.lanes([&](Node i) { return written_[this->at(i, log)].words.shift; });
    lanes.left = left;
    return left != 0;
  }
};

}  // namespace gossamer::tb
