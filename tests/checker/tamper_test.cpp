#include <algorithm>
#include <optional>

#include "broken_rules.hpp"
#include "catch.hpp"
#include "samples/schedules.hpp"

using namespace gossamer;
using namespace gossamer::samples;

namespace {

/// A transfer copied from a schedule, to be changed.
struct Piece {
  std::uint32_t round = 0;
  std::vector<Node> path;
  std::vector<Message> messages;
};

std::vector<Piece> pieces(const Schedule& s) {
  std::vector<Piece> all;
  for (const Transfer& t : s.transfers()) {
    const auto path = s.path(t);
    const auto messages = s.messages(t);
    all.push_back({t.round, {path.begin(), path.end()}, {messages.begin(), messages.end()}});
  }
  return all;
}

Schedule rebuilt(const Schedule& like, std::vector<Piece> all) {
  std::stable_sort(all.begin(), all.end(),
                   [](const Piece& a, const Piece& b) { return a.round < b.round; });
  Schedule s(like.topology(), like.collective(), like.model());
  for (const Piece& p : all) s.add(p.round, p.path, p.messages);
  return s;
}

/// In a ring's rotation every transfer brings a node a message that it receives in no other way, so
/// that every change must be noticed.
class Tampering {
 public:
  Tampering() : random_(4) {}

  Schedule ring() {
    schedule_ = ring_expanded(3 + random_() % 10);
    return *schedule_;
  }
  Piece& any(std::vector<Piece>& all) { return all[random_() % all.size()]; }
  Node other_than(Node x, Node n) { return static_cast<Node>((x + 1 + random_() % (n - 1)) % n); }
  std::size_t number(std::size_t below) { return random_() % below; }

 private:
  std::mt19937 random_;
  std::optional<Schedule> schedule_;
};

}  // namespace

TEST_CASE("dropping any transfer is caught") {
  Tampering tamper;
  for (int i = 0; i < 50; ++i) {
    const Schedule s = tamper.ring();
    auto all = pieces(s);
    REQUIRE(test::broken_rules(rebuilt(s, all)) == "");
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(tamper.number(all.size())));
    const CheckReport report = check(rebuilt(s, all));
    CHECK(test::broken_rules(report) != "");
    CHECK(report.delivered < report.expected);
  }
}

TEST_CASE("changing any message is caught") {
  Tampering tamper;
  for (int i = 0; i < 50; ++i) {
    const Schedule s = tamper.ring();
    auto all = pieces(s);
    Message& m = tamper.any(all).messages[0];
    m.origin = tamper.other_than(m.origin, s.topology().nodes());
    CHECK(test::broken_rules(rebuilt(s, all)) != "");
  }
}

TEST_CASE("changing either end of any path is caught") {
  Tampering tamper;
  for (int i = 0; i < 50; ++i) {
    const Schedule s = tamper.ring();
    auto all = pieces(s);
    Node& end = tamper.any(all).path[tamper.number(2)];
    end = tamper.other_than(end, s.topology().nodes());
    CHECK(test::broken_rules(rebuilt(s, all)) != "");
  }
}

TEST_CASE("moving any transfer to another round is caught") {
  Tampering tamper;
  for (int i = 0; i < 50; ++i) {
    const Schedule s = tamper.ring();
    auto all = pieces(s);
    Piece& p = tamper.any(all);
    const auto rounds = static_cast<std::uint32_t>(s.topology().nodes() - 1);
    p.round =
        1 + (p.round - 1 + 1 + static_cast<std::uint32_t>(tamper.number(rounds - 1))) % rounds;
    CHECK(test::broken_rules(rebuilt(s, all)) != "");
  }
}

TEST_CASE("sending any transfer a second time in its round is caught") {
  Tampering tamper;
  for (int i = 0; i < 20; ++i) {
    const Schedule s = tamper.ring();
    auto all = pieces(s);
    all.push_back(Piece(tamper.any(all)));
    CHECK(test::broken_rules(rebuilt(s, all)) != "");
  }
}
