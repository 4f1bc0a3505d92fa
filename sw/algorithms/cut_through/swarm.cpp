// As in a swarm of peers, who share a file: the rarest piece goes first.
//
// In a round each arc takes a piece that its tail can send and its head lacks, the one that the
// fewest nodes have. So the root sends each piece once before it sends any twice, and around a ring
// the pieces go in opposite orders. Through a single port arcs compete for nodes: rare pieces come
// first, and nodes with a long way behind them. How much each of these counts, besides chance, is
// drawn anew for each attempt; the shortest counts.
#include <algorithm>
#include <bit>
#include <numeric>

#include "algorithms/any_graph/any_graph.hpp"
#include "algorithms/cut_through/cut_through.hpp"
#include "support/job.hpp"

namespace gossamer::cut_through {
namespace {

using any_graph::Random;

class Swarm {
 public:
  /// The first attempt does without chance as far as possible.
  Swarm(const Arcs& arcs, PortModel ports, Duplex duplex, Node root, std::uint32_t pieces,
        const std::vector<std::uint32_t>& beyond, bool first, Random random)
      : arcs_(arcs),
        single_(ports == PortModel::Single),
        half_(duplex == Duplex::Half),
        root_(root),
        pieces_(pieces),
        beyond_(beyond),
        random_(random),
        words_((pieces + kWordBits - 1) / kWordBits),
        came_(std::size_t{arcs.nodes()} * pieces, kMissing),
        has_(std::size_t{arcs.nodes()} * words_, 0),
        holders_(pieces, 1),
        first_missing_(arcs.nodes(), 0),
        uses_(arcs.nodes()),
        last_use_(half_ ? arcs.count() : 0, 0),
        order_(arcs.count()) {
    std::iota(order_.begin(), order_.end(), ArcId{0});
    constexpr double kRarity[] = {64, 192, 512}, kBeyond[] = {0.2, 1, 3},
                     kStored[] = {-0.75, 0.5, 1.5};
    const auto drawn = [&](const double(&from)[3]) { return from[first ? 1 : random_.below(3)]; };
    of_rarity_ = single_ ? drawn(kRarity) / arcs.nodes() : 1;
    of_beyond_ = drawn(kBeyond);
    of_stored_ = drawn(kStored);
    noise_ = first ? 1 : 1 + 2 * random_.below(4);
    std::ranges::fill_n(came_.begin() + std::ptrdiff_t{root} * pieces, pieces, kFromTheStart);
    for (std::uint32_t p = 0; p < pieces; ++p) insert(root, p);
    first_missing_[root] = pieces;
  }

  /// Nothing if it takes `most` rounds or more.
  std::vector<Step> run(std::uint32_t most) {
    const std::size_t all = std::size_t{arcs_.nodes() - 1} * pieces_;
    while (hops_.size() < all) {
      stop_if_interrupted();
      if (++round_ >= most) return {};
      play_round();
    }
    return std::move(hops_);
  }

  std::uint32_t rounds() const { return round_; }
  std::uint64_t work() const { return work_; }

 private:
  static constexpr std::uint32_t kWordBits = 64;
  static constexpr std::uint32_t kMissing = ~std::uint32_t{0}, kFromTheStart = kMissing - 1;

  /// What a node does in this round; through a single port each of it once.
  struct Uses {
    std::uint32_t received = 0, passed = 0, sent = 0;  ///< the last round in which it did
  };
  struct Offer {
    std::uint32_t piece = kMissing;
    bool passes = false;  ///< it came in the round before
    double rank = 0;      ///< the lowest is best
  };

  std::uint32_t& came(Node x, std::uint32_t piece) {
    return came_[std::size_t{x} * pieces_ + piece];
  }
  std::uint32_t round_of(std::uint32_t hop) const {
    return hop == kFromTheStart ? 0 : hops_[hop].round;
  }

  /// What the arc can carry in this round. Pieces that only the root has go in their order.
  Offer offer(ArcId a) {
    const Node to = arcs_.head(a);
    if (single_ && (uses_[to].received == round_ || (half_ && uses_[to].sent == round_))) return {};
    if (half_ && turns(a)) return {};
    // Late pieces are rare: early ones are looked at if there are no others.
    constexpr std::uint32_t kAtOnce = 4;
    const std::uint32_t first = first_missing_[to] / kWordBits;
    std::uint32_t end = std::min(left_root_, pieces_ - 1) / kWordBits + 1;
    Offer best;
    while (end > first && best.piece == kMissing) {
      const std::uint32_t begin = end - std::min(end - first, kAtOnce);
      for (std::uint32_t w = begin; w < end; ++w) look_at(a, w, best);
      end = begin;
    }
    return best;
  }

  /// At the pieces of one word that the tail has and the head lacks, up to the first one that only
  /// the root has.
  void look_at(ArcId a, std::uint32_t w, Offer& best) {
    const Node from = arcs_.tail(a), to = arcs_.head(a);
    std::uint64_t left = has_[std::size_t{from} * words_ + w] & ~has_[std::size_t{to} * words_ + w];
    for (++work_; left != 0; left &= left - 1) {
      const auto p = w * kWordBits + static_cast<std::uint32_t>(std::countr_zero(left));
      if (p > left_root_) return;
      work_ += 4;
      if (!can_send(from, p)) continue;
      const bool passes = from != root_ && round_of(came(from, p)) + 1 == round_;
      if (single_ && !is_idle(from, passes)) continue;
      const double rank = rank_of(a, p, passes);
      if (best.piece == kMissing || rank < best.rank) best = {p, passes, rank};
    }
  }

  void insert(Node x, std::uint32_t piece) {
    has_[std::size_t{x} * words_ + piece / kWordBits] |= std::uint64_t{1} << (piece % kWordBits);
  }

  /// Has the single port of a node not yet passed a piece on in this round, or sent one?
  bool is_idle(Node x, bool passes) const {
    if (passes) return uses_[x].passed != round_;
    return uses_[x].sent != round_ && !(half_ && uses_[x].received == round_);
  }

  /// Has the link of the arc just been used the other way?
  bool turns(ArcId a) const {
    if (arcs_.reverse(a) == kNoArcId) return false;
    const std::uint32_t back = last_use_[arcs_.reverse(a)];
    return back != 0 && back + 1 >= round_;
  }

  bool can_send(Node x, std::uint32_t piece) {
    const std::uint32_t by = came(x, piece);
    if (by == kMissing) return false;
    if (by == kFromTheStart) return true;
    const std::uint32_t age = round_ - hops_[by].round;
    return age == 1 || age > kPipelinedStoreRounds;
  }

  double rank_of(ArcId a, std::uint32_t piece, bool passes) {
    double rank = of_rarity_ * holders_[piece] + random_.below(256 * noise_) / 256.0;
    if (single_) rank += (passes ? 0 : of_stored_) - of_beyond_ * beyond_[arcs_.head(a)];
    return rank;
  }

  void play_round() {
    random_.shuffle(order_);
    if (single_) {
      ranks_.resize(arcs_.count());
      waiting_.clear();
      for (const ArcId a : order_) {
        const Offer best = offer(a);
        if (best.piece == kMissing) continue;
        ranks_[a] = best.rank;
        waiting_.push_back(a);
      }
      std::ranges::stable_sort(waiting_, {}, [&](ArcId a) { return ranks_[a]; });
    }
    for (const ArcId a : single_ ? waiting_ : order_) {
      const Offer best = offer(a);
      if (best.piece != kMissing) send(a, best);
    }
  }

  void send(ArcId a, const Offer& what) {
    const Node from = arcs_.tail(a), to = arcs_.head(a);
    const std::uint32_t by = came(from, what.piece);
    came(to, what.piece) = static_cast<std::uint32_t>(hops_.size());
    const Message piece{root_, kNoNode, what.piece};
    const std::uint32_t before = by == kFromTheStart ? Step::kNone : by;
    hops_.push_back({{round_, from, to, piece}, a, before, /*stored=*/true});
    if (++holders_[what.piece] == 2) ++left_root_;
    insert(to, what.piece);
    (what.passes ? uses_[from].passed : uses_[from].sent) = round_;
    uses_[to].received = round_;
    if (half_) last_use_[a] = round_;
    std::uint32_t& first = first_missing_[to];
    while (first < pieces_ && came(to, first) != kMissing) ++first;
  }

  const Arcs& arcs_;
  const bool single_, half_;
  const Node root_;
  const std::uint32_t pieces_;
  const std::vector<std::uint32_t>& beyond_;
  Random random_;
  std::uint32_t words_;                 ///< of a set of pieces
  std::uint32_t left_root_ = 0;         ///< pieces: they leave it in their order
  std::vector<std::uint32_t> came_;     ///< by node, then piece: the hop that brought it
  std::vector<std::uint64_t> has_;      ///< by node: pieces, a bit each
  std::vector<std::uint32_t> holders_;  ///< of each piece
  std::vector<std::uint32_t> first_missing_;
  std::vector<Uses> uses_;
  std::vector<std::uint32_t> last_use_;  ///< by arc, with half duplex: the last round
  std::vector<ArcId> order_, waiting_;
  std::vector<double> ranks_;  ///< by arc
  double of_rarity_ = 1, of_beyond_ = 1, of_stored_ = 0;
  std::uint32_t noise_ = 1;
  std::vector<Step> hops_;
  std::uint32_t round_ = 0;
  std::uint64_t work_ = 0;
};

}  // namespace

std::vector<Step> swarm(const Arcs& arcs, PortModel ports, Duplex duplex, Node root,
                        std::uint32_t pieces, std::uint64_t bound, std::uint32_t seed) {
  constexpr std::uint64_t kEnough = 10'000'000;  // sets and, four times, pieces looked at
  constexpr std::uint32_t kAttempts = 300;
  const std::vector<std::uint32_t> beyond = any_graph::hops_beyond(arcs, root);
  std::vector<Step> best;
  std::uint32_t rounds = ~std::uint32_t{0};
  std::uint64_t work = 0;
  Random random(seed);
  for (std::uint32_t i = 0; i < kAttempts && work < kEnough && rounds > bound; ++i) {
    Swarm attempt(arcs, ports, duplex, root, pieces, beyond, i == 0, Random(random.next()));
    if (auto found = attempt.run(rounds); !found.empty()) {
      best = std::move(found);
      rounds = attempt.rounds();
    }
    work += attempt.work();
  }
  return best;
}

}  // namespace gossamer::cut_through
