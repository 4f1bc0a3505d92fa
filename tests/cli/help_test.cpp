// The command's help.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "catch.hpp"
#include "command.hpp"

namespace {

const std::vector<std::string> kVerbs = {"list",   "plan",   "check",   "run",    "rank", "suite",
                                         "export", "import", "compare", "report", "rtl"};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// The options of a help text, each with its lines joined.
std::vector<std::string> options_of(const std::string& help) {
  std::vector<std::string> options;
  bool open = false;
  for (const std::string& line : lines_of(help)) {
    if (line.starts_with("  -")) {
      options.push_back(line.substr(2));
      open = true;
    } else if (open && line.starts_with("      ")) {
      options.back() += line.substr(line.find_first_not_of(' ') - 1);
    } else {
      open = false;
    }
  }
  return options;
}

/// A command that a page shows, without the program's name, and what it prints there.
struct Shown {
  std::string command;
  std::vector<std::string> lines;
};

std::vector<Shown> shown_in(const std::string& page) {
  const std::string program = "$ build/bin/gossamer ";
  std::vector<Shown> all;
  bool open = false;
  for (const std::string& line : lines_of(content_of(page))) {
    if (line.starts_with(program)) {
      all.push_back({line.substr(program.size()), {}});
      open = true;
    } else if (line.starts_with("```") || line.starts_with("$ ")) {
      open = false;
    } else if (open) {
      all.back().lines.push_back(line);
    }
  }
  return all;
}

}  // namespace

TEST_CASE("Every option says what it is when it is not given") {
  for (const std::string& verb : kVerbs) {
    const std::vector<std::string> options = options_of(run_gossamer("help " + verb).out);
    CAPTURE(verb);
    CHECK(options.size() >= 2);
    for (const std::string& option : options) {
      CAPTURE(option);
      if (option.starts_with("-h,--help")) continue;
      const bool says = option.find("(default: ") != std::string::npos ||
                        option.find("(needed") != std::string::npos;
      CHECK(says);
    }
  }
}

TEST_CASE("The defaults that the help states are those that are taken") {
  const std::string help = run_gossamer("help run").out;
  const auto json = nlohmann::json::parse(run_gossamer("plan --topology ring:8 --json").out);
  const auto says = [&](const std::string& option, const std::string& value) {
    CAPTURE(option, value);
    const auto options = options_of(help);
    const auto found = std::ranges::find_if(
        options, [&](const std::string& text) { return text.starts_with(option); });
    REQUIRE(found != options.end());
    CHECK(found->find("(default: " + value) != std::string::npos);
  };
  says("--flits", json["flits"].dump());
  says("--seed", json["seed"].dump());
  says("--engine", json["engine"].get<std::string>());
  says("--collective", json["collective"].get<std::string>());
  says("--duplex", json["model"]["duplex"].get<std::string>());
}

TEST_CASE("The examples of every help do what they show") {
  const Scratch scratch;
  std::filesystem::create_directory_symlink(std::filesystem::absolute("tests"),
                                            scratch.path("tests"));
  const std::string here = "cd '" + scratch.path("") + "' && ";
  std::vector<std::string> examples;
  for (const std::string& verb : kVerbs) {
    const std::size_t before = examples.size();
    bool open = false;
    for (const std::string& line : lines_of(run_gossamer("help " + verb).out)) {
      if (line == "Examples:") open = true;
      if (open && line.starts_with("  gossamer ")) examples.push_back(line.substr(11));
    }
    CAPTURE(verb);
    CHECK(examples.size() > before);
  }
  for (const std::string& example : examples) {
    const Outcome outcome = run_gossamer(example, here);
    CAPTURE(example, outcome.out, outcome.err);
    CHECK(outcome.status == 0);
    CHECK(outcome.err.empty());
  }
}

TEST_CASE("The pages show what the command prints") {
  const Scratch scratch;
  scratch.file("broken.jsonl", content_of("tests/data/ring-4-not-yet-held.jsonl"));
  std::filesystem::create_directory_symlink(std::filesystem::absolute("examples"),
                                            scratch.path("examples"));
  for (const char* page :
       {"README.md", "docs/use/session.md", "docs/use/guide.md", "docs/use/waveforms.md"}) {
    const std::vector<Shown> shown = shown_in(page);
    CHECK_FALSE(shown.empty());
    for (const auto& [command, lines] : shown) {
      std::string out = run_gossamer(command, "cd '" + scratch.path("") + "' && ").out;
      const std::string program = GOSSAMER_COMMAND;
      if (const std::size_t at = out.find(program); at != std::string::npos) {
        out.replace(at, program.size(), "build/bin/gossamer");
      }
      CAPTURE(page, command, out);
      const std::vector<std::string> printed = lines_of(out);
      auto next = printed.begin();
      bool any = false;  // after "...", which stands for lines that are left out
      for (const std::string& line : lines) {
        CAPTURE(line);
        if (line.ends_with("...")) {
          any = true;
          continue;
        }
        const bool time = line.starts_with("  run in");
        const auto found = std::find_if(next, printed.end(), [&](const std::string& other) {
          return time ? other.starts_with("  run in") : other == line;
        });
        REQUIRE(found != printed.end());
        CHECK((any || found == next));
        next = found + 1;
        any = false;
      }
      CHECK((any || next == printed.end()));
    }
  }
}
