#include "tables/link_stages.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "gossamer_constants.hpp"
#include "support/refuse.hpp"
#include "support/words.hpp"

namespace gossamer {
namespace {

constexpr std::uint32_t kMost = rtl::MAX_LINK_STAGES;

std::uint32_t number(std::string_view text, std::string_view all) {
  const auto value = number_of<std::uint32_t>(text);
  if (!value || *value > kMost) {
    refuse(
        "'{}' does not say the register stages of links; expected 0 to {}, for all links or for "
        "those of each dimension, as in 2 or 0,0,3",
        all, kMost);
  }
  return *value;
}

}  // namespace

LinkStages LinkStages::parse(std::string_view text) {
  LinkStages stages;
  for (const std::string_view part : split(text, ','))
    stages.numbers_.push_back(number(part, text));
  return stages;
}

std::uint32_t LinkStages::most() const { return numbers_.empty() ? 0 : std::ranges::max(numbers_); }

bool LinkStages::none() const { return most() == 0; }

std::string LinkStages::text() const {
  return none() ? "" : fmt::format("{}", fmt::join(numbers_, ","));
}

PortStages LinkStages::on(const Topology& topology, Switching switching) const {
  const std::size_t factors = topology.factors().size();
  if (numbers_.size() > 1 && numbers_.size() != factors) {
    refuse(
        "{} numbers of link stages for {}, which has {} dimension{}: expected one, or one for each",
        numbers_.size(), topology.spec(), factors, factors == 1 ? "" : "s");
  }
  PortStages stages;
  for (std::size_t f = 0; f < factors; ++f) {
    const Graph& factor = topology.factors()[f];
    const std::uint32_t all = numbers_.empty() ? 0 : numbers_[numbers_.size() == 1 ? 0 : f];
    for (Port p = 0; p < factor.ports; ++p) {
      stages.push_back(all + (factor.stages.empty() ? 0 : factor.stages[p]));
    }
  }
  const std::uint32_t longest = std::ranges::max(stages);
  if (longest > kMost) {
    refuse("a link of {} has {} register stages, with those of its file; expected {} at most",
           topology.spec(), longest, kMost);
  }
  if (longest == 0) return {};
  if (switching == Switching::Pipelined) std::ranges::fill(stages, longest);
  return stages;
}

std::uint32_t LinkStages::most_on(const Topology& topology) const {
  std::uint32_t most = 0;
  for (std::size_t f = 0; f < topology.factors().size(); ++f) {
    const auto& own = topology.factors()[f].stages;
    const std::uint32_t all = numbers_.empty() ? 0 : numbers_[std::min(f, numbers_.size() - 1)];
    most = std::max(most, all + (own.empty() ? 0 : std::ranges::max(own)));
  }
  return most;
}

}  // namespace gossamer
