#include "support/file.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "catch.hpp"
#include "scratch.hpp"
#include "support/error.hpp"

using namespace gossamer;
namespace fs = std::filesystem;

TEST_CASE("a file beside another one is the same when a link leads to their folder") {
  const Scratch scratch;
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

TEST_CASE("a file is written through links, which stay") {
  const Scratch scratch;
  fs::create_directory(scratch.path("deep"));
  scratch.file("old", "before");
  const auto links = {std::pair{"to-old", "old"},
                      {"to-link", "to-old"},
                      {"deep/up", "../old"},
                      std::pair{"to-none", "deep/none"}};
  for (const auto& [link, to] : links) fs::create_symlink(to, scratch.path(link));
  for (const auto& [link, to] : links) {
    CAPTURE(link);
    write_file(scratch.path(link), link);
    CHECK(fs::is_symlink(scratch.path(link)));
    CHECK(read_file(scratch.path(link)) == link);
    CHECK_FALSE(written_in_place(scratch.path(link)));
  }
  CHECK(read_file(scratch.path("old")) == "deep/up");
  CHECK(read_file(scratch.path("deep/none")) == "to-none");
  fs::create_symlink("loop", scratch.path("loop"));
  CHECK_THROWS_WITH(write_file(scratch.path("loop"), ""),
                    Catch::Matchers::Contains("loop: cannot write: Too many levels"));
}

TEST_CASE("what is open is written on, whatever its file is called") {
  const Scratch scratch;
  const std::string file = scratch.file("old", "before, ");
  std::FILE* const open = std::fopen(file.c_str(), "a");
  fs::create_symlink("/proc/self/fd/" + std::to_string(fileno(open)), scratch.path("link"));
  CHECK(written_in_place(scratch.path("link")));
  write_file(scratch.path("link"), "now, ");
  std::fputs("then", open);
  std::fclose(open);
  CHECK(fs::is_symlink(scratch.path("link")));
  CHECK(read_file(file) == "before, now, then");
}

TEST_CASE("a file may have every name that the system knows") {
  const Scratch scratch;
  for (const std::string& name : {std::string(255, 'a'), std::string(251, 'b') + ".svg"}) {
    write_file(scratch.path(name), name);
    CHECK(read_file(scratch.path(name)) == name);
  }
  CHECK(scratch.files() == 2);
}
