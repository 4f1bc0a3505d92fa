#include "tables/expected_logs.hpp"

#include "schedule/chunks.hpp"
#include "support/job.hpp"
#include "tables/compiler.hpp"

namespace gossamer {
namespace {

ExpectedLogs::Log runs_of(const GossipLogs& logs, Node c, unsigned log) {
  ExpectedLogs::Log runs;
  logs.written_runs(c, log, [&](const GossipLogs::Run& run) {
    const std::uint32_t begin = runs.empty() ? 0 : runs.back().end;
    const std::uint32_t offset = run.begin - begin;
    if (!runs.empty() && runs.back().offset == offset && runs.back().shift == run.shift) {
      runs.back().end += run.length;
    } else {
      runs.push_back({begin + run.length, offset, run.shift});
    }
  });
  runs.shrink_to_fit();
  return runs;
}

}  // namespace

std::shared_ptr<const ExpectedLogs> expected_logs(const Schedule& schedule, const NodeKind& kind,
                                                  const Payload& payload,
                                                  std::uint32_t written_out) {
  const auto logs = GossipLogs::of(schedule, kind, written_out);
  if (logs == nullptr) return nullptr;
  for (auto rest = schedule.transfers(); !rest.empty();) {
    const auto round = schedule.transfers_of(rest.front().round);
    logs->play(round);
    rest = rest.subspan(round.size());
  }
  ExpectedLogs expected{payload, logs->packing(), kind.logs(), {}, {}, {}};
  for (Node c = 0; c < schedule.symmetry().classes(); ++c) {
    const Node first = schedule.symmetry().representative(c);
    expected.back.push_back(logs->packing().pack(schedule.topology().negate(first)));
    for (unsigned g = 0; g < kind.logs(); ++g) expected.runs.push_back(runs_of(*logs, c, g));
  }
  expected.origins = logs->take_origins();
  return std::make_shared<const ExpectedLogs>(std::move(expected));
}

void add_own_words(FabricImage& image, const Schedule& schedule, const Payload& payload) {
  std::vector<std::uint32_t>& words = image.own_words;
  words.clear();
  words.reserve(image.own_begin.back());
  std::vector<Message> sums;
  if (reduces(schedule.collective())) {
    for (const Node origin : origins_of_sums(schedule)) sums.push_back({origin});
  }
  for (Node i = 0; i < image.topology.nodes(); ++i) {
    stop_if_interrupted();
    const Node x = image.node_of(i);
    for (const Message& m : sums) {
      const bool has = is_initial(schedule, x, m);
      for (std::uint32_t k = 0; k < payload.cut().cut(m).flits; ++k) {
        words.push_back(has ? payload.part(x, m, k) : 0);
      }
    }
    if (!sums.empty()) continue;
    for (const Message& m : own_messages(schedule, x)) {
      for (std::uint32_t k = 0; k < payload.flits(m); ++k) words.push_back(payload.word({m, k}));
    }
  }
}

}  // namespace gossamer
