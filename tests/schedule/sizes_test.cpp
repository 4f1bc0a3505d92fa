// Messages that are not equally long, or in pieces: their files, numbers, and what every flit of them is.
#include "schedule/sizes.hpp"

#include "catch.hpp"
#include "fabric/payload.hpp"
#include "schedule/schedule.hpp"
#include "scratch.hpp"
#include "support/error.hpp"

using namespace gossamer;

namespace {

std::vector<std::uint32_t> read(const std::string& text, Node nodes = 3) {
  const Scratch scratch;
  const Sizes sizes = read_sizes(scratch.file("sizes.csv", text), nodes);
  return {sizes.all().begin(), sizes.all().end()};
}

}  // namespace

TEST_CASE("sizes: by origins, or by origins and destinations") {
  CHECK(read("0,5\n2,7\n") == std::vector<std::uint32_t>{5, 0, 7});
  CHECK(read("origin,flits\r\n 2 , 1048576 \r\n\r\n1,0") ==
        std::vector<std::uint32_t>{0, 0, 1048576});
  CHECK(read("origin,destination,flits\n0,1,4\n2,0,3\n1,1,0\n") ==
        std::vector<std::uint32_t>{0, 4, 0, 0, 0, 0, 3, 0, 0});
  CHECK(read_sizes("", 3).equal());
  const Sizes origins(3, {5, 0, 7}), pairs(2, {0, 1, 2, 3}), none(2, {0, 0});
  CHECK((origins.of(2, 0) == 7 && origins.of(0, kNoNode) == 5 && origins.most() == 7));
  CHECK((pairs.of(0, 1) == 1 && pairs.of(1, 0) == 2 && pairs.by_pair() && !origins.by_pair()));
  CHECK(none.most() == 1);
  CHECK((origins == Sizes(3, {5, 0, 7}) && !(origins == Sizes()) && Sizes() == Sizes()));
}

TEST_CASE("every flit of every message of several lengths is another word, which says what it is") {
  for (const bool pairs : {false, true}) {
    for (const std::uint32_t pieces : {1u, 2u, 4u}) {
      Schedule schedule(Topology::parse("ring:3"),
                        pairs ? Collective::TotalExchange : Collective::Gossip, {});
      schedule.sizes = pairs ? Sizes(3, {0, 1, 9, 4, 0, 2, 0, 5, 0}) : Sizes(3, {3, 0, 7});
      schedule.cut(pieces);
      const Payload payload(schedule, 1, 77);
      std::uint32_t known = 0, words = 0;
      for (Node x = 0; x < 3; ++x) {
        for (Node y = 0; y < (pairs ? 3u : 1u); ++y) {
          const Node to = pairs ? y : kNoNode;
          for (std::uint32_t k = 0; k < pieces; ++k) {
            const Message m{x, to, k};
            words += payload.flits(m);
            for (std::uint32_t i = 0; i < payload.flits(m); ++i) {
              CHECK(payload.identify(payload.word({m, i})) == FlitId{m, i});
            }
          }
          // Flits that a longer message would have are nobody's.
          const std::uint32_t whole = schedule.sizes.of(x, to);
          const std::uint32_t first = payload.first({x, to, 0});
          for (std::uint32_t i = 0; i < payload.flits(); ++i) {
            const bool is = payload.identify(Payload::word(first + i)).has_value();
            CHECK(is == (i < whole));
            known += is ? 1 : 0;
          }
        }
      }
      CHECK(words == known);
      CHECK(words == (pairs ? 21 : 10));
    }
  }
}

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
