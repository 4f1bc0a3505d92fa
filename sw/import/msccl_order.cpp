#include "import/msccl_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "support/error.hpp"

namespace gossamer::msccl {

Order::Order(const Program& program, const std::string& file) : file_(file) {
  for (Node x = 0; x < program.ranks.size(); ++x) {
    first_block_.push_back(static_cast<BlockId>(blocks_.size()));
    for (const Block& block : program.ranks[x].blocks) {
      blocks_.push_back({x, &block, static_cast<StepId>(steps_.size())});
      for (const Step& step : block.steps) steps_.push_back(&step);
      block_.resize(steps_.size(), static_cast<BlockId>(blocks_.size() - 1));
    }
  }
  connect();
  find_chains();
}

void Order::wrong(StepId s, const std::string& why) const { fail(file_, steps_[s]->line, why); }

void Order::connect() {
  using Connection = std::tuple<Node, Node, std::uint32_t>;
  struct Ends {
    BlockId sender = kNone, receiver = kNone;
  };
  std::map<Connection, Ends> connections;
  const auto take = [&](BlockId& end, BlockId b, Node from, Node to) {
    if (end != kNone) {
      fail(file_, blocks_[b].block->line,
           fmt::format("another tb has this end of the connection from {} to {} on channel {}",
                       from, to, blocks_[b].block->channel));
    }
    end = b;
  };
  receiver_.assign(blocks_.size(), kNone);
  for (BlockId b = 0; b < blocks_.size(); ++b) {
    const Node rank = blocks_[b].rank;
    const Block& block = *blocks_[b].block;
    if (!of(b, sends).empty()) {
      take(connections[{rank, block.to, block.channel}].sender, b, rank, block.to);
    }
    if (!of(b, receives).empty()) {
      take(connections[{block.from, rank, block.channel}].receiver, b, block.from, rank);
    }
  }
  partner_.assign(steps_.size(), kNone);
  for (const auto& [connection, ends] : connections) {
    const auto sent = of(ends.sender, sends), received = of(ends.receiver, receives);
    const auto& [from, to, channel] = connection;
    for (std::size_t i = 0; i < std::max(sent.size(), received.size()); ++i) {
      if (i >= received.size()) wrong(sent[i], fmt::format("gpu {} does not receive it", to));
      if (i >= sent.size()) wrong(received[i], fmt::format("gpu {} does not send it", from));
      if (steps_[sent[i]]->count != steps_[received[i]]->count) {
        wrong(received[i], fmt::format("it receives another cnt than gpu {} sends in line {}", from,
                                       steps_[sent[i]]->line));
      }
      partner_[sent[i]] = received[i];
    }
    if (ends.sender != kNone) receiver_[ends.sender] = ends.receiver;
  }
}

std::vector<StepId> Order::of(BlockId b, bool (*does)(Does)) const {
  std::vector<StepId> found;
  if (b == kNone) return found;
  for (StepId s = blocks_[b].first; s < blocks_[b].end(); ++s) {
    if (does(steps_[s]->does)) found.push_back(s);
  }
  return found;
}

void Order::find_chains() {
  std::vector<std::vector<StepId>> next(steps_.size());
  std::vector<std::uint32_t> open(steps_.size(), 0);
  before_.assign(steps_.size(), {kNone, kNone, kNone});
  const auto arrow = [&](StepId before, StepId after) {
    next[before].push_back(after);
    before_[after][open[after]++] = before;
  };
  for (BlockId b = 0; b < blocks_.size(); ++b) {
    for (StepId s = blocks_[b].first; s < blocks_[b].end(); ++s) {
      if (s > blocks_[b].first) arrow(s - 1, s);
      if (const auto before = awaited(b, s)) arrow(*before, s);
      if (partner_[s] != kNone) arrow(s, partner_[s]);
    }
  }
  std::vector<StepId> order;
  for (StepId s = 0; s < steps_.size(); ++s) {
    if (open[s] == 0) order.push_back(s);
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const StepId after : next[order[i]]) {
      if (--open[after] == 0) order.push_back(after);
    }
  }
  if (order.size() < steps_.size()) refuse_cycle(next, open);
  place_.resize(steps_.size());
  for (StepId i = 0; i < order.size(); ++i) place_[order[i]] = i;
  chain_.assign(steps_.size(), 0);
  for (auto s = order.rbegin(); s != order.rend(); ++s) {
    for (const StepId after : next[*s]) chain_[*s] = std::max(chain_[*s], chain_[after]);
    if (sends(steps_[*s]->does)) chain_[*s] += steps_[*s]->count;
  }
}

bool Order::precedes(StepId a, StepId b) const {
  std::vector<StepId> open = {b};
  std::set<StepId> seen;
  while (!open.empty()) {
    const StepId s = open.back();
    open.pop_back();
    if (block_[s] == block_[a] && s >= a) return true;
    for (const StepId before : before_[s]) {
      if (before == a) return true;
      if (before != kNone && place_[before] > place_[a] && seen.insert(before).second) {
        open.push_back(before);
      }
    }
  }
  return false;
}

void Order::refuse_cycle(const std::vector<std::vector<StepId>>& next,
                         const std::vector<std::uint32_t>& open) const {
  std::vector<StepId> before(steps_.size(), kNone);
  StepId s = kNone;
  for (StepId a = 0; a < steps_.size(); ++a) {
    if (open[a] == 0) continue;
    s = std::min(s, a);
    for (const StepId after : next[a]) before[after] = a;
  }
  std::vector<bool> seen(steps_.size(), false);
  for (; !seen[s]; s = before[s]) seen[s] = true;
  wrong(s, fmt::format("it waits for itself, by way of line {}", steps_[before[s]]->line));
}

}  // namespace gossamer::msccl
