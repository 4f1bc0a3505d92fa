#include "support/file.hpp"

#include <string>

#include "catch.hpp"
#include "support/error.hpp"
#include "support/scratch.hpp"

using namespace gossamer;

TEST_CASE("a file of the greatest length is read, and a byte more refused") {
  const Scratch scratch;
  // Around what is read at a time, too.
  for (const std::size_t size : {0U, 1U, 65535U, 65536U, 65537U, 200000U}) {
    CAPTURE(size);
    const std::string text(size, 'x');
    const std::string file = scratch.file("text", text);
    CHECK(read_file(file) == text);
    CHECK(read_file(file, size) == text);
    if (size > 0) CHECK_THROWS_WITH(read_file(file, size - 1), file + ": is longer than 0 MB");
  }
  CHECK_THROWS_WITH(read_file("/dev/zero", 3'000'000), "/dev/zero: is longer than 3 MB");
}
