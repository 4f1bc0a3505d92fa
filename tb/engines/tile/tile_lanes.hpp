#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "engines/tile/boundary.hpp"
#include "engines/tile/lane_groups.hpp"
#include "engines/tile/lane_links.hpp"
#include "engines/tile/lane_store.hpp"
#include "engines/tile/lanes.hpp"
#include "engines/tile/link_slots.hpp"
#include "engines/tile/node_blocks.hpp"
#include "engines/tile/node_tables.hpp"
#include "engines/tile/tile_nodes.hpp"
#include "engines/tile/tile_threads.hpp"
#include "fabric/fabric.hpp"
#include "fabric/quotient.hpp"

namespace gossamer::tb {

/// The nodes of a tile engine, eight at once where they do the same (docs/research/scale.md). While nodes
/// are in lanes, their registers are here and not in the engine's nodes; `part` puts them back.
///
/// Tile also describes the model in lanes: its type, how registers come in and out, its evaluation.
template <class Tile>
class TileLanes {
  static constexpr Port P = Tile::kPorts;
  using Root = typename Tile::Root;
  using LinkCycle = typename LinkSlots<P>::Cycle;

 public:
  using Store = LaneStore<TileStore<Tile>>;

  /// What is the engine's. It is handed over in each call: references kept here would cost some 7 %
  /// of the time.
  struct Shared {
    TileNodes<Tile>& nodes;
    Store& store;
    const TableMemories& tables;
  };

  /// Are all nodes alone?
  bool empty() const { return blocks_.empty(); }

  /// Puts nodes that do the same into lanes, if they are not there. A node in which nothing happens
  /// is not among them: alone it is skipped. `to` has the slots at the links' other ends, by node
  /// and port.
  template <class Resting>
  void group(const Shared& shared, const NodeBlocks& blocks, const LinkCycle& now,
             const std::vector<std::uint32_t>& to, const Quotient* quotient,
             const Resting& resting) {
    if (!empty() || shared.nodes.size() > kMostInLanes) return;
    blocks_.resize(blocks.size());
    for (unsigned block = 0; block < blocks.size(); ++block) {
      const auto groups = alike(
          static_cast<Node>(blocks.first(block)), static_cast<Node>(blocks.last(block)),
          [&](Node x) { return !resting(x) && busy(shared.nodes.root(x), now.flags(x)); },
          [&](Node x) { return Tile::what(shared.nodes.root(x), now.flags(x)); },
          blocks_[block].alone);
      blocks_[block].groups.reserve(groups.size());
      for (const LaneNodes& nodes : groups) {
        begin(shared, blocks_[block].groups.emplace_back(), nodes, to, quotient);
      }
    }
  }

  /// Takes all nodes out of the lanes.
  void part(const Shared& shared) {
    for (Block& block : blocks_) {
      for (Group& group : block.groups) {
        if (group.together) part(shared, group);
      }
    }
    blocks_.clear();
  }

  /// One cycle of a thread's nodes. `alone(x)` does it for a node that is not in lanes, and
  /// `parted(x, changed)` for one that has just left them, with its inputs set.
  template <class Alone, class Parted>
  [[gnu::always_inline]] void evaluate(const Shared& shared, unsigned index, const LinkCycle& now,
                                       const LinkCycle& next, Totals& mine, const Alone& alone,
                                       const Parted& parted) {
    Block& block = blocks_[index];
    for (const Node x : block.alone) alone(x);
    for (Group& group : block.groups) {
      if (group.together) evaluate(shared, group, block, now, next, mine, parted);
    }
  }

 private:
  using Group = LaneGroup<typename Tile::LaneModel>;
  /// A thread's nodes.
  struct alignas(64) Block {
    std::vector<Group> groups;
    std::vector<Node> alone;
    typename Tile::LaneModel before;  ///< a group's registers, in case its nodes part
  };
  /// The registers in lanes take more memory than those of single nodes: with more nodes, they
  /// would come from a cache too far away.
  static constexpr std::size_t kMostInLanes = 4096;

  static bool busy(const Root& r, std::uint64_t arriving) {
    return (arriving | r.link_valid_o | r.taken_o | r.read_en_o) != 0;
  }

  void begin(const Shared& shared, Group& group, const LaneNodes& nodes,
             const std::vector<std::uint32_t>& to, const Quotient* quotient) {
    group.nodes = nodes;
    group.logs.resize(Tile::kSinglePort ? 1 : P);
    for (Port p = 0; p < P; ++p) {
      std::array<std::uint32_t, kLanes> ends;
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        ends[lane] =
            lane < nodes.count ? to[std::size_t{nodes.node[lane]} * P + p] : Boundary::kNowhere;
      }
      group.links.emplace_back(quotient, nodes, p, ends);
    }
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      Tile::into_lane(group.model, lane,
                      shared.nodes.root(nodes.node[lane < nodes.count ? lane : 0]));
    }
  }

  void part(const Shared& shared, Group& group) {
    settle(shared, group);
    group.together = false;
    for (unsigned lane = 0; lane < group.nodes.count; ++lane) {
      Tile::from_lane(shared.nodes.root(group.nodes.node[lane]), lane, group.model);
    }
  }

  /// One cycle of the nodes of a group. If they do not go on alike, it is made undone, and each
  /// goes on by itself.
  template <class Parted>
  [[gnu::always_inline]] void evaluate(const Shared& shared, Group& group, Block& block,
                                       const LinkCycle& now, const LinkCycle& next, Totals& mine,
                                       const Parted& parted) {
    auto& m = group.model;
    const bool changed = take_inputs(group, now);
    // The registers of the next group: they follow in memory.
    for (std::size_t byte = 0; byte < Tile::kLaneRegisters; byte += 64) {
      __builtin_prefetch(reinterpret_cast<const char*>(&group + 1) + byte, 1);
    }
    copy_lanes(block.before, m, Tile::kLaneRegisters);
    try {
      Tile::eval_lanes(m, changed);
    } catch (const Diverged&) {
      copy_lanes(m, block.before, Tile::kLaneRegisters);
      part(shared, group);
      for (const Node x : group.nodes) {
        parted(x, changed);
        block.alone.push_back(x);
      }
      return;
    }
    if (m.taken_o.any()) store_arrivals(shared, group);
    if (m.slot_en_o.any()) {
      serve_table<slot_words(P)>(
          group, m.slot_en_o, m.slot_addr_o,
          m.slot_mem_i, [&](Node x) -> auto& { return shared.tables[x].slots; });
    }
    if (m.list_en_o.any()) {
      serve_table<kListWords>(
          group, m.list_en_o, m.list_addr_o,
          m.list_mem_i, [&](Node x) -> auto& { return shared.tables[x].lists[0]; });
    }
    if (m.read_en_o.any()) serve_reads(shared, group);
    if (m.link_valid_o.any()) mine.moved += send(group, next);
    mine.running |= (Lanes(m.done_o) ^ 1).which() != 0;
  }

  /// Has anything changed except data for the nodes' registers?
  [[gnu::always_inline]] static bool take_inputs(Group& group, const LinkCycle& now) {
    auto& m = group.model;
    const LaneNodes& nodes = group.nodes;
    std::array<std::uint64_t, kLanes> flags{};
    std::uint64_t differ = 0;
    for (unsigned lane = 0; lane < nodes.count; ++lane) {
      flags[lane] = now.take_flags(nodes.node[lane]);
      differ |= flags[lane] ^ flags[0];
    }
    const Inputs first = LinkCycle::inputs(flags[0]);
    Lanes valid = static_cast<std::uint32_t>(first.valid),
          last = static_cast<std::uint32_t>(first.last);
    std::uint64_t any = first.valid;
    for (unsigned lane = 1; differ != 0 && lane < nodes.count; ++lane) {
      const Inputs in = LinkCycle::inputs(flags[lane]);
      valid.set(lane, static_cast<std::uint32_t>(in.valid));
      last.set(lane, static_cast<std::uint32_t>(in.last));
      any |= in.valid;
    }
    for (; any != 0; any &= any - 1) {
      const Port p = static_cast<Port>(std::countr_zero(any));
      m.link_data_i[p] = nodes.lanes([&](Node x) { return now.word(x, p); });
    }
    const bool changed =
        ((valid ^ Lanes(m.link_valid_i)) | (last ^ Lanes(m.link_last_i))).which() != 0;
    m.link_valid_i = valid;
    m.link_last_i = last;
    return changed;
  }

  /// As for one node. (An input without a flit has any word.)
  [[gnu::always_inline]] void store_arrivals(const Shared& shared, Group& group) {
    auto& m = group.model;
    const auto store = [&](std::uint32_t taken, const auto& append) {
      if constexpr (Tile::kSinglePort) {
        if (taken != 0) append(0, m.link_data_i[std::bit_width(taken) - 1]);
      } else {
        for (; taken != 0; taken &= taken - 1) {
          const unsigned p = static_cast<unsigned>(std::countr_zero(taken));
          append(p, m.link_data_i[p]);
        }
      }
    };
    if (m.taken_o.all_same()) {
      store(m.taken_o[0], [&](unsigned log, Lanes words) {
        shared.store.append(group.nodes, log, group.logs[log], words);
      });
      return;
    }
    settle(shared, group);
    for (unsigned lane = 0; lane < group.nodes.count; ++lane) {
      store(m.taken_o[lane], [&](unsigned log, Lanes words) {
        shared.store.append(group.nodes.node[lane], log, words[lane]);
      });
    }
  }

  void settle(const Shared& shared, Group& group) {
    for (unsigned log = 0; log < group.logs.size(); ++log) {
      shared.store.settle(group.nodes, log, group.logs[log]);
    }
  }

  template <unsigned kWords, std::size_t kWide, class Memory>
  void serve_table(Group& group, Lanes enable, Lanes address, LaneWide<kWide>& to,
                   const Memory& memory) const {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if (enable[lane] == 0) continue;
      const Node x = group.nodes.node[lane < group.nodes.count ? lane : 0];
      const std::uint32_t* words = words_at<kWords>(memory(x), address[lane]);
      for (std::uint32_t i = 0; i < kWords; ++i) to[i].set(lane, words[i]);
    }
  }

  [[gnu::always_inline]] void serve_reads(const Shared& shared, Group& group) {
    auto& m = group.model;
    std::array<std::uint32_t, kLanes> word = m.read_mem_i.store();
    const auto enable = Lanes(m.read_en_o).store(), logs = Lanes(m.read_log_o).store(),
               address = m.read_addr_o.store();
    for (unsigned lane = 0; lane < group.nodes.count; ++lane) {
      if (enable[lane] == 0) continue;
      const unsigned log = logs[lane];
      const Node x = group.nodes.node[lane];
      if (log < group.logs.size() && group.logs[log].done != 0 &&
          address[lane] >= shared.store.length(x, log)) {
        shared.store.settle(group.nodes, log, group.logs[log]);
      }
      word[lane] = shared.store.read(x, 0, log, address[lane]);
    }
    for (unsigned lane = group.nodes.count; lane < kLanes; ++lane) word[lane] = word[0];
    m.read_mem_i = Lanes::load(word);
  }

  /// Returns how many flits were sent.
  [[gnu::always_inline]] unsigned send(const Group& group, const LinkCycle& next) const {
    const auto& m = group.model;
    const auto valid = Lanes(m.link_valid_o).store(), last = Lanes(m.link_last_o).store();
    std::uint32_t any = 0;
    unsigned sent = 0;
    for (unsigned lane = 0; lane < group.nodes.count; ++lane) {
      any |= valid[lane];
      sent += static_cast<unsigned>(std::popcount(valid[lane]));
    }
    for (; any != 0; any &= any - 1) {
      const Port p = static_cast<Port>(std::countr_zero(any));
      const LaneLinks& links = group.links[p];
      const auto words = links.arriving(m.link_data_o[p]).store();
      for (unsigned lane = 0; lane < group.nodes.count; ++lane) {
        if ((valid[lane] >> p & 1) == 0 || links.to()[lane] == Boundary::kNowhere) continue;
        next.put(links.to()[lane], (last[lane] >> p & 1) != 0, words[lane]);
      }
    }
    return sent;
  }

  std::vector<Block> blocks_;  ///< by thread; empty if all nodes are alone
};

}  // namespace gossamer::tb
