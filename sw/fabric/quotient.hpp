#pragma once

#include <cstdint>
#include <vector>

#include "fabric/payload.hpp"
#include "topology/topology.hpp"

namespace gossamer {

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
