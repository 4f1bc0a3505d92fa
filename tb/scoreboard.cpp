#include "scoreboard.hpp"

#include <fmt/format.h>

#include <map>
#include <span>

namespace gossamer::tb {
namespace {

class Scorer {
 public:
  Scorer(const Fabric& fabric, const FabricImage& image, const Payload& payload,
         Collective collective, Node root, const FaultSet& faults, std::size_t max_problems)
      : fabric_(fabric), image_(image), payload_(payload), collective_(collective), root_(root),
        faults_(faults), max_problems_(max_problems), nodes_(image.topology.nodes()) {}

  Score run() {
    for (Node x = 0; x < nodes_; ++x) {
      if (fabric_.holds(x) && !like_another(x)) look_at(x);
    }
    return std::move(score_);
  }

  /// Of a run that was given up.
  Score run_so_far() {
    so_far_ = true;
    got_.assign(nodes_, false);
    for (Node x = 0; x < nodes_; ++x) {
      if (fabric_.holds(x)) read_logs(x);
    }
    return std::move(score_);
  }

 private:
  struct Counts {
    std::uint64_t words = 0, delivered = 0, expected = 0;
  };

  Counts look_at(Node x) {
    const Counts before{score_.words_checked, score_.delivered, score_.expected};
    got_.assign(nodes_, false);
    read_logs(x);
    count(x);
    return {score_.words_checked - before.words, score_.delivered - before.delivered,
            score_.expected - before.expected};
  }

  void read_logs(Node x) {
    for (unsigned g = 0; g < image_.kind.logs(); ++g) {
      image_.kind.adaptive ? read_adaptive(x, g) : read_log(x, g);
    }
  }

  /// Nodes of one class whose logs are just what the image expects have translations of the same
  /// words, each compared when it arrived: what one of them has is counted once, word by word, and
  /// so for all.
  bool like_another(Node x) {
    if (!image_.expected || !fabric_.as_expected(x)) return false;
    const auto [it, first] = counts_of_class_.try_emplace(image_.program_of[x]);
    if (first) {
      it->second = look_at(x);
    } else {
      score_.words_checked += it->second.words;
      score_.delivered += it->second.delivered;
      score_.expected += it->second.expected;
    }
    return true;
  }

  void problem(std::string text) {
    if (score_.problems.size() < max_problems_) score_.problems.push_back(std::move(text));
  }

  void read_log(Node x, unsigned g) {
    const std::vector<std::uint32_t> words = fabric_.log(x, g);
    std::size_t at = image_.kind.single_port ? check_own(x, words) : 0;
    while (at < words.size()) at = read_message(x, g, words, at);
    score_.words_checked += words.size();
  }

  /// A log of an adaptive node: a place for every message, filled or not.
  void read_adaptive(Node x, unsigned g) {
    const std::vector<std::uint32_t> words = fabric_.log(x, g);
    const std::vector<bool> arrived = fabric_.arrived(x, g);
    if (image_.kind.single_port) check_own(x, words);
    for (Node m = 0; m < nodes_; ++m) {
      const std::size_t at = std::size_t{m} << image_.shift;
      std::size_t end = at;
      while (end < at + payload_.flits() && arrived[end]) ++end;
      if (end == at) continue;
      read_message(x, g, std::span(words).first(end), at);
      score_.words_checked += end - at;
      const auto id = payload_.identify(words[at]);
      if (id && id->message.origin != (x ^ m)) {
        problem(fmt::format("node {}, log {}, word {}: node {}'s message where node {}'s belongs", x,
                            g, at, id->message.origin, x ^ m));
      }
    }
  }

  /// A single-port node's log begins with its own words.
  std::size_t check_own(Node x, const std::vector<std::uint32_t>& words) {
    const std::size_t own = image_.own_size(x);
    for (std::size_t i = 0; i < own; ++i) {
      if (i >= words.size() || words[i] != image_.own_words[image_.own_begin[x] + i]) {
        problem(fmt::format("node {}: its own word {} was overwritten", x, i));
        break;
      }
    }
    return std::min(own, words.size());
  }

  /// One whole message from word `at`, so far its beginning may do; returns where the next one
  /// begins.
  std::size_t read_message(Node x, unsigned g, std::span<const std::uint32_t> words,
                           std::size_t at) {
    const auto first = payload_.identify(words[at]);
    if (!first || first->index != 0) {
      problem(fmt::format("node {}, log {}, word {}: {:#010x} is {}", x, g, at, words[at],
                          first ? fmt::format("flit {} of the message of node {}, not the first one",
                                              first->index, first->message.origin)
                                : "no word that anybody sent"));
      return at + 1;
    }
    for (unsigned i = 0; i < payload_.flits(); ++i) {
      FlitId id = *first;
      id.index = i;
      if (so_far_ && at + i == words.size()) return words.size();
      if (at + i >= words.size() || words[at + i] != payload_.word(id)) {
        problem(fmt::format("node {}, log {}, word {}: the message of node {} breaks off at flit {}",
                            x, g, at + i, first->message.origin, i));
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
    if (faults_.dead(x) || faults_.dead(origin)) return false;
    switch (collective_) {
      case Collective::Gossip:
      case Collective::TotalExchange: return origin != x;
      case Collective::Broadcast:
      case Collective::Scatter: return origin == root_ && x != root_;
      case Collective::Gather: return x == root_ && origin != root_;
    }
    return false;
  }

  void count(Node x) {
    std::uint64_t missing = 0;
    Node first_missing = 0;
    for (Node origin = 0; origin < nodes_; ++origin) {
      if (!wanted(x, origin)) continue;
      ++score_.expected;
      if (got_[origin]) {
        ++score_.delivered;
        continue;
      }
      if (missing++ == 0) first_missing = origin;
      score_.missing.push_back({x, origin});
    }
    if (missing != 0) {
      problem(fmt::format("node {} never got the message of node {}{}", x, first_missing,
                          missing > 1 ? fmt::format(" and {} others", missing - 1) : ""));
    }
  }

  const Fabric& fabric_;
  const FabricImage& image_;
  const Payload& payload_;
  Collective collective_;
  Node root_;
  const FaultSet& faults_;
  std::size_t max_problems_;
  Node nodes_;
  std::map<std::uint32_t, Counts> counts_of_class_;
  std::vector<bool> got_;  ///< per origin: its message for this node has arrived
  bool so_far_ = false;    ///< the last message of a log need not be whole yet
  Score score_;
};

}  // namespace

Score score(const Fabric& fabric, const FabricImage& image, const Payload& payload,
            Collective collective, Node root, const FaultSet& faults, std::size_t max_problems) {
  return Scorer(fabric, image, payload, collective, root, faults, max_problems).run();
}

Score score_so_far(const Fabric& fabric, const FabricImage& image, const Payload& payload) {
  constexpr std::size_t kProblems = 5;
  return Scorer(fabric, image, payload, Collective::Gossip, 0, {}, kProblems).run_so_far();
}

}  // namespace gossamer::tb
