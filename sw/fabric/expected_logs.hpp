#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "fabric/digit_packing.hpp"
#include "fabric/payload.hpp"

namespace gossamer {

/// What the logs of a gossip hold if all goes as the schedule says: whose message is where. It is
/// kept for one node of each class of the schedule's symmetry; the logs of the others are its
/// translations. An engine that has it keeps only the words that differ (docs/research/scale.md).
struct ExpectedLogs {
  /// Messages that arrive one after the other. Their origins are neighbours in `origins`,
  /// translated by `shift`; packed. Message m of the log is entry offset + m (modulo 2^32) there.
  struct Run {
    std::uint32_t end = 0;  ///< messages of the log up to here
    std::uint32_t offset = 0, shift = 0;
  };
  using Log = std::vector<Run>;

  Payload payload;
  DigitPacking packing;
  unsigned logs = 1;
  std::vector<std::uint32_t> origins;  ///< packed, as the representative of some class had them
  /// By class and log, as the representative has them, in order of arrival. A single-port node's
  /// log begins with its own message.
  std::vector<Log> runs;
  std::vector<std::uint32_t> back;  ///< by class: what takes its representative to node 0; packed

  /// The translation that makes node `x` of class `c` of the class's representative.
  std::uint32_t shift(Node x, Node c) const { return packing.translate(packing.pack(x), back[c]); }
  const Log& log(Node c, unsigned g) const { return runs[std::size_t{c} * logs + g]; }
  std::uint32_t messages(Node c, unsigned g) const {
    return log(c, g).empty() ? 0 : log(c, g).back().end;
  }
  std::uint64_t words(Node c, unsigned g) const {
    return std::uint64_t{messages(c, g)} * payload.flits();
  }
  /// The run that holds a message of a log. The log must have the message.
  static const Run& run_of(const Log& log, std::uint32_t message) {
    return *std::ranges::upper_bound(log, message, {}, &Run::end);
  }
  /// The number of the first flit of the message whose origin is origins[at], translated by
  /// `shift`.
  std::uint32_t first(std::uint32_t at, std::uint32_t shift) const {
    return payload.first({packing.node(packing.translate(origins[at], shift)), kNoNode});
  }
  /// The same for a message of a run, in the node that the packed translation `shift` makes of the
  /// representative.
  std::uint32_t first(const Run& run, std::uint32_t shift, std::uint32_t message) const {
    return first(run.offset + message, packing.translate(run.shift, shift));
  }
  /// Word `index` of a log of that node. The index must be one of words().
  std::uint32_t word(Node c, std::uint32_t shift, unsigned g, std::uint32_t index) const {
    const std::uint32_t message = index / payload.flits();
    return Payload::word(first(run_of(log(c, g), message), shift, message) +
                         index % payload.flits());
  }
  /// Fills the span with words of that log, from word `index` on. The log must have so many.
  void copy_words(Node c, std::uint32_t shift, unsigned g, std::uint32_t index,
                  std::span<std::uint32_t> to) const {
    const Log& l = log(c, g);
    const std::uint32_t flits = payload.flits();
    std::uint32_t message = index / flits, flit = index % flits;
    const Run* run = &run_of(l, message);
    for (std::size_t k = 0; k < to.size(); ++run) {
      const std::uint32_t by = packing.translate(run->shift, shift);
      if (flits == 1) {
        const std::size_t count = std::min<std::size_t>(run->end - message, to.size() - k);
        copy_messages(run->offset + message, by, to.subspan(k, count));
        message = run->end;
        k += count;
      }
      for (; message < run->end && k < to.size(); ++message, flit = 0) {
        const std::uint32_t number = first(run->offset + message, by);
        for (; flit < flits && k < to.size(); ++flit) to[k++] = Payload::word(number + flit);
      }
    }
  }
  double bytes() const {
    double sum = static_cast<double>(origins.size()) * sizeof(std::uint32_t);
    for (const Log& l : runs) sum += static_cast<double>(l.capacity()) * sizeof(Run);
    return sum;
  }

 private:
  /// Messages of one flit, neighbours in `origins`: what most words of large stores are.
  void copy_messages(std::uint32_t at, std::uint32_t shift, std::span<std::uint32_t> to) const {
    const std::uint32_t* from = origins.data() + at;
    // Copies, which no word written can change.
    const DigitPacking digits = packing;
    const std::uint32_t of_node_0 = payload.first({0, kNoNode});
    for (std::size_t k = 0; k < to.size(); ++k) {
      to[k] = Payload::word(of_node_0 + digits.node(digits.translate(from[k], shift)));
    }
  }
};

}  // namespace gossamer
