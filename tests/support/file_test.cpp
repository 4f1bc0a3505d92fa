#include "support/file.hpp"

#include <filesystem>
#include <string>

#include "catch.hpp"
#include "support/error.hpp"
#include "support/scratch.hpp"

using namespace gossamer;

TEST_CASE("a file beside another one is the same when a link leads to their folder") {
  const Scratch scratch;
  namespace fs = std::filesystem;
  const fs::path here = scratch.path("here");
  fs::create_directories(here / "a/b");
  fs::create_directory_symlink("a/b", here / "link");
  CHECK(file_beside("a/b", "../../g.json") == "g.json");
  CHECK(file_beside(here / "a", "../g.json") == (here / "g.json").string());
  // The text alone would lead to the folder above.
  CHECK(fs::weakly_canonical(file_beside(here / "link", "../../g.json")) ==
        fs::weakly_canonical(here / "g.json"));
}

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
