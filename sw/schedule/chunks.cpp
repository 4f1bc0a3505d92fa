#include "schedule/chunks.hpp"

#include <fmt/format.h>

namespace gossamer {
namespace {

const CollectiveTerms& terms(const Schedule& s) { return terms_of(s.collective()); }

bool has_part(Who who, const Schedule& s, Node node) {
  return who == Who::All ? s.members.has(node) : node == s.root;
}

/// Those that have a part, until `visit` returns false.
template <typename Visit>
void for_each_part(Who who, const Schedule& s, const Visit& visit) {
  if (who == Who::Root) {
    visit(s.root);
    return;
  }
  const Node count = s.members.count(s.topology().nodes());
  for (Node i = 0; i < count; ++i) {
    if (!visit(s.members[i])) return;
  }
}

std::uint64_t count_parts(Who who, const Schedule& s) {
  return who == Who::Root ? 1 : s.members.count(s.topology().nodes());
}

}  // namespace

void for_each_initial(const Schedule& s, Node node, const ChunkVisitor& visit) {
  if (!has_part(terms(s).origins, s, node)) return;
  const auto visit_pieces = [&](Node destination) {
    for (std::uint32_t k = 0; k < s.pieces(); ++k) visit({node, destination, k});
  };
  if (terms(s).same_to_all) return visit_pieces(kNoNode);
  for_each_part(terms(s).wanting, s, [&](Node d) {
    if (d != node) visit_pieces(d);
    return true;
  });
}

void for_each_expected(const Schedule& s, Node node,
                       const std::function<bool(const Message&)>& visit) {
  if (!has_part(terms(s).wanting, s, node)) return;
  const Node destination = terms(s).same_to_all ? kNoNode : node;
  for_each_part(terms(s).origins, s, [&](Node origin) {
    for (std::uint32_t k = 0; origin != node && k < s.pieces(); ++k) {
      if (!visit({origin, destination, k})) return false;
    }
    return true;
  });
}

void for_each_receiver(const Schedule& s, const Message& m,
                       const std::function<void(Node)>& visit) {
  if (m.destination != kNoNode) return visit(m.destination);
  for_each_part(terms(s).wanting, s, [&](Node x) {
    if (x != m.origin) visit(x);
    return true;
  });
}

bool is_initial(const Schedule& s, Node node, const Message& m) {
  return m.origin == node && m.destination != node && has_part(terms(s).origins, s, node);
}

bool is_expected(const Schedule& s, Node node, const Message& m) {
  if (m.origin == node) return false;
  return terms(s).same_to_all ? has_part(terms(s).wanting, s, node) : m.destination == node;
}

std::uint64_t count_initial(const Schedule& s, Node node) {
  if (!has_part(terms(s).origins, s, node)) return 0;
  if (terms(s).same_to_all) return s.pieces();
  return s.pieces() *
         (count_parts(terms(s).wanting, s) - (has_part(terms(s).wanting, s, node) ? 1 : 0));
}

std::uint64_t count_expected(const Schedule& s, Node node) {
  if (!has_part(terms(s).wanting, s, node)) return 0;
  return count_parts(terms(s).origins, s) - (has_part(terms(s).origins, s, node) ? 1 : 0);
}

std::optional<std::string> why_no_chunk(const Schedule& s, const Message& m) {
  const Node n = s.topology().nodes();
  if (m.origin >= n) return fmt::format("origin {} is no node; nodes are 0 to {}", m.origin, n - 1);
  if (terms(s).same_to_all) {
    if (m.destination != kNoNode) return "a message for everybody has no destination";
  } else {
    if (m.destination >= n) return fmt::format("message of origin {} has no destination", m.origin);
    if (m.destination == m.origin) return "a node sends no message to itself";
    if (!has_part(terms(s).wanting, s, m.destination)) {
      return terms(s).wanting == Who::Root
                 ? fmt::format("a {} has only messages for the root {}", terms(s).name, s.root)
                 : fmt::format("node {} is no member", m.destination);
    }
  }
  if (!has_part(terms(s).origins, s, m.origin)) {
    return terms(s).origins == Who::Root
               ? fmt::format("a {} has only messages of the root {}", terms(s).name, s.root)
               : fmt::format("node {} is no member", m.origin);
  }
  if (m.piece >= s.pieces()) return fmt::format("pieces are 0 to {}", s.pieces() - 1);
  return std::nullopt;
}

}  // namespace gossamer
