#include "schedule/chunks.hpp"

#include <fmt/format.h>

namespace gossamer {
namespace {

const CollectiveTerms& terms(const Schedule& s) { return terms_of(s.collective()); }

bool has_part(Participants who, const Schedule& s, Node node) {
  return who == Participants::All ? s.members.has(node) : node == s.root_of(node);
}

/// A member's group; empty: all nodes.
std::span<const Node> group_of(const Schedule& s, Node member) {
  return s.members.several() ? s.members.group(s.members.group_of(member)) : s.members.group();
}

std::uint64_t count_parts(Participants who, const Schedule& s, Node member) {
  if (who == Participants::Root) return 1;
  return s.members.all() ? s.topology().nodes() : group_of(s, member).size();
}

/// Those of a member's group that have a part, until `visit` returns false.
template <typename Visit>
void for_each_part(Participants who, const Schedule& s, Node member, const Visit& visit) {
  if (who == Participants::Root) {
    visit(s.root_of(member));
    return;
  }
  const auto group = group_of(s, member);
  const auto count = static_cast<Node>(count_parts(who, s, member));
  for (Node i = 0; i < count; ++i) {
    if (!visit(group.empty() ? i : group[i])) return;
  }
}

/// Of messages that are not equally long, some have no flits, and some fewer than pieces.
bool has_flits(const Schedule& s, const Message& m) {
  return s.sizes.equal() || m.piece < s.sizes.of(m.origin, m.destination);
}

}  // namespace

void for_each_initial(const Schedule& s, Node node, const ChunkVisitor& visit) {
  if (terms(s).reduces) {
    if (!s.members.has(node)) return;
    return for_each_part(terms(s).origins, s, node, [&](Node origin) {
      for (std::uint32_t k = 0; k < s.pieces(); ++k) {
        if (const Message m{origin, kNoNode, k}; has_flits(s, m)) visit(m);
      }
      return true;
    });
  }
  if (!has_part(terms(s).origins, s, node)) return;
  const auto visit_pieces = [&](Node destination) {
    for (std::uint32_t k = 0; k < s.pieces(); ++k) {
      if (const Message m{node, destination, k}; has_flits(s, m)) visit(m);
    }
  };
  if (terms(s).same_to_all) return visit_pieces(kNoNode);
  for_each_part(terms(s).receivers, s, node, [&](Node d) {
    if (d != node) visit_pieces(d);
    return true;
  });
}

void for_each_expected(const Schedule& s, Node node,
                       const std::function<bool(const Message&)>& visit) {
  if (terms(s).reduces) {
    if (!has_part(terms(s).receivers, s, node)) return;
    const Node origin = terms(s).origins == Participants::Root ? s.root_of(node) : node;
    for (std::uint32_t k = 0; k < s.pieces(); ++k) {
      const Message m{origin, kNoNode, k};
      if (!has_flits(s, m) || !visit(m)) return;
    }
    return;
  }
  if (!has_part(terms(s).receivers, s, node)) return;
  const Node destination = terms(s).same_to_all ? kNoNode : node;
  for_each_part(terms(s).origins, s, node, [&](Node origin) {
    for (std::uint32_t k = 0; origin != node && k < s.pieces(); ++k) {
      const Message m{origin, destination, k};
      if (has_flits(s, m) && !visit(m)) return false;
    }
    return true;
  });
}

void for_each_receiver(const Schedule& s, const Message& m,
                       const std::function<void(Node)>& visit) {
  if (m.destination != kNoNode) return visit(m.destination);
  if (terms(s).reduces && terms(s).origins == Participants::All) return visit(m.origin);
  for_each_part(terms(s).receivers, s, m.origin, [&](Node x) {
    if (x != m.origin || terms(s).reduces) visit(x);
    return true;
  });
}

bool is_initial(const Schedule& s, Node node, const Message& m) {
  if (terms(s).reduces) return s.members.has(node) && s.members.together(m.origin, node);
  return m.origin == node && m.destination != node && has_part(terms(s).origins, s, node);
}

bool is_expected(const Schedule& s, Node node, const Message& m) {
  if (terms(s).reduces && terms(s).origins == Participants::All) {
    return m.origin == node && s.members.has(node);
  }
  if (terms(s).reduces) {
    return has_part(terms(s).receivers, s, node) && s.members.together(m.origin, node);
  }
  if (m.origin == node) return false;
  if (!terms(s).same_to_all) return m.destination == node;
  return has_part(terms(s).receivers, s, node) && s.members.together(m.origin, node);
}

std::uint32_t contributors(const Schedule& s, const Message& m) {
  return static_cast<std::uint32_t>(count_parts(Participants::All, s, m.origin));
}

std::vector<Node> origins_of_sums(const Schedule& s) {
  std::vector<Node> origins;
  if (terms(s).origins == Participants::Root) {
    for (std::size_t g = 0; g < s.members.groups(); ++g) origins.push_back(s.members.root(g));
    if (origins.empty()) origins.push_back(s.root);
    return origins;
  }
  const Node count = s.members.count(s.topology().nodes());
  for (Node i = 0; i < count; ++i) origins.push_back(s.members[i]);
  return origins;
}

std::uint64_t count_initial(const Schedule& s, Node node) {
  if (!has_part(terms(s).reduces ? Participants::All : terms(s).origins, s, node)) return 0;
  if (!s.sizes.equal()) {
    std::uint64_t count = 0;
    for_each_initial(s, node, [&](const Message&) { ++count; });
    return count;
  }
  if (terms(s).reduces) return s.pieces() * count_parts(terms(s).origins, s, node);
  if (terms(s).same_to_all) return s.pieces();
  return s.pieces() * (count_parts(terms(s).receivers, s, node) -
                       (has_part(terms(s).receivers, s, node) ? 1 : 0));
}

std::uint64_t initial_flits(const Schedule& s, Node node, const ChunkFlits& flits) {
  if (flits.equal_messages()) return count_initial(s, node) / s.pieces() * flits.longest().flits;
  std::uint64_t sum = 0;
  for_each_initial(s, node, [&](const Message& m) { sum += flits.of(m); });
  return sum;
}

std::uint64_t count_expected(const Schedule& s, Node node) {
  if (!has_part(terms(s).receivers, s, node)) return 0;
  if (terms(s).reduces) return s.sizes.equal() || has_flits(s, {node}) ? 1 : 0;
  if (!s.sizes.equal()) {
    std::uint64_t count = 0;
    for_each_expected(s, node, [&](const Message& m) {
      if (m.piece == 0) ++count;
      return true;
    });
    return count;
  }
  return count_parts(terms(s).origins, s, node) - (has_part(terms(s).origins, s, node) ? 1 : 0);
}

namespace {

std::string why_no_part(const Schedule& s, Node x, Participants who, const char* of) {
  const Node root = s.root_of(x);
  if (who == Participants::All || root == kNoNode) return fmt::format("node {} is no member", x);
  return fmt::format("a {} has only messages {} the root {}", terms(s).name, of, root);
}

}  // namespace

std::optional<std::string> why_no_chunk(const Schedule& s, const Message& m) {
  const Node n = s.topology().nodes();
  if (m.origin >= n) return fmt::format("origin {} is no node; nodes are 0 to {}", m.origin, n - 1);
  if (terms(s).same_to_all) {
    if (m.destination != kNoNode) return "a message for everybody has no destination";
  } else {
    if (m.destination >= n) return fmt::format("message of origin {} has no destination", m.origin);
    if (m.destination == m.origin) return "a node sends no message to itself";
    if (!has_part(terms(s).receivers, s, m.destination)) {
      return why_no_part(s, m.destination, terms(s).receivers, "for");
    }
  }
  if (!has_part(terms(s).origins, s, m.origin)) {
    return why_no_part(s, m.origin, terms(s).origins, "of");
  }
  if (!terms(s).same_to_all && !s.members.together(m.origin, m.destination)) {
    return fmt::format("nodes {} and {} are in different groups", m.origin, m.destination);
  }
  if (m.piece >= s.pieces()) return fmt::format("pieces are 0 to {}", s.pieces() - 1);
  if (!has_flits(s, m)) {
    return m.piece == 0 ? std::string("it has no flits")
                        : fmt::format("its message has {} flits, so many pieces",
                                      s.sizes.of(m.origin, m.destination));
  }
  return std::nullopt;
}

std::optional<std::string> why_no_sizes(Schedule schedule, const Sizes& sizes) {
  if (terms(schedule).reduces && terms(schedule).origins == Participants::Root && !sizes.equal()) {
    return fmt::format("the vectors of {} have one length; only the blocks of a {} may differ",
                       to_string(schedule.collective()), to_string(Collective::ReduceScatter));
  }
  if (sizes.equal()) return std::nullopt;
  const bool pairs = sizes.by_pair(), same = terms(schedule).same_to_all;
  if (pairs && same) {
    return fmt::format("a message of a {} has no destination; expected flits by origins alone",
                       terms(schedule).name);
  }
  schedule.sizes = Sizes();
  const Node nodes = schedule.topology().nodes();
  const std::size_t each = pairs ? nodes : 1;
  for (std::size_t i = 0; i < sizes.all().size(); ++i) {
    if (sizes.all()[i] == 0) continue;
    const auto origin = static_cast<Node>(i / each);
    const Node to = pairs ? static_cast<Node>(i % each) : kNoNode;
    if (pairs ? !why_no_chunk(schedule, {origin, to}) : count_initial(schedule, origin) > 0) {
      continue;
    }
    return fmt::format("{} flits {}, which no {} sends", sizes.all()[i],
                       pairs ? fmt::format("from node {} to node {}", origin, to)
                             : fmt::format("of node {}", origin),
                       schedule.members.all() ? terms(schedule).name : "member");
  }
  return std::nullopt;
}

}  // namespace gossamer
