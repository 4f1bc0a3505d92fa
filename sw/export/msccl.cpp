#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include "export/export.hpp"
#include "import/msccl_program.hpp"
#include "schedule/chunks.hpp"
#include "support/refuse.hpp"

namespace gossamer::msccl {
namespace {

/// Limits of the runtime: steps of a threadblock, and threadblocks of a channel that send, or that
/// receive.
constexpr std::size_t kMaxSteps = 256;
constexpr std::size_t kMaxPeers = 32;

/// A step of a rank, by threadblock.
using StepAt = std::pair<std::uint32_t, std::uint32_t>;

constexpr Does kSends{.sends = true}, kReceives{.receives = true, .writes = true},
    kAdds{.receives = true, .reduces = true, .writes = true};

/// Where a rank adds up a message, and who has used it: what comes must wait for what is read.
struct Sum {
  Place place;
  std::optional<StepAt> came;   ///< what was added last
  std::vector<StepAt> readers;  ///< since then
};

/// Each threadblock sends to one peer, or receives from it.
struct Gpu {
  std::vector<Block> blocks;
  std::map<std::pair<Node, bool>, std::uint32_t> block_of;  ///< peer, sends
  std::map<Message, StepAt> came;
  std::map<Message, std::uint32_t> scratch;
  std::map<Message, Sum> sums;
};

class Writer {
 public:
  explicit Writer(const Schedule& schedule)
      : s_(schedule), name_(name_of(schedule.collective())), gpus_(schedule.topology().nodes()) {
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
    const std::size_t n = gpus_.size();
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

  static std::string_view name_of(Collective c) {
    if (has_root(c) && !reduces(c)) {
      refuse(
          "msccl-xml: gossip (allgather), total-exchange (alltoall), reduce, reduce-scatter and "
          "all-reduce only, not {}",
          to_string(c));
    }
    return std::ranges::find(kCollectives, c, [](const auto& e) { return e.second; })->first;
  }

  /// Of a message, or of one for each node.
  std::size_t chunks(bool each) const { return s_.pieces() * (each ? gpus_.size() : 1); }
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
    auto& scratch = gpus_[x].scratch;
    const auto slot = static_cast<std::uint32_t>(scratch.size());
    return {'s', scratch.try_emplace(m, slot).first->second};
  }

  static std::uint32_t block(Gpu& gpu, Node peer, bool sends) {
    const auto [found, is_new] =
        gpu.block_of.try_emplace({peer, sends}, static_cast<std::uint32_t>(gpu.blocks.size()));
    if (is_new) (sends ? gpu.blocks.emplace_back().to : gpu.blocks.emplace_back().from) = peer;
    return found->second;
  }

  void add(const Delivery& d) {
    Gpu& from = gpus_[d.from];
    Gpu& to = gpus_[d.to];
    for (std::size_t k = 0; k < d.messages.size(); ++k) {
      if (!d.news[k]) continue;
      const Message& m = d.messages[k];
      const Place source = place(d.from, m), destination = place(d.to, m);
      const auto came = from.came.find(m);
      append(from, block(from, d.to, true), kSends, source, destination,
             came == from.came.end() ? std::nullopt : std::optional(came->second));
      to.came[m] = append(to, block(to, d.from, false), kReceives, source, destination);
    }
  }

  static StepAt append(Gpu& gpu, std::uint32_t block, Does does, Place source, Place destination,
                       const std::optional<StepAt>& after = {}) {
    Step step{.does = does, .source = source, .destination = destination};
    step.count = does.nothing() ? 0 : 1;
    if (after) {
      std::tie(step.after_block, step.after_step) = *after;
      gpu.blocks[after->first].steps[after->second].awaited = true;
    }
    gpu.blocks[block].steps.push_back(step);
    return {block, static_cast<std::uint32_t>(gpu.blocks[block].steps.size() - 1)};
  }

  /// Round by round: what is sent is read before anything that comes is added. What comes first is
  /// added to the input, and the sum stands in the output, or in scratch chunks.
  void add_up(std::vector<Delivery> all) {
    std::ranges::stable_sort(all, {}, &Delivery::round);
    for (auto rest = std::span(all); !rest.empty();) {
      const auto end = std::ranges::upper_bound(rest, rest.front().round, {}, &Delivery::round);
      const std::span<Delivery> round(rest.begin(), end);
      std::vector<Place> sources;
      const auto each = [&](const auto& visit) {
        for (const Delivery& d : round) {
          for (std::size_t k = 0; k < d.messages.size(); ++k) {
            if (d.news[k]) visit(d, k);
          }
        }
      };
      each([&](const Delivery& d, std::size_t k) { sources.push_back(send(d, d.messages[k])); });
      auto source = sources.begin();
      each([&](const Delivery& d, std::size_t k) {
        const bool whole = d.parts[k] == contributors(s_, d.messages[k]);
        receive(d, d.messages[k], whole, *source++);
      });
      rest = rest.subspan(round.size());
    }
  }
  Sum& sum(Node x, const Message& m) {
    const auto [found, is_new] = gpus_[x].sums.try_emplace(m);
    const Node block = s_.collective() == Collective::ReduceScatter ? m.origin : 0;
    if (is_new) found->second.place = {'i', block * s_.pieces() + m.piece};
    return found->second;
  }
  Place send(const Delivery& d, const Message& m) {
    Gpu& gpu = gpus_[d.from];
    Sum& has = sum(d.from, m);
    const StepAt id =
        append(gpu, block(gpu, d.to, true), kSends, has.place, result(d.to, m), has.came);
    if (has.came) has.readers.push_back(id);
    return has.place;
  }
  void receive(const Delivery& d, const Message& m, bool whole, Place source) {
    Gpu& gpu = gpus_[d.to];
    Sum& has = sum(d.to, m);
    const std::uint32_t in = block(gpu, d.from, false);
    std::optional<StepAt> after = has.came;
    for (std::size_t i = 0; i < has.readers.size(); ++i) {
      if (i > 0) append(gpu, in, {}, {'o'}, {'o'}, after);
      after = has.readers[i];
    }
    const Place to = result(d.to, m);
    const StepAt id =
        append(gpu, in, whole ? kReceives : kAdds, whole ? source : has.place, to, after);
    has = {to, id, {}};
  }
  Place result(Node x, const Message& m) {
    return is_expected(s_, x, m) ? Place{'o', m.piece} : scratch(x, m);
  }

  void refuse_too_large() const {
    for (Node x = 0; x < gpus_.size(); ++x) {
      std::size_t sending = 0, receiving = 0;
      for (const Block& b : gpus_[x].blocks) {
        ++(b.to != kNoNode ? sending : receiving);
        if (b.steps.size() > kMaxSteps) {
          refuse("msccl-xml: {} steps between {} and {}; MSCCL takes at most {}", b.steps.size(), x,
                 std::min(b.to, b.from), kMaxSteps);
        }
      }
      if (std::max(sending, receiving) > kMaxPeers) {
        refuse("msccl-xml: node {} has more than {} peers", x, kMaxPeers);
      }
    }
  }

  void rank(Node x) {
    const Gpu& gpu = gpus_[x];
    write("  <gpu id=\"{}\" i_chunks=\"{}\" o_chunks=\"{}\" s_chunks=\"{}\">\n", x, inputs(),
          outputs(x), gpu.scratch.size());
    for (std::size_t b = 0; b < gpu.blocks.size(); ++b) {
      const Block& block = gpu.blocks[b];
      write("    <tb id=\"{}\" send=\"{}\" recv=\"{}\" chan=\"0\">\n", b, or_none(block.to),
            or_none(block.from));
      for (std::size_t s = 0; s < block.steps.size(); ++s) step(s, block.steps[s]);
      write("    </tb>\n");
    }
    if (!reduces(s_.collective())) copy_own(x);
    write("  </gpu>\n");
  }

  /// A rank's message for itself is copied from input to output.
  void copy_own(Node x) {
    const bool gossip = same_to_all(s_.collective());
    write("    <tb id=\"{}\" send=\"-1\" recv=\"-1\" chan=\"0\">\n", gpus_[x].blocks.size());
    write(
        "      <step s=\"0\" type=\"cpy\" srcbuf=\"i\" srcoff=\"{}\" dstbuf=\"o\" dstoff=\"{}\" "
        "cnt=\"{}\" depid=\"-1\" deps=\"-1\" hasdep=\"0\"/>\n    </tb>\n",
        gossip ? 0 : x * s_.pieces(), x * s_.pieces(), s_.pieces());
  }

  void step(std::size_t number, const Step& s) {
    write(
        "      <step s=\"{}\" type=\"{}\" srcbuf=\"{}\" srcoff=\"{}\" dstbuf=\"{}\" dstoff=\"{}\" "
        "cnt=\"{}\" depid=\"{}\" deps=\"{}\" hasdep=\"{:d}\"/>\n",
        number, std::ranges::find(kTypes, s.does, [](const auto& e) { return e.second; })->first,
        s.source.buffer, s.source.offset, s.destination.buffer, s.destination.offset, s.count,
        or_none(s.after_block), or_none(s.after_step), s.awaited);
  }

  /// -1 stands for none.
  static_assert(kNone == kNoNode && kNone + 1 == 0);
  static std::int32_t or_none(std::uint32_t number) { return static_cast<std::int32_t>(number); }

  const Schedule& s_;
  std::string_view name_;
  std::vector<Gpu> gpus_;
  std::string text_;
};

}  // namespace
}  // namespace gossamer::msccl

std::string gossamer::msccl_xml(const Schedule& schedule) { return msccl::Writer(schedule).text(); }
