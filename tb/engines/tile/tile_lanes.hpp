#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "engines/tile/lanes.hpp"
#include "engines/tile/link_slots.hpp"
#include "engines/tile/tile_nodes.hpp"
#include "engines/tile/tile_threads.hpp"
#include "fabric/fabric.hpp"
#include "fabric/quotient.hpp"

namespace gossamer::tb {

/// The links at one port of the nodes of a group: where they lead, and how words change on them.
/// The words of all eight are translated at once, by the sums of Quotient::arriving().
class LaneLinks {
 public:
  /// `to` has the slots at the other ends, by lane.
  LaneLinks(const Quotient* quotient, const LaneNodes& nodes, Port p,
            const std::array<std::uint32_t, kLanes>& to)
      : to_(to), quotient_(quotient), nodes_(nodes), port_(p) {
    if (quotient == nullptr || !quotient->one_flit_per_origin()) return;
    first_ = quotient->first();
    count_ = quotient->nodes();
    by_ = nodes.lanes([&](Node x) { return quotient->by(x, p); });
    for (std::size_t b = 0; b < quotient->blocks().size(); ++b) {
      Block& block = blocks_.emplace_back();
      block.size = quotient->blocks()[b].size;
      block.magic = quotient->blocks()[b].magic;
      for (unsigned lane = 0; lane < nodes.count; ++lane) {
        block.limits[lane % 2][lane / 2] = quotient->limit(nodes.node[lane], p, b) ^ kSign;
      }
    }
  }

  const std::array<std::uint32_t, kLanes>& to() const { return to_; }

  /// The words that arrive if these are sent.
  [[gnu::always_inline]] Lanes arriving(Lanes words) const {
    if (quotient_ == nullptr) return words;
    if (blocks_.empty()) return one_by_one(words);
    const Lanes number = Payload::number(words);
    const Lanes message = number - first_;
    const __m256i even = message.bits(), odd = _mm256_srli_epi64(even, 32);
    __m256i less_even = _mm256_setzero_si256(), less_odd = less_even;
    for (const Block& block : blocks_) {
      less_even = _mm256_add_epi64(less_even, block.passing(even, 0));
      less_odd = _mm256_add_epi64(less_odd, block.passing(odd, 1));
    }
    const Lanes less(reinterpret_cast<Lanes::Numbers>(
        _mm256_blend_epi32(less_even, _mm256_slli_epi64(less_odd, 32), 0xaa)));
    const Lanes known = -Lanes(message < count_);  // a word of no message stays as it is
    return Payload::word(number + ((by_ - less) & known));
  }

 private:
  static constexpr std::uint64_t kSign = std::uint64_t{1} << 63;  // AVX2 compares signed numbers
  /// A digit of the nodes (DigitBlock), with the limits of the even and the odd lanes.
  struct Block {
    std::uint64_t size, magic;
    alignas(32) std::uint64_t limits[2][kLanes / 2] = {};
    /// The size where the digit passes its radix, otherwise 0. The messages are in the low halves.
    [[gnu::always_inline]] __m256i passing(__m256i message, unsigned odd) const {
      const __m256i m = _mm256_set1_epi64x(static_cast<long long>(magic));
      const __m256i product = _mm256_add_epi64(
          _mm256_mul_epu32(message, m),
          _mm256_slli_epi64(_mm256_mul_epu32(message, _mm256_srli_epi64(m, 32)), 32));
      const __m256i limit = _mm256_load_si256(reinterpret_cast<const __m256i*>(limits[odd]));
      const __m256i sign = _mm256_set1_epi64x(static_cast<long long>(kSign));
      return _mm256_and_si256(_mm256_cmpgt_epi64(_mm256_xor_si256(product, sign), limit),
                              _mm256_set1_epi64x(static_cast<long long>(size)));
    }
  };

  Lanes one_by_one(Lanes words) const {
    for (unsigned lane = 0; lane < nodes_.count; ++lane) {
      words.set(lane, quotient_->arriving(nodes_.node[lane], port_, words[lane]));
    }
    return words;
  }

  std::array<std::uint32_t, kLanes> to_;
  const Quotient* quotient_;
  LaneNodes nodes_;
  Port port_;
  std::uint32_t first_ = 0, count_ = 0;
  Lanes by_ = 0;
  std::vector<Block> blocks_;
};

/// Nodes that did the same in some cycle, so that they are likely to do the same in the next ones:
/// their registers are in the lanes of one model. Lanes without a node do what the first one does.
template <class Model>
struct LaneGroup {
  Model model{nullptr, ""};
  LaneNodes nodes;
  std::vector<LaneLinks> links;  ///< by port
  std::vector<LaneLog> logs;
  std::vector<LaneRead> reads;  ///< by channel
  unsigned idle = 0;            ///< cycles in which nothing happened
  bool together = true;         ///< false: they have parted, and each has its own model again
};

/// Puts nodes that do the same into groups, and removes them from `nodes`. `what(x)` says what node
/// x does; each group's nodes are equal in that. Nodes that are not `busy` stay.
template <class Busy, class What>
std::vector<LaneNodes> alike(std::vector<Node>& nodes, const Busy& busy, const What& what) {
  std::vector<std::pair<decltype(what(Node{})), Node>> candidates;
  std::vector<Node> alone;
  for (const Node x : nodes) {
    if (busy(x)) {
      candidates.emplace_back(what(x), x);
    } else {
      alone.push_back(x);
    }
  }
  std::ranges::sort(candidates);
  std::vector<LaneNodes> groups;
  for (std::size_t i = 0; i < candidates.size();) {
    LaneNodes group;
    while (i + group.count < candidates.size() && group.count < kLanes &&
           candidates[i + group.count].first == candidates[i].first) {
      group.node[group.count] = candidates[i + group.count].second;
      ++group.count;
    }
    i += group.count;
    if (group.count >= LaneNodes::kFewest) {
      groups.push_back(group);
    } else {
      alone.insert(alone.end(), group.begin(), group.end());
    }
  }
  nodes = std::move(alone);
  return groups;
}

/// The nodes of a tile engine, eight at once where they do the same (docs/research/scale.md). While
/// nodes are in lanes, their registers are here and not in the engine's nodes; `part` puts them
/// back.
///
/// Tile also describes the model in lanes: its type, how registers come in and out, its evaluation.
template <class Tile>
class TileLanes {
  static constexpr Port P = Tile::kPorts;
  static constexpr unsigned C = Tile::kChannels;
  static constexpr unsigned kLogs = Tile::kSinglePort ? 1 : P;
  static_assert(P <= 32);
  static_assert(!Tile::kAdaptive, "where words go, and what is sent, differs from node to node");
  using Root = typename Tile::Root;
  using Slots = LinkSlots<P>;
  using LinkCycle = typename Slots::Cycle;
  using Group = LaneGroup<typename Tile::LaneModel>;

 public:
  using Store = LaneStore<TileStore<Tile>>;

  /// What is the engine's. It is handed over in each call: references kept here would cost some 7 %
  /// of the time.
  struct Shared {
    TileNodes<Tile>& nodes;
    Store& store;
    const TableMemories& tables;
    Slots& slots;
    const std::vector<std::uint32_t>& to;      ///< slots at the links' other ends, by node and port
    const std::vector<std::uint32_t>& stages;  ///< by port
    const Quotient* quotient;
  };

  /// Are all nodes alone?
  bool empty() const { return blocks_.empty(); }

  /// Nodes may be in lanes from now on. With many nodes, registers in lanes would come from a cache
  /// too far away, since they take more memory than those of single nodes.
  void begin(const Shared& shared, const NodeBlocks& blocks) {
    if (!empty() || shared.nodes.size() > kMostInLanes) return;
    for (unsigned b = 0; b < blocks.size(); ++b) blocks_.push_back(std::make_unique<Block>());
    seats_.assign(shared.nodes.size(), {});
    for (unsigned block = 0; block < blocks.size(); ++block) {
      auto& alone = blocks_[block]->alone;
      alone.resize(blocks.last(block) - blocks.first(block));
      std::iota(alone.begin(), alone.end(), static_cast<Node>(blocks.first(block)));
    }
  }

  /// Takes all nodes out of the lanes.
  void part(const Shared& shared) {
    for (const auto& block : blocks_) {
      for (const auto& group : block->groups) {
        if (group->together) part(shared, *group);
      }
    }
    blocks_.clear();
  }

  /// One cycle of a thread's nodes. `resting(x)` says that nothing happens in a node: alone it is
  /// skipped. `alone(x)` does the cycle for a node that is not in lanes, and `parted(x, changed)`
  /// for one that has just left them, with its inputs set.
  template <class Resting, class Alone, class Parted>
  [[gnu::always_inline]] void evaluate(const Shared& shared, unsigned index, std::uint64_t cycle,
                                       Totals& mine, const Resting& resting, const Alone& alone,
                                       const Parted& parted) {
    Block& block = *blocks_[index];
    const LinkCycle now = shared.slots.at(cycle);
    if (cycle > 1 && cycle >= block.next_try && block.alone.size() >= LaneNodes::kFewest) {
      group(shared, block, now, cycle, resting);
    }
    for (const Node x : block.alone) alone(x);
    for (std::size_t i = 0; i < block.groups.size(); ++i) {
      Group& group = *block.groups[i];
      if (!group.together) continue;
      if (i + 1 < block.groups.size()) prefetch(*block.groups[i + 1]);
      evaluate(shared, group, block, cycle, now, mine, parted);
    }
  }

  /// Fabric::links() for the nodes in lanes.
  void links(Port ports, std::span<std::uint64_t> valid, std::span<std::uint32_t> words) const {
    for (const auto& block : blocks_) {
      for (const auto& group : block->groups) {
        if (group->together) links(*group, ports, valid, words);
      }
    }
  }

  /// Is a node in lanes? Then what it puts on a link.
  bool has(Node x) const { return !empty() && seats_[x].group != nullptr; }
  Flit link(Node x, Port p) const {
    const auto& m = seats_[x].group->model;
    const unsigned lane = seats_[x].lane;
    if ((Lanes(m.link_valid_o)[lane] >> p & 1) == 0) return {};
    return {true, (Lanes(m.link_last_o)[lane] >> p & 1) != 0, lane_word(m.link_data_o, p)[lane]};
  }

 private:
  /// A thread's nodes.
  struct alignas(64) Block {
    std::vector<std::unique_ptr<Group>> groups;
    std::vector<Node> alone;
    std::uint64_t next_try = 0;  ///< the cycle in which nodes that are alone may form groups
    std::uint64_t last_try = 0, pause = kShortestPause;
    typename Tile::LaneModel before{nullptr, ""};  ///< a group's registers, in case its nodes part
  };
  /// The group that a node is in, and its lane there; null if it is alone.
  struct Seat {
    const Group* group = nullptr;
    unsigned lane = 0;
  };
  static constexpr std::size_t kMostInLanes = 4096;
  /// After so many cycles without flits nodes leave the lanes: alone they are skipped.
  static constexpr unsigned kIdle = 8;
  /// Cycles between two attempts to form groups. It grows if groups part soon.
  static constexpr std::uint64_t kShortestPause = 16, kLongestPause = 4096;

  static void prefetch(const Group& group) {
    const char* at = reinterpret_cast<const char*>(&group.model);
    for (std::size_t byte = 0; byte < sizeof group.model; byte += 64) {
      __builtin_prefetch(at + byte, 1);
    }
  }

  /// Forms groups of nodes that are alone.
  template <class Resting>
  [[gnu::noinline]] void group(const Shared& shared, Block& block, const LinkCycle& now,
                               std::uint64_t cycle, const Resting& resting) {
    const auto groups = alike(
        block.alone,
        [&](Node x) {
          const Root& r = shared.nodes.root(x);
          return !resting(x) && (now.valid(x) | r.link_valid_o | r.taken_o | r.read_en_o) != 0;
        },
        [&](Node x) {
          // Nodes with the same program mostly go on alike. Of a quotient each has its own.
          const Root& r = shared.nodes.root(x);
          const std::uint64_t arriving = now.valid(x), ports = r.link_valid_o;
          return std::tuple(shared.quotient ? 0 : shared.tables.program(x), arriving | ports << 32,
                            std::uint64_t{r.read_en_o} | std::uint64_t{r.taken_o} << 32);
        });
    std::erase_if(block.groups, [](const auto& group) { return !group->together; });
    for (const LaneNodes& nodes : groups) {
      begin(shared, *block.groups.emplace_back(std::make_unique<Group>()), nodes);
    }
    block.last_try = cycle;
    block.next_try = cycle + block.pause;
  }

  static void links(const Group& group, Port ports, std::span<std::uint64_t> valid,
                    std::span<std::uint32_t> words) {
    const auto flits = Lanes(group.model.link_valid_o).store();
    std::uint32_t any = 0;
    for (unsigned lane = 0; lane < group.nodes.count; ++lane) {
      valid[group.nodes.node[lane]] = flits[lane];
      any |= flits[lane];
    }
    for (; any != 0; any &= any - 1) {
      const Port p = static_cast<Port>(std::countr_zero(any));
      if (p >= ports) break;
      const auto sent = lane_word(group.model.link_data_o, p).store();
      for (unsigned lane = 0; lane < group.nodes.count; ++lane) {
        words[std::size_t{group.nodes.node[lane]} * ports + p] = sent[lane];
      }
    }
  }

  void begin(const Shared& shared, Group& group, const LaneNodes& nodes) {
    group.nodes = nodes;
    group.logs.resize(kLogs);
    group.reads.resize(C);
    for (Port p = 0; p < P; ++p) {
      std::array<std::uint32_t, kLanes> ends;
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        ends[lane] = lane < nodes.count ? shared.to[std::size_t{nodes.node[lane]} * P + p]
                                        : Boundary::kNowhere;
      }
      group.links.emplace_back(shared.quotient, nodes, p, ends);
    }
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      Tile::into_lane(group.model, lane,
                      shared.nodes.root(nodes.node[lane < nodes.count ? lane : 0]));
      if (lane < nodes.count) seats_[nodes.node[lane]] = {&group, lane};
    }
  }

  void part(const Shared& shared, Group& group) {
    settle(shared, group);
    group.together = false;
    for (unsigned lane = 0; lane < group.nodes.count; ++lane) {
      Tile::from_lane(shared.nodes.root(group.nodes.node[lane]), lane, group.model);
      seats_[group.nodes.node[lane]] = {};
    }
  }

  /// One cycle of the nodes of a group. If they do not go on alike, it is made undone, and each
  /// goes on by itself.
  template <class Parted>
  [[gnu::always_inline]] void evaluate(const Shared& shared, Group& group, Block& block,
                                       std::uint64_t cycle, const LinkCycle& now, Totals& mine,
                                       const Parted& parted) {
    auto& m = group.model;
    const bool changed = take_inputs(group, now);
    if constexpr (Tile::kSkips) {
      if (idles(group) && ++group.idle == kIdle) {
        part(shared, group);
        for (const Node x : group.nodes) {
          parted(x, changed);
          block.alone.push_back(x);
        }
        return;
      }
    }
    copy_lanes(block.before, m);
    try {
      Tile::eval_lanes(m, changed);
    } catch (const Diverged&) {
      copy_lanes(m, block.before);
      part(shared, group);
      for (const Node x : group.nodes) {
        parted(x, changed);
        block.alone.push_back(x);
      }
      block.pause = cycle > block.last_try + 4 * block.pause
                        ? kShortestPause
                        : std::min(2 * block.pause, kLongestPause);
      block.next_try = cycle + block.pause;
      return;
    }
    if (Lanes(m.taken_o).any()) store_arrivals(shared, group);
    serve_memories(shared, group);
    if (Lanes(m.link_valid_o).any()) send(shared, group, cycle + 1, mine);
    mine.running |= (Lanes(m.done_o) ^ 1).which() != 0;
  }

  /// Are there no flits on the links, and is none read?
  [[gnu::always_inline]] static bool idles(Group& group) {
    const auto& m = group.model;
    if ((Lanes(m.link_valid_i) | Lanes(m.link_valid_o) | Lanes(m.read_en_o)).any()) {
      group.idle = 0;
      return false;
    }
    return true;
  }

  /// Has anything changed except data for the nodes' registers?
  [[gnu::always_inline]] static bool take_inputs(Group& group, const LinkCycle& now) {
    auto& m = group.model;
    const LaneNodes& nodes = group.nodes;
    std::array<Inputs, kLanes> in;
    std::uint64_t any = 0;
    for (unsigned lane = 0; lane < nodes.count; ++lane) {
      in[lane] = now.take_flags(nodes.node[lane]);
      any |= in[lane].valid;
    }
    for (unsigned lane = nodes.count; lane < kLanes; ++lane) in[lane] = in[0];
    std::array<std::uint32_t, kLanes> valid_in, last_in;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      valid_in[lane] = static_cast<std::uint32_t>(in[lane].valid);
      last_in[lane] = static_cast<std::uint32_t>(in[lane].last);
    }
    const Lanes valid = Lanes::load(valid_in), last = Lanes::load(last_in);
    for (; any != 0; any &= any - 1) {
      const Port p = static_cast<Port>(std::countr_zero(any));
      lane_word(m.link_data_i, p) = nodes.lanes([&](Node x) { return now.word(x, p); });
    }
    const bool changed = ((valid ^ Lanes(m.link_valid_i)) | (last ^ Lanes(m.link_last_i))).any();
    m.link_valid_i = valid;
    m.link_last_i = last;
    return changed;
  }

  /// As for one node. (An input without a flit has any word.)
  [[gnu::always_inline]] void store_arrivals(const Shared& shared, Group& group) {
    auto& m = group.model;
    const Lanes taken = m.taken_o;
    const auto store = [&](std::uint32_t ports, const auto& append) {
      if constexpr (Tile::kSinglePort) {
        if (ports != 0) append(0, static_cast<Port>(std::bit_width(ports) - 1));
      } else {
        for (; ports != 0; ports &= ports - 1) {
          const Port p = static_cast<Port>(std::countr_zero(ports));
          append(p, p);
        }
      }
    };
    if (taken.all_same()) {
      store(taken[0], [&](unsigned log, Port p) {
        shared.store.append(group.nodes, log, group.logs[log], lane_word(m.link_data_i, p));
      });
      return;
    }
    settle(shared, group);
    for (unsigned lane = 0; lane < group.nodes.count; ++lane) {
      const Node x = group.nodes.node[lane];
      store(taken[lane], [&](unsigned log, Port p) {
        shared.store.append(x, log, lane_word(m.link_data_i, p)[lane]);
      });
    }
  }

  void settle(const Shared& shared, Group& group) {
    for (unsigned log = 0; log < group.logs.size(); ++log) {
      if (group.logs[log].done != 0 || group.logs[log].left != 0) {
        shared.store.settle(group.nodes, log, group.logs[log]);
      }
    }
  }

  [[gnu::always_inline]] void serve_memories(const Shared& shared, Group& group) {
    auto& m = group.model;
    if (const unsigned enable = Lanes(m.slot_en_o).which()) {
      serve_table<slot_words(P, Tile::kJoin)>(
          group, enable, Lanes(m.slot_addr_o), m.slot_mem_i,
          0, [&](Node x) -> auto& { return shared.tables[x].slots; });
    }
    const Lanes lists = m.list_en_o, reads = m.read_en_o;
    for (unsigned c = 0; lists.any() && c < C; ++c) {
      const unsigned enable = (lists & (1u << c)).which();
      if (enable == 0) continue;
      serve_table<kListWords>(
          group, enable, lane_field(m.list_addr_o, c * Tile::kTableAddrBits, Tile::kTableAddrBits),
          m.list_mem_i, c * kListWords, [&](Node x) -> auto& { return shared.tables[x].lists[c]; });
    }
    for (unsigned c = 0; reads.any() && c < C; ++c) {
      const unsigned enable = (reads & (1u << c)).which();
      if (enable == 0) continue;
      constexpr unsigned kWidth = std::bit_width(P);
      lane_word(m.read_mem_i, c) = shared.store.read(
          group.nodes, c, group.reads[c], group.logs, enable,
          lane_field(m.read_log_o, c * kWidth, kWidth), lane_word(m.read_addr_o, c));
    }
  }

  template <unsigned kWords, class Port, class Memory>
  static void serve_table(Group& group, unsigned enable, Lanes address, Port& to, unsigned first,
                          const Memory& memory) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if ((enable >> lane & 1) == 0) continue;
      const Node x = group.nodes.node[lane < group.nodes.count ? lane : 0];
      const std::uint32_t* words = words_at<kWords>(memory(x), address[lane]);
      for (std::uint32_t i = 0; i < kWords; ++i) lane_word(to, first + i).set(lane, words[i]);
    }
  }

  [[gnu::always_inline]] static void send(const Shared& shared, const Group& group,
                                          std::uint64_t cycle, Totals& mine) {
    const auto& m = group.model;
    const auto valid = Lanes(m.link_valid_o).store(), last = Lanes(m.link_last_o).store();
    std::uint32_t any = 0;
    for (unsigned lane = 0; lane < group.nodes.count; ++lane) {
      any |= valid[lane];
      mine.moved += static_cast<unsigned>(std::popcount(valid[lane]));
    }
    if constexpr (Tile::kStaged) mine.senders |= any;
    const LinkCycle next = shared.slots.at(cycle);
    for (; any != 0; any &= any - 1) {
      const Port p = static_cast<Port>(std::countr_zero(any));
      const LaneLinks& links = group.links[p];
      const LinkCycle then = Tile::kStaged ? shared.slots.at(cycle + shared.stages[p]) : next;
      const auto words = links.arriving(lane_word(m.link_data_o, p)).store();
      for (unsigned lane = 0; lane < group.nodes.count; ++lane) {
        if ((valid[lane] >> p & 1) == 0 || links.to()[lane] == Boundary::kNowhere) continue;
        then.put(links.to()[lane], (last[lane] >> p & 1) != 0, words[lane]);
      }
    }
  }

  std::vector<std::unique_ptr<Block>> blocks_;  ///< by thread; empty if all nodes are alone
  std::vector<Seat> seats_;                     ///< by node
};

}  // namespace gossamer::tb
