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
  Lanes at = 0, shift = 0;  ///< of the next words, if a message has one flit
  Lanes number = 0;         ///< of the next words, if it has several
  std::uint32_t left = 0;   ///< as many words in all lanes before one of them begins something else
  std::uint32_t done = 0;   ///< words that the store does not count yet
};

/// What a channel of the nodes of a group reads next, if it goes on in the same message.
struct LaneRead {
  Lanes address = 0, log = 0, number = 0;
  std::uint32_t left = 0;  ///< words, in all lanes
};

/// A LogStore that also takes the words of a group of nodes, and reads them.
template <class Store>
class LaneStore : public Store {
 public:
  using Store::append;
  using Store::read;

  [[gnu::always_inline]] void append(const LaneNodes& nodes, unsigned log, LaneLog& lanes,
                                     Lanes words) {
    if (lanes.left != 0 || start_lanes(nodes, log, lanes)) {
      if ((Payload::word(number(lanes)) == words).which() == Lanes::kAll) {
        lanes.at = lanes.at + 1;
        lanes.number = lanes.number + 1;
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
      if (flits_ == 1) {
        written.words.at += lanes.done;
      } else if (expected_) {
        written.words.number += lanes.done;
        written.words.left -= lanes.done;
      }
    }
    lanes.left = lanes.done = 0;
  }

  /// What the lanes in `enable` read; the others have any word. The group's logs are settled if
  /// they must be.
  [[gnu::always_inline]] Lanes read(const LaneNodes& nodes, unsigned channel, LaneRead& next,
                                    std::vector<LaneLog>& logs, unsigned enable, Lanes log,
                                    Lanes address) {
    if (next.left != 0 && enable == Lanes::kAll && !any_different_ &&
        (Lanes(address == next.address) & Lanes(log == next.log)).which() == Lanes::kAll) {
      --next.left;
      next.address = next.address + 1;
      const Lanes word = Payload::word(next.number);
      next.number = next.number + 1;
      return word;
    }
    return read_each(nodes, channel, next, logs, enable, log, address);
  }

 private:
  using Store::any_different_;
  using Store::capacity_;
  using Store::cursors_;
  using Store::expected_;
  using Store::flits_;
  using Store::written_;

  [[gnu::always_inline]] Lanes number(const LaneLog& lanes) const {
    if (flits_ != 1) return lanes.number;
    const DigitPacking& packing = expected_->packing;
    const Lanes origin = packing.nodes(
        packing.translate(Lanes::of(expected_->origins.data(), lanes.at), lanes.shift));
    return origin + Lanes(expected_->payload.first({0, kNoNode}));
  }

  /// Looks how many words a group can take as it is. False if it must take them one by one.
  bool start_lanes(const LaneNodes& nodes, unsigned log, LaneLog& lanes) {
    settle(nodes, log, lanes);
    if (!expected_) return false;
    std::uint32_t left = ~std::uint32_t{0};
    for (const Node i : nodes) {
      auto& written = written_[this->at(i, log)];
      auto& words = written.words;
      std::uint32_t more;
      if (flits_ == 1) {
        if (!this->find_run(words, i, log, written.length)) return false;
        more = words.end - written.length;
      } else {
        if (words.left == 0 && !this->next_message(words, i, log, this->message(written.length)))
          return false;
        more = words.left;
      }
      left = std::min({left, more, capacity_ - written.length});
    }
    const auto words_of = [&](Node i) -> auto& { return written_[this->at(i, log)].words; };
    lanes.at = nodes.lanes([&](Node i) { return words_of(i).at; });
    lanes.shift = nodes.lanes([&](Node i) { return words_of(i).shift; });
    lanes.number = nodes.lanes([&](Node i) { return words_of(i).number; });
    lanes.left = left;
    return left != 0;
  }

  /// The same one by one. If all read a message that has arrived, they may go on together.
  Lanes read_each(const LaneNodes& nodes, unsigned channel, LaneRead& next,
                  std::vector<LaneLog>& logs, unsigned enable, Lanes log, Lanes address) {
    Lanes words = 0;
    std::uint32_t left = expected_ && enable == Lanes::kAll ? ~std::uint32_t{0} : 0;
    for (unsigned lane = 0; lane < nodes.count; ++lane) {
      if ((enable >> lane & 1) == 0) continue;
      const Node i = nodes.node[lane];
      const unsigned g = log[lane];
      if (g < logs.size() && logs[g].done != 0 && address[lane] >= this->length(i, g)) {
        settle(nodes, g, logs[g]);
      }
      words.set(lane, read(i, channel, g, address[lane]));
      if (left == 0) continue;
      const auto& cursor = cursors_[std::size_t{i} * this->channels_ + channel];
      if (g >= logs.size() || any_different_ || cursor.index != address[lane] + 1) {
        left = 0;
      } else {
        left = std::min({left, cursor.words.left, this->length(i, g) - cursor.index});
      }
    }
    if (left != 0) {
      next.address = address + 1;
      next.log = log;
      next.number = nodes.lanes([&](Node i) {
        return cursors_[std::size_t{i} * this->channels_ + channel].words.number;
      });
    }
    next.left = left;
    for (unsigned lane = nodes.count; lane < kLanes; ++lane) words.set(lane, words[0]);
    return words;
  }
};

}  // namespace gossamer::tb
