#include "checks/run_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "support/memory.hpp"

namespace gossamer::tb {
namespace {

/// A Verilated node and all that belongs to it, except its logs; measured (docs/research/scale.md).
constexpr double kBytesPerNode = 1024;
/// Program, libraries, tables.
constexpr double kBytesBeside = 64e6;

}  // namespace

double store_bytes(const FabricImage& image) {
  return static_cast<double>(image.topology.nodes()) * image.kind.logs() * image.capacity *
         sizeof(std::uint32_t);
}

double bytes_needed(const FabricImage& image, unsigned ranks) {
  double bytes = kBytesBeside + kBytesPerNode * image.topology.nodes() / ranks;
  bytes += 2 * sizeof(std::uint32_t) * static_cast<double>(image.own_begin.back());
  return bytes + (image.expected ? image.expected->bytes() : store_bytes(image) / ranks);
}

void refuse_too_many_nodes(const Topology& topology, unsigned ranks) {
  require_memory(kBytesBeside + kBytesPerNode * topology.nodes() / ranks,
                 fmt::format("{}: a run", topology.spec()), [&](double free) {
                   const double fit = (free - kBytesBeside) / kBytesPerNode * ranks;
                   return fmt::format("in which {:.0f} nodes fit", std::max(0.0, std::floor(fit)));
                 });
}

void refuse_too_large(const FabricImage& image, unsigned ranks) {
  const double need = bytes_needed(image, ranks);
  const double a_node =
      kBytesPerNode + (image.expected ? 0 : store_bytes(image) / image.topology.nodes());
  const double fixed = need - a_node * image.topology.nodes() / ranks;
  require_memory(need,
                 fmt::format("{}: a run{}", image.topology.spec(),
                             image.expected ? "" : " that keeps every word that arrives"),
                 [&](double free) {
                   return fmt::format("in which {:.0f} such nodes fit",
                                      std::max(0.0, std::floor((free - fixed) / a_node * ranks)));
                 });
}

}  // namespace gossamer::tb
