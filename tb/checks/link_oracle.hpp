#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "checks/partial_sums.hpp"
#include "fabric/fabric.hpp"
#include "fabric/payload.hpp"
#include "tables/timing.hpp"

namespace gossamer::tb {

/// What should be on every link in every cycle, computed from the schedule and the timing model
/// only: no tables, no node.
class LinkOracle {
 public:
  /// Which nodes it knows: all, or the representatives of the classes, each by the number of its
  /// class.
  enum class Nodes { All, Representatives };
  LinkOracle(const Schedule& schedule, const Timeline& time,
             const std::vector<std::uint64_t>& sizes, const Payload& payload,
             Nodes nodes = Nodes::All);

  /// Flits on a link without a gap: a transfer, or one message of a transfer that carries what is
  /// new.
  struct Stream {
    std::uint64_t begin = 0;  ///< cycle of the first flit
    std::uint64_t end = 0;    ///< cycle after the last flit
    const Transfer* transfer = nullptr;
    Node shift = 0;         ///< the translation that takes the transfer here
    Node origin = kNoNode;  ///< of the only message, if the transfer carries what is new
    std::uint32_t hop = 0;  ///< of a join: its number
  };
  /// The stream that is on the link at port `p` of a node in a cycle, if any.
  const Stream* at(Node i, Port p, std::uint64_t cycle) const;
  /// All streams of that link, in order of time.
  std::span<const Stream> streams(Node i, Port p) const {
    return streams_[std::size_t{i} * schedule_.topology().ports() + p];
  }
  /// A part of a stream, flit after flit of one message; its words follow from the first one's
  /// number, if that is known.
  struct Part {
    std::uint64_t begin = 0, end = 0;  ///< cycles
    std::optional<std::uint32_t> first = std::nullopt;
    const std::uint32_t* sums = nullptr;  ///< the words themselves, of a reduction or a parity
    bool nothing = false;         ///< its sender holds no part of the sum, so every word is wrong
    Message message = {kNoNode};  ///< of a reduction
    std::optional<std::uint32_t> word(std::uint64_t cycle) const {
      if (sums != nullptr) return sums[cycle - begin];
      if (!first) return {};
      return Payload::word(*first + static_cast<std::uint32_t>(cycle - begin));
    }
  };
  /// The part of a stream that holds one of its cycles.
  Part part(const Stream& stream, std::uint64_t cycle) const;
  /// The word that should be there; nothing if it is only known that there is one.
  std::optional<std::uint32_t> word(const Stream& stream, std::uint64_t cycle) const {
    return part(stream, cycle).word(cycle);
  }
  /// Both in one. Nothing if no flit should be there, if its word is not known, or for a port that
  /// the engine's nodes have and the topology's nodes do not have.
  std::optional<std::uint32_t> word_at(Node x, Port p, std::uint64_t cycle) const;
  /// May words be missing, but none be wrong?
  bool may_lack() const { return schedule_.works_out(); }
  /// Which flit of a reduction's message it is, if the right word is there.
  std::optional<FlitId> flit_of_sum(Node x, Port p, std::uint64_t cycle, std::uint32_t word) const;
  /// What a word that differs should be, and whose part is wrong in it if that can be told; and the
  /// cycle since when a wrong word may have been written where it comes from.
  struct SumStory {
    std::string should_be, because;
    std::uint64_t since = 0;
  };
  SumStory story(Node x, const Stream& stream, std::uint64_t cycle,
                 std::optional<std::uint32_t> word) const;

 private:
  void add_adaptive(const Timeline& time);
  const Schedule& schedule_;
  const Payload& payload_;
  std::optional<PartialSums> sums_;           ///< of a reduction
  std::vector<std::vector<Stream>> streams_;  ///< by node and port, in order of time
};

/// Bytes that an oracle of the whole fabric takes.
double oracle_bytes(const Schedule& schedule, const FabricImage& image);

/// The first cycle in which something else is on a link than should be.
struct LinkDifference {
  std::uint64_t cycle = 0;
  Node node = 0;
  Port port = 0;
  std::string text;  ///< one line for a person
  /// The flit comes a few cycles early or late: the RTL's timing is not that of the constants.
  bool stale = false;
  std::uint64_t since = 0;  ///< the first cycle in which the cause may lie
};

/// The result of comparing links with an oracle.
struct LinkComparison {
  std::uint64_t compared = 0;  ///< links times cycles, counted one by one; up to the difference
  std::uint64_t cycles = 0;    ///< without a difference
  std::optional<LinkDifference> difference;  ///< the first
};

/// Compares the links of a fabric with an oracle, one cycle after the other, up to the first
/// difference. For a quotient the oracle must know representatives.
class LinkWatch {
 public:
  LinkWatch(const FabricImage& image, const LinkOracle& oracle, const Payload& payload);
  /// Compares every link in the cycle that the fabric shows; the first one is cycle 0. False if
  /// there was a difference, now or before, and no flit is waited for that may be late.
  bool look(const Fabric& fabric);
  const LinkComparison& result() const { return result_; }

 private:
  /// The streams of a link, for questions about one cycle after the other.
  struct Link {
    std::span<const LinkOracle::Stream> streams;
    std::size_t begun = 0;
    LinkOracle::Part part = {};  ///< the last one that was asked for
  };
  /// What should be on a link in a cycle. It stays so, flit after flit, until another cycle.
  void expect(std::size_t link, std::uint64_t cycle);
  /// Are all words of this cycle those that should be there?
  bool same_words(std::uint64_t cycle) const;
  bool waits(const Fabric& fabric);
  void differ(std::uint64_t cycle, Node i, Port p, bool found, bool scheduled);

  const FabricImage& image_;
  const LinkOracle& oracle_;
  const Payload& payload_;
  std::vector<Link> links_;  ///< by node and port
  LinkComparison result_;

  /// What should be on the links, and what is: ports that have a flit, by node, a bit each; and
  /// by link the word, if `known_` is not 0. The number of the word that should be there is the
  /// cycle and `number_`.
  std::vector<std::uint64_t> wanted_, found_;
  std::vector<std::uint32_t> number_, known_, words_;
  std::vector<std::uint64_t> until_;  ///< by link: the cycle in which something else is expected
  std::uint64_t next_ = 0;            ///< the first of them

  /// The flit that was not there at the difference, as long as it may be late.
  struct Late {
    Node node;  ///< of the fabric
    std::uint32_t word;
  };
  std::optional<Late> late_;
};

/// Runs a fabric that is loaded with the image from cycle 0 up to `limit` and compares every link
/// in every cycle.
LinkComparison compare_links(Fabric& fabric, const FabricImage& image, const LinkOracle& oracle,
                             const Payload& payload, std::uint64_t limit);

}  // namespace gossamer::tb
