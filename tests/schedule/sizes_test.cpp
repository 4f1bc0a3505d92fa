// Messages that are not equally long: their files, and what every flit of them is.
#include "schedule/sizes.hpp"

#include "catch.hpp"
#include "fabric/payload.hpp"
#include "schedule/schedule.hpp"
#include "support/error.hpp"
#include "support/scratch.hpp"

using namespace gossamer;

namespace {

std::vector<std::uint32_t> read(const std::string& text, Node nodes = 3) {
  const Scratch scratch;
  const Sizes sizes = read_sizes(scratch.file("sizes.csv", text), nodes);
  return {sizes.all().begin(), sizes.all().end()};
}

/// What is said of the file, without its name.
std::string size_refusal(const std::string& text) {
  const Scratch scratch;
  const std::string file = scratch.file("sizes.csv", text);
  try {
    read_sizes(file, 3);
  } catch (const InputError& error) {
    const std::string why = error.what(), begin = "sizes: " + file;
    CHECK(why.starts_with(begin));
    return why.substr(std::min(begin.size(), why.size()));
  }
  return "";
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

TEST_CASE("sizes: what are none is refused in one line, with its place") {
  const std::string expected = "; expected origin,flits or origin,destination,flits";
  CHECK(size_refusal("0,5\n1,x\n") == ":2: 'x' is no number" + expected);
  CHECK(size_refusal("0,-5\n") == ":1: '-5' is no number" + expected);
  CHECK(size_refusal("0,1.5\n") == ":1: '1.5' is no number" + expected);
  CHECK(size_refusal("0,\n") == ":1: '' is no number" + expected);
  CHECK(size_refusal("origin,size\n0,5\n") == ":1: 'origin' is no number" + expected);
  CHECK(size_refusal("\norigin,flits\n0,5\n") == ":2: 'origin' is no number" + expected);
  CHECK(size_refusal("0,99999999999999999999\n") ==
        ":1: '99999999999999999999' is no number" + expected);
  CHECK(size_refusal("5\n") == ":1: 1 number" + expected);
  CHECK(size_refusal("0,1,2,3\n") == ":1: 4 numbers" + expected);
  CHECK(size_refusal("0,1\n\n0,1,2\n") ==
        ":3: 3 numbers after lines of 2; expected one kind of line");
  CHECK(size_refusal("3,1\n") == ":1: 3 is no node; expected 0 to 2");
  CHECK(size_refusal("0,4294967297,1\n") == ":1: 4294967297 is no node; expected 0 to 2");
  CHECK(size_refusal("0,1048577\n") == ":1: 1048577 flits of a message; expected 0 to 1048576");
  CHECK(size_refusal("0,1\n1,1\n0,2\n") == ":3: origin 0 is named twice");
  CHECK(size_refusal("0,1,4\n0,1,4\n") == ":2: the pair 0,1 is named twice");
  CHECK(size_refusal("origin,flits\n") ==
        ": there are none; expected a line origin,flits at least");
  CHECK_THROWS_AS(read_sizes("no-such-file", 3), InputError);
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
