#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fabric/payload.hpp"
#include "topology/topology.hpp"

namespace gossamer {

/// Nodes of a translatable topology with all their digits in one word, a field per factor, so that
/// a translation takes a few instructions, whatever the radices are.
class DigitPacking {
 public:
  /// Nothing if the topology cannot be translated or its digits do not fit.
  static std::optional<DigitPacking> of(const Topology& topology) {
    if (!topology.translatable()) return {};
    DigitPacking packing;
    Node most = 2;
    for (const Graph& factor : topology.factors()) most = std::max(most, factor.nodes);
    packing.width_ = static_cast<unsigned>(std::bit_width(most - 1)) + 1;
    if (topology.factors().size() * packing.width_ > 31) return {};
    for (std::size_t f = 0; f < topology.factors().size(); ++f) {
      const unsigned at = static_cast<unsigned>(f) * packing.width_;
      packing.tops_ |= 1u << (at + packing.width_ - 1);
      packing.bias_ |= ((1u << (packing.width_ - 1)) - topology.factors()[f].nodes) << at;
      packing.strides_[f] = topology.stride(f);
      packing.radices_[f] = topology.factors()[f].nodes;
    }
    packing.digits_ = static_cast<unsigned>(topology.factors().size());
    return packing;
  }

  std::uint32_t pack(Node x) const {
    std::uint32_t packed = 0;
    for (unsigned f = 0; f < digits_; ++f) {
      packed |= x / strides_[f] % radices_[f] << f * width_;
    }
    return packed;
  }

  Node node(std::uint32_t packed) const {
    const std::uint32_t mask = (1u << width_) - 1;
    const std::uint64_t wide = packed;
    // Without a branch for up to three digits: those that are not there have stride 0.
    Node x = packed & mask;
    x += static_cast<std::uint32_t>(wide >> width_ & mask) * strides_[1];
    x += static_cast<std::uint32_t>(wide >> 2 * width_ & mask) * strides_[2];
    for (unsigned f = 3; f < digits_; ++f) x += (packed >> f * width_ & mask) * strides_[f];
    return x;
  }

  /// The same for several of them.
  template <class Numbers>
  Numbers nodes(Numbers packed) const {
    const std::uint32_t mask = (1u << width_) - 1;
    Numbers x = packed & mask;
    for (unsigned f = 1; f < digits_; ++f) x = x + (packed >> f * width_ & mask) * strides_[f];
    return x;
  }

  /// The sum of two packed nodes, digit by digit modulo the radices. After the bias is added, a
  /// field's top bit is set if the sum has reached the radix, and the other bits hold the
  /// remainder. In the other fields the bias is subtracted again.
  template <class Number = std::uint32_t>
  Number translate(Number packed, Number by) const {
    const Number sum = packed + by + bias_;
    const Number reached = sum & tops_;
    const Number ones = reached - (reached >> (width_ - 1));
    return (sum ^ reached) - (~ones & bias_);
  }

 private:
  static constexpr std::size_t kMostDigits = 16;  ///< of two bits at least, in 31
  unsigned width_ = 0, digits_ = 0;
  std::uint32_t tops_ = 0, bias_ = 0;
  std::array<Node, kMostDigits> strides_{}, radices_{};
};

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

/// Divides 32-bit numbers by a fixed one, with a multiplication.
class Divisor {
 public:
  explicit Divisor(std::uint32_t divisor)
      : divisor_(divisor), magic_(divisor == 1 ? 0 : ~std::uint64_t{0} / divisor + 1) {}
  std::uint32_t quotient(std::uint32_t x) const {
    __extension__ using Product = unsigned __int128;
    return magic_ == 0 ? x : static_cast<std::uint32_t>(Product{magic_} * x >> 64);
  }
  std::uint32_t remainder(std::uint32_t x) const { return x - quotient(x) * divisor_; }
  std::uint32_t divisor() const { return divisor_; }

 private:
  std::uint32_t divisor_;
  std::uint64_t magic_;  ///< 2^64 / divisor, rounded up; exact for all numbers of 32 bits
};

/// A fabric with one node for each class of a schedule's translations. Its
/// node c is the representative x of class c. Let y be x's neighbour at port p: then port p of c
/// leads to y's class, and words on that link are moved by the translation that takes y to its
/// representative.
///
/// In every cycle, and for every node y = x + h of the full fabric, the control of y (all registers
/// and outputs but words) is that of its class' node c, and the words on its links and in its logs
/// are c's, translated by h. The proof is by induction over the cycles. In the beginning all nodes
/// are reset, logs are empty, and the own words of y are those of x, translated.
///
/// Inputs: on port q of y stands what a neighbour z put there, which is what z's class' node d
/// shows, translated by z's shift. The wiring is invariant, so x = y - h has the neighbour z - h on
/// that port: d's output leads to c, and its word arrives there translated by -(shift of z - h).
/// Both are one message's words, moved by h. With register stages read "S cycles before".
///
/// Control: tables, capacity and number of own words are equal in a class, and the next control of
/// a node depends on its control and on control inputs alone (rtl/formal/data_proof.sv, A).
///
/// Words: each word on an output or in a log is a copy of one word that came in or was read, and
/// which one, control decides (B there: let every word that enters have a mark that says whether
/// it is the chosen one, an arbitrary constant; then so has every word that leaves with a flit or
/// is written. The mark that leaves is a function G of control and of the marks that came in. No
/// mark is 1 for most words, so G(0 ... 0) is 0, and the word that leaves is one of those that came
/// in. If all of these differ, exactly one mark gives G = 1, and which one depends on control
/// alone; if some are equal it is the same one, or it would contradict the case in which they are
/// chosen one by one). So the copies in y and c differ by the translation by h.
class Quotient {
 public:
  Quotient(const Topology& all, const Symmetry& symmetry, const Payload& payload);

  /// All nodes.
  const Topology& all() const { return all_; }
  /// The classes and their links. A link may lead back to its own node, even to its own port.
  const Topology& topology() const { return topology_; }
  Node representative(Node c) const { return representatives_[c]; }
  Node class_of(Node x) const { return symmetry_.class_of(x); }
  /// How many nodes each node of the quotient represents, itself included.
  Node copies() const { return symmetry_.order(); }

  /// What arrives at the other end of the link at port `p` of class `c` if this word is sent: the
  /// same flit of the translated message. A word that belongs to no message is not changed, so that
  /// different words stay different.
  std::uint32_t arriving(Node c, Port p, std::uint32_t word) const {
    const std::uint32_t at = step_of_[place(c, p)];
    return at == 0 ? word : translate(word, steps_.data() + at);
  }

  /// arriving() in numbers, for who moves several words at once. With messages of one flit that are
  /// the same for all, message m of `nodes` is the number `first` + m, and moves by `by(c, p)`,
  /// less the size of each block for which its magic number times m is above `limit(c, p, block)`,
  /// modulo 2^64.
  bool one_flit_per_origin() const { return payload_.one_per_origin() && flits_.divisor() == 1; }
  std::uint32_t first() const { return payload_.first({0, 0}); }
  Node nodes() const { return count_; }
  const std::vector<DigitBlock>& blocks() const { return blocks_; }
  std::uint32_t by(Node c, Port p) const {
    return static_cast<std::uint32_t>(steps_[step_of_[place(c, p)]]);
  }
  std::uint64_t limit(Node c, Port p, std::size_t block) const {
    const std::uint32_t at = step_of_[place(c, p)];
    return at == 0 ? ~std::uint64_t{0} : steps_[at + 1 + block];
  }

  /// Gives the link at port `p` of class `c` another translation: a fault that tests plant.
  void plant(Node c, Port p, Node by) { step_of_[place(c, p)] = by == 0 ? 0 : add_step(by); }

 private:
  std::size_t place(Node c, Port p) const { return std::size_t{c} * ports_ + p; }
  /// Returns where it begins.
  std::uint32_t add_step(Node by);
  std::uint32_t translate(std::uint32_t word, const std::uint64_t* step) const;
  /// What must be added to this node to translate it, modulo 2^32.
  std::uint32_t distance(Node x, const std::uint64_t* step) const;

  Topology all_;
  Symmetry symmetry_;
  std::vector<Node> representatives_;  ///< by class; engines cannot ask `symmetry_`
  Payload payload_;
  Topology topology_;
  Port ports_;
  Node count_;                      ///< of all nodes
  std::vector<DigitBlock> blocks_;  ///< by factor
  Divisor nodes_, flits_;
  /// The translations of the links, each once, since every flit asks for its own: first what is
  /// added to a node, then for each factor what is above its limit if the node's digit passes its
  /// radix (DigitBlock). The first is no translation.
  std::vector<std::uint64_t> steps_;
  std::vector<std::uint32_t> step_of_;  ///< by class and port: where its translation begins
};

inline std::uint32_t Quotient::distance(Node x, const std::uint64_t* step) const {
  std::uint64_t sum = step[0];
  for (const DigitBlock& block : blocks_) {  // nobody can predict which digits pass their radix
    sum -= block.size & (std::uint64_t{0} - (block.magic * x > *++step));
  }
  return static_cast<std::uint32_t>(sum);
}

inline std::uint32_t Quotient::translate(std::uint32_t word, const std::uint64_t* step) const {
  const std::uint32_t number = Payload::number(word);
  const std::uint32_t message = flits_.quotient(number - payload_.first({0, 0}));
  if (payload_.one_per_origin()) {
    if (message >= count_) return word;
    return Payload::word(number + distance(message, step) * flits_.divisor());
  }
  const Message m = {nodes_.quotient(message), nodes_.remainder(message)};
  if (m.origin >= count_) return word;
  const std::uint32_t moved = distance(m.origin, step) * count_ + distance(m.destination, step);
  return Payload::word(number + moved * flits_.divisor());
}

}  // namespace gossamer
