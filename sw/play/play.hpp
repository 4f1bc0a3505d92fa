#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "schedule/schedule.hpp"

/// The story of a schedule: what its transfers carry, and what comes to which node in which order.
///
/// A schedule says which transfer begins in which round, over which links, with which messages, or
/// "*", all that its source holds. What "*" is, where in a node's store a message stands and whose
/// parts are in a sum follows only if the rounds are followed one by one, by three rules:
/// - A transfer carries what its source holds as its round begins.
/// - What it carries is stored by the nodes at the ends of its stored hops, and can be sent on
/// after
///   the round that stored_round() says.
/// - Of one such round all is stored port by port, whatever the order of the transfers.
/// One node of each class of the schedule's symmetry is enough: the others are its translations.
///
/// Story tells this in order. What is carried is the reader's business:
/// - In sw/tables timing, how much each transfer carries.
/// - Stores: what stands where in nodes' logs. The table compiler reads it, and the streams of a
///   page, from which pictures and scripts learn who knows what.
/// - play_sums(): whose parts are in a sum. Names of flits and pictures of reductions read it.
/// - In sw/tables GossipLogs, logs that are too long to be listed; in sw/export the deliveries that
///   each delivery needs.
///
/// Three others work out the same and share no code with this, for they judge what is made of it:
/// the checker, the link oracle and the scoreboard.
namespace gossamer {

/// What a transfer brings over a hop whose end stores it.
template <class Carried>
struct Brought {
  const Transfer* transfer;
  TransferHop hop;
  Port in;  ///< in whose log it comes to stand
  Carried carried;
  std::uint32_t number;  ///< of the transfer's hops whose ends store what comes
};

/// Tells the story, for readers to whom what is carried is a `Carried`.
template <class Carried>
class Story {
 public:
  explicit Story(const Schedule& schedule) : s_(schedule) {}

  /// The transfers of a round; `carried` says of each what it carries.
  template <class Send>
  void send(std::span<const Transfer> round, const Send& carried) {
    for (const Transfer& t : round) {
      const Carried what = carried(t);
      std::uint32_t number = 0;
      for (const TransferHop hop : s_.stored_hops(t)) {
        const Port in = t.join ? s_.lane_of_join(t) : port_in(s_.topology(), hop);
        under_way_[s_.stored_round(t, hop)].push_back({&t, hop, in, what, number++});
      }
    }
  }
  /// What can be sent on after this round: `store` takes what comes in one round, port by port. Of
  /// a message that comes to a node twice in it, the first in this order is the one that counts.
  template <class Store>
  void store_until(std::uint32_t round, const Store& store) {
    while (!under_way_.empty() && under_way_.begin()->first <= round) {
      std::vector<Brought<Carried>>& all = under_way_.begin()->second;
      // They may have begun in different rounds.
      std::ranges::stable_sort(all, {}, &Brought<Carried>::in);
      store(std::as_const(all));
      under_way_.erase(under_way_.begin());
    }
  }
  /// From the first round to the last.
  template <class Send, class Store>
  void tell(const Send& carried, const Store& store) {
    for (auto rest = s_.transfers(); !rest.empty();) {
      const auto round = s_.transfers_of(rest.front().round);
      store_until(rest.front().round - 1, store);
      send(round, carried);
      rest = rest.subspan(round.size());
    }
    store_until(~std::uint32_t{0}, store);
  }

 private:
  const Schedule& s_;
  std::map<std::uint32_t, std::vector<Brought<Carried>>> under_way_;  ///< by stored_round
};

/// Whose parts are in a sum that is sent in a round, or comes to a node in it: in ascending order.
using SumVisitor = std::function<void(Node node, const Message& m, const std::vector<Node>& parts,
                                      std::uint32_t round)>;

/// Follows the sums of a reduction. `sent` takes what each transfer carries, with its source;
/// `comes` what is stored, with the node that does: of one round whole sums last, for they take the
/// place of all else.
void play_sums(const Schedule& schedule, const SumVisitor& sent, const SumVisitor& comes);

}  // namespace gossamer
