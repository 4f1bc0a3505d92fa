// The inputs of tests/refusals.toml, which explains the keys: each must be refused with exactly its
// line. `ROW=NAME test_rows [refusals]` runs one row.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>

#include "called.hpp"
#include "catch.hpp"
#include "rows/rows.hpp"

using namespace gossamer;

namespace {

/// Inputs that are given as a text under a key of this name: its file and the call that reads it.
struct Kind {
  const char *key, *file, *call;
};
constexpr Kind kKinds[] = {{"schedule", "line", "check line --json"},
                           {"suite", "suite", "suite suite"},
                           {"edges", "edges.json", "plan --topology edges:edges.json"}};

/// What a line of a schedule is short for, or the line.
std::string long_form(const std::string& line) {
  static const std::regex header(
      "([a-z]+:\\S+) ([a-z-]+) (single|all) (full|half) (packet|circuit|pipelined)(\\+?)( .*)?");
  static const std::regex transfer("(\\d+) (\\d+(?:-\\d+)+) (.+)");
  std::smatch part;
  if (std::regex_match(line, part, header)) {
    return fmt::format(
        R"({{"gossamer":1,"topology":"{}","collective":"{}","model":{{"ports":"{}","duplex":"{}",)"
        R"("switching":"{}","combining":{}}}{}}})",
        part.str(1), part.str(2), part.str(3), part.str(4), part.str(5), part.length(6) == 1,
        part.length(7) == 0 ? "" : "," + part.str(7));
  }
  if (!std::regex_match(line, part, transfer)) return line;
  std::string path = part[2], messages = part[3];
  std::ranges::replace(path, '-', ',');
  messages = messages == "*" || messages == "new" ? '"' + messages + '"' : "[" + messages + "]";
  return fmt::format(R"({{"r":{},"path":[{}],"msgs":{}}})", part.str(1), path, messages);
}

/// The text with its lines where "; " ends them.
std::string in_lines(std::string text, bool schedule) {
  for (std::size_t at; (at = text.find("; ")) != std::string::npos;) text.replace(at, 2, "\n");
  std::string all;
  for (const std::string& line : lines_of(text)) all += (schedule ? long_form(line) : line) + "\n";
  return all;
}

std::vector<Row> refusals() {
  std::vector<Row> rows = read_rows("tests/refusals.toml", "refused",
                                    {"schedule", "suite", "edges", "call", "because"});
  for (Row& row : rows) {
    for (auto& [name, text] : row.files) text = in_lines(text, false);
    for (const Kind& kind : kKinds) {
      if (!row.has(kind.key)) continue;
      row.files[kind.file] = in_lines(row.one(kind.key), kind.key == kKinds[0].key);
      if (!row.has("call")) row.keys["call"] = {kind.call};
    }
    if (!row.has("because")) row.keys["because"] = {row.each.begin() + 1, row.each.end()};
  }
  return rows;
}

/// The words of a call without other quotes than '.
Row::Texts words_of(const std::string& call) {
  Row::Texts words;
  bool quoted = false, within = false;
  for (const char c : call) {
    const bool ends = c == ' ' && !quoted;
    if (!ends && !within) words.emplace_back();
    within = !ends;
    if (c == '\'') {
      quoted = !quoted;
    } else if (!ends) {
      words.back() += c;
    }
  }
  return words;
}

Answer call_here(const std::string& words, const RowFolder& folder) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  NoFabric runner;
  Captured captured;
  Answer answer;
  answer.status = call(words_of(words), runner);
  captured.stop();
  std::filesystem::current_path(before);
  answer.out = captured.out();
  answer.err = captured.err();
  return answer;
}

/// Why it was refused: the line on stderr, or what a check has found.
Row::Texts reasons(const Answer& answer) {
  const std::string begin = "gossamer: ";
  if (answer.status == 2 && answer.out.empty() && answer.err.starts_with(begin)) {
    return lines_of(answer.err.substr(begin.size()));
  }
  const auto json = nlohmann::json::parse(answer.out, nullptr, false);
  if (answer.status != 1 || !json.contains("problems")) return {"it was accepted"};
  return json["problems"];
}

void check_refused(const Row& row, const RowFolder& folder, const Answer& answer) {
  INFO(row.name << "\ngossamer " << row.one("call"));
  for (const auto& [name, text] : row.files) UNSCOPED_INFO("-- " << name << ":\n" << text);
  CHECK(fmt::format("{}", fmt::join(reasons(answer), "\n")) ==
        fmt::format("{}", fmt::join(row.all("because"), "\n")));
  CHECK(folder.made() == Row::Texts{});
}

/// One of ten, always the same ones.
bool chosen(const Row& row) {
  std::uint32_t hash = 2166136261u;
  for (const char c : row.name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return (hash >> 8) % 10 == 0;
}

}  // namespace

TEST_CASE("refusals, through the library", "[refusals]") {
  for (const Row& row : refusals()) {
    const RowFolder folder(row);
    check_refused(row, folder, call_here(row.one("call"), folder));
  }
}

TEST_CASE("refusals, a tenth of them through the command", "[refusals]") {
  for (const Row& row : refusals()) {
    if (!chosen(row)) continue;
    const RowFolder folder(row);
    check_refused(row, folder, run_shell("gossamer " + row.one("call"), folder));
  }
}
