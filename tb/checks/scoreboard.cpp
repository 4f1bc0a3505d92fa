#include "checks/scoreboard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "checks/partial_sums.hpp"
#include "schedule/members.hpp"
#include "support/job.hpp"
#include "support/parallel_for.hpp"
#include "topology/node_sets.hpp"

namespace gossamer::tb {
namespace {

/// Words of a log that are read at once. Compressed stores compute them, and a part that stays in
/// the cache is read faster; explicit ones may have to copy the whole log for each part.
constexpr std::size_t kComputedPart = std::size_t{1} << 13, kPart = std::size_t{1} << 20;

/// The end of a line about simulated nodes: how many more they stand for.
std::string and_others(const FabricImage& image, std::uint64_t nodes) {
  if (image.copies() == 1) return "";
  return fmt::format(", as in {} more nodes", nodes * (image.copies() - 1));
}

/// Reads the logs of one node after the other, identifies every word by its value alone, and checks
/// that the messages are whole and are what their origins sent. It knows neither the schedule nor
/// the tables. Several readers may read one fabric at a time.
class LogReader {
 public:
  /// What the logs of a node hold.
  struct Found {
    std::uint64_t words = 0;
    /// The first ones, each with the nodes that it stands for. The rest of the node is read all the
    /// same.
    std::vector<std::string> problems;
    std::uint64_t untold = 0;  ///< more problems
  };

  /// `so_far`: of a run that was given up; the last message of a log may be incomplete.
  LogReader(const Fabric& fabric, const FabricImage& image, const Payload& payload, bool so_far,
            std::size_t max_problems)
      : fabric_(fabric),
        image_(image),
        payload_(payload),
        so_far_(so_far),
        max_problems_(max_problems),
        nodes_(image.quotient ? image.quotient->all().nodes() : image.topology.nodes()),
        flits_(payload.flits()),
        first_number_(payload.first({0, 0})),
        by_flits_(flits_),
        by_nodes_(nodes_),
        arrived_(set_words(nodes_)),
        pieces_(payload.cut().pieces() == 1 ? 0 : std::size_t{nodes_} * payload.cut().pieces()) {}

  /// Simulated node `i`. Throws Interrupted, except of a run that was given up.
  Found read(Node i) {
    std::ranges::fill(arrived_, 0);
    pieces_.assign(pieces_.size(), false);
    found_ = {};
    for (unsigned g = 0; g < image_.kind.logs(); ++g) {
      image_.kind.adaptive ? read_adaptive(i, g) : read_log(i, g);
    }
    // A message has arrived when all its pieces have.
    const std::uint32_t pieces = payload_.cut().pieces();
    for (std::size_t at = 0; at < pieces_.size(); at += pieces) {
      const auto origin = static_cast<Node>(at / pieces);
      const Node destination = payload_.one_per_origin() ? kNoNode : image_.node_of(i);
      const std::uint32_t come = std::min(pieces, payload_.cut().cut({origin, destination}).flits);
      const auto first = pieces_.begin() + static_cast<std::ptrdiff_t>(at);
      if (std::find(first, first + come, false) == first + come) put(arrived_, origin);
    }
    return std::exchange(found_, {});
  }
  /// Origins whose messages for this node have arrived, as a set (topology/node_sets.hpp).
  std::span<const std::uint64_t> arrived() const { return arrived_; }

 private:
  /// A log is read in parts. Each begins with a message, and holds a whole one if there is one.
  void read_log(Node i, unsigned g) {
    const std::size_t part = image_.expected ? kComputedPart : kPart;
    const std::size_t most = std::max<std::size_t>({part, flits_, image_.own_size(i)});
    const Node x = image_.node_of(i);
    part_begin_ = 0;
    std::vector<std::uint32_t> words = fabric_.part_of_log(i, g, 0, most);
    bool is_last = words.size() < most;
    std::size_t at = image_.kind.single_port ? check_own(i, words) : 0;
    while (true) {
      at = pass_good(x, words, at);
      if (!is_last && words.size() - at < flits_) {
        if (!so_far_) stop_if_interrupted();
        part_begin_ += at;
        words = fabric_.part_of_log(i, g, part_begin_, most);
        is_last = words.size() < most;
        at = 0;
        continue;
      }
      if (at == words.size()) break;
      at = read_message(x, g, words, at);
    }
    found_.words += part_begin_ + words.size();
  }

  /// A log of an adaptive node: a place for every message, filled or not.
  void read_adaptive(Node x, unsigned g) {
    const std::vector<std::uint32_t> words = fabric_.log(x, g);
    const std::vector<bool> arrived = fabric_.arrived(x, g);
    if (image_.kind.single_port) check_own(x, words);
    for (Node m = 0; m < nodes_; ++m) {
      const std::size_t at = std::size_t{m} << image_.message_shift;
      std::size_t end = at;
      while (end < at + flits_ && arrived[end]) ++end;
      if (end == at) continue;
      read_message(x, g, std::span(words).first(end), at);
      found_.words += end - at;
      const auto id = payload_.identify(words[at]);
      if (id && id->message.origin != (x ^ m)) {
        problem(fmt::format("node {}, log {}, word {}: node {}'s message where node {}'s belongs",
                            x, g, at, id->message.origin, x ^ m));
      }
    }
  }

  /// A single-port node's log begins with its own words.
  std::size_t check_own(Node i, std::span<const std::uint32_t> words) {
    const std::size_t own = image_.own_size(i);
    for (std::size_t k = 0; k < own; ++k) {
      if (k >= words.size() || words[k] != image_.own_words[image_.own_begin[i] + k]) {
        problem(fmt::format("node {}: its own word {} was overwritten", image_.node_of(i), k));
        break;
      }
    }
    return std::min(own, words.size());
  }

  /// Passes over messages that are whole and right, from word `at` on. Returns where they end. This
  /// is what read_message() does, for words without a problem: they may be billions.
  std::size_t pass_good(Node x, std::span<const std::uint32_t> words, std::size_t at) {
    if (!pieces_.empty() || !payload_.cut().equal_messages()) return at;
    // Copies, which no bit that is set can change.
    const bool one_per_origin = payload_.one_per_origin();
    const Divisor by_flits = by_flits_, by_nodes = by_nodes_;
    const std::uint32_t flits = flits_, first_number = first_number_;
    const std::span<std::uint64_t> arrived = arrived_;
    for (; words.size() - at >= flits; at += flits) {
      const std::uint32_t number = Payload::number(words[at]) - first_number;
      const std::uint32_t message = by_flits.quotient(number);
      if (message * flits != number) break;
      const Node origin = one_per_origin ? message : by_nodes.quotient(message);
      if (origin >= by_nodes.divisor()) break;
      std::uint32_t flit = 1;
      while (flit < flits && words[at + flit] == Payload::word(first_number + number + flit))
        ++flit;
      if (flit < flits) break;
      if (one_per_origin || message - origin * by_nodes.divisor() == x) put(arrived, origin);
    }
    return at;
  }

  /// Checks one message from word `at`. It must be whole, except at the end of a log in a run that
  /// was given up. Returns where the next one begins.
  std::size_t read_message(Node x, unsigned g, std::span<const std::uint32_t> words,
                           std::size_t at) {
    const auto first = payload_.identify(words[at]);
    if (!first) return pass_over(x, g, words, at);
    if (first->index != 0) {
      problem(
          fmt::format("node {}, log {}, word {}: {:#010x} is flit {} of the message of node {}, "
                      "not the first one",
                      x, g, part_begin_ + at, words[at], first->index, first->message.origin));
      return at + 1;
    }
    const unsigned flits = payload_.flits(first->message);
    for (unsigned i = 0; i < flits; ++i) {
      FlitId id = *first;
      id.index = i;
      if (so_far_ && at + i == words.size()) return words.size();
      if (at + i >= words.size() || words[at + i] != payload_.word(id)) {
        problem(
            fmt::format("node {}, log {}, word {}: the message of node {} breaks off at flit {}", x,
                        g, part_begin_ + at + i, first->message.origin, i));
        return at + i;
      }
    }
    note(x, first->message);
    return at + flits;
  }

  /// Words that nobody sent, in one line; returns what comes after them.
  std::size_t pass_over(Node x, unsigned g, std::span<const std::uint32_t> words, std::size_t at) {
    std::size_t end = at + 1;
    while (end < words.size() && !payload_.identify(words[end])) ++end;
    if (end == at + 1) {
      problem(fmt::format("node {}, log {}, word {}: {:#010x} is no word that anybody sent", x, g,
                          part_begin_ + at, words[at]));
    } else {
      problem(fmt::format(
          "node {}, log {}, words {}-{} ({}): no words that anybody sent, first {:#010x}", x, g,
          part_begin_ + at, part_begin_ + end - 1, end - at, words[at]));
    }
    return end;
  }

  void note(Node x, const Message& m) {
    if (m.destination != kNoNode && m.destination != x) return;
    if (pieces_.empty()) return put(arrived_, m.origin);
    pieces_[std::size_t{m.origin} * payload_.cut().pieces() + m.piece] = true;
  }

  void problem(const std::string& text) {
    if (found_.problems.size() < max_problems_) {
      found_.problems.push_back(text + and_others(image_, 1));
    } else {
      ++found_.untold;
    }
  }

  const Fabric& fabric_;
  const FabricImage& image_;
  const Payload& payload_;
  const bool so_far_;
  const std::size_t max_problems_;
  const Node nodes_;  ///< of the schedule
  const std::uint32_t flits_, first_number_;
  const Divisor by_flits_, by_nodes_;
  std::vector<std::uint64_t> arrived_;
  std::vector<bool> pieces_;      ///< by origin and piece, if messages are cut
  std::uint64_t part_begin_ = 0;  ///< words of the log before those that are looked at now
  Found found_;
};

void tell_untold(Score& score, std::uint64_t untold) {
  if (untold == 0) return;
  score.problems.push_back(
      fmt::format("and {} more problem{} in message stores", untold, untold == 1 ? "" : "s"));
}

class Scorer {
 public:
  Scorer(const Fabric& fabric, const FabricImage& image, const Payload& payload,
         Collective collective, Node root, const FaultSet& faults, const Scoring& how)
      : fabric_(fabric),
        image_(image),
        payload_(payload),
        collective_(collective),
        root_(root),
        several_(how.members.several()),
        how_(how),
        nodes_(image.quotient ? image.quotient->all().nodes() : image.topology.nodes()),
        simulated_(image.topology.nodes()),
        partners_(set_words(nodes_)),
        lacking_(how.max_problems) {
    for (Node i = 0; i < how.members.count(nodes_); ++i) put(partners_, how.members[i]);
    group_.assign(several_ ? nodes_ : 0, 0);
    for (std::size_t g = 0; g < how.members.groups(); ++g) {
      for (const Node x : how.members.group(g)) group_[x] = g;
    }
    for (const Node x : faults.nodes) take_out(partners_, x);
    partner_count_ = gossamer::count(partners_);
  }

  Score run() {
    find_classes();
    begin_steps(simulated_, "nodes");
    const unsigned threads = std::clamp<unsigned>(how_.threads, 1, simulated_);
    std::vector<std::unique_ptr<LogReader>> readers(threads);
    std::atomic<std::uint64_t> added = 0;
    ordered_parallel_for(
        simulated_, threads,
        [&](unsigned me, std::size_t i) {
          stop_if_interrupted();
          if (me == 0) note_step(added);
          if (!readers[me]) readers[me] = reader(false);
          return look_at(*readers[me], static_cast<Node>(i));
        },
        [&](std::size_t i, NodeScore node) {
          add(static_cast<Node>(i), std::move(node));
          ++added;
        });
    for (std::size_t g = 0; g < place_of_.size(); ++g) {
      tell(lacking_.groups()[g], place_of_[g]);
      untold_ -= lacking_.groups()[g].nodes.size();
    }
    tell_untold(score_, untold_);
    score_.words_checked *= image_.copies();
    score_.delivered *= image_.copies();
    score_.expected *= image_.copies();
    if (unread_ != 0) {
      score_.problems.push_back(fmt::format(
          "the logs of {} more nodes were not looked at: what they hold counts as not delivered",
          std::uint64_t{unread_} * image_.copies()));
    }
    return std::move(score_);
  }

  /// The verdict on a run that was given up.
  Score run_so_far() {
    const auto so_far = reader(true);
    for (Node i = 0; i < simulated_; ++i) {
      if (score_.words_checked >= kWordsSoFar) break;
      if (!fabric_.holds(i)) continue;
      const LogReader::Found found = so_far->read(i);
      score_.words_checked += found.words;
      add_problems(found);
    }
    score_.words_checked *= image_.copies();
    tell_untold(score_, untold_);
    return std::move(score_);
  }

 private:
  struct Counts {
    std::uint64_t words = 0, delivered = 0, expected = 0;
  };
  /// What a node holds; nothing of a node that was not looked at.
  struct NodeScore {
    LogReader::Found found;
    std::uint64_t delivered = 0, expected = 0, missing = 0;
    std::vector<Node> first_missing;  ///< origins
  };

  /// Words that are looked at in a run that was given up; about a second.
  static constexpr std::uint64_t kWordsSoFar = 20'000'000;
  /// Pairs that are listed: all of an adaptive fabric, the first ones of a larger one.
  static constexpr std::size_t kMissingListed = std::size_t{1} << 20;
  /// Missing messages of a node by which it is compared with others.
  static constexpr std::size_t kMissingNamed = 1000;

  std::unique_ptr<LogReader> reader(bool so_far) const {
    return std::make_unique<LogReader>(fabric_, image_, payload_, so_far, how_.max_problems);
  }

  /// Nodes of one class whose logs are exactly what the image expects hold translations of the same
  /// words, each compared when it arrived. So the words of the first of them are counted one by
  /// one, and the result holds for all.
  void find_classes() {
    if (!image_.expected) return;
    as_expected_.assign(simulated_, false);
    for (Node i = 0; i < simulated_; ++i) {
      if (!fabric_.holds(i) || !fabric_.as_expected(i)) continue;
      as_expected_[i] = true;
      first_of_class_.try_emplace(image_.program_of[i], i);
    }
  }
  bool as_expected(Node i) const { return !as_expected_.empty() && as_expected_[i]; }
  bool like_another(Node i) const {
    return as_expected(i) && first_of_class_.at(image_.program_of[i]) != i;
  }
  bool left_out(Node i) const { return enough_ && !as_expected(i); }

  /// Several threads do this at the same time.
  NodeScore look_at(LogReader& reader, Node i) const {
    if (!fabric_.holds(i) || like_another(i) || left_out(i)) return {};
    NodeScore node;
    node.found = reader.read(i);
    count(image_.node_of(i), reader.arrived(), node);
    return node;
  }

  /// In the order of the nodes.
  void add(Node i, NodeScore node) {
    if (!fabric_.holds(i)) return;
    if (like_another(i)) return add(counts_of_class_[image_.program_of[i]]);
    if (left_out(i)) {
      ++unread_;
      score_.expected += count_wanted(image_.node_of(i));
      return;
    }
    const Counts counts = {node.found.words, node.delivered, node.expected};
    add(counts);
    if (as_expected(i)) counts_of_class_[image_.program_of[i]] = counts;
    add_problems(node.found);
    if (node.missing != 0) add_missing(image_.node_of(i), std::move(node));
    enough_ = !score_.problems.empty() &&
              score_.words_checked + score_.expected >= how_.pieces_of_failure;
  }
  void add(const Counts& counts) {
    score_.words_checked += counts.words;
    score_.delivered += counts.delivered;
    score_.expected += counts.expected;
  }
  void add_problems(const LogReader::Found& found) {
    untold_ += found.untold;
    for (const std::string& p : found.problems) {
      if (score_.problems.size() < how_.max_problems) {
        score_.problems.push_back(p);
      } else {
        ++untold_;
      }
    }
  }

  bool takes_part(Node x) const { return has(partners_, x); }

  /// All that nodes get comes from their root.
  bool from_root() const {
    return collective_ == Collective::Broadcast || collective_ == Collective::Scatter;
  }
  /// Of a member.
  Node root_of(Node x) const { return several_ ? how_.members.root(group_[x]) : root_; }

  bool wanted(Node x, Node origin) const {
    if (!takes_part(x) || !takes_part(origin) || x == origin) return false;
    if (several_ && group_[x] != group_[origin]) return false;
    if (!how_.sizes.equal() && how_.sizes.of(origin, x) == 0) return false;
    if (from_root()) return origin == root_of(x);
    return collective_ != Collective::Gather || x == root_of(x);
  }

  /// Origins whose messages node `x` must have in the end.
  std::uint64_t count_wanted(Node x) const {
    if (!takes_part(x)) return 0;
    if (from_root()) return wanted(x, root_of(x)) ? 1 : 0;
    if (several_ || !how_.sizes.equal()) {
      std::uint64_t count = 0;
      for (Node origin = 0; origin < nodes_; ++origin) count += wanted(x, origin) ? 1 : 0;
      return count;
    }
    return collective_ == Collective::Gather && x != root_ ? 0 : partner_count_ - 1;
  }

  /// What of it has arrived. Nodes are looked at 64 at a time; one by one only where some are
  /// missing.
  void count(Node x, std::span<const std::uint64_t> arrived, NodeScore& node) const {
    node.expected = count_wanted(x);
    if (node.expected == 0) return;
    const auto miss = [&](Node origin) {
      if (node.missing++ < kMissingListed) node.first_missing.push_back(origin);
    };
    if (from_root() && !has(arrived, root_of(x))) miss(root_of(x));
    const std::size_t sets = from_root() ? 0 : partners_.size();
    for (std::size_t at = 0; at < sets; ++at) {
      for (std::uint64_t absent = partners_[at] & ~arrived[at]; absent != 0; absent &= absent - 1) {
        const Node origin = static_cast<Node>(64 * at) + std::countr_zero(absent);
        if (wanted(x, origin)) miss(origin);
      }
    }
    node.delivered = node.expected - node.missing;
  }

  void add_missing(Node x, NodeScore node) {
    ++untold_;
    std::vector<Node>& origins = node.first_missing;
    for (const Node origin : origins) {
      if (score_.missing.size() < kMissingListed) score_.missing.push_back({x, origin});
    }
    origins.resize(std::min(origins.size(), kMissingNamed));
    lacking_.add(x, std::move(origins), node.missing);
    // The line of the first node also names all others that lack the same.
    if (lacking_.groups().size() > place_of_.size() && score_.problems.size() < how_.max_problems) {
      place_of_.push_back(score_.problems.size());
      score_.problems.emplace_back();
    }
  }

  void tell(const MissingByNode::Group& group, std::size_t place) {
    const auto& [nodes, origins, count] = group;
    const std::string from =
        count == 1 ? fmt::format("message of node {}", origins[0])
                   : fmt::format("messages of nodes {} ({})", runs_text(origins, count), count);
    score_.problems[place] = fmt::format("{} never got the {}", nodes_text(nodes), from) +
                             and_others(image_, nodes.size());
  }

  const Fabric& fabric_;
  const FabricImage& image_;
  const Payload& payload_;
  Collective collective_;
  Node root_;  ///< unless there are several groups
  bool several_;
  std::vector<std::size_t> group_;  ///< by member, of several
  Scoring how_;
  Node nodes_, simulated_;
  std::vector<std::uint64_t> partners_;  ///< healthy members, a set
  Node partner_count_ = 0;
  std::vector<bool> as_expected_;                 ///< by simulated node; empty: unknown
  std::map<std::uint32_t, Node> first_of_class_;  ///< of the nodes that are as expected
  std::map<std::uint32_t, Counts> counts_of_class_;
  std::atomic<bool> enough_ = false;  ///< the run has failed, and enough of it was read
  Node unread_ = 0;
  MissingByNode lacking_;
  std::vector<std::size_t> place_of_;  ///< by group: its problem
  std::uint64_t untold_ = 0;           ///< problems without a line
  Score score_;
};

}  // namespace

Score score(const Fabric& fabric, const FabricImage& image, const Payload& payload,
            Collective collective, Node root, const FaultSet& faults, const Scoring& how) {
  return Scorer(fabric, image, payload, collective, root, faults, how).run();
}

namespace {

/// The messages whose sum a node must have in the end.
std::vector<Message> sums_for(const Schedule& s, Node x) {
  std::vector<Message> wanted;
  if (!s.members.has(x)) return wanted;
  const Node root = s.members.several() ? s.members.root(s.members.group_of(x)) : s.root;
  if (s.collective() == Collective::Reduce && x != root) return wanted;
  const Node origin = s.collective() == Collective::ReduceScatter ? x : root;
  // Of blocks that are not equally long, one may be shorter than it has pieces.
  const std::uint32_t most = s.sizes.equal() ? s.pieces() : s.sizes.of(origin, kNoNode);
  for (std::uint32_t k = 0; k < std::min(most, s.pieces()); ++k) {
    wanted.push_back({origin, kNoNode, k});
  }
  return wanted;
}

}  // namespace

Score score_sums(const Fabric& fabric, std::span<const Held> places, const Payload& payload,
                 const Schedule& schedule, const Scoring& how) {
  Score score;
  std::uint64_t untold = 0;
  const auto problem = [&](std::string text) {
    if (score.problems.size() == how.max_problems) {
      ++untold;
    } else {
      score.problems.push_back(std::move(text));
    }
  };
  std::map<Message, std::vector<std::uint32_t>> sums;
  std::optional<PartialSums> in_order;
  if (!kAnyOrder) in_order.emplace(schedule, payload);
  for (Node x = 0; x < schedule.topology().nodes(); ++x) {
    stop_if_interrupted();
    const std::vector<Message> wanted = sums_for(schedule, x);
    if (wanted.empty() || !fabric.holds(x)) continue;
    ++score.expected;
    std::map<unsigned, std::vector<std::uint32_t>> logs;
    bool whole = true;
    for (const Message& m : wanted) {
      const std::string piece = schedule.pieces() == 1 ? "" : fmt::format("piece {} of ", m.piece);
      const auto [of, is_new] = sums.try_emplace(m);
      if (is_new || in_order) {
        of->second = in_order ? in_order->last(x, m) : whole_sum(schedule, payload, m);
      }
      const std::vector<std::uint32_t>& sum = of->second;
      const auto key = [](const Held& p) { return std::pair(p.node, p.message); };
      const auto found = std::ranges::lower_bound(places, std::pair(x, m), {}, key);
      if (found == places.end() || key(*found) != std::pair(x, m)) {
        problem(fmt::format("node {} never got the sum of {}message {}", x, piece, m.origin));
        whole = false;
        continue;
      }
      const auto [log, index] = found->place;
      const auto [words, unread] = logs.try_emplace(log);
      if (unread) words->second = fabric.log(x, log);
      score.words_checked += sum.size();
      const std::size_t from = std::min<std::size_t>(index, words->second.size());
      const auto here = std::span<const std::uint32_t>(words->second).subspan(from);
      const auto [is, should] = std::ranges::mismatch(here, sum);
      if (should == sum.end()) continue;
      whole = false;
      const auto at = static_cast<std::size_t>(should - sum.begin());
      // Engines' nodes may have more ports than the topology; own words are in the log behind them.
      const unsigned name = std::min<unsigned>(log, schedule.topology().ports());
      const std::string sum_of = fmt::format("node {}'s sum of {}message {}", x, piece, m.origin);
      if (is == here.end()) {
        problem(fmt::format("{} breaks off at flit {} (log {})", sum_of, at, name));
        continue;
      }
      const bool told = score.problems.size() < how.max_problems;
      problem(fmt::format("{}, flit {} (log {}, word {}): {:#010x} where {:#010x} should be{}",
                          sum_of, at, name, index + at, *is, *should,
                          told ? wrong_parts(schedule, payload, m, adding(schedule, m),
                                             static_cast<std::uint32_t>(at), *is)
                               : ""));
    }
    score.delivered += whole ? 1 : 0;
  }
  tell_untold(score, untold);
  return score;
}

Score score_so_far(const Fabric& fabric, const FabricImage& image, const Payload& payload) {
  return Scorer(fabric, image, payload, Collective::Gossip, 0, {}, {}).run_so_far();
}

}  // namespace gossamer::tb
