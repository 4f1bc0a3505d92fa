#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "export/export.hpp"
#include "schedule/chunks.hpp"
#include "support/refuse.hpp"

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

/// A step of a rank, by threadblock.
using StepId = std::pair<std::size_t, std::size_t>;

constexpr const char* kNothing = "nop";

struct Step {
  const char* type = "s";  ///< s(end), r(eceive), r(eceive,) r(educe and) c(opy), or nothing
  Place source, destination;
  std::optional<StepId> after;  ///< it depends on that
  bool needed = false;          ///< another step depends on it
};

/// Where a rank adds up a message, and who has used it: what comes must wait for what is read.
struct Sum {
  Place place;
  bool whole = false;
  std::optional<StepId> came;   ///< what was added last
  std::vector<StepId> readers;  ///< since then
};

/// Steps that send to one peer, or receive from it.
struct Block {
  Node peer = kNoNode;
  bool sends = false;
  std::vector<Step> steps;
};

struct Rank {
  std::vector<Block> blocks;
  std::map<std::pair<Node, bool>, std::size_t> block_of;  ///< peer, sends
  std::map<Message, StepId> came;
  std::map<Message, std::uint32_t> scratch;
  std::map<Message, Sum> sums;
};

class Writer {
 public:
  explicit Writer(const Schedule& schedule)
      : s_(schedule), name_(name_of(schedule.collective())), ranks_(schedule.topology().nodes()) {
    if (!schedule.members.all()) {
      throw InputError("msccl-xml: all gpus take part in a collective of the format, not groups");
    }
    if (!schedule.sizes.equal()) {
      throw InputError(
          "msccl-xml: the format has chunks of one length; these messages have several");
    }
    std::map<Message, Node> joined;  // where
    for (const Transfer& t : schedule.transfers()) {
      if (!t.join) continue;
      const Node source = schedule.source(t);
      if (joined.try_emplace(schedule.messages(t)[0], source).first->second == source) continue;
      throw InputError(
          "msccl-xml: a gpu has one sum of a chunk, and here several nodes each join one of their "
          "own; take --algorithm reversed");
    }
    const std::vector<Delivery> all = deliveries(schedule);
    std::vector<std::uint32_t> order = numbers_below(static_cast<std::uint32_t>(all.size()));
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return all[a].arrival < all[b].arrival;
    });
    if (reduces(s_.collective())) {
      add_up(all);
    } else {
      for (const std::uint32_t i : order) add(all[i]);
    }
    refuse_too_large();
  }

  std::string text() {
    const std::size_t n = ranks_.size();
    write(
        "<algo name=\"gossamer\" proto=\"Simple\" nchannels=\"1\" nchunksperloop=\"{}\" "
        "ngpus=\"{}\" coll=\"{}\" inplace=\"0\" outofplace=\"1\" minBytes=\"0\" "
        "maxBytes=\"{}\">\n",
        chunks(!has_root(s_.collective())), n, name_, std::uint64_t{1} << 40);
    for (Node x = 0; x < n; ++x) rank(x);
    write("</algo>\n");
    return std::move(text_);
  }

 private:
  template <typename... Args>
  void write(fmt::format_string<Args...> format, Args&&... args) {
    text_ += fmt::format(format, std::forward<Args>(args)...);
  }

  static const char* name_of(Collective c) {
    switch (c) {
      case Collective::Gossip: return "allgather";
      case Collective::TotalExchange: return "alltoall";
      case Collective::Reduce: return "reduce";
      case Collective::ReduceScatter: return "reduce_scatter";
      case Collective::AllReduce: return "allreduce";
      default:
        refuse(
            "msccl-xml: gossip (allgather), total-exchange (alltoall), reduce, reduce-scatter and "
            "all-reduce only, not {}",
            to_string(c));
    }
  }

  /// Of a message, or of one for each node.
  std::size_t chunks(bool each) const { return s_.pieces() * (each ? ranks_.size() : 1); }
  std::size_t inputs() const {
    const Collective c = s_.collective();
    return chunks(c == Collective::TotalExchange || c == Collective::ReduceScatter);
  }
  std::size_t outputs(Node x) const {
    if (!reduces(s_.collective())) return chunks(true);
    return count_expected(s_, x) > 0 ? chunks(false) : 0;
  }

  /// A message's place at a rank: its own is input, a message for it is output, others are scratch.
  Place place(Node x, const Message& m) {
    const auto chunk = [&](Node number) { return number * s_.pieces() + m.piece; };
    const bool for_each = m.destination != kNoNode;
    if (m.origin == x) return {'i', chunk(for_each ? m.destination : 0)};
    if (!for_each || m.destination == x) return {'o', chunk(m.origin)};
    return scratch(x, m);
  }
  Place scratch(Node x, const Message& m) {
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
      Step step{"s", place(d.from, m), place(d.to, m), {}};
      const std::size_t out = block(from, d.to, true);
      const std::size_t in = block(to, d.from, false);
      to.came[m] = {in, to.blocks[in].steps.size()};
      to.blocks[in].steps.push_back({"r", step.source, step.destination, {}});
      if (const auto came = from.came.find(m); came != from.came.end()) step.after = came->second;
      append(from, out, step);
    }
  }

  static StepId append(Rank& rank, std::size_t block, const Step& step) {
    if (step.after) rank.blocks[step.after->first].steps[step.after->second].needed = true;
    rank.blocks[block].steps.push_back(step);
    return {block, rank.blocks[block].steps.size() - 1};
  }

  /// Round by round: what is sent is read before anything that comes is added. What comes first is
  /// added to the input, and the sum stands in the output, or in scratch chunks. What comes
  /// beside the whole sum, or after it, is not sent.
  void add_up(std::vector<Delivery> all) {
    std::stable_sort(all.begin(), all.end(),
                     [](const Delivery& a, const Delivery& b) { return a.round < b.round; });
    struct Sent {
      const Delivery* delivery;
      Message message;
      bool whole;
      Place source = {};
    };
    for (std::size_t i = 0; i < all.size();) {
      std::vector<Sent> round;
      std::set<std::pair<Node, Message>> completed;
      for (const std::uint32_t now = all[i].round; i < all.size() && all[i].round == now; ++i) {
        for (std::size_t k = 0; k < all[i].messages.size(); ++k) {
          const Message m = all[i].messages[k];
          if (sum(all[i].to, m).whole) continue;  // the destination already has it
          const bool whole = all[i].parts[k] == contributors(s_, m);
          if (whole && !completed.emplace(all[i].to, m).second) continue;
          round.push_back({&all[i], m, whole});
        }
      }
      std::erase_if(round, [&](const Sent& sent) {
        return !sent.whole && completed.contains({sent.delivery->to, sent.message});
      });
      for (Sent& sent : round) sent.source = send(*sent.delivery, sent.message);
      for (const auto& [delivery, m, whole, source] : round) receive(*delivery, m, whole, source);
    }
  }
  Sum& sum(Node x, const Message& m) {
    const auto [found, is_new] = ranks_[x].sums.try_emplace(m);
    const Node block = s_.collective() == Collective::ReduceScatter ? m.origin : 0;
    if (is_new) found->second.place = {'i', block * s_.pieces() + m.piece};
    return found->second;
  }
  Place send(const Delivery& d, const Message& m) {
    Rank& rank = ranks_[d.from];
    Sum& has = sum(d.from, m);
    const StepId id =
        append(rank, block(rank, d.to, true), {"s", has.place, result(d.to, m), has.came});
    if (has.came) has.readers.push_back(id);
    return has.place;
  }
  void receive(const Delivery& d, const Message& m, bool whole, Place source) {
    Rank& rank = ranks_[d.to];
    Sum& has = sum(d.to, m);
    const std::size_t in = block(rank, d.from, false);
    std::optional<StepId> after = has.came;
    for (std::size_t i = 0; i < has.readers.size(); ++i) {
      if (i > 0) append(rank, in, {kNothing, {}, {}, after});
      after = has.readers[i];
    }
    const Place to = result(d.to, m);
    has = {to,
           whole,
           append(rank, in, {whole ? "r" : "rrc", whole ? source : has.place, to, after}),
           {}};
  }
  Place result(Node x, const Message& m) {
    return is_expected(s_, x, m) ? Place{'o', m.piece} : scratch(x, m);
  }

  void refuse_too_large() const {
    for (Node x = 0; x < ranks_.size(); ++x) {
      std::size_t sending = 0, receiving = 0;
      for (const Block& b : ranks_[x].blocks) {
        ++(b.sends ? sending : receiving);
        if (b.steps.size() > kMaxSteps) {
          refuse("msccl-xml: {} steps between {} and {}; MSCCL takes at most {}", b.steps.size(), x,
                 b.peer, kMaxSteps);
        }
      }
      if (std::max(sending, receiving) > kMaxPeers) {
        refuse("msccl-xml: node {} has more than {} peers", x, kMaxPeers);
      }
    }
  }

  void rank(Node x) {
    const Rank& r = ranks_[x];
    write("  <gpu id=\"{}\" i_chunks=\"{}\" o_chunks=\"{}\" s_chunks=\"{}\">\n", x, inputs(),
          outputs(x), r.scratch.size());
    for (std::size_t b = 0; b < r.blocks.size(); ++b) {
      const Block& block = r.blocks[b];
      const auto peer = static_cast<std::int64_t>(block.peer);
      write("    <tb id=\"{}\" send=\"{}\" recv=\"{}\" chan=\"0\">\n", b, block.sends ? peer : -1,
            block.sends ? -1 : peer);
      for (std::size_t s = 0; s < block.steps.size(); ++s) step(s, block.steps[s]);
      write("    </tb>\n");
    }
    if (!reduces(s_.collective())) copy_own(x);
    write("  </gpu>\n");
  }

  /// A rank's message for itself is copied from input to output.
  void copy_own(Node x) {
    const bool gossip = same_to_all(s_.collective());
    write("    <tb id=\"{}\" send=\"-1\" recv=\"-1\" chan=\"0\">\n", ranks_[x].blocks.size());
    write(
        "      <step s=\"0\" type=\"cpy\" srcbuf=\"i\" srcoff=\"{}\" dstbuf=\"o\" dstoff=\"{}\" "
        "cnt=\"{}\" depid=\"-1\" deps=\"-1\" hasdep=\"0\"/>\n    </tb>\n",
        gossip ? 0 : x * s_.pieces(), x * s_.pieces(), s_.pieces());
  }

  void step(std::size_t number, const Step& s) {
    const auto [block, step] = s.after.value_or(StepId{~std::size_t{0}, ~std::size_t{0}});
    write(
        "      <step s=\"{}\" type=\"{}\" srcbuf=\"{}\" srcoff=\"{}\" dstbuf=\"{}\" dstoff=\"{}\" "
        "cnt=\"{}\" depid=\"{}\" deps=\"{}\" hasdep=\"{:d}\"/>\n",
        number, s.type, s.source.buffer, s.source.offset, s.destination.buffer,
        s.destination.offset, s.type == kNothing ? 0 : 1, static_cast<std::int64_t>(block),
        static_cast<std::int64_t>(step), s.needed);
  }

  const Schedule& s_;
  const char* name_;
  std::vector<Rank> ranks_;
  std::string text_;
};

}  // namespace

std::string msccl_xml(const Schedule& schedule) { return Writer(schedule).text(); }

}  // namespace gossamer
