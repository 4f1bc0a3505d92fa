// The log reader and the scoreboard beside a plain reading of the same logs, word by word and node
// by node: thousands of logs with random damage, and the verdict that is expected of each, letter
// by letter.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "catch.hpp"
#include "checks/scoreboard.hpp"
#include "fake_fabric.hpp"
#include "schedule/members.hpp"
#include "support/job.hpp"
#include "tables/compiler.hpp"
#include "topology/node_sets.hpp"

using namespace gossamer;

namespace {

using Log = std::vector<std::uint32_t>;
using Texts = std::vector<std::string>;

/// Logs after a run, without the run.
class LogsAlone final : public FakeFabric {
 public:
  explicit LogsAlone(const FabricImage& image)
      : logs_(image.kind.logs()), words(std::size_t{image.topology.nodes()} * logs_) {}
  Log& at(Node x, unsigned g) { return words[x * logs_ + g]; }

  Log log(Node x, unsigned g) const override {
    if (absent.contains(x)) throw std::logic_error("a node that is not here was asked");
    return words[x * logs_ + g];
  }
  std::vector<bool> arrived(Node x, unsigned g) const override { return filled.at(x * logs_ + g); }
  bool holds(Node x) const override { return !absent.contains(x); }
  bool as_expected(Node x) const override {
    if (absent.contains(x)) throw std::logic_error("a node that is not here was asked");
    return expected.contains(x);
  }

 private:
  unsigned logs_;

 public:
  std::vector<Log> words;
  std::vector<std::vector<bool>> filled;
  std::set<Node> absent, expected;
};

/// What the logs of a node say.
struct Told {
  std::uint64_t words = 0;
  Texts problems;
  std::set<Node> arrived;
};

/// Reads one word after the other.
class PlainReader {
 public:
  PlainReader(const FabricImage& image, const Payload& payload, bool so_far)
      : image_(image), payload_(payload), so_far_(so_far) {}

  Told read(const LogsAlone& fabric, Node i) {
    told_ = {};
    x_ = image_.node_of(i);
    for (g_ = 0; g_ < image_.kind.logs(); ++g_) {
      const Log words = fabric.log(i, g_);
      std::size_t at = 0;
      if (image_.kind.single_port) at = own(i, words);
      if (image_.kind.adaptive) {
        places(words, fabric.arrived(i, g_));
        continue;
      }
      told_.words += words.size();
      while (at < words.size()) at = message(words, at);
    }
    return told_;
  }

 private:
  void say(const std::string& text) {
    told_.problems.push_back(
        text +
        (image_.copies() == 1 ? "" : fmt::format(", as in {} more nodes", image_.copies() - 1)));
  }

  std::size_t own(Node i, const Log& words) {
    const std::size_t size = image_.own_size(i);
    std::size_t first = 0;
    while (first < size && first < words.size() &&
           words[first] == image_.own_words[image_.own_begin[i] + first]) {
      ++first;
    }
    if (first < size) say(fmt::format("node {}: its own word {} was overwritten", x_, first));
    return std::min(size, words.size());
  }

  std::size_t message(const Log& words, std::size_t at) {
    const auto first = payload_.identify(words[at]);
    if (!first) {
      std::size_t last = at;
      while (last + 1 < words.size() && !payload_.identify(words[last + 1])) ++last;
      say(last == at
              ? fmt::format("node {}, log {}, word {}: {:#010x} is no word that anybody sent", x_,
                            g_, at, words[at])
              : fmt::format(
                    "node {}, log {}, words {}-{} ({}): no words that anybody sent, first {:#010x}",
                    x_, g_, at, last, last - at + 1, words[at]));
      return last + 1;
    }
    const auto& [m, index] = *first;
    if (index != 0) {
      say(
          fmt::format("node {}, log {}, word {}: {:#010x} is flit {} of the message of node {}, "
                      "not the first one",
                      x_, g_, at, words[at], index, m.origin));
      return at + 1;
    }
    for (unsigned flit = 1; flit < payload_.flits(); ++flit) {
      if (at + flit == words.size() && so_far_) return words.size();
      if (at + flit < words.size() && words[at + flit] == payload_.word({m, flit})) continue;
      say(fmt::format("node {}, log {}, word {}: the message of node {} breaks off at flit {}", x_,
                      g_, at + flit, m.origin, flit));
      return at + flit;
    }
    if (m.destination == kNoNode || m.destination == x_) told_.arrived.insert(m.origin);
    return at + payload_.flits();
  }

  void places(const Log& words, const std::vector<bool>& filled) {
    for (Node m = 0; m < image_.topology.nodes(); ++m) {
      const std::size_t begin = std::size_t{m} << image_.message_shift;
      Log there;
      while (there.size() < payload_.flits() && filled[begin + there.size()]) {
        there.push_back(words[begin + there.size()]);
      }
      if (there.empty()) continue;
      told_.words += there.size();
      // The first message alone, at its place in the log.
      Log moved(begin, 0);
      moved.insert(moved.end(), there.begin(), there.end());
      message(moved, begin);
      const auto id = payload_.identify(there[0]);
      if (id && id->message.origin != (x_ ^ m)) {
        say(fmt::format("node {}, log {}, word {}: node {}'s message where node {}'s belongs", x_,
                        g_, begin, id->message.origin, x_ ^ m));
      }
    }
  }

  const FabricImage& image_;
  const Payload& payload_;
  bool so_far_;
  Told told_;
  Node x_ = 0;
  unsigned g_ = 0;
};

/// Everything about a run that a score depends on.
struct Ended {
  Collective collective;
  Schedule schedule;
  Payload payload;
  FabricImage image;
  std::unique_ptr<LogsAlone> fabric;
  Node root = 0;
  FaultSet faults;

  Ended(const Schedule& s, unsigned flits, bool single_port, bool quotient, bool adaptive)
      : collective(s.collective()),
        schedule(s),
        payload(schedule, flits, 5),
        image{schedule.topology()},
        root(s.root) {
    if (quotient) {
      image.quotient =
          std::make_shared<const Quotient>(schedule.topology(), schedule.symmetry(), payload);
      image.topology = image.quotient->topology();
    }
    image.kind.ports = image.topology.ports();
    image.kind.single_port = single_port;
    image.kind.adaptive = adaptive;
    image.own_begin = {0};
    fabric = std::make_unique<LogsAlone>(image);
    for (Node i = 0; i < image.topology.nodes(); ++i) {
      for (const Message& m : own_messages(schedule, image.node_of(i))) add(image.own_words, m);
      image.own_begin.push_back(image.own_words.size());
      image.program_of.push_back(i % 3);
    }
  }
  void add(Log& log, const Message& m) const {
    for (unsigned flit = 0; flit < payload.flits(); ++flit) log.push_back(payload.word({m, flit}));
  }
  Node nodes() const { return schedule.topology().nodes(); }
  bool dead(Node x) const { return std::ranges::find(faults.nodes, x) != faults.nodes.end(); }
  bool wants(Node x, Node origin) const {
    if (x == origin || dead(x) || dead(origin)) return false;
    if (collective == Collective::Gather) return x == root;
    return has_root(collective) ? origin == root : true;
  }
  Message message(Node x, Node origin) const {
    return {origin, same_to_all(collective) ? kNoNode : x};
  }
  /// All that is wanted, in random logs.
  void fill(std::mt19937& random) {
    for (Node i = 0; i < image.topology.nodes(); ++i) {
      const Node x = image.node_of(i);
      if (image.kind.single_port) {
        fabric->at(i, 0).assign(image.own_words.begin() + image.own_begin[i],
                                image.own_words.begin() + image.own_begin[i + 1]);
      }
      std::vector<Node> origins;
      for (Node y = 0; y < nodes(); ++y) {
        if (wants(x, y) && !(collective == Collective::Gather && x != root)) origins.push_back(y);
      }
      std::ranges::shuffle(origins, random);
      for (const Node y : origins) {
        add(fabric->at(i, random() % image.kind.logs()), message(x, y));
      }
    }
  }
  /// One thing in one log that is wrong.
  void damage(std::mt19937& random) {
    Log& log = fabric->words[random() % fabric->words.size()];
    const std::size_t at = log.empty() ? 0 : random() % log.size();
    const auto here = log.begin() + static_cast<std::ptrdiff_t>(at);
    const Node any = random() % nodes();
    Log other;
    add(other, message(random() % nodes(), any));
    switch (random() % 10) {
      case 0:
        if (!log.empty()) *here ^= 1u << random() % 32;
        break;
      case 1:
        if (!log.empty()) log.erase(here);
        break;
      case 2: log.insert(here, random()); break;
      case 3: log.insert(here, 1 + random() % 4, 0xdead); break;
      case 4: log.insert(log.end(), other.begin(), other.end()); break;
      case 5: log.insert(here, other.begin(), other.end()); break;
      case 6: log.resize(at); break;
      case 7:
        if (!log.empty()) std::swap(*here, log[random() % log.size()]);
        break;
      case 8: {  // a message of a node that does not exist
        Log nobody;
        add(nobody,
            {static_cast<Node>(nodes() + random() % 2), same_to_all(collective) ? kNoNode : any});
        log.insert(log.end(), nobody.begin(), nobody.end());
        break;
      }
      default: log.insert(here, other.front());
    }
  }
};

struct PlainScore {
  std::uint64_t words = 0, delivered = 0, expected = 0;
  std::vector<std::pair<Node, Node>> missing;
  Texts problems;
};

void tell_more(Texts& problems, std::uint64_t count) {
  if (count == 1) problems.push_back("and 1 more problem in message stores");
  if (count > 1) problems.push_back(fmt::format("and {} more problems in message stores", count));
}

PlainScore plain_score(const Ended& run, std::size_t most, std::uint64_t pieces) {
  struct Lack {
    std::size_t place;
    std::vector<Node> nodes, origins;
  };
  PlainScore score;
  std::vector<Lack> lacks;
  std::map<std::uint32_t, std::array<std::uint64_t, 3>> of_class;
  std::uint64_t unread = 0, untold = 0;
  bool enough = false;
  PlainReader reader(run.image, run.payload, false);
  for (Node i = 0; i < run.image.topology.nodes(); ++i) {
    if (!run.fabric->holds(i)) continue;
    const Node x = run.image.node_of(i);
    const bool as_expected = run.image.expected && run.fabric->as_expected(i);
    std::uint64_t wanted = 0;
    for (Node y = 0; y < run.nodes(); ++y) wanted += run.wants(x, y) ? 1 : 0;
    const auto like = of_class.find(run.image.program_of[i]);
    if (as_expected && like != of_class.end()) {
      score.words += like->second[0];
      score.delivered += like->second[1];
      score.expected += like->second[2];
      continue;
    }
    if (enough && !as_expected) {
      ++unread;
      score.expected += wanted;
      continue;
    }
    const Told told = reader.read(*run.fabric, i);
    std::vector<Node> lack;
    for (Node y = 0; y < run.nodes(); ++y) {
      if (run.wants(x, y) && !told.arrived.contains(y)) lack.push_back(y);
    }
    score.words += told.words;
    score.expected += wanted;
    score.delivered += wanted - lack.size();
    if (as_expected) {
      of_class[run.image.program_of[i]] = {told.words, wanted - lack.size(), wanted};
    }
    for (const std::string& text : told.problems) {
      if (score.problems.size() < most) {
        score.problems.push_back(text);
      } else {
        ++untold;
      }
    }
    for (const Node y : lack) score.missing.emplace_back(x, y);
    if (!lack.empty()) {
      const auto same = std::ranges::find(lacks, lack, &Lack::origins);
      if (same != lacks.end()) {
        same->nodes.push_back(x);
      } else if (score.problems.size() < most) {
        lacks.push_back({score.problems.size(), {x}, lack});
        score.problems.emplace_back();
      } else {
        ++untold;
      }
    }
    enough = !score.problems.empty() && score.words + score.expected >= pieces;
  }
  const std::uint64_t copies = run.image.copies();
  for (const auto& [place, nodes, origins] : lacks) {
    score.problems[place] = fmt::format(
        "{} never got the {}{}", nodes_text(nodes),
        origins.size() == 1 ? fmt::format("message of node {}", origins[0])
                            : fmt::format("messages of nodes {} ({})",
                                          runs_text(origins, origins.size()), origins.size()),
        copies == 1 ? "" : fmt::format(", as in {} more nodes", nodes.size() * (copies - 1)));
  }
  tell_more(score.problems, untold);
  if (unread != 0) {
    score.problems.push_back(fmt::format(
        "the logs of {} more nodes were not looked at: what they hold counts as not delivered",
        unread * copies));
  }
  score.words *= copies;
  score.delivered *= copies;
  score.expected *= copies;
  return score;
}

std::string text_of(const Texts& lines) { return fmt::format("{}", fmt::join(lines, "\n")); }

void compare(const Ended& run, std::size_t most, std::uint64_t pieces, unsigned threads) {
  const PlainScore plain = plain_score(run, most, pieces);
  const tb::Score score = tb::score(*run.fabric, run.image, run.payload, run.collective, run.root,
                                    run.faults, {threads, most, pieces});
  CHECK(text_of(score.problems) == text_of(plain.problems));
  CHECK(score.words_checked == plain.words);
  CHECK(score.delivered == plain.delivered);
  CHECK(score.expected == plain.expected);
  std::vector<std::pair<Node, Node>> missing;
  for (const MissingPair& pair : score.missing) missing.emplace_back(pair.node, pair.origin);
  CHECK(missing == plain.missing);
}

/// Logs that are longer than what is read at once, where it is known what they should hold.
std::shared_ptr<const ExpectedLogs> in_small_parts(const Ended& run) {
  return std::make_shared<const ExpectedLogs>(
      ExpectedLogs{run.payload, *DigitPacking::of(Topology::parse("ring:4")), 2, {}, {}, {}});
}

}  // namespace

TEST_CASE("plain score: logs with random damage, of every collective, beside a plain reading") {
  std::mt19937 random(1);
  const Collective all[] = {Collective::Gossip, Collective::Broadcast, Collective::Scatter,
                            Collective::Gather, Collective::TotalExchange};
  for (unsigned trial = 0; trial < 600; ++trial) {
    const bool large = trial % 40 == 0, quotient = trial % 5 == 1;
    const Topology t = Topology::parse(large ? "path:70" : quotient ? "torus:3x3" : "ring:5");
    const Collective c = quotient
                             ? (trial % 2 == 0 ? Collective::Gossip : Collective::TotalExchange)
                             : all[random() % 5];
    std::vector<Node> generators;
    if (quotient) generators = {trial % 3 == 0 ? 1u : 3u};
    Schedule s(t, c, Model{}, Symmetry(t, generators));
    s.root = has_root(c) ? random() % t.nodes() : 0;
    Ended run(s, large ? 2 : 1 + trial % 4, trial % 3 == 0, quotient, false);
    if (trial % 4 == 0 && !quotient) {
      for (unsigned k = random() % 3; k > 0; --k) {
        const Node x = random() % t.nodes();
        if (x != s.root && !run.dead(x)) run.faults.nodes.push_back(x);
      }
    }
    run.fill(random);
    for (unsigned k = random() % 4; k > 0; --k) run.damage(random);
    if (trial % 6 == 0) run.image.expected = in_small_parts(run);
    for (Node i = 0; i < run.image.topology.nodes(); ++i) {
      if (trial % 7 == 0 && random() % 4 == 0) {
        run.fabric->absent.insert(i);
      } else if (random() % 2 == 0) {
        run.fabric->expected.insert(i);
      }
    }
    const std::uint64_t pieces[] = {1, 20, 40, 1000, 1'000'000'000};
    CAPTURE(trial, to_string(c));
    compare(run, 1 + random() % 5, pieces[random() % 5], trial % 3);
    PlainReader plain(run.image, run.payload, true);
    PlainScore so_far;
    std::uint64_t untold = 0;
    for (Node i = 0; i < run.image.topology.nodes(); ++i) {
      if (!run.fabric->holds(i)) continue;
      const Told told = plain.read(*run.fabric, i);
      so_far.words += told.words;
      for (const std::string& p : told.problems) {
        if (so_far.problems.size() < 5) {
          so_far.problems.push_back(p);
        } else {
          ++untold;
        }
      }
    }
    tell_more(so_far.problems, untold);
    const tb::Score score = tb::score_so_far(*run.fabric, run.image, run.payload);
    CHECK(text_of(score.problems) == text_of(so_far.problems));
    CHECK(score.words_checked == so_far.words * run.image.copies());
    CHECK(score.delivered + score.expected + score.missing.size() == 0);
  }
}

TEST_CASE("plain score: adaptive nodes, whose messages have places") {
  std::mt19937 random(2);
  const Topology t = Topology::parse("hypercube:3");
  for (unsigned trial = 0; trial < 200; ++trial) {
    const unsigned flits = 1 + trial % 4;
    const Collective c = trial % 3 == 0 ? Collective::Broadcast : Collective::Gossip;
    Ended run(Schedule(t, c, Model{}), flits, trial % 2 == 0, false, true);
    run.image.message_shift = 2;
    const std::size_t size = 8 << 2;
    for (Node x = 0; x < 8; ++x) {
      for (unsigned g = 0; g < run.image.kind.logs(); ++g) {
        Log& log = run.fabric->at(x, g);
        std::vector<bool> filled(size, false);
        log.assign(size, 0xdead);
        for (Node m = 0; m < 8; ++m) {
          if (run.image.kind.single_port ? m != 0 : (m == 0 || random() % 3 == 0)) continue;
          // Now and then another message, or a part of one.
          const Node origin = random() % 30 == 0 ? random() % 8 : x ^ m;
          Log words;
          run.add(words, {origin, kNoNode});
          const std::size_t count = random() % 20 == 0 ? random() % flits : flits;
          for (std::size_t k = 0; k < count; ++k) {
            log[(m << 2) + k] = words[k];
            filled[(m << 2) + k] = true;
          }
        }
        for (unsigned k = random() % 3; k > 0; --k) log[random() % size] ^= 4;
        run.fabric->filled.push_back(filled);
      }
    }
    CAPTURE(trial);
    compare(run, 1 + random() % 5, 1'000'000'000, 1);
  }
}

TEST_CASE("plain score: logs of many parts, each read with its damage where it is") {
  std::mt19937 random(3);
  for (const unsigned flits : {1u, 3u, 4096u, 8192u, 9000u}) {
    for (unsigned trial = 0; trial < 6; ++trial) {
      const Topology t = Topology::parse("ring:5");
      // In a broadcast node 1 has no words of its own.
      const Collective c = trial % 3 == 1 ? Collective::Broadcast : Collective::TotalExchange;
      Ended run(Schedule(t, c, Model{}), flits, trial % 2 == 1, false, false);
      run.image.expected = in_small_parts(run);
      run.fill(random);
      Log& log = run.fabric->at(1, 0);
      while (log.size() < 4 * std::size_t{8192})
        run.add(log, run.message(
                         0, c == Collective::Broadcast ? 0 : static_cast<Node>(1 + random() % 4)));
      if (trial == 2) log.pop_back();
      if (trial == 3) log.push_back(log[1]);
      const std::size_t near = 8192 * (1 + trial % 3) - 4 + random() % 8;
      if (trial != 0) log[near] ^= 0x100;
      if (trial == 5) run.fabric->at(3, 0)[4 * flits - 1] ^= 1;  // its last own word
      CAPTURE(flits, trial, near);
      compare(run, 5, 1'000'000'000, 1);
    }
  }
}

TEST_CASE("plain score: a long log is a place to stop, but not of a run that was given up") {
  const Topology t = Topology::parse("ring:5");
  Ended run(Schedule(t, Collective::Gossip, Model{}), 1, false, false, false);
  run.image.expected = in_small_parts(run);
  Log& log = run.fabric->at(1, 0);
  while (log.size() < 3 * std::size_t{8192}) run.add(log, {3, kNoNode});
  log[7] ^= 1;
  const auto scored = [&] {
    return tb::score(*run.fabric, run.image, run.payload, Collective::Gossip, 0);
  };
  constexpr int kLooks = 100;
  interrupt_at_look(kLooks);
  const tb::Score found = scored();
  CHECK(kLooks - looks_left() > 5);  // at each node, and in the log
  CHECK(found.words_checked == log.size());
  // What a node's reading left behind is not the next one's.
  CHECK(std::ranges::count(found.missing, MissingPair{1, 3}) == 0);
  CHECK(std::ranges::count(found.missing, MissingPair{2, 3}) == 1);
  note_interrupt(2);
  CHECK_THROWS_AS(scored(), Interrupted);
  CHECK(tb::score_so_far(*run.fabric, run.image, run.payload).words_checked == log.size());
  forget_interrupt();
}
