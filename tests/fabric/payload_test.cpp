// Words of messages: all different, and each identifies its message.
#include "fabric/payload.hpp"

#include <set>

#include "catch.hpp"
#include "support/error.hpp"

using namespace gossamer;

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
