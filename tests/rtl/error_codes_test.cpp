// A wrong table on a small fabric raises every error code of the hardware, at the right node, in
// the right slot and at the right port. The nearest legal table raises none.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "catch.hpp"
#include "hand_made.hpp"

using namespace gossamer;
using namespace gossamer::test;

namespace {

/// A kind of fabric, and one of its links: from output `out` of node `a` to input `in` of node `b`.
struct Place {
  const char* topology;
  bool single_port, half_duplex, many_channels;
  Port out;
  Node a = 0, b = 0;
  Port in = 0;
  unsigned before = 0;  ///< slots of one cycle before it, in which all nodes rest
};

/// The error that a node should report; `more` has the bits of errors that follow from it.
struct Expected {
  Node node;
  rtl::error_e error;
  unsigned slot;
  Port port;
  unsigned more = 0;
};

struct Case {
  const char* name;
  std::function<bool(const Place&)> possible;  ///< at this place
  /// Writes the tables; slots are counted after those in which all nodes rest.
  std::function<std::vector<Expected>(HandMade&, const Place&)> write;
};

using Errors = std::vector<Expected>;

bool anywhere(const Place&) { return true; }
bool single_port(const Place& at) { return at.single_port; }
bool half_duplex(const Place& at) { return at.half_duplex; }

Segment own(const HandMade& f, std::uint32_t base, std::uint32_t words) {
  return {f.kind().own_log(), base, words, 0, 1, false};
}

/// Node a sends its first words to b, in slots of these lengths.
void send_across(HandMade& f, const Place& at, std::uint32_t flits, std::uint32_t length_a,
                 std::uint32_t length_b) {
  f.read(at.a, at.out, own(f, 0, flits));
  send(f.slot(at.a, length_a), at.out, flits);
  receive(f.slot(at.b, length_b), at.in);
}

/// Node a sends its own word `word` to b in a slot of `length` cycles; in the next slot b sends on
/// the word that is `beyond` words after it. Returns that output of b; it leads to another node.
Port relay(HandMade& f, const Place& at, std::uint32_t word, std::uint32_t length,
           std::uint32_t beyond) {
  const Port on = at.in ^ 1;
  const Endpoint to = f.topology().peer(at.b, on);
  const bool single = f.kind().single_port;
  f.read(at.a, at.out, own(f, word, 1));
  f.read(at.b, on, {single ? 0 : at.in, (single ? f.own_words : 0) + beyond, 1, 0, 1, false});
  send(f.slot(at.a, length), at.out, 1);
  receive(f.slot(at.b, length), at.in);
  send(f.slot(at.b, 3), on, 1);
  f.slot(to.node, length);
  receive(f.slot(to.node, 3), to.port);
  return on;
}

/// Node a sends three words to b in a slot that is `guard` cycles longer, then b sends to a.
void turn_round(HandMade& f, const Place& at, std::uint32_t guard) {
  send_across(f, at, 3, 3 + guard, 3 + guard);
  f.read(at.b, at.in, own(f, 0, 2));
  send(f.slot(at.b, 3), at.in, 2);
  receive(f.slot(at.a, 3), at.out);
}

/// A slot entry that makes no sense, in a table that is otherwise legal.
std::function<Errors(HandMade&, const Place&)> malformed(std::function<void(SlotEntry&)> spoil) {
  return [spoil](HandMade& f, const Place& at) -> Errors {
    spoil(f.slot(at.a, 2));
    return {{at.a, ERR_MALFORMED, at.before, 0}};
  };
}

std::vector<Case> cases() {
  return {
      {"legal: a stream as long as its slot", anywhere,
       [](HandMade& f, const Place& at) -> Errors {
         send_across(f, at, 4, 4, 4);
         return {};
       }},
      {"legal: a stream that no output sends, so that nothing is read", anywhere,
       [](HandMade& f, const Place& at) -> Errors {
         f.slot(at.a, 2).stream = 2;
         f.slot(at.b, 2);
         send_across(f, at, 3, 3, 3);
         return {};
       }},
      {"unexpected: the receiver's table does not take the flits", anywhere,
       [](HandMade& f, const Place& at) -> Errors {
         f.read(at.a, at.out, own(f, 0, 2));
         send(f.slot(at.a, 3), at.out, 2);
         f.slot(at.b, 3);
         return {{at.b, ERR_UNEXPECTED, at.before, at.in}};
       }},
      {"unexpected and missing: the neighbour listens at another port", anywhere,
       [](HandMade& f, const Place& at) -> Errors {
         f.read(at.a, at.out, own(f, 0, 2));
         send(f.slot(at.a, 3), at.out, 2);
         receive(f.slot(at.b, 3), at.in ^ 1);
         return {{at.b, ERR_UNEXPECTED, at.before, at.in, bit(ERR_MISSING)}};
       }},
      {"unexpected: one cycle after the end of the table", anywhere,
       [](HandMade& f, const Place& at) -> Errors {
         f.read(at.a, at.out, own(f, 0, 1));
         f.slot(at.a, 2);
         send(f.slot(at.a, 1), at.out, 1);
         f.slot(at.b, 1);
         return {{at.b, ERR_UNEXPECTED, at.before + 1, at.in}};
       }},
      {"missing: the neighbour sends nothing", anywhere,
       [](HandMade& f, const Place& at) -> Errors {
         receive(f.slot(at.b, 3), at.in);
         return {{at.b, ERR_MISSING, at.before, at.in}};
       }},
      {"missing: the neighbour sends one slot too late", anywhere,
       [](HandMade& f, const Place& at) -> Errors {
         f.read(at.a, at.out, own(f, 0, 2));
         f.slot(at.a, 2);
         send(f.slot(at.a, 2), at.out, 2);
         receive(f.slot(at.b, 2), at.in);
         f.slot(at.b, 2);
         return {{at.b, ERR_MISSING, at.before, at.in, bit(ERR_UNEXPECTED)}};
       }},
      {"cut: the sender's slot is one cycle shorter than its stream", anywhere,
       [](HandMade& f, const Place& at) -> Errors {
         send_across(f, at, 4, 3, 5);
         return {{at.a, ERR_CUT, at.before, 0}, {at.b, ERR_MISSING, at.before, at.in}};
       }},
      {"cut: the receiver's slot is one cycle shorter than the stream", anywhere,
       [](HandMade& f, const Place& at) -> Errors {
         send_across(f, at, 4, 4, 3);
         f.slot(at.b, 1);
         return {{at.b, ERR_CUT, at.before, at.in, bit(ERR_UNEXPECTED)}};
       }},
      {"cut: a node in between ends its slot within the stream", anywhere,
       [](HandMade& f, const Place& at) -> Errors {
         // From b's other neighbour, through b, to a.
         const Port far = at.in ^ 1;
         const Endpoint from = f.topology().peer(at.b, far);
         f.read(from.node, from.port, own(f, 0, 4));
         send(f.slot(from.node, 6), from.port, 4);
         forward(f.slot(at.b, 4), far, at.in);
         receive(f.slot(at.a, 6), at.out);
         return {{at.b, ERR_CUT, at.before, at.in, bit(ERR_UNEXPECTED)},
                 {at.a, ERR_MISSING, at.before, at.out}};
       }},
      {"cut: the same in slots of one cycle", anywhere,
       [](HandMade& f, const Place& at) -> Errors {
         const Port far = at.in ^ 1;
         const Endpoint from = f.topology().peer(at.b, far);
         f.read(from.node, from.port, own(f, 0, 2));
         send(f.slot(from.node, 2), from.port, 2);
         f.slot(at.b, 1);
         forward(f.slot(at.b, 1), far, at.in);
         f.slot(at.a, 1);
         receive(f.slot(at.a, 1), at.out);
         return {{at.b, ERR_CUT, at.before + 1, at.in, bit(ERR_UNEXPECTED)},
                 {at.a, ERR_CUT, at.before + 1, at.out}};
       }},
      {"limit: two sends from a single port", single_port,
       [](HandMade& f, const Place& at) -> Errors {
         f.read(at.a, at.out, own(f, 0, 2));
         SlotEntry& slot = f.slot(at.a, 3);
         send(slot, 0, 2);
         send(slot, 1, 2);
         for (Port p : {0, 1}) {
           const Endpoint to = f.topology().peer(at.a, p);
           receive(f.slot(to.node, 3), to.port);
         }
         return {{at.a, ERR_LIMIT, at.before, 0}};
       }},
      {"limit: two receives at a single port", single_port,
       [](HandMade& f, const Place& at) -> Errors {
         SlotEntry& slot = f.slot(at.a, 8);
         receive(slot, 0);
         receive(slot, 1);
         std::uint32_t length = 2;  // the neighbours send one after the other
         for (Port p : {0, 1}) {
           const Endpoint from = f.topology().peer(at.a, p);
           f.read(from.node, from.port, own(f, 0, 2));
           if (p == 1) f.slot(from.node, length);
           send(f.slot(from.node, length), from.port, 2);
         }
         return {{at.a, ERR_LIMIT, at.before, 0}};
       }},
      {"limit: both directions of a half-duplex link in one slot", half_duplex,
       [](HandMade& f, const Place& at) -> Errors {
         f.read(at.a, at.out, own(f, 0, 1));
         f.read(at.b, at.in, own(f, 0, 1));
         SlotEntry& slot = f.slot(at.a, 8);
         send(slot, at.out, 1);
         receive(slot, at.out);
         receive(f.slot(at.b, 4), at.in);  // the answer comes later, so that the wire is free
         send(f.slot(at.b, 4), at.in, 1);
         return {{at.a, ERR_LIMIT, at.before, at.out}};
       }},
      {"limit: a half-duplex node with a single port sends and receives at once",
       [](const Place& at) { return at.half_duplex && at.single_port; },
       [](HandMade& f, const Place& at) -> Errors {
         const Port back = at.out ^ 1;
         const Endpoint from = f.topology().peer(at.a, back);
         f.read(from.node, from.port, own(f, 0, 2));
         f.read(at.a, at.out, own(f, 0, 2));
         send(f.slot(from.node, 3), from.port, 2);
         SlotEntry& slot = f.slot(at.a, 3);
         receive(slot, back);
         send(slot, at.out, 2);
         receive(f.slot(at.b, 3), at.in);
         return {{at.a, ERR_LIMIT, at.before, std::min(at.out, back)}};
       }},
      {"legal: the last own word and the last word that arrived", anywhere,
       [](HandMade& f, const Place& at) -> Errors {
         relay(f, at, f.own_words - 1, rtl::TIME_LAT, 0);
         return {};
       }},
      {"unwritten: a word after the own ones", anywhere,
       [](HandMade& f, const Place& at) -> Errors {
         f.read(at.a, at.out, own(f, f.own_words, 1));
         send(f.slot(at.a, 3), at.out, 1);
         receive(f.slot(at.b, 3), at.in);
         return {{at.a, ERR_UNWRITTEN, at.before, at.out}};
       }},
      {"unwritten: a word that arrives one cycle later", anywhere,
       [](HandMade& f, const Place& at) -> Errors {
         const Port on = relay(f, at, 0, rtl::TIME_LAT - 1, 0);
         return {{at.b, ERR_UNWRITTEN, at.before + 1, on}};
       }},
      {"unwritten: a word that no node sends", anywhere,
       [](HandMade& f, const Place& at) -> Errors {
         const Port on = relay(f, at, 0, rtl::TIME_LAT, 1);
         return {{at.b, ERR_UNWRITTEN, at.before + 1, on}};
       }},
      {"legal: a log filled to its last word", anywhere,
       [](HandMade& f, const Place& at) -> Errors {
         f.capacity = (f.kind().single_port ? f.own_words : 0) + 3;
         send_across(f, at, 3, 3, 3);
         return {};
       }},
      {"overflow: one word more than a log can hold", anywhere,
       [](HandMade& f, const Place& at) -> Errors {
         f.capacity = (f.kind().single_port ? f.own_words : 0) + 2;
         send_across(f, at, 3, 3, 3);
         return {{at.b, ERR_OVERFLOW, at.before, at.in}};
       }},
      {"exhausted: the slot reads, but the list is empty", anywhere,
       [](HandMade& f, const Place& at) -> Errors {
         send(f.slot(at.a, 3), at.out, 1);
         return {{at.a, ERR_EXHAUSTED, at.before, at.out}};
       }},
      {"exhausted: the list ends within the stream and cuts it off", anywhere,
       [](HandMade& f, const Place& at) -> Errors {
         f.read(at.a, at.out, own(f, 0, 2));
         send(f.slot(at.a, 4), at.out, 3);
         receive(f.slot(at.b, 4), at.in);
         return {{at.a, ERR_EXHAUSTED, at.before, at.out, bit(ERR_CUT)},
                 {at.b, ERR_MISSING, at.before, at.in}};
       }},
      {"parity: a bit of an entry has changed", anywhere,
       [](HandMade& f, const Place& at) -> Errors {
         f.slot(at.a, 2).bad_parity = true;
         return {{at.a, ERR_PARITY, at.before, 0}};
       }},
      {"parity: a bit of a segment has changed, of which nothing is sent", anywhere,
       [](HandMade& f, const Place& at) -> Errors {
         Segment changed = own(f, 0, 1);
         changed.bad_parity = true;
         f.read(at.a, at.out, changed);
         send(f.slot(at.a, 3), at.out, 1);
         receive(f.slot(at.b, 3), at.in);
         return {{at.a, ERR_PARITY, at.before, 0}, {at.b, ERR_MISSING, at.before, at.in}};
       }},
      {"legal: a changed segment of which no word is read", anywhere,
       [](HandMade& f, const Place& at) -> Errors {
         send_across(f, at, 3, 3, 3);
         Segment changed = own(f, 0, 1);
         changed.bad_parity = true;
         f.read(at.a, at.out, changed);
         return {};
       }},
      {"collision: both ends of a half-duplex link drive it, and both report it", half_duplex,
       [](HandMade& f, const Place& at) -> Errors {
         f.read(at.a, at.out, own(f, 0, 1));
         f.read(at.b, at.in, own(f, 0, 1));
         send(f.slot(at.a, 3), at.out, 1);
         send(f.slot(at.b, 3), at.in, 1);
         return {{at.a, ERR_COLLISION, at.before, at.out}, {at.b, ERR_COLLISION, at.before, at.in}};
       }},
      {"legal: a half-duplex link turns round after the guard cycles", half_duplex,
       [](HandMade& f, const Place& at) -> Errors {
         turn_round(f, at, rtl::TIME_GUARD);
         return {};
       }},
      {"turnaround: a half-duplex link turns round one cycle too early", half_duplex,
       [](HandMade& f, const Place& at) -> Errors {
         turn_round(f, at, rtl::TIME_GUARD - 1);
         return {{at.b, ERR_TURNAROUND, at.before + 1, at.in}};
       }},
      {"malformed: a slot without length", anywhere, malformed([](SlotEntry& e) { e.length = 0; })},
      {"malformed: no repetition", anywhere, malformed([](SlotEntry& e) { e.repeat = 0; })},
      {"malformed: a loop without a pass", anywhere,
       malformed([](SlotEntry& e) { e.loop = true, e.loops = 0; })},
      {"malformed: a loop with a single pass", anywhere,
       malformed([](SlotEntry& e) { e.loop = true, e.loops = 1; })},
      {"malformed: a loop that begins where it ends", anywhere,
       malformed([](SlotEntry& e) { e.begins = e.loop = true, e.loops = 2; })},
      {"malformed: a select code without meaning", anywhere,
       malformed([](SlotEntry& e) { e.select[1] = static_cast<Port>(e.select.size()) + 1; })},
  };
}

std::vector<Place> places() {
  std::vector<Place> all;
  for (const Place& kind : {Place{"ring:4", true, false, false, 0},
                            {"ring:4", true, true, false, 0},
                            {"torus:3x3", true, false, false, 0},
                            {"torus:3x3", true, true, false, 0},
                            {"torus:3x3x3", false, false, false, 0},
                            {"torus:3x3x3", false, false, true, 0}}) {
    const Topology topology = Topology::parse(kind.topology);
    for (Port out = 0; out < topology.ports(); ++out) {
      for (unsigned before : {0u, 1u, 4u}) {
        Place place = kind;
        place.out = out;
        place.before = before;
        place.a = topology.nodes() / 2;
        const Endpoint to = topology.peer(place.a, out);
        place.b = to.node;
        place.in = to.port;
        all.push_back(place);
      }
    }
  }
  return all;
}

std::string_view name(unsigned code) { return rtl::error_e_table[code].name; }

/// A node's errors as a line of text, so that a failure reads well.
std::string text(Node node, unsigned code, unsigned slot, Port port, unsigned seen) {
  std::string line = fmt::format("node {} {} slot {} port {}; all:", node, name(code), slot, port);
  for (unsigned k = 1; k < rtl::ERROR_CODES; ++k) {
    if (seen >> k & 1) line += fmt::format(" {}", name(k));
  }
  return line;
}

std::vector<std::string> lines(std::vector<Expected> expected) {
  std::sort(expected.begin(), expected.end(),
            [](const Expected& x, const Expected& y) { return x.node < y.node; });
  std::vector<std::string> lines;
  for (const Expected& e : expected) {
    lines.push_back(text(e.node, code(e.error), e.slot, e.port, bit(e.error) | e.more));
  }
  return lines;
}

std::vector<std::string> lines(const std::vector<NodeError>& errors) {
  std::vector<std::string> lines;
  for (const NodeError& e : errors) {
    lines.push_back(text(e.node, e.first_code, e.first_slot, e.first_port, e.seen));
  }
  return lines;
}

}  // namespace

TEST_CASE("error codes: a wrong table raises exactly its error, at the right place") {
  std::set<unsigned> raised;
  for (const Case& c : cases()) {
    unsigned tried = 0;
    for (const Place& at : places()) {
      if (!c.possible(at)) continue;
      CAPTURE(c.name, at.topology, at.single_port, at.half_duplex, at.many_channels, at.out,
              at.before);
      HandMade fabric(at.topology, at.single_port, at.half_duplex, at.many_channels);
      for (unsigned i = 0; i < at.before; ++i) fabric.idle_everywhere(1);
      const Errors expected = c.write(fabric, at);
      const Outcome outcome = fabric.run();
      CHECK(outcome.done);
      CHECK(lines(outcome.errors) == lines(expected));
      for (const Expected& e : expected) raised.insert(code(e.error));
      ++tried;
    }
    CHECK(tried > 0);
  }
  CHECK(raised.size() + 1 == std::size(rtl::error_e_table));  // all but none
}

TEST_CASE("error codes: of a whole fabric each node raises its own") {
  HandMade fabric("mesh:4x5", false, false, true);
  const Topology& topology = fabric.topology();
  Errors expected;
  for (Node x = 0; x < topology.nodes(); ++x) {  // nobody sends what it expects
    Port p = 0;
    while (!topology.peer(x, p).connected()) ++p;
    receive(fabric.slot(x, 1), p);
    expected.push_back({x, ERR_MISSING, 0, p});
  }
  const Outcome outcome = fabric.run_flat();
  CHECK(outcome.done);
  CHECK(lines(outcome.errors) == lines(expected));
}
