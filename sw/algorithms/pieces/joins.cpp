#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "algorithms/common/all.hpp"
#include "algorithms/pieces/join_ways.hpp"
#include "algorithms/pieces/packing.hpp"
#include "gossamer_constants.hpp"
#include "schedule/chunks.hpp"
#include "support/job.hpp"

namespace gossamer {
namespace {

using namespace packing;
using namespace joining;

std::optional<std::string> refuses(const Request& request) {
  if (request.pieces && *request.pieces != request.flits) {
    return fmt::format("what is joined has a flit in a piece: {} pieces", request.flits);
  }
  if (request.flits > kMostPieces) {
    return fmt::format("what is joined has a flit in a piece, and {} pieces at most", kMostPieces);
  }
  if (request.ports == PortModel::Single) {
    constexpr Node kMostSingle = 8192;
    if (request.topology.nodes() > kMostSingle) {
      return fmt::format("through single ports joins are planned on {} nodes at most", kMostSingle);
    }
    if (request.topology.ports() > 1) return std::nullopt;
    return "nodes of one link have no output left for a sum";
  }
  const Arcs arcs(request.topology);
  const Groups groups(request);
  const auto without = [&](Node x) { return !has_lane(request, arcs, x); };
  const auto refusal = [](Node x) {
    return fmt::format("node {} joins what comes by all of its ports, and none is left for the sum",
                       x);
  };
  const bool each = request.collective == Collective::ReduceScatter;
  for (const Node x : each ? groups.members : groups.roots) {
    if (request.collective != Collective::AllReduce && without(x)) return refusal(x);
  }
  for (const auto& group : groups.of_root) {  // any of which can work out an all-reduce's sums
    if (std::ranges::all_of(group, without)) return refusal(group[0]);
  }
  return std::nullopt;
}

/// A flit is joined up a tree that waits nowhere, and its sum comes down another. Trees are found
/// for some flits, and used again every `period` rounds for the next ones, with the same arcs.
class Planner : Joining {
 public:
  explicit Planner(const Request& request)
      : Joining(request), random_(request.seed), work_(budget()) {
    for (std::size_t g = 0; g < groups_.roots.size(); ++g) find_centres(g);
    const auto turned = [&](ArcId a) {
      const ArcId back = arcs_.reverse(a);
      return half() && (single() || (back != kNoArcId && port_of(a) == port_of(back)));
    };
    if (!request.topology.translatable() || !request.members.all()) return;
    copies_ = nodes();
    for (ArcId a = 0; a < arcs_.degree(0); ++a) {  // all nodes do the same: not both ways at once
      if (turned(a)) copies_ = 1;
    }
  }

  Schedule found() {
    // Of few nodes all that can be tried has been tried soon, and of many it takes long.
    for (effort_ = 1; work_ > 0 && (effort_ == 1 || effort_ * nodes() <= kMostEffort);
         effort_ *= 4) {
      if (request_.collective == Collective::ReduceScatter) {
        try_each(request_.flits);
        for (const std::uint32_t flits : {1, 2, 4}) try_blocks(flits);
        continue;
      }
      // Few flits take fewest rounds by themselves, which is looked for first, with half the work.
      const bool others_first = back() && !single();
      const std::uint64_t rest = others_first ? work_ / 2 : 0;
      work_ -= rest;
      if (others_first) try_others();
      work_ += rest;
      try_rates(periods());
      others_first ? try_turns() : try_others();
    }
    if (request_.collective == Collective::ReduceScatter) {
      if (single() || half() || best_.empty() || !request_.sizes.equal()) try_in_turn();
    } else {
      try_slowly();
    }
    if (best_.empty()) {
      throw NotFound(fmt::format("no trees in {} were found whose sums can be stored",
                                 request_.topology.spec()));
    }
    return schedule(best_);
  }

 private:
  /// All at different times, for few flits, or through single ports.
  void try_others() {
    if (back() && !single() && most_flits(1, true) > 0) try_rate({1, 1});
    // What waits would be added to a sum that its node works out for itself.
    if (back() ? !single() : single() || half()) try_each(request_.flits);
    if (!back()) return;
    for (const Cover& cover : covers()) {
      // By all translations, then by those in all dimensions but the first, and so on to none.
      for (std::size_t f = 0; copies_ > 1 && f < request_.topology.factors().size(); ++f) {
        const Node copies = nodes() / request_.topology.stride(f);
        if (f == 0 || !single()) try_spread(copies, {flits_of(copies), 0}, cover);
      }
      try_spread(1, {flits_of(1), 0}, cover);
    }
    for (const std::uint32_t more : {0, 1, 3}) {
      if (single() && copies_ > 1) try_spread(copies_, {1, 2 * (nodes() - 1) + more}, one_each());
    }
    if (single()) try_turns();
  }

  std::uint64_t budget() const {
    const std::uint64_t places = nodes() + 12;
    if (single()) return std::min<std::uint64_t>(25'000 * places, kMuchWork);
    return std::min<std::uint64_t>(8'000'000 + 12'000 * places, 30'000'000);
  }
  bool at_once(Node x) const { return joins_at_once(request_.topology, arcs_, x); }
  /// Arcs that lead each of the groups' members somewhere.
  std::uint64_t arcs_of_flit() const { return groups_.members.size() - groups_.roots.size(); }

  /// Where a group's sums can be worked out: a reduce's root; of an all-reduce the members that are
  /// near all others, those that are about as near by chance.
  void find_centres(std::size_t g) {
    const std::vector<Node>& group = groups_.of_root[g];
    const std::vector<Node> roots = back() ? group : std::vector{groups_.roots[g]};
    std::vector<Candidate> all;
    const std::size_t looked_at = std::max<std::size_t>(kMuchWork / nodes(), 1);
    for (std::size_t i = 0; i < roots.size(); i += 1 + roots.size() / looked_at) {
      if (!single() && !has_lane(request_, arcs_, roots[i])) continue;
      const std::vector<std::uint32_t> from = distances_from(arcs_, roots[i]);
      Candidate& x = all.emplace_back(Candidate{!single() && !at_once(roots[i]), 0, roots[i], {}});
      for (const Node y : group) x.hops.push_back(from[y]);
      x.far = std::ranges::max(x.hops);
    }
    const Candidate best = *std::ranges::min_element(all);
    std::erase_if(all, [&](const Candidate& x) { return x.twice != best.twice; });
    nearest_ = std::max(nearest_, best.far);
    farthest_ = std::max({farthest_, best.far, single() ? growth(group.size(), hop_) : 0});
    std::vector<Node>& centres = centres_.emplace_back();
    for (const Candidate& x : all) {
      if (x.far <= best.far + 1) centres.push_back(x.node);
    }
    random_.shuffle(centres);
    std::swap(centres[0], *std::ranges::find(centres, best.node));
    candidates_.push_back(std::move(all));
  }
  /// The root of a group's sum of a flit.
  Node centre(std::size_t g, std::uint32_t flit) const {
    return centres_[g][flit % centres_[g].size()];
  }

  /// A half-duplex single port receives for a hop, and then sends what it received.
  std::vector<std::uint32_t> periods() const {
    if (single()) return {1, 2, 3, 5, 2 * hop_};
    return {1, 3, 5};
  }
  /// One flit after the other, which always works, and then all that the arcs allow, the fastest
  /// first: in a single round, or in several. Sums that go up and down over nearly all arcs are
  /// hard to find, and come later.
  void try_rates(const std::vector<std::uint32_t>& periods) {
    std::vector<Rate> rates;
    for (const std::uint32_t period : periods) {
      const std::uint32_t most = most_flits(period, back());
      for (std::uint32_t k = 1; k <= std::min(most, flits_); ++k) {
        const bool same = period > 1 && (k % period == 0 || (!single() && k < period));
        if (!same && (effort_ > 1 || !back() || 8 * k <= 7 * most)) rates.push_back({k, period});
      }
    }
    std::ranges::stable_sort(rates, {}, [&](const Rate& r) { return rounds_of(r); });
    if (most_flits(1, back()) > 0 || !half()) try_rate({1, 1});
    try_rate({1, 3});
    for (const Rate& rate : rates) try_rate(rate);
  }
  /// Outputs of the member of a group that has the fewest, and has to send.
  std::uint32_t least_degree(std::size_t g) const {
    std::uint32_t least = arcs_.count();
    for (const Node x : groups_.of_root[g]) {
      if (back() || x != groups_.roots[g]) least = std::min(least, arcs_.degree(x));
    }
    return least;
  }
  /// A root's inputs, its outputs, which also take sums that are stored, those of each other
  /// member, and all arcs together.
  std::uint32_t most_flits(std::uint32_t period, bool back) const {
    std::uint64_t most =
        cells_a_round() * period / std::max<std::uint64_t>(arcs_of_flit() * (back ? 2 : 1), 1);
    if (single()) return static_cast<std::uint32_t>(std::min<std::uint64_t>(most, period));
    for (std::size_t g = 0; g < centres_.size(); ++g) {
      if (centres_[g].empty()) continue;
      std::uint64_t here = 0;
      for (const Node root : centres_[g]) {
        const std::uint64_t outputs = std::uint64_t{arcs_.degree(root)} * period;
        const std::uint64_t stores = std::uint64_t{unused(root)} * period;
        here += back ? (outputs + std::min(outputs, stores)) / 2 : outputs;
      }
      const std::uint64_t at_member = least_degree(g) * period / (back && half() ? 2 : 1);
      most = std::min({most, here, at_member});
    }
    return static_cast<std::uint32_t>(most);
  }

  void try_rate(const Rate& rate) {
    const bool mirrored = back() && !half() && !single() && !request_.topology.one_way();
    const std::uint64_t trees = std::uint64_t{rate.flits} * groups_.roots.size();
    if (!best_.empty() && !can_try(back() && !mirrored ? 2 * trees : trees)) return;
    const auto rounds = [&](std::uint32_t depth) {
      const std::uint32_t up = 1 + (depth - 1) * hop_;
      return rounds_of(rate) + (back() ? stored(up) + (depth - 1) * hop_ : up + hop_);
    };
    find_least(farthest_, most_depth(), rounds, [&](std::uint32_t depth) {
      return find([&] {
        Ways ways = up_at(rate, (depth - 1) * hop_);
        ways.mirrored = mirrored;
        for (const Tree& up : ways.up) {
          if (!back() || mirrored) break;
          ways.down.push_back({up.root, false, random_.below(rate.period), up.reach, up.members});
        }
        return ways;
      });
    });
  }
  /// Through single ports one flit after the other goes along a path of all nodes.
  std::uint32_t most_depth() const {
    return farthest_ + (single() ? std::max(kMoreDepth, nodes()) : kMoreDepth);
  }
  Ways up_at(const Rate& rate, std::uint32_t reach) const {
    Ways ways{rate.flits, rate.period};
    for (std::uint32_t k = 0; k < rate.flits; ++k) {
      for (std::size_t g = 0; g < groups_.roots.size(); ++g) {
        if (centres_[g].empty()) continue;
        ways.up.push_back({centre(g, k), true, k % rate.period, reach, members_of(g)});
      }
    }
    return ways;
  }

  /// All flits go up, by all arcs that lead that way, and then down the same trees, or others.
  void try_turns() {
    if (request_.topology.one_way() && !single()) return;
    std::vector<Rate> rates;
    for (const std::uint32_t period : single() ? periods() : std::vector{1u}) {
      const std::uint32_t most = std::min(most_flits(period, false), flits_);
      for (std::uint32_t k = most; k > 0; --k) rates.push_back({k, period});
    }
    std::ranges::stable_sort(rates, {}, [&](const Rate& r) { return rounds_of(r); });
    for (const Rate& rate : rates) {
      if (!can_try(std::uint64_t{rate.flits} * groups_.roots.size())) continue;
      const auto rounds = [&](std::uint32_t depth) {
        return 2 * (rounds_of(rate) + 1 + (depth - 1) * hop_);
      };
      find_least(farthest_, most_depth(), rounds, [&](std::uint32_t depth) {
        return find([&] {
          Ways ways = up_at(rate, (depth - 1) * hop_);
          ways.turns = true;
          return ways;
        });
      });
    }
  }

  /// The least number from which on something is found, if what is found with more of it is slower
  /// and found sooner. `rounds`: that it takes at least.
  template <class Rounds, class Find>
  void find_least(std::uint32_t least, std::uint32_t most, const Rounds& rounds, const Find& find) {
    while (most > least && rounds(most) >= rounds_) --most;
    for (std::uint32_t at = most; least <= most && rounds(at) < rounds_;
         at = least + (most - least) / 2) {
      if (find(at)) {
        if (at == least) return;
        most = at - 1;
      } else {
        if (at == most) return;
        least = at + 1;
      }
    }
  }
  /// Of a group; empty: all nodes.
  std::span<const Node> members_of(std::size_t g) const {
    if (request_.members.all()) return {};
    return groups_.of_root[g];
  }

  /// Those that each work out sums of their own, without the translations of node 0.
  std::span<const Node> workers() const {
    return std::span(groups_.members).first(groups_.members.size() / copies_);
  }

  /// Arcs, or nodes that send, in a round.
  std::uint64_t cells_a_round() const {
    return (single() ? nodes() : arcs_.count()) / (half() ? 2 : 1);
  }

  /// Adds what goes up to each worker within its window.
  void add_each(Ways& ways, const std::vector<Window>& windows, std::uint32_t reach = 0) {
    const std::vector<std::uint32_t> at = times(arcs_, windows, hop_, ways.period, random_);
    for (std::size_t w = 0; w < windows.size(); ++w) {
      const Node x = windows[w].root;
      ways.up.push_back(
          {x, true, at[w], ways.period > 0 ? reach : at[w] - 1, members_of(groups_.group_of(x))});
    }
  }
  /// The most hops from a member to another one.
  std::uint32_t farthest_of_all() {
    if (farthest_of_all_ > 0) return farthest_of_all_;
    for (const Node x : workers()) {
      const std::vector<std::uint32_t> from = distances_from(arcs_, x);
      for (const Node y : groups_.of_root[groups_.group_of(x)]) {
        farthest_of_all_ = std::max(farthest_of_all_, from[y]);
      }
    }
    return farthest_of_all_;
  }
  /// That it takes to send so many flits of the root's block, or of each member's, through all
  /// arcs, and through the outputs of the member that has the fewest.
  std::uint32_t rounds_of_blocks(bool each, std::uint32_t flits) const {
    const std::uint64_t blocks = each ? groups_.members.size() : 1;
    std::uint64_t cells = blocks * (arcs_of_flit() + (each ? 1 : 0)) * flits;
    cells = (cells + cells_a_round() - 1) / cells_a_round();
    for (std::size_t g = 0; each && !single() && g < groups_.roots.size(); ++g) {
      cells =
          std::max<std::uint64_t>(cells, (groups_.of_root[g].size() - 1) * flits / least_degree(g));
    }
    return static_cast<std::uint32_t>(cells);
  }
  /// The root, or each member, works out the sums of its own block, or all of them: once for all
  /// flits.
  void try_each(std::uint32_t flits) {
    const bool each = request_.collective != Collective::Reduce;
    const std::size_t trees = each ? workers().size() : groups_.roots.size();
    if (!can_try(trees * flits)) return;
    const std::uint32_t first = 1 + ((each ? farthest_of_all() : farthest_) - 1) * hop_;
    const std::uint32_t least = std::max(first, rounds_of_blocks(each, flits));
    const auto rounds = [&](std::uint32_t last) { return std::uint64_t{last} + hop_; };
    // Of the last tree's arcs at its root.
    const std::uint32_t most = least + 24 + (single() ? flits : 0);
    find_least(least, most, rounds, [&](std::uint32_t last) {
      bool apart = true;  // by turns, for where all come through the same node none do at once
      return find([&] {
        apart = !apart;
        Ways ways{flits, 0, each, each ? copies_ : 1};
        std::vector<Window> windows;
        for (std::uint32_t k = 0; k < flits; ++k) {
          const std::uint32_t round = first + (last - first) * (k + 1) / flits;
          for (std::size_t g = 0; !each && g < trees; ++g) {
            ways.up.push_back({centre(g, k), true, round, round - 1, members_of(g)});
          }
          if (!each) continue;
          for (const Node x : workers()) {
            windows.push_back({x, apart && !single() ? first : round, round});
          }
        }
        add_each(ways, windows);
        return ways;
      });
    });
  }

  /// Those of a flit, by group.
  struct Cover {
    std::uint32_t hops = 0;  ///< up to a worker and down again, at most
    std::vector<std::vector<Worker>> workers = {};
    std::size_t trees = 0;
    std::uint64_t cells = 0;  ///< that the flit takes
  };

  /// One worker for each group, which is another one for the next flit.
  Cover one_each() const {
    Cover cover{farthest_ + nearest_, {}, groups_.roots.size()};
    cover.cells = groups_.members.size() + arcs_of_flit();
    cover.workers.resize(cover.trees, {{0, farthest_, nearest_}});
    return cover;
  }
  /// The more workers, the fewer hops and the more cells.
  std::vector<Cover> covers() const {
    std::vector<Cover> all = {one_each()};
    for (std::uint32_t hops = 2 * nearest_ - 1; !single() && hops > nearest_; --hops) {
      Cover cover{hops};
      for (std::size_t g = 0; g < groups_.roots.size(); ++g) {
        const std::size_t members = groups_.of_root[g].size();
        const std::size_t count =
            cover.workers.emplace_back(covering(groups_.of_root[g], candidates_[g], hops)).size();
        if (count == 0) return all;
        cover.trees += count;
        cover.cells += count * members + members - count;
      }
      if (cover.cells * flits_ / cells_a_round() >= rounds_) break;
      if (cover.trees == all.back().trees) all.pop_back();
      all.push_back(std::move(cover));
    }
    return all;
  }
  /// The roots are many: each flit goes up to some of them, and down again, at a time of its own.
  /// If nodes are translations of one another, node 0's trees stand for those of as many flits.
  /// Once for all flits, or for so many in a period.
  void try_spread(Node copies, const Rate& rate, const Cover& cover) {
    if (rate.period > 0 && flits_of(copies) == rate.flits) return;
    if (!can_try(std::uint64_t{2} * rate.flits * cover.trees)) return;
    const auto at_least = [&](std::uint32_t hops) { return 1 + (hops - 2) * hop_ + stored(0); };
    const std::uint64_t cells = std::uint64_t{rate.flits} * copies * cover.cells;
    const auto least = std::max<std::uint32_t>(at_least(cover.hops),
                                               static_cast<std::uint32_t>(cells / cells_a_round()));
    const auto rounds = [&](std::uint32_t at) { return at + rounds_of(flits_of(copies), rate); };
    const std::uint32_t most = least + 24 + (single() ? rate.flits : 0) + rate.period / 2;
    find_least(least, most, rounds, [&](std::uint32_t last) {
      return find([&] {
        Ways ways{rate.flits, rate.period, false, copies};
        served_.clear();
        for (std::uint32_t k = 0; k < rate.flits; ++k) {
          // Translations are of other flits, or of none.
          const Node apart = nodes() / copies;
          const Node by = copies > 1 ? k % apart : copies_ > 1 ? random_.below(apart) : 0;
          for (std::size_t g = 0; g < cover.workers.size(); ++g) {
            for (const Worker& worker : cover.workers[g]) add_worker(ways, g, k, by, worker, last);
          }
        }
        return ways;
      });
    });
  }
  /// A worker's trees of a flit. Through all ports all sums are worked out near the middle of the
  /// time: what goes up has all rounds before that, what goes down all those after.
  void add_worker(Ways& ways, std::size_t g, std::uint32_t k, Node by, const Worker& worker,
                  std::uint32_t last) {
    const std::uint32_t up = 1 + (worker.far - 1) * hop_;
    const std::uint32_t more = last - up - stored(0) - (worker.near - 1) * hop_;
    const std::uint32_t middle = more / 2 + (more > 1 ? k % 2 : 0);
    const std::uint32_t round = up + (single() ? random_.below(more + 1) : middle);
    const std::uint32_t turn = stored(round);
    const auto moved = [&](Node x) { return by > 0 ? request_.topology.translate(x, by) : x; };
    std::span<const Node> served = members_of(g);
    Node root = ways.copies > 1 ? by : centre(g, k);
    if (!worker.served.empty()) {
      root = moved(worker.root);
      std::vector<Node>& all = served_.emplace_back(worker.served);
      for (Node& x : all) x = moved(x);
      std::ranges::sort(all);
      served = all;
    }
    ways.up.push_back({root, true, round, round - 1, members_of(g)});
    ways.down.push_back({root, false, turn, last - turn, served});
  }

  /// One block of each group after the other, each as a reduce would.
  void try_in_turn() {
    std::size_t blocks = 0;
    for (const auto& group : groups_.of_root) blocks = std::max(blocks, group.size());
    effort_ = 1;
    const std::uint64_t rounds = rounds_;
    std::vector<Ways> others = std::move(best_), turns;
    std::vector<std::uint32_t> free(arcs_.count() + 2 * nodes());  // from this round on
    rounds_ = 0;
    for (std::size_t block = 0; block < blocks && rounds_ < rounds; ++block) {
      centres_.clear();
      candidates_.clear();
      nearest_ = farthest_ = 1;
      flits_ = request_.sizes.equal() ? request_.flits : 0;
      for (std::size_t g = 0; g < groups_.roots.size(); ++g) {
        if (block >= groups_.of_root[g].size()) {
          centres_.emplace_back();
          continue;
        }
        groups_.roots[g] = groups_.of_root[g][block];
        if (!request_.sizes.equal()) {
          flits_ = std::max(flits_, request_.sizes.of(groups_.roots[g], kNoNode));
        }
        find_centres(g);
      }
      if (flits_ == 0) continue;
      const std::uint64_t last = std::exchange(rounds_, ~std::uint64_t{0});
      work_ = budget() / blocks;
      best_.clear();
      try_rates(periods());
      try_slowly();
      if (best_.empty()) {
        rounds_ = rounds;
        break;
      }
      Ways& ways = turns.emplace_back(std::move(best_.front()));
      visit_uses(ways, [&](std::size_t what, std::uint32_t first, std::uint32_t) {
        ways.later = std::max(ways.later, free[what] - std::min(free[what], first));
      });
      visit_uses(ways, [&](std::size_t what, std::uint32_t, std::uint32_t until) {
        free[what] = std::max(free[what], ways.later + until);
      });
      rounds_ = std::max(last, ways.later + last_round(ways));
    }
    const bool better = rounds_ < rounds;
    flits_ = request_.flits;
    best_ = better ? std::move(turns) : std::move(others);
    rounds_ = better ? rounds_ : rounds;
  }

  /// So many flits of each block, again and again.
  void try_blocks(std::uint32_t flits) {
    const std::size_t trees = workers().size() * flits;
    if (flits > request_.flits || !can_try(trees)) return;
    bool apart = true;
    const std::uint32_t least = rounds_of_blocks(true, flits);
    const auto period_of = [&](std::uint32_t more) { return (least | 1) + 2 * more; };
    const auto find_blocks = [&](std::uint32_t period, std::uint32_t hops) {
      return find([&] {
        Ways ways{flits, period, true, copies_};
        apart = !apart;
        std::vector<Window> windows;
        for (std::uint32_t k = 0; k < flits; ++k) {
          for (const Node x : workers()) windows.push_back({x, 0, period - 1});
        }
        add_each(ways, windows, hops * hop_);
        return ways;
      });
    };
    const auto rounds = [&](std::uint32_t period, std::uint32_t hops) {
      return rounds_of({flits, period}) + 1 + hops * hop_;
    };
    std::uint32_t period = 0, hops = 0;
    find_least(
        0, 10, [&](std::uint32_t more) { return rounds(period_of(more), farthest_); },
        [&](std::uint32_t more) {
          const std::uint32_t far = std::max(farthest_ + 6, period_of(more) / hop_ + 4);
          const bool found = find_blocks(period_of(more), far);
          if (found) std::tie(period, hops) = std::pair(period_of(more), far);
          return found;
        });
    if (period == 0) return;
    find_least(
        farthest_, hops - 1, [&](std::uint32_t far) { return rounds(period, far); },
        [&](std::uint32_t far) { return find_blocks(period, far); });
  }

  /// Steps that are worth while for so many trees.
  std::uint64_t steps_for(std::uint64_t trees) const {
    constexpr std::uint64_t kStepsAPlace = 40;
    return kStepsAPlace * effort_ * nodes() * trees;
  }
  bool can_try(std::uint64_t trees) const {
    const std::uint64_t arcs = 8 * arcs_.count() / nodes();  // that a step looks at
    return steps_for(trees) * arcs / 8 <= work_;             // most end sooner
  }

  /// Tries a few times, at last with two joins a root for few flits and where each node works out
  /// sums; keeps what was found.
  template <class Make>
  bool find(const Make& make) {
    const bool few = flits_ <= kFewFlits;
    const std::uint32_t tries = half() && !single() ? 6 : few || single() || !back() ? 3 : 8;
    for (std::uint32_t i = 0; i < tries && (work_ > 0 || best_.empty()); ++i) {
      Ways ways = make();
      const bool twice = i + (few ? 2 : 1) >= tries;
      if (twice && !few && !ways.of_each) break;
      for (Tree& tree : ways.up) {
        if (single()) break;  // lanes are found afterwards
        tree.lane = stored_before(ways, tree) >= unused(tree.root);
        tree.guards = back() && !ways.of_each && !ways.turns;
        // What is early goes down its mirror image with all else, in other rounds than it came up.
        if (ways.mirrored && ways.period > 1) continue;
        if (!tree.lane || tree.reach <= early() || (!twice && at_once(tree.root))) continue;
        tree.early = early() + std::max(i, 1u) - 1;
      }
      std::vector<Tree> all = ways.up;
      all.insert(all.end(), ways.down.begin(), ways.down.end());
      for (Tree& tree : all) tree.whole = i % 2 == 1 && !tree.members.empty();
      std::vector<std::uint32_t> classes = ways.mirrored ? links_ : std::vector<std::uint32_t>();
      for (ArcId a = 0; ways.copies > 1 && a < arcs_.count(); ++a) {
        const Node tail = arcs_.tail(a) % (nodes() / ways.copies);
        // All nodes do the same, so a single one sends by one port in a round.
        classes.push_back(tail * request_.topology.ports() + (single() ? 0 : port_of(a)));
      }
      const Rules rules{classes, ways.mirrored, single(), half()};
      if (!pack(arcs_, all, ways.period, hop_, random_, steps_for(all.size()), work_, rules)) {
        continue;
      }
      const auto middle = all.begin() + static_cast<std::ptrdiff_t>(ways.up.size());
      ways.up.assign(all.begin(), middle);
      ways.down.assign(middle, all.end());
      if (ways.turns && request_.topology.one_way()) {
        ways.down = ways.up;
        for (Tree& tree : ways.down) tree.up = false;
        if (!pack(arcs_, ways.down, ways.period, hop_, random_, steps_for(all.size()), work_,
                  rules)) {
          continue;
        }
      } else if (ways.mirrored || ways.turns) {
        ways.down = mirrored(ways.up, ways.period);
      }
      if (!give_lanes(ways)) continue;
      if (back() && !begin_before_any_ends(ways)) continue;
      if (ways.turns) ways.turn = round_to_turn(ways);
      if (const std::uint64_t rounds = last_round(ways); rounds < rounds_) {
        rounds_ = rounds;
        best_ = {std::move(ways)};
      }
      return true;
    }
    return false;
  }
  /// Rounds between the arcs of two joins into a root, of which the second adds the sum of the
  /// first: so many at least, and if hops are of two rounds one more uses the other half of them.
  std::uint32_t early() const { return stored(0) - hop_; }

  /// One flit after the other, with so much time for each that any tree fits.
  void try_slowly() {
    const std::uint64_t most = kMostCells / (single() ? 3 * nodes() : arcs_.count());
    for (std::uint32_t period = 8 * nodes(); best_.empty() && period < most; period *= 2) {
      find([&] {
        Ways ways = up_at({1, period}, period / 2);
        ways.turns = back();
        return ways;
      });
    }
  }

  static constexpr std::uint32_t kMoreDepth = 12, kMostEffort = 8192, kFewFlits = 64,
                                 kMostCells = 1 << 26;
  static constexpr std::size_t kMuchWork = 4'000'000;

  any_graph::Random random_;
  std::vector<std::vector<Node>> centres_;          ///< by group
  std::vector<std::vector<Candidate>> candidates_;  ///< by group
  std::deque<std::vector<Node>> served_;            ///< by trees that are being found
  std::uint32_t nearest_ = 1;   ///< hops of a member from its nearest root, at most
  std::uint32_t farthest_ = 1;  ///< ... or more, until parts of all can be in a sum
  std::uint32_t farthest_of_all_ = 0;
  Node copies_ = 1;                           ///< translations of the graph
  std::vector<Ways> best_;                    ///< one after the other
  std::uint64_t rounds_ = ~std::uint64_t{0};  ///< that it takes
  std::uint32_t effort_ = 1;                  ///< for each choice
  std::uint64_t work_;                        ///< cells that may still be looked at
};

Schedule plan(const Request& request) { return Planner(request).found(); }

}  // namespace

const Algorithm kJoins = {
    .name = "joins",
    .summary = "reductions on any graph, joined on the way, a flit a piece",
    .serves = every({Collective::Reduce, Collective::AllReduce, Collective::ReduceScatter},
                    {PortModel::All, PortModel::Single}, {Duplex::Full, Duplex::Half}),
    .needs = refuses,
    .make = plan,
    .switching = Switching::Pipelined,
    .any_graph = true,
    .most_nodes = 1 << 18,
    .cuts = true,
    .any_chunks = true,
};

}  // namespace gossamer
