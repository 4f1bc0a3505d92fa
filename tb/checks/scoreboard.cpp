#include "checks/scoreboard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

#include "schedule/lacking.hpp"
#include "support/interrupt.hpp"

namespace gossamer::tb {
namespace {

class Scorer {
 public:
  Scorer(const Fabric& fabric, const FabricImage& image, const Payload& payload,
         Collective collective, Node root, const FaultSet& faults, std::size_t max_problems,
         std::uint64_t pieces_of_failure)
      : fabric_(fabric),
        image_(image),
        payload_(payload),
        collective_(collective),
        root_(root),
        nodes_(image.quotient ? image.quotient->all().nodes() : image.topology.nodes()),
        simulated_(image.topology.nodes()),
        dead_(nodes_, false),
        max_problems_(max_problems),
        pieces_of_failure_(pieces_of_failure),
        lacking_(max_problems) {
    for (const Node x : faults.nodes) dead_[x] = true;
    healthy_ = nodes_ - static_cast<Node>(std::ranges::count(dead_, true));
  }

  Score run() {
    Node unread = 0;
    for (Node i = 0; i < simulated_; ++i) {
      stop_if_interrupted();
      if (!fabric_.holds(i) || like_another(i)) continue;
      if (enough_seen()) {
        ++unread;
        score_.expected += count_wanted(image_.name(i));
      } else {
        look_at(i);
      }
    }
    for (std::size_t g = 0; g < place_of_.size(); ++g) tell(lacking_.groups()[g], place_of_[g]);
    score_.words_checked *= image_.copies();
    score_.delivered *= image_.copies();
    score_.expected *= image_.copies();
    if (unread != 0) {
      score_.problems.push_back(fmt::format(
          "the logs of {} more nodes were not looked at: what they hold counts as not delivered",
          std::uint64_t{unread} * image_.copies()));
    }
    return std::move(score_);
  }

  /// The verdict on a run that was given up.
  Score run_so_far() {
    so_far_ = true;
    got_.assign(nodes_, false);
    for (Node i = 0; i < simulated_; ++i) {
      if (score_.words_checked >= kWordsSoFar) break;
      if (fabric_.holds(i)) read_logs(i);
    }
    score_.words_checked *= image_.copies();
    return std::move(score_);
  }

 private:
  struct Counts {
    std::uint64_t words = 0, delivered = 0, expected = 0;
  };

  /// Words that are looked at in a run that was given up; about a second.
  static constexpr std::uint64_t kWordsSoFar = 20'000'000;
  /// Words of a log that are read at once.
  static constexpr std::size_t kPart = std::size_t{1} << 20;
  /// Pairs that are listed: all of an adaptive fabric, the first ones of a larger one.
  static constexpr std::size_t kMissingListed = std::size_t{1} << 20;
  /// Missing messages of a node by which it is compared with others.
  static constexpr std::uint64_t kMissingNamed = 1000;

  bool enough_seen() const {
    return !score_.problems.empty() && score_.words_checked + score_.expected >= pieces_of_failure_;
  }

  Counts look_at(Node i) {
    const Counts before{score_.words_checked, score_.delivered, score_.expected};
    got_.assign(nodes_, false);
    read_logs(i);
    count(image_.name(i));
    return {score_.words_checked - before.words, score_.delivered - before.delivered,
            score_.expected - before.expected};
  }

  void read_logs(Node i) {
    for (unsigned g = 0; g < image_.kind.logs(); ++g) {
      image_.kind.adaptive ? read_adaptive(i, g) : read_log(i, g);
    }
  }

  /// Nodes of one class whose logs are exactly what the image expects hold translations of the same
  /// words, each compared when it arrived. So the words of one of them are counted one by one, and
  /// the result holds for all.
  bool like_another(Node i) {
    if (!image_.expected || !fabric_.as_expected(i)) return false;
    const auto [it, first] = counts_of_class_.try_emplace(image_.program_of[i]);
    if (first) {
      it->second = look_at(i);
    } else {
      score_.words_checked += it->second.words;
      score_.delivered += it->second.delivered;
      score_.expected += it->second.expected;
    }
    return true;
  }

  void problem(const std::string& text) {
    if (score_.problems.size() < max_problems_) score_.problems.push_back(text + others(1));
  }
  /// How many nodes these represent.
  std::string others(std::uint64_t nodes) const {
    if (image_.copies() == 1) return "";
    return fmt::format(", as in {} more nodes", nodes * (image_.copies() - 1));
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

  /// A log is read in parts. Each begins with a message, and holds a whole one if there is one.
  void read_log(Node i, unsigned g) {
    const std::size_t most = std::max<std::size_t>({kPart, payload_.flits(), image_.own_size(i)});
    const Node x = image_.name(i);
    part_begin_ = 0;
    std::vector<std::uint32_t> words = fabric_.part_of_log(i, g, 0, most);
    bool is_last = words.size() < most;
    std::size_t at = image_.kind.single_port ? check_own(i, words) : 0;
    while (true) {
      if (!is_last && words.size() - at < payload_.flits()) {
        if (!so_far_) stop_if_interrupted();
        part_begin_ += at;
        words = fabric_.part_of_log(i, g, part_begin_, most);
        is_last = words.size() < most;
        at = 0;
      }
      if (at == words.size()) break;
      at = read_message(x, g, words, at);
    }
    score_.words_checked += part_begin_ + words.size();
  }

  /// A log of an adaptive node: a place for every message, filled or not.
  void read_adaptive(Node x, unsigned g) {
    const std::vector<std::uint32_t> words = fabric_.log(x, g);
    const std::vector<bool> arrived = fabric_.arrived(x, g);
    part_begin_ = 0;
    if (image_.kind.single_port) check_own(x, words);
    for (Node m = 0; m < nodes_; ++m) {
      const std::size_t at = std::size_t{m} << image_.message_shift;
      std::size_t end = at;
      while (end < at + payload_.flits() && arrived[end]) ++end;
      if (end == at) continue;
      read_message(x, g, std::span(words).first(end), at);
      score_.words_checked += end - at;
      const auto id = payload_.identify(words[at]);
      if (id && id->message.origin != (x ^ m)) {
        problem(fmt::format("node {}, log {}, word {}: node {}'s message where node {}'s belongs",
                            x, g, at, id->message.origin, x ^ m));
      }
    }
  }

  /// A single-port node's log begins with its own words.
  std::size_t check_own(Node i, const std::vector<std::uint32_t>& words) {
    const std::size_t own = image_.own_size(i);
    for (std::size_t k = 0; k < own; ++k) {
      if (k >= words.size() || words[k] != image_.own_words[image_.own_begin[i] + k]) {
        problem(fmt::format("node {}: its own word {} was overwritten", image_.name(i), k));
        break;
      }
    }
    return std::min(own, words.size());
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
    for (unsigned i = 0; i < payload_.flits(); ++i) {
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
    arrived(x, first->message);
    return at + payload_.flits();
  }

  void arrived(Node x, const Message& m) {
    if (m.destination == kNoNode || m.destination == x) got_[m.origin] = true;
  }

  bool wanted(Node x, Node origin) const {
    if (dead_[x] || dead_[origin]) return false;
    switch (collective_) {
      case Collective::Gossip:
      case Collective::TotalExchange: return origin != x;
      case Collective::Broadcast:
      case Collective::Scatter: return origin == root_ && x != root_;
      case Collective::Gather: return x == root_ && origin != root_;
    }
    return false;
  }

  /// Origins whose messages node `x` must have in the end.
  std::uint64_t count_wanted(Node x) const {
    if (dead_[x]) return 0;
    switch (collective_) {
      case Collective::Gossip:
      case Collective::TotalExchange: return healthy_ - 1;
      case Collective::Broadcast:
      case Collective::Scatter: return wanted(x, root_) ? 1 : 0;
      case Collective::Gather: return x == root_ ? healthy_ - 1 : 0;
    }
    return 0;
  }

  void count(Node x) {
    std::uint64_t missing = 0;
    std::vector<Node> first_missing;
    for (Node origin = 0; origin < nodes_; ++origin) {
      if (!wanted(x, origin)) continue;
      ++score_.expected;
      if (got_[origin]) {
        ++score_.delivered;
        continue;
      }
      if (missing++ < kMissingNamed) first_missing.push_back(origin);
      if (score_.missing.size() < kMissingListed) score_.missing.push_back({x, origin});
    }
    if (missing == 0) return;
    lacking_.add(x, std::move(first_missing), missing);
    // The line of the first node also names all others that lack the same.
    if (lacking_.groups().size() > place_of_.size() && score_.problems.size() < max_problems_) {
      place_of_.push_back(score_.problems.size());
      score_.problems.emplace_back();
    }
  }

  void tell(const Lacking::Group& group, std::size_t place) {
    const auto& [nodes, origins, count] = group;
    const std::string from =
        count == 1 ? fmt::format("message of node {}", origins[0])
                   : fmt::format("messages of nodes {} ({})", runs_text(origins, count), count);
    score_.problems[place] =
        fmt::format("{} never got the {}", nodes_text(nodes), from) + others(nodes.size());
  }

  const Fabric& fabric_;
  const FabricImage& image_;
  const Payload& payload_;
  Collective collective_;
  Node root_;
  Node nodes_, simulated_, healthy_ = 0;
  std::vector<bool> dead_;  ///< by node
  std::size_t max_problems_;
  std::uint64_t pieces_of_failure_;
  std::map<std::uint32_t, Counts> counts_of_class_;
  std::vector<bool> got_;         ///< per origin: its message for this node has arrived
  std::uint64_t part_begin_ = 0;  ///< words before those that are looked at now
  bool so_far_ = false;           ///< the last message of a log may be incomplete
  Lacking lacking_;
  std::vector<std::size_t> place_of_;  ///< by group: its problem
  Score score_;
};

}  // namespace

Score score(const Fabric& fabric, const FabricImage& image, const Payload& payload,
            Collective collective, Node root, const FaultSet& faults, std::size_t max_problems,
            std::uint64_t pieces_of_failure) {
  return Scorer(fabric, image, payload, collective, root, faults, max_problems, pieces_of_failure)
      .run();
}

Score score_so_far(const Fabric& fabric, const FabricImage& image, const Payload& payload) {
  constexpr std::size_t kProblems = 5;
  return Scorer(fabric, image, payload, Collective::Gossip, 0, {}, kProblems, kPiecesOfFailure)
      .run_so_far();
}

}  // namespace gossamer::tb
