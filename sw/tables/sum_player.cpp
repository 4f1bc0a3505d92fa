#include "tables/sum_player.hpp"

#include <algorithm>
#include <map>

#include "gossamer_constants.hpp"
#include "play/play.hpp"
#include "schedule/chunks.hpp"
#include "support/memory.hpp"

namespace gossamer {

std::uint64_t keep_cycles() { return rtl::TIME_OP + rtl::TIME_KEEP; }

/// The reads of one node's channel 0 that merge, one after the other.
class SumPlayer::Merging {
 public:
  Merging(SumPlayer& player, Node x, std::uint64_t from) : player_(player), x_(x), end_(from) {}

  /// The cycle in which the next merge of this message can begin.
  std::uint64_t next(const Message& m) const {
    const auto last = begun_.find(m);
    return last == begun_.end() ? end_ : std::max(end_, last->second + keep_cycles());
  }
  /// When what was merged last can be read; 0 if nothing was.
  std::uint64_t ready(const Message& m) const {
    const auto last = begun_.find(m);
    return last == begun_.end() ? 0 : last->second + keep_cycles();
  }
  std::uint64_t end() const { return end_; }

  /// Merges what came first.
  void merge(const Message& m, std::vector<Merge>& merges) {
    Held& held = player_.held(x_, m);
    const LogPlace first = held.came.front();
    held.came.erase(held.came.begin());
    const std::uint32_t words = player_.flits_.of(m);
    const std::uint64_t at = next(m);
    merges.push_back(
        {x_, at, {first.log, first.index, words, held.own, true, player_.own_address(m)}});
    held.own = true;
    begun_[m] = at;
    end_ = at + words;
  }

  /// Merges whatever has come, without a pause, as long as it is done before `end`.
  void merge_until(std::uint64_t end, std::vector<Merge>& merges) {
    std::vector<Message>& waiting = player_.waiting_[x_];
    std::erase_if(waiting, [&](const Message& m) { return player_.held(x_, m).came.empty(); });
    const auto fits = [&](const Message& m) {
      const Held& h = player_.held(x_, m);
      const std::uint64_t at = next(m);
      return h.came.size() + (h.own ? 1 : 0) > 1 && at == end_ &&
             at + std::max<std::uint64_t>(keep_cycles(), player_.flits_.of(m)) <= end;
    };
    while (end_ + keep_cycles() <= end) {
      const auto next = std::ranges::find_if(waiting, fits);
      if (next == waiting.end()) return;
      merge(*next, merges);
    }
  }

 private:
  SumPlayer& player_;
  Node x_;
  std::uint64_t end_;
  std::map<Message, std::uint64_t> begun_;
};

SumPlayer::SumPlayer(const Schedule& schedule, unsigned flits, bool single_port)
    : s_(schedule),
      flits_(schedule.chunk_flits(flits)),
      single_port_(single_port),
      logs_(single_port ? 1 : schedule.topology().ports()),
      block_of_(schedule.topology().nodes()),
      own_begin_{0} {
  const Node nodes = s_.topology().nodes();
  for (const Node origin : origins_of_sums(s_)) {
    block_of_[origin] = static_cast<std::uint32_t>(own_begin_.size() - 1);
    own_begin_.push_back(own_begin_.back() + flits_.cut({origin}).flits);
  }
  const double held = static_cast<double>(std::uint64_t{nodes} * blocks() * s_.pieces());
  require_memory(held * sizeof(Held), s_.topology().spec() + ": where the parts of its sums stand");
  held_.resize(static_cast<std::size_t>(held));
  lengths_.resize(std::size_t{nodes} * logs_);
  waiting_.resize(nodes);
  for (Node x = 0; x < nodes; ++x) {
    for_each_initial(s_, x, [&](const Message& m) { this->held(x, m) = {{}, {}, 1, true}; });
  }
}

std::size_t SumPlayer::place(Node x, const Message& m) const {
  return (std::size_t{x} * blocks() + block_of_[m.origin]) * s_.pieces() + m.piece;
}
SumPlayer::Held& SumPlayer::held(Node x, const Message& m) { return held_[place(x, m)]; }
const SumPlayer::Held& SumPlayer::held(Node x, const Message& m) const {
  return held_[place(x, m)];
}

std::uint32_t SumPlayer::own_address(const Message& m) const {
  return own_begin_[block_of_[m.origin]] + flits_.cut(m).first(m.piece);
}

SumPlayer::Read SumPlayer::read_of(Node x, const Message& m) const {
  const Held& h = held(x, m);
  const std::uint32_t words = flits_.of(m), own = own_address(m);
  if (h.whole) return {h.whole->log, h.whole->index, words};
  if (h.came.empty()) {
    if (h.own) return {own_log(), own, words};
    // What a node does not hold is read where nothing has come: the hardware notices.
    return {0, static_cast<std::uint32_t>(length(x, 0)), words};
  }
  return {h.came[0].log, h.came[0].index, words, h.own, false, own};
}

std::span<const SumPlayer::Merge> SumPlayer::of_node(const std::vector<Merge>& merges, Node x) {
  const auto first = std::ranges::lower_bound(merges, x, {}, &Merge::node);
  return {first, std::ranges::upper_bound(first, merges.end(), x, {}, &Merge::node)};
}

SumPlayer::Round SumPlayer::play(std::span<const Transfer> starting) {
  Round round;
  std::map<Node, std::vector<const Transfer*>> sent;
  std::vector<Port> out;  // by transfer
  for (const Transfer& t : starting) {
    sent[s_.source(t)].push_back(&t);
    out.push_back(port_out(s_.topology(), s_.hops(t)[0]));
  }
  for (auto& [x, transfers] : sent) {
    std::ranges::sort(transfers, {}, [&](auto* t) { return out[t - starting.data()]; });
  }
  std::map<Node, Merging> merging_at;
  for (const auto& [x, transfers] : sent) {
    Merging& merging = merging_at.try_emplace(x, *this, x, 0).first->second;
    for (const Transfer* t : transfers) {
      std::uint64_t position = 0;
      for (const Message& m : s_.messages(*t)) {
        Held& h = held(x, m);
        while (!h.whole && h.came.size() > 1) merging.merge(m, round.merges);
        const std::uint64_t ready = merging.ready(m);
        round.before = std::max({round.before, merging.end(), ready - std::min(ready, position)});
        position += flits_.of(m);
      }
    }
  }
  // What need not be merged yet costs no time while others merge.
  for (Node x = 0; round.before != 0 && x < s_.topology().nodes(); ++x) {
    if (waiting_[x].empty()) continue;
    Merging& merging = merging_at.try_emplace(x, *this, x, 0).first->second;
    merging.merge_until(round.before, round.merges);
  }
  std::ranges::stable_sort(round.merges, {}, &Merge::node);
  for (const Transfer& t : starting) {
    round.reads.emplace_back();
    for (const Message& m : s_.messages(t)) {
      round.reads.back().push_back(read_of(s_.source(t), m));
    }
  }
  const std::vector<Arrival> arrivals = arrivals_of(starting);
  for (const auto& [x, transfers] : sent) keep(transfers, round, starting);
  meanwhile(sent, round, starting);
  std::ranges::stable_sort(round.meanwhile, {}, &Merge::node);
  for (const auto& [at, came, m, parts, whole] : arrivals) {
    Held& h = held(at, m);
    if (whole) {
      h.whole = came;
      h.parts = parts;
      h.came.clear();
    } else {
      if (h.came.empty()) waiting_[at].push_back(m);
      h.came.push_back(came);
      h.parts += parts;
    }
  }
  return round;
}

/// What is stored, port by port. A whole sum takes the place of a part that comes with it.
std::vector<SumPlayer::Arrival> SumPlayer::arrivals_of(std::span<const Transfer> starting) {
  std::vector<Arrival> arrivals;
  for (const auto& [t, hop, in] : stored_hops(s_, starting)) {
    const unsigned log = single_port_ ? 0 : in;
    std::uint64_t& length = lengths_[std::size_t{hop.to} * logs_ + log];
    for (const Message& m : s_.messages(*t)) {
      const std::uint32_t parts = held(s_.source(*t), m).parts;
      const LogPlace came{log, static_cast<std::uint32_t>(length)};
      arrivals.push_back({hop.to, came, m, parts, parts == contributors(s_, m)});
      length += flits_.of(m);
    }
  }
  std::ranges::stable_sort(arrivals, {}, &Arrival::whole);
  return arrivals;
}

/// What channel 0 sends of a sum, or could read at the same time as the others, it keeps, if all
/// channels read it in the same cycles.
void SumPlayer::keep(std::span<const Transfer* const> sent, Round& round,
                     std::span<const Transfer> starting) {
  const auto number = [&](const Transfer* t) {
    return static_cast<std::size_t>(t - starting.data());
  };
  const Transfer* zero = nullptr;  // what channel 0 sends
  std::map<Message, std::uint64_t> position;
  std::map<Message, bool> alike;
  for (const Transfer* t : sent) {
    for (const TransferHop hop : s_.hops(*t)) {
      const bool first = hop.before == TransferHop::kNone;
      if (single_port_ || (first && port_out(s_.topology(), hop) == 0)) zero = t;
    }
    std::uint64_t at = 0;
    for (const Message& m : s_.messages(*t)) {
      const auto [before, is_new] = position.try_emplace(m, at);
      alike[m] = is_new || (alike[m] && before->second == at);
      at += flits_.of(m);
    }
  }
  const Transfer* like = zero != nullptr ? zero : sent[0];
  const Node x = s_.source(*like);
  std::vector<Read> reads = round.reads[number(like)];
  bool any = false;
  std::size_t i = 0;
  for (const Message& m : s_.messages(*like)) {
    Read& read = reads[i++];
    if (!read.combines || !alike[m]) continue;
    read.keeps = any = true;
    held(x, m).came.clear();
  }
  if (!any) return;
  if (zero != nullptr) {
    round.reads[number(zero)] = reads;
    return;
  }
  std::uint64_t at = round.before;
  for (const Read& read : reads) {
    round.meanwhile.push_back({x, at, read});
    at += read.words;
  }
}

/// Nodes that send nothing merge what has come, as much as they can while the others send.
void SumPlayer::meanwhile(const std::map<Node, std::vector<const Transfer*>>& sent, Round& round,
                          std::span<const Transfer> starting) {
  const bool circuits = s_.model().switching == Switching::Circuit;
  std::uint64_t length = circuits ? 0 : rtl::TIME_LAT + rtl::TIME_OP;  // of the round, at least
  for (const Transfer& t : starting) {
    std::uint64_t flits = circuits ? rtl::TIME_DELTA : 0;
    for (const Message& m : s_.messages(t)) flits += flits_.of(m);
    length = std::max(length, flits);
  }
  if (circuits) length += rtl::TIME_ALPHA + rtl::TIME_OP;
  const std::uint64_t end = round.before + length;
  for (Node x = 0; x < s_.topology().nodes(); ++x) {
    if (waiting_[x].empty() || sent.contains(x)) continue;
    Merging(*this, x, round.before).merge_until(end, round.meanwhile);
  }
}

SumPlayer::Round SumPlayer::finish() {
  Round round;
  for (Node x = 0; x < s_.topology().nodes(); ++x) {
    Merging merging(*this, x, 0);
    for_each_expected(s_, x, [&](const Message& m) {
      while (!held(x, m).whole && !held(x, m).came.empty()) merging.merge(m, round.merges);
      return true;
    });
    round.before = std::max(round.before, merging.end());
  }
  return round;
}

std::optional<LogPlace> SumPlayer::result(Node x, const Message& m) const {
  const Held& h = held(x, m);
  if (h.whole) return h.whole;
  if (h.parts != contributors(s_, m) || !h.came.empty() || !h.own) return std::nullopt;
  return LogPlace{own_log(), own_address(m)};
}

}  // namespace gossamer
