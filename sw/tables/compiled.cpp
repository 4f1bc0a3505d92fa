#include "tables/compiled.hpp"

#include <algorithm>

#include "schedule/adaptive_rules.hpp"

namespace gossamer {

NodeKind node_kind(const Schedule& s, Port ports) {
  // If every node sends the same on all its ports in every round, one channel is enough.
  const auto multicasts_only = [&] {
    return std::ranges::all_of(s.transfers(),
                               [](const Transfer& t) { return t.carry == Carry::Everything; });
  };
  NodeKind kind;
  kind.single_port = s.model().ports == PortModel::Single;
  kind.half_duplex = s.model().duplex == Duplex::Half;
  kind.adaptive = adaptive(s);
  kind.reduce = reduces(s.collective());
  kind.channels = kind.single_port || kind.adaptive || multicasts_only() ? 1 : kind.ports;
  return kind.with_ports(ports);
}

}  // namespace gossamer
