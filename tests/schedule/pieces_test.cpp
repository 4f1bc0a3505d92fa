// Pieces of messages: how long they are, and how messages are numbered.
#include "catch.hpp"
#include "fabric/payload.hpp"
#include "schedule/schedule.hpp"
#include "support/error.hpp"

using namespace gossamer;

TEST_CASE("pieces are as equal as they can be, one after the other, and cover the message") {
  for (std::uint32_t flits = 1; flits <= 40; ++flits) {
    for (std::uint32_t pieces = 1; pieces <= flits; ++pieces) {
      const PieceFlits cut{flits, pieces};
      std::uint32_t flit = 0;
      for (std::uint32_t k = 0; k < pieces; ++k) {
        CHECK(cut.first(k) == flit);
        CHECK(cut.of(k) == flits / pieces + (k < flits % pieces ? 1 : 0));
        for (std::uint32_t i = 0; i < cut.of(k); ++i) CHECK(cut.piece(flit++) == k);
      }
      CHECK(flit == flits);
    }
  }
}

TEST_CASE("every flit of every piece is another word, which says what it is") {
  for (const Collective collective : {Collective::Gossip, Collective::TotalExchange}) {
    Schedule schedule(Topology::parse("ring:5"), collective, {});
    schedule.cut(3);
    const Payload payload(schedule, 8, 77);
    for (Node x = 0; x < 5; ++x) {
      for (Node y = 0; y < 5; ++y) {
        for (std::uint32_t k = 0; k < 3; ++k) {
          const Message m{x, collective == Collective::Gossip ? kNoNode : y, k};
          for (std::uint32_t i = 0; i < payload.flits(m); ++i) {
            CHECK(payload.identify(payload.word({m, i})) == FlitId{m, i});
          }
        }
      }
    }
  }
}

TEST_CASE("messages and their numbers") {
  for (const std::uint32_t pieces : {1u, 2u, 7u, 65536u}) {
    const MessageNumbers numbers(pieces);
    for (const Node origin : {Node{0}, Node{1}, Node{65534}}) {
      for (const Node destination : {Node{0}, Node{65534}, kNoNode}) {
        for (const std::uint32_t piece : {0u, pieces - 1}) {
          const Message m{origin, destination, piece};
          CHECK(numbers.message(numbers.number(m)) == m);
        }
      }
    }
  }
  Schedule schedule(Topology::parse("torus:1000x100"), Collective::Gossip, {});
  CHECK_THROWS_AS(schedule.cut(42950), InputError);
  CHECK_THROWS_AS(schedule.cut(0), InputError);
  schedule.cut(42949);
  CHECK(schedule.pieces() == 42949);
}
