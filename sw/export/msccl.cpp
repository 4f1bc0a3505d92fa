#include "export/msccl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <utility>

#include "export/deliveries.hpp"
#include "support/error.hpp"

namespace gossamer {
namespace {

/// Limits of the runtime: steps of a threadblock, and threadblocks of a channel that send, or that
/// receive.
constexpr std::size_t kMaxSteps = 256;
constexpr std::size_t kMaxPeers = 32;

/// A chunk in one of a rank's buffers: i(nput), o(utput) or s(cratch).
struct Place {
  char buffer = 'o';
  std::uint32_t offset = 0;
};

struct Step {
  char type = 's';  ///< s(end) or r(eceive)
  Place source, destination;
  int depends_block = -1;
  int depends_step = -1;
  bool needed = false;  ///< another step depends on it
};

/// Steps that send to one peer, or receive from it.
struct Block {
  Node peer = kNoNode;
  bool sends = false;
  std::vector<Step> steps;
};

struct Rank {
  std::vector<Block> blocks;
  std::map<std::pair<Node, bool>, std::size_t> block_of;        ///< peer, sends
  std::map<Message, std::pair<std::size_t, std::size_t>> came;  ///< block and step of its arrival
  std::map<Message, std::uint32_t> scratch;
};

class Writer {
 public:
  explicit Writer(const Schedule& schedule)
      : s_(schedule),
        gossip_(schedule.collective() == Collective::Gossip),
        ranks_(schedule.topology().nodes()) {
    if (!gossip_ && s_.collective() != Collective::TotalExchange) {
      throw InputError(
          fmt::format("msccl-xml: gossip (allgather) and total-exchange (alltoall) "
                      "only, not {}",
                      to_string(s_.collective())));
    }
    if (!schedule.members.all()) {
      throw InputError("msccl-xml: all gpus take part in a collective of the format, not groups");
    }
    if (!schedule.sizes.equal()) {
      throw InputError(
          "msccl-xml: the format has chunks of one length; these messages have several");
    }
    const std::vector<Delivery> all = deliveries(schedule);
    std::vector<std::uint32_t> order(all.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return all[a].arrival < all[b].arrival;
    });
    for (const std::uint32_t i : order) add(all[i]);
    refuse_too_large();
  }

  std::string text() {
    const std::size_t n = ranks_.size();
    write(
        "<algo name=\"gossamer\" proto=\"Simple\" nchannels=\"1\" nchunksperloop=\"{}\" "
        "ngpus=\"{}\" coll=\"{}\" inplace=\"0\" outofplace=\"1\" minBytes=\"0\" "
        "maxBytes=\"{}\">\n",
        n * s_.pieces(), n, gossip_ ? "allgather" : "alltoall", std::uint64_t{1} << 40);
    for (Node x = 0; x < n; ++x) rank(x);
    write("</algo>\n");
    return std::move(text_);
  }

 private:
  template <typename... Args>
  void write(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }

  /// A message's place at a rank: its own is input, a message for it is output, others are scratch.
  Place place(Node x, const Message& m) {
    const auto chunk = [&](Node number) { return number * s_.pieces() + m.piece; };
    if (m.origin == x) return {'i', chunk(gossip_ ? 0 : m.destination)};
    if (gossip_ || m.destination == x) return {'o', chunk(m.origin)};
    auto& scratch = ranks_[x].scratch;
    const auto slot = static_cast<std::uint32_t>(scratch.size());
    return {'s', scratch.try_emplace(m, slot).first->second};
  }

  static std::size_t block(Rank& rank, Node peer, bool sends) {
    const auto [found, is_new] = rank.block_of.try_emplace({peer, sends}, rank.blocks.size());
    if (is_new) rank.blocks.push_back({peer, sends, {}});
    return found->second;
  }

  void add(const Delivery& d) {
    Rank& from = ranks_[d.from];
    Rank& to = ranks_[d.to];
    for (const Message& m : d.messages) {
      if (m.origin == d.to || to.came.count(m) != 0) continue;  // the destination already has it
      Step step{'s', place(d.from, m), place(d.to, m)};
      const std::size_t out = block(from, d.to, true);
      const std::size_t in = block(to, d.from, false);
      to.came[m] = {in, to.blocks[in].steps.size()};
      to.blocks[in].steps.push_back({'r', step.source, step.destination});
      if (const auto came = from.came.find(m); came != from.came.end()) {
        const auto [b, s] = came->second;
        from.blocks[b].steps[s].needed = true;
        step.depends_block = static_cast<int>(b);
        step.depends_step = static_cast<int>(s);
      }
      from.blocks[out].steps.push_back(step);
    }
  }

  void refuse_too_large() const {
    for (Node x = 0; x < ranks_.size(); ++x) {
      std::size_t sending = 0, receiving = 0;
      for (const Block& b : ranks_[x].blocks) {
        ++(b.sends ? sending : receiving);
        if (b.steps.size() > kMaxSteps) {
          throw InputError(
              fmt::format("msccl-xml: {} messages between {} and {}; MSCCL takes at most {}",
                          b.steps.size(), x, b.peer, kMaxSteps));
        }
      }
      if (std::max(sending, receiving) > kMaxPeers) {
        throw InputError(fmt::format("msccl-xml: node {} has more than {} peers", x, kMaxPeers));
      }
    }
  }

  void rank(Node x) {
    const Rank& r = ranks_[x];
    const std::size_t n = ranks_.size() * s_.pieces();
    write("  <gpu id=\"{}\" i_chunks=\"{}\" o_chunks=\"{}\" s_chunks=\"{}\">\n", x,
          gossip_ ? s_.pieces() : n, n, r.scratch.size());
    for (std::size_t b = 0; b < r.blocks.size(); ++b) {
      const Block& block = r.blocks[b];
      const auto peer = static_cast<std::int64_t>(block.peer);
      write("    <tb id=\"{}\" send=\"{}\" recv=\"{}\" chan=\"0\">\n", b, block.sends ? peer : -1,
            block.sends ? -1 : peer);
      for (std::size_t s = 0; s < block.steps.size(); ++s) step(s, block.steps[s]);
      write("    </tb>\n");
    }
    // A rank's message for itself is copied from input to output.
    write("    <tb id=\"{}\" send=\"-1\" recv=\"-1\" chan=\"0\">\n", r.blocks.size());
    write(
        "      <step s=\"0\" type=\"cpy\" srcbuf=\"i\" srcoff=\"{}\" dstbuf=\"o\" dstoff=\"{}\" "
        "cnt=\"{}\" depid=\"-1\" deps=\"-1\" hasdep=\"0\"/>\n    </tb>\n  </gpu>\n",
        gossip_ ? 0 : x * s_.pieces(), x * s_.pieces(), s_.pieces());
  }

  void step(std::size_t number, const Step& s) {
    write(
        "      <step s=\"{}\" type=\"{}\" srcbuf=\"{}\" srcoff=\"{}\" dstbuf=\"{}\" dstoff=\"{}\" "
        "cnt=\"1\" depid=\"{}\" deps=\"{}\" hasdep=\"{:d}\"/>\n",
        number, s.type, s.source.buffer, s.source.offset, s.destination.buffer,
        s.destination.offset, s.depends_block, s.depends_step, s.needed);
  }

  const Schedule& s_;
  bool gossip_;
  std::vector<Rank> ranks_;
  std::string text_;
};

}  // namespace

std::string msccl_xml(const Schedule& schedule) { return Writer(schedule).text(); }

}  // namespace gossamer
