// The compressed stores of the tile engine in runs that go wrong.
#include "engines/tile/log_store.hpp"

#include "catch.hpp"
#include "engines/prepared.hpp"
#include "tables/expected_logs.hpp"

namespace gossamer::test {
namespace {

using Store = tb::LogStore<1, true, false, 1>;

/// A gossip on a ring of single-port nodes, with the expected content of its logs.
FabricImage expecting_image(Node nodes, unsigned flits) {
  const Schedule schedule = plan("ring:" + std::to_string(nodes), "ring", Duplex::Full);
  FabricImage image = prepare(schedule, flits, 2);
  image.expected = expected_logs(schedule, image.kind, Payload(schedule, flits, kPayloadSeed));
  REQUIRE(image.expected != nullptr);
  return image;
}

}  // namespace

TEST_CASE("one wrong word makes its node differ, and no other") {
  const FabricImage image = expecting_image(4, 1);
  Store store;
  store.load(image, 0, 4);
  for (Node x = 0; x < 4; ++x) {
    const Node c = image.program_of[x];
    const std::uint32_t shift = image.expected->shift(x, c);
    for (std::uint32_t i = store.length(x, 0); i < image.expected->words(c, 0); ++i) {
      const std::uint32_t word = image.expected->word(c, shift, 0, i);
      store.append(x, 0, x == 2 && i == 2 ? ~word : word);
    }
  }
  for (Node x = 0; x < 4; ++x) CHECK(store.as_expected(x) == (x != 2));
  CHECK(store.compared().different == 1);
  CHECK(store.compared().words == 16);
  store.load(image, 0, 4);
  CHECK(store.compared().different == 0);
}

TEST_CASE("a run with more than a million wrong words is given up with a reason of its own") {
  const FabricImage image = expecting_image(4, 1u << 19);
  Store store;
  store.load(image, 0, 4);
  const auto fill = [&](std::size_t words) {
    for (std::size_t i = 0; i < words; ++i) store.append(1, 0, 0);
  };
  fill(tb::kMostDifferentWords);
  CHECK(store.compared().different == tb::kMostDifferentWords);
  CHECK_THROWS_AS(fill(1), GaveUp);
  CHECK_FALSE(store.as_expected(1));
  CHECK(store.as_expected(0) == false);  // words are missing
}

}  // namespace gossamer::test
