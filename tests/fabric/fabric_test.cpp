// Table entries and segments: decoding returns what was encoded, and no field overwrites another.
#include <bit>
#include <random>
#include <set>
#include <stdexcept>

#include "catch.hpp"
#include "fabric/node_program.hpp"
#include "fabric/payload.hpp"
#include "support/error.hpp"

using namespace gossamer;

namespace {

/// A value of `width` bits: the smallest, the largest, or one in between.
std::uint64_t any(std::mt19937_64& random, unsigned width) {
  const std::uint64_t most = (std::uint64_t{1} << width) - 1;
  switch (random() % 4) {
    case 0: return 0;
    case 1: return most;
    default: return random() & most;
  }
}
std::uint32_t any32(std::mt19937_64& random, unsigned width) {
  return static_cast<std::uint32_t>(any(random, width));
}

SlotEntry any_entry(std::mt19937_64& random, Port ports) {
  SlotEntry e;
  e.length = any32(random, rtl::SLOT_LEN_W);
  e.stream = any32(random, rtl::SLOT_LEN_W);
  e.repeat = any32(random, rtl::SLOT_REPEAT_W);
  e.loops = any32(random, rtl::SLOT_REPEAT_W);
  e.begins = any(random, 1) != 0;
  e.loop = any(random, 1) != 0;
  e.final = any(random, 1) != 0;
  e.op = any32(random, rtl::slot_t::op.width);
  e.bad_parity = any(random, 1) != 0;
  e.receive = any(random, ports);
  for (Port p = 0; p < ports; ++p) e.select.push_back(any32(random, std::bit_width(ports)));
  return e;
}

Segment any_segment(std::mt19937_64& random) {
  Segment s;
  s.base = any32(random, rtl::SEG_RUN_W);
  s.run = any32(random, rtl::SEG_RUN_W);
  s.stride = any32(random, rtl::SEG_RUN_W);
  s.count = any32(random, rtl::SEG_RUN_W);
  s.log = any32(random, rtl::segment_t::log.width);
  s.stop = any(random, 1) != 0;
  s.same = any(random, 1) != 0;
  s.bad_parity = any(random, 1) != 0;
  return s;
}

/// The bits of a memory image that differ, from the lowest to the highest.
std::pair<unsigned, unsigned> span(const std::vector<std::uint32_t>& a,
                                   const std::vector<std::uint32_t>& b) {
  unsigned low = ~0u, high = 0;
  for (unsigned bit = 0; bit < a.size() * 32; ++bit) {
    if (((a[bit / 32] ^ b[bit / 32]) >> bit % 32 & 1) == 0) continue;
    low = std::min(low, bit);
    high = bit;
  }
  return {low, high};
}

}  // namespace

TEST_CASE("entries and segments survive encoding, with an even number of ones, for 1 to 64 ports") {
  std::mt19937_64 random(1);
  const auto odd = [](const std::vector<std::uint32_t>& words) {
    int sum = 0;
    for (const std::uint32_t word : words) sum += std::popcount(word);
    return sum % 2 == 1;
  };
  for (Port ports = 1; ports <= 64; ++ports) {
    for (int i = 0; i < 20; ++i) {
      CAPTURE(ports, i);
      NodeKind kind{ports, false, false, 1};
      SlotEntry entry = any_entry(random, ports);
      if (i == 0) {  // the high bits of lengths, where others have the passes of a loop
        kind.wide = true;
        entry.loop = false;
        entry.loops = SlotEntry{}.loops;
        entry.length |= any32(random, rtl::slot_high_t::length.width) << rtl::SLOT_LEN_W;
        entry.stream |= any32(random, rtl::slot_high_t::length.width) << rtl::SLOT_LEN_W;
      }
      auto words = encode(entry, kind);
      REQUIRE(words.size() == (slot_bits(kind) + 31) / 32);
      REQUIRE(decode_slot(words, kind) == entry);
      CHECK(odd(words) == entry.bad_parity);
      const Segment segment = any_segment(random);
      auto list = encode(segment);
      REQUIRE(list.size() * 32 == rtl::SEG_W);
      REQUIRE(decode_segment(list) == segment);
      CHECK(odd(list) == segment.bad_parity);
      const std::uint32_t bit = 1u << random() % rtl::SLOT_LEN_W;
      words[0] ^= bit;
      list[0] ^= bit;
      CHECK(decode_slot(words, kind).bad_parity != entry.bad_parity);
      CHECK(decode_segment(list).bad_parity != segment.bad_parity);
    }
  }
  const NodeKind large{65, false, false, 1};
  SlotEntry e;
  e.select.assign(large.ports, 5);
  CHECK_THROWS_AS(encode(e, large), std::logic_error);
  CHECK_THROWS_AS(decode_slot(std::vector<std::uint32_t>(32), large), std::logic_error);
}

TEST_CASE("the fields of an entry are at the positions of the RTL's package") {
  const NodeKind kind{4, false, false, 1};
  SlotEntry none;
  none.length = none.repeat = none.loops = 0;
  none.select.assign(4, 0);
  const auto bits_of = [&](auto set) {
    SlotEntry e = none;
    set(e);
    auto words = encode(e, kind);
    words[rtl::slot_t::parity.lsb / 32] &= ~(1u << rtl::slot_t::parity.lsb % 32);
    return span(encode(none, kind), words);
  };
  using Bits = std::pair<unsigned, unsigned>;
  const auto field = [](const rtl::BitField& f) { return Bits{f.lsb, f.lsb + f.width - 1}; };
  CHECK(bits_of([](SlotEntry& e) { e.length = 0xffffff; }) == field(rtl::slot_t::length));
  CHECK(bits_of([](SlotEntry& e) { e.stream = 0xffffff; }) == field(rtl::slot_t::stream));
  CHECK(bits_of([](SlotEntry& e) { e.repeat = 0xfffff; }) == field(rtl::slot_t::repeats));
  CHECK(bits_of([](SlotEntry& e) { e.loops = 0xfffff; }) == field(rtl::slot_t::loops));
  CHECK(bits_of([](SlotEntry& e) { e.begins = true; }) == field(rtl::slot_t::begins_loop));
  CHECK(bits_of([](SlotEntry& e) { e.loop = true; }) == field(rtl::slot_t::ends_loop));
  CHECK(bits_of([](SlotEntry& e) { e.final = true; }) == field(rtl::slot_t::ends_table));
  CHECK(bits_of([](SlotEntry& e) { e.receive = 0xf; }) ==
        Bits{rtl::SLOT_RECEIVE_LSB, rtl::SLOT_RECEIVE_LSB + 3});
  CHECK(bits_of([](SlotEntry& e) { e.select.assign(4, 7); }) ==
        Bits{rtl::SLOT_RECEIVE_LSB + 4, rtl::SLOT_RECEIVE_LSB + 4 + 4 * 3 - 1});
}

TEST_CASE("the register of the variant has a bit for everything that software must know") {
  CHECK(model_register({4, false, false, 4}) == 0);
  CHECK(model_register({4, true, false, 1}) == 1u << rtl::MODEL_SINGLE_PORT);
  CHECK(model_register({4, false, true, 1}) == 1u << rtl::MODEL_HALF_DUPLEX);
  CHECK(model_register({4, false, false, 1, true}) == 1u << rtl::MODEL_ADAPTIVE);
  CHECK(model_register({4, false, false, 1, false, true, false}) == 1u << rtl::MODEL_ONE_CYCLE);
  CHECK(model_register({4, false, false, 1, false, false, true}) == 1u << rtl::MODEL_IN_ORDER);
  NodeKind joining{4};
  joining.join = true;
  CHECK(model_register(joining) == 1u << rtl::MODEL_JOIN);
}

TEST_CASE("a value that its field cannot hold is refused, not cut") {
  const NodeKind kind{2, true, false, 1};
  const auto refused = [&](auto change) {
    SlotEntry e;
    e.select = {2, 2};
    REQUIRE_NOTHROW(encode(e, kind));
    change(e);
    CHECK_THROWS_AS(encode(e, kind), std::overflow_error);
  };
  refused([](SlotEntry& e) { e.length = 1u << rtl::SLOT_LEN_W; });
  refused([](SlotEntry& e) { e.repeat = 1u << rtl::SLOT_REPEAT_W; });
  refused([](SlotEntry& e) { e.select[1] = 4; });
  refused([](SlotEntry& e) { e.receive = 4; });
  Segment s;
  s.run = 1u << rtl::SEG_RUN_W;
  CHECK_THROWS_AS(encode(s), std::overflow_error);
}

// Words of messages: all different, and each identifies its message.

namespace {

Schedule schedule_of(const char* topology, Collective collective) {
  return {Topology::parse(topology), collective, {}};
}

/// The messages of a collective among n nodes.
std::vector<Message> messages(Collective collective, Node n) {
  std::vector<Message> all;
  for (Node x = 0; x < n; ++x) {
    if (same_to_all(collective)) {
      all.push_back({x, kNoNode});
      continue;
    }
    for (Node y = 0; y < n; ++y) all.push_back({x, y});
  }
  return all;
}

constexpr Collective kCollectives[] = {Collective::Broadcast, Collective::Gossip,
                                       Collective::Scatter, Collective::TotalExchange,
                                       Collective::Gather};

}  // namespace

TEST_CASE("payload: no two flits of a run have the same word, and each identifies itself") {
  for (const Collective collective : kCollectives) {
    for (unsigned flits : {1u, 3u, 32u}) {
      for (std::uint32_t seed : {0u, 1u, 0xffffffffu}) {
        CAPTURE(to_string(collective), flits, seed);
        const Payload payload(schedule_of("torus:3x5", collective), flits, seed);
        REQUIRE(payload.flits() == flits);
        std::set<std::uint32_t> words;
        for (const Message& m : messages(collective, 15)) {
          for (unsigned i = 0; i < flits; ++i) {
            const std::uint32_t word = payload.word({m, i});
            REQUIRE(words.insert(word).second);
            REQUIRE(payload.identify(word) == FlitId{m, i});
          }
        }
        // Zeros, as in a store that was never written, are rarely a message's word.
        if (seed == 1) CHECK_FALSE(words.contains(0));
      }
    }
  }
}

TEST_CASE("payload: a word that nobody sent is known as such") {
  const Payload payload(schedule_of("ring:5", Collective::Gossip), 4, 1);
  std::set<std::uint32_t> words;
  for (const Message& m : messages(Collective::Gossip, 5)) {
    for (unsigned i = 0; i < 4; ++i) words.insert(payload.word({m, i}));
  }
  for (const std::uint32_t word : words) {
    for (unsigned bit = 0; bit < 32; ++bit) {
      const std::uint32_t wrong = word ^ 1u << bit;  // a flipped bit
      if (!words.contains(wrong)) CHECK_FALSE(payload.identify(wrong));
    }
  }
}

TEST_CASE("payload: as many flits as 32 bits can distinguish, and not one more") {
  const Schedule gossip = schedule_of("ring:65536", Collective::Gossip);
  CHECK_NOTHROW(Payload(gossip, 65536, 1));
  CHECK_THROWS_AS(Payload(gossip, 65537, 1), InputError);
  const Payload full(gossip, 65536, 7);
  for (const FlitId& id : {FlitId{{0, kNoNode}, 0}, FlitId{{65535, kNoNode}, 65535}}) {
    CHECK(full.identify(full.word(id)) == id);
  }
  const Schedule exchange = schedule_of("ring:65536", Collective::TotalExchange);
  CHECK_NOTHROW(Payload(exchange, 1, 1));
  CHECK_THROWS_AS(Payload(exchange, 2, 1), InputError);
}
