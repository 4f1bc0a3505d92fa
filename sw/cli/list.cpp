#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "algorithms/registry.hpp"
#include "cli/text.hpp"
#include "cli/verbs.hpp"
#include "driver/case.hpp"
#include "schedule/model.hpp"
#include "topology/topology.hpp"

namespace gossamer::cli {
namespace {

struct Entry {
  std::string_view name, meaning;
};

constexpr std::array<Entry, 5> kPapers = {{
    {"Dimakopoulos 1999", "Dimakopoulos: Single-Port Multinode Broadcasting (1999)"},
    {"Delmas-Perennes 1996",
     "Delmas, Perennes: Circuit-Switched Gossiping in the 3-Dimensional Torus Networks (1996)"},
    {"Chau-Fu",
     "Chau, Fu: An Optimal (d-1)-Fault-Tolerant All-to-All Broadcasting Scheme for d-Dimensional "
     "Hypercubes"},
    {"Bertsekas et al. 1991",
     "Bertsekas, Ozveren, Stamoulis, Tseng, Tsitsiklis: Optimal Communication Algorithms for "
     "Hypercubes (1991)"},
    {"Dimakopoulos-Dimopoulos 1998",
     "Dimakopoulos, Dimopoulos: A Theory for Total Exchange in Multidimensional Interconnection "
     "Networks (1998)"},
}};

/// Does an algorithm of this build come from this paper?
bool used(const Entry& paper) {
  return std::ranges::any_of(algorithms(),
                             [&](const Algorithm& a) { return a.source.starts_with(paper.name); });
}

int print_list_json() {
  nlohmann::ordered_json json;
  for (const CollectiveTerms& e : kCollectiveTerms) json["collectives"].push_back(e.name);
  json["collectives"].push_back(kBarrier);
  for (const TopologyKind& e : topology_kinds()) json["topologies"].push_back(e.example);
  for (const Algorithm& a : algorithms()) {
    json["algorithms"].push_back({{"name", a.name}, {"source", a.source}, {"summary", a.summary}});
  }
  for (const ExportFormat& e : export_formats()) json["formats"].push_back(e.name);
  for (const Entry& e : kPapers) {
    if (used(e)) json["papers"].push_back({{"name", e.name}, {"title", e.meaning}});
  }
  print_json(json);
  return 0;
}

}  // namespace

int list(const Ask& ask, Runner&) {
  if (ask.json) return print_list_json();
  const Paint paint;
  fmt::print("{}\n", paint.strong("Algorithms (--algorithm)"));
  for (const Algorithm& a : algorithms()) {
    fmt::print("  {:<22} {}  {}\n", a.name, a.summary, paint.faint("(" + a.source + ")"));
  }
  fmt::print("\n{}\n", paint.strong("Collectives (--collective)"));
  for (const CollectiveTerms& e : kCollectiveTerms) fmt::print("  {:<22} {}\n", e.name, e.meaning);
  fmt::print("  {:<22} {}\n", kBarrier,
             "an all-reduce of one flit, after which all know that all are there");
  fmt::print("\n{}\n", paint.strong("Topologies (--topology)"));
  for (const TopologyKind& e : topology_kinds()) {
    fmt::print("  {:<22} {}\n", e.example, e.meaning);
  }
  fmt::print("\n{}\n", paint.strong("Formats of export (--format)"));
  for (const ExportFormat& e : export_formats()) fmt::print("  {:<22} {}\n", e.name, e.meaning);
  fmt::print("\n{}\n", paint.strong("Papers"));
  for (const Entry& e : kPapers) {
    if (used(e)) fmt::print("  {:<22} {}\n", e.name, e.meaning);
  }
  return 0;
}

}  // namespace gossamer::cli
