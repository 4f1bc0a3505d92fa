#include "tables/expected_logs.hpp"

#include <algorithm>

namespace gossamer {
namespace {

class Player {
 public:
  Player(const Schedule& schedule, const NodeKind& kind, const Payload& payload,
         const DigitPacking& packing)
      : s_(schedule), kind_(kind), symmetry_(schedule.symmetry()), all_logs_(kind.logs() + 1),
        packing_(packing), expected_{payload, packing, kind.logs(), {}, {}} {}

  ExpectedLogs play() {
    logs_.resize(std::size_t{symmetry_.classes()} * all_logs_);
    held_.resize(symmetry_.classes(), std::vector<bool>(s_.topology().nodes(), false));
    for (Node c = 0; c < symmetry_.classes(); ++c) {
      const Node first = symmetry_.representative(c);
      append(c, kind_.own_log(), packing_.pack(first));
      expected_.back.push_back(packing_.pack(s_.topology().negate(first)));
    }
    auto rest = s_.transfers();
    while (!rest.empty()) {
      std::size_t count = 0;
      while (count < rest.size() && rest[count].round == rest[0].round) ++count;
      play_round(rest.first(count));
      rest = rest.subspan(count);
    }
    for (Node c = 0; c < symmetry_.classes(); ++c) {
      for (unsigned g = 0; g < kind_.logs(); ++g) {
        log(c, g).origins.shrink_to_fit();
        expected_.origins.push_back(std::move(log(c, g).origins));
      }
    }
    return std::move(expected_);
  }

 private:
  struct Log {
    std::vector<std::uint32_t> origins;
    std::vector<bool> first;  ///< by message: the node did not hold it before
  };
  Log& log(Node c, unsigned g) { return logs_[std::size_t{c} * all_logs_ + g]; }

  void append(Node c, unsigned g, std::uint32_t origin) {
    const Node x = packing_.node(origin);
    log(c, g).origins.push_back(origin);
    log(c, g).first.push_back(!held_[c][x]);
    held_[c][x] = true;
  }

  /// What travels in a round is what stood in the logs when it began.
  void play_round(std::span<const Transfer> transfers) {
    std::vector<std::size_t> sizes;
    for (const Log& l : logs_) sizes.push_back(l.origins.size());
    for (const Transfer& t : transfers) deliver(t, sizes);
  }

  /// "Everything" is each message once, from the log in which it came first.
  void deliver(const Transfer& t, const std::vector<std::size_t>& sizes) {
    const auto path = s_.path(t);
    const Topology& topology = s_.topology();
    const Node from = symmetry_.class_of(path.front()), to = symmetry_.class_of(path.back());
    const Node back = topology.negate(symmetry_.shift(path.back()));
    const Port in = topology.port_to(path.back(), path[path.size() - 2]);
    const unsigned target = kind_.single_port ? 0 : in;
    if (t.carry == Carry::Listed) {
      const std::uint32_t by = packing_.pack(back);
      for (const Message& m : s_.messages(t)) {
        append(to, target, packing_.translate(packing_.pack(m.origin), by));
      }
      return;
    }
    const std::uint32_t by = packing_.pack(topology.translate(symmetry_.shift(path.front()), back));
    const auto copy = [&](unsigned g) {
      const std::size_t size = sizes[std::size_t{from} * all_logs_ + g];
      for (std::size_t i = 0; i < size; ++i) {
        if (!log(from, g).first[i]) continue;
        append(to, target, packing_.translate(log(from, g).origins[i], by));
      }
    };
    if (!kind_.single_port) copy(kind_.own_log());
    for (unsigned g = 0; g < kind_.logs(); ++g) copy(g);
  }

  const Schedule& s_;
  const NodeKind& kind_;
  const Symmetry& symmetry_;
  const std::size_t all_logs_;
  const DigitPacking& packing_;
  ExpectedLogs expected_;
  std::vector<Log> logs_;  ///< by class and log, the own log last
  std::vector<std::vector<bool>> held_;  ///< by class and message
};

}  // namespace

std::shared_ptr<const ExpectedLogs> expected_logs(const Schedule& schedule, const NodeKind& kind,
                                                  const Payload& payload) {
  if (schedule.collective() != Collective::Gossip ||
      schedule.model().switching == Switching::Pipelined || schedule.symmetry().order() == 1) {
    return nullptr;
  }
  const auto packing = DigitPacking::of(schedule.topology());
  if (!packing) return nullptr;
  return std::make_shared<const ExpectedLogs>(Player(schedule, kind, payload, *packing).play());
}

}  // namespace gossamer
