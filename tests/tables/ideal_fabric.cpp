#include "ideal_fabric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "expand_program.hpp"

namespace gossamer::test {
namespace {

using Word = std::optional<std::uint32_t>;

class IdealNode {
 public:
  IdealNode(const FabricImage& image, Node x)
      : x_(x),
        kind_(image.kind),
        stages_(image.stages),
        capacity_(image.capacity),
        slots_(expand(image.programs[image.program_of[x]].slots)),
        logs_(kind_.ports + 1) {
    for (const auto& list : image.programs[image.program_of[x]].channels) {
      lists_.push_back(expand(list));
    }
    next_.assign(lists_.size(), 0);
    read_.assign(lists_.size(), Word{});
    out_.assign(kind_.ports, Word{});
    for (std::uint64_t i = image.own_begin[x]; i < image.own_begin[x + 1]; ++i) {
      logs_[kind_.own_log()].push_back(image.own_words[i]);
    }
    std::uint64_t now = 1;  // TIME_START
    for (const SlotEntry& slot : slots_) {
      begins_.push_back(now);
      now += slot.length;
    }
    end_ = now;
    arrived_.assign(slots_.size(), std::vector<std::uint64_t>(kind_.ports, 0));
  }

  /// Executes cycle `c` with these inputs.
  void step(std::uint64_t c, const std::vector<Word>& in) {
    const std::vector<Word> next_out = cross(c, in);
    read(c);  // arrivals of this cycle are written at its end
    receive(c, in);
    out_ = next_out;
  }

  const Word& out(Port p) const { return out_[p]; }
  std::uint64_t end() const { return end_; }
  const std::vector<std::vector<std::uint32_t>>& logs() const { return logs_; }
  std::vector<std::string> take_errors() {
    for (std::size_t s = 0; s < slots_.size(); ++s) {
      for (Port p = 0; p < kind_.ports; ++p) {
        const bool expected = slots_[s].receive >> p & 1;
        if (expected && arrived_[s][p] == 0) error(0, "nothing came where the table expects it");
      }
    }
    for (std::size_t c = 0; c < lists_.size(); ++c) {
      if (next_[c] != lists_[c].size()) error(0, "a list was not read to its end");
    }
    return errors_;
  }

 private:
  /// The slot that runs in a cycle.
  std::optional<std::size_t> slot_at(std::uint64_t c) const {
    for (std::size_t s = 0; s < slots_.size(); ++s) {
      if (begins_[s] <= c && c < begins_[s] + slots_[s].length) return s;
    }
    return {};
  }
  void error(std::uint64_t c, const std::string& what) {
    errors_.push_back(fmt::format("node {}, cycle {}: {}", x_, c, what));
  }
  unsigned channel_of(Port p) const { return lists_.size() == 1 ? 0 : p; }

  /// The select acts a cycle after the read; the register behind it shows the word a cycle later.
  std::vector<Word> cross(std::uint64_t c, const std::vector<Word>& in) const {
    std::vector<Word> out(kind_.ports);
    const auto slot = c == 0 ? std::nullopt : slot_at(c - 1);
    if (!slot) return out;
    for (Port p = 0; p < kind_.ports; ++p) {
      const Port select = slots_[*slot].select[p];
      if (select == p) out[p] = read_[channel_of(p)];
      if (select != p && select < kind_.ports) out[p] = in[select];
    }
    return out;
  }

  /// The receive mask acts two cycles after the read, and later by the stages of the link.
  void receive(std::uint64_t c, const std::vector<Word>& in) {
    const auto crossing = c < 1 ? std::nullopt : slot_at(c - 1);
    unsigned stored = 0;
    for (Port p = 0; p < kind_.ports; ++p) {
      if (!in[p]) continue;
      const std::uint64_t later = 2 + (stages_.empty() ? 0 : stages_[p]);
      const auto window = c < later ? std::nullopt : slot_at(c - later);
      bool taken = false;
      if (window && slots_[*window].receive >> p & 1) {
        auto& log = logs_[kind_.single_port ? 0 : p];
        if (log.size() == capacity_) error(c, "the log is full");
        log.push_back(*in[p]);
        ++arrived_[*window][p];
        ++stored;
        taken = true;
      }
      for (Port o = 0; crossing && o < kind_.ports; ++o) {
        taken = taken || (o != p && slots_[*crossing].select[o] == p);
      }
      if (!taken) error(c, fmt::format("nothing takes the word at port {}", p));
    }
    if (kind_.single_port && stored > 1) error(c, "two words for the only log");
  }

  void read(std::uint64_t c) {
    const auto slot = slot_at(c);
    std::vector<Word> words(lists_.size());
    if (slot) {
      const SlotEntry& entry = slots_[*slot];
      const std::uint64_t at = c - begins_[*slot];
      if (at == 0) stopped_.assign(lists_.size(), false);
      for (unsigned channel = 0; channel < lists_.size(); ++channel) {
        bool sends = false;
        for (Port p = 0; p < kind_.ports; ++p) {
          sends = sends || (entry.select[p] == p && channel_of(p) == channel);
        }
        if (!sends || at >= entry.stream || stopped_[channel]) continue;
        words[channel] = read_word(c, channel);
        const bool more = at + 1 < entry.stream && !stopped_[channel];
        if (more && at + 1 == entry.length) error(c, "the slot ends before its stream");
      }
    }
    read_ = words;
  }

  Word read_word(std::uint64_t c, unsigned channel) {
    if (next_[channel] == lists_[channel].size()) {
      error(c, "the list has ended");
      return {};
    }
    const ListedWord& listed = lists_[channel][next_[channel]++];
    stopped_[channel] = listed.stops;
    const auto& log = logs_[listed.log];
    if (listed.addr >= log.size()) {
      error(c, "a word is read that is not yet written");
      return {};
    }
    return log[listed.addr];
  }

  Node x_;
  NodeKind kind_;
  std::vector<std::uint32_t> stages_;
  std::uint64_t capacity_;
  std::vector<SlotEntry> slots_;
  std::vector<std::uint64_t> begins_;
  std::uint64_t end_ = 0;
  std::vector<std::vector<ListedWord>> lists_;
  std::vector<std::size_t> next_;  ///< by channel: the next word of its list
  std::vector<bool> stopped_;      ///< by channel: its stream ended before the slot
  std::vector<Word> read_, out_;
  std::vector<std::vector<std::uint32_t>> logs_;
  std::vector<std::vector<std::uint64_t>> arrived_;  ///< by slot and port
  std::vector<std::string> errors_;
};

}  // namespace

IdealRun run_ideally(const FabricImage& image) {
  IdealRun run;
  const Topology& topology = image.topology;
  const Port ports = image.kind.ports;
  std::vector<IdealNode> nodes;
  std::uint64_t end = 0;
  for (Node x = 0; x < topology.nodes(); ++x) {
    nodes.emplace_back(image, x);
    end = std::max(end, nodes.back().end());
  }
  const auto stages = [&](Port p) { return image.stages.empty() ? 0 : image.stages[p]; };
  constexpr std::uint64_t kMostStages = 64;
  // What comes in, by cycle, node and port, and when each output was last driven.
  std::map<std::uint64_t, std::vector<std::vector<Word>>> coming;
  std::vector<std::vector<std::uint64_t>> drove(topology.nodes(),
                                                std::vector<std::uint64_t>(ports));
  for (std::uint64_t c = 0; c < end + 4 + kMostStages; ++c) {
    const std::vector<std::vector<Word>> none(topology.nodes(), std::vector<Word>(ports));
    for (Node x = 0; x < topology.nodes(); ++x) {
      for (Port p = 0; p < ports; ++p) {
        if (!nodes[x].out(p)) continue;
        drove[x][p] = c;
        run.last_arrival = std::max<std::uint64_t>(run.last_arrival, c + stages(p));
        ++run.flits_moved;
        const Endpoint to = p < topology.ports() ? topology.peer(x, p) : Endpoint{};
        if (!to.connected()) {
          run.errors.push_back(fmt::format("node {} sends at port {}, which has no link", x, p));
          continue;
        }
        coming.try_emplace(c + stages(p), none).first->second[to.node][to.port] = nodes[x].out(p);
        const std::uint64_t other = drove[to.node][to.port];
        if (image.kind.half_duplex && other != 0 && other + stages(p) + 1 >= c) {
          run.errors.push_back(fmt::format("cycle {}: both ends drive link {}-{}", c, x, to.node));
        }
      }
    }
    const auto in = coming.try_emplace(c, none).first;
    for (Node x = 0; x < topology.nodes(); ++x) nodes[x].step(c, in->second[x]);
    coming.erase(in);
  }
  for (IdealNode& node : nodes) {
    run.logs.push_back(node.logs());
    for (std::string& e : node.take_errors()) run.errors.push_back(std::move(e));
  }
  return run;
}

}  // namespace gossamer::test
