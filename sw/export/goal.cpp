#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "export/export.hpp"

namespace gossamer {
namespace {

constexpr std::uint64_t kBytesPerFlit = 4;

/// One line of a rank: its end of a delivery.
struct Op {
  std::uint32_t round = 0;
  bool sends = false;
  std::uint32_t delivery = 0;
  auto operator<=>(const Op&) const = default;
};

class Writer {
 public:
  Writer(const Schedule& schedule, std::uint32_t flits)
      : schedule_(schedule),
        flits_(schedule.chunk_flits(flits)),
        all_(deliveries(schedule)),
        ops_(schedule.topology().nodes()),
        tags_(all_.size()),
        recv_label_(all_.size()) {
    std::map<std::pair<Node, Node>, std::uint32_t> pairs;
    for (std::uint32_t i = 0; i < all_.size(); ++i) {
      const Delivery& d = all_[i];
      tags_[i] = pairs[{d.from, d.to}]++;
      ops_[d.from].push_back({d.round, true, i});
      ops_[d.to].push_back({d.arrival, false, i});
    }
  }

  std::string text() {
    write("// {} on {}: {} rounds, {}{} bytes a message\n", to_string(schedule_.collective()),
          schedule_.topology().spec(), schedule_.rounds(), schedule_.sizes.equal() ? "" : "up to ",
          kBytesPerFlit * flits_.longest().flits);
    write("num_ranks {}\n", ops_.size());
    for (Node x = 0; x < ops_.size(); ++x) rank(x);
    return std::move(text_);
  }

 private:
  template <typename... Args>
  void write(fmt::format_string<Args...> format, Args&&... args) {
    text_ += fmt::format(format, std::forward<Args>(args)...);
  }

  void rank(Node x) {
    write("\nrank {} {{\n", x);
    std::sort(ops_[x].begin(), ops_[x].end());
    std::map<Port, unsigned> last_send;  // label, by port
    unsigned label = 0;
    for (const Op& op : ops_[x]) {
      ++label;
      if (op.sends) {
        send(op, label, last_send);
      } else {
        recv(op, label);
      }
    }
    write("}}\n");
  }

  void send(const Op& op, unsigned label, std::map<Port, unsigned>& last_send) {
    const Delivery& d = all_[op.delivery];
    write("// l{} in round {} carries{}\n", label, d.round, messages(d));
    write("l{}: send {}b to {} tag {}{}\n", label, bytes(d), d.to, tags_[op.delivery], nic(d.out));
    for (const std::uint32_t need : d.needs) write("l{} requires l{}\n", label, recv_label_[need]);
    const Port port = single() ? 0 : d.out;
    if (last_send.count(port) != 0) write("l{} requires l{}\n", label, last_send[port]);
    last_send[port] = label;
  }

  void recv(const Op& op, unsigned label) {
    const Delivery& d = all_[op.delivery];
    write("l{}: recv {}b from {} tag {}{}\n", label, bytes(d), d.from, tags_[op.delivery],
          nic(d.in));
    recv_label_[op.delivery] = label;
  }

  std::uint64_t bytes(const Delivery& d) const {
    std::uint64_t flits = 0;
    for (const Message& m : d.messages) flits += flits_.of(m);
    return kBytesPerFlit * flits;
  }

  std::string messages(const Delivery& d) const {
    std::string list;
    for (const Message& m : d.messages) {
      list += fmt::format(" {}", m.origin);
      if (m.destination != kNoNode) list += fmt::format(">{}", m.destination);
      if (schedule_.pieces() > 1) list += fmt::format("/{}", m.piece);
    }
    return list;
  }

  bool single() const { return schedule_.model().ports == PortModel::Single; }
  /// With all ports each link has its own network interface.
  std::string nic(Port port) const { return single() ? "" : fmt::format(" nic {}", port); }

  const Schedule& schedule_;
  ChunkFlits flits_;
  std::vector<Delivery> all_;
  std::vector<std::vector<Op>> ops_;  ///< by rank
  std::vector<std::uint32_t> tags_;   ///< earlier transfers from that source to that destination
  std::vector<unsigned> recv_label_;  ///< at the destination
  std::string text_;
};

}  // namespace

std::string goal_text(const Schedule& schedule, std::uint32_t flits) {
  return Writer(schedule, flits).text();
}

}  // namespace gossamer
