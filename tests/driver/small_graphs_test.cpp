// Everything that can be asked for on every small graph: what is chosen passes, and beats no bound.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "catch.hpp"
#include "driver/report.hpp"
#include "support/scratch.hpp"

using namespace gossamer;

namespace {

/// Edges as bits, of the pairs (0, 1), (0, 2), (1, 2), (0, 3) ...
using Edges = unsigned;

unsigned pair_number(unsigned a, unsigned b) {
  const auto [low, high] = std::minmax(a, b);
  return high * (high - 1) / 2 + low;
}

bool is_connected(Edges edges, unsigned n) {
  unsigned reached = 1;
  for (unsigned step = 1; step < n; ++step) {
    for (unsigned b = 1; b < n; ++b) {
      for (unsigned a = 0; a < b; ++a) {
        if ((edges >> pair_number(a, b) & 1) == 0) continue;
        if ((reached >> a & 1) != 0 || (reached >> b & 1) != 0) reached |= 1u << a | 1u << b;
      }
    }
  }
  return reached == (1u << n) - 1;
}

/// Is it the first of the graphs that differ from it in the numbers of nodes, that of node 0 aside?
bool is_first(Edges edges, unsigned n) {
  std::vector<unsigned> number(n);
  std::iota(number.begin(), number.end(), 0u);
  do {
    Edges renamed = 0;
    for (unsigned b = 1; b < n; ++b) {
      for (unsigned a = 0; a < b; ++a) {
        if ((edges >> pair_number(a, b) & 1) != 0) {
          renamed |= 1u << pair_number(number[a], number[b]);
        }
      }
    }
    if (renamed < edges) return false;
  } while (std::next_permutation(number.begin() + 1, number.end()));
  return true;
}

std::string text_of(Edges edges, unsigned n) {
  std::string list;
  for (unsigned b = 1; b < n; ++b) {
    for (unsigned a = 0; a < b; ++a) {
      if ((edges >> pair_number(a, b) & 1) == 0) continue;
      list += fmt::format("{}[{},{}]", list.empty() ? "" : ",", a, b);
    }
  }
  return fmt::format(R"({{"n":{},"edges":[{}]}})", n, list);
}

void require_passes(const std::string& file, const std::string& edges) {
  for (const Collective collective :
       {Collective::Gossip, Collective::TotalExchange, Collective::Broadcast, Collective::Scatter,
        Collective::Gather, Collective::Reduce, Collective::ReduceScatter, Collective::AllReduce}) {
    for (const PortModel ports : {PortModel::Single, PortModel::All}) {
      for (const Duplex duplex : {Duplex::Full, Duplex::Half}) {
        for (const unsigned flits : {1u, 8u}) {
          Case c;
          c.topology = "edges:" + file;
          c.collective = collective;
          c.ports = ports;
          c.duplex = duplex;
          c.flits = flits;
          CAPTURE(edges, to_string(collective), to_string(ports), to_string(duplex), flits);
          const Report report = examine(c, make_plan(c));
          CHECK(report.problems == std::vector<std::string>{});
          CHECK(ratio_to_bound(report).value() >= 1);
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("what is chosen passes and beats no bound, on every graph of up to four nodes") {
  const Scratch scratch;
  unsigned graphs = 0;
  for (unsigned n = 2; n <= 4; ++n) {
    for (Edges edges = 0; edges < 1u << n * (n - 1) / 2; ++edges) {
      if (!is_connected(edges, n) || !is_first(edges, n)) continue;
      const std::string text = text_of(edges, n);
      require_passes(scratch.file(fmt::format("{}.json", graphs++), text), text);
    }
  }
  CHECK(graphs == 1 + 3 + 11);
}
