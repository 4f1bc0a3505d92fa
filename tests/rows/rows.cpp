#include "rows/rows.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <toml++/toml.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace fs = std::filesystem;

namespace {

using Texts = Row::Texts;
using Holes = std::vector<std::pair<std::string, std::string>>;  ///< "<1>" and what fills it

std::string filled(std::string text, const Holes& holes) {
  for (const auto& [hole, value] : holes) {
    for (std::size_t at = 0; (at = text.find(hole, at)) != std::string::npos; at += value.size()) {
      text.replace(at, hole.size(), value);
    }
  }
  return text;
}

Texts texts_of(const toml::node& node) {
  if (const auto text = node.value<std::string>()) return {*text};
  if (const auto number = node.value_exact<std::int64_t>()) return {std::to_string(*number)};
  Texts texts;
  for (const toml::node& element : *node.as_array()) texts.push_back(*element.value<std::string>());
  return texts;
}

Texts filled(Texts texts, const Holes& holes) {
  for (std::string& text : texts) text = filled(text, holes);
  return texts;
}

Row row_of(const toml::table& table, const Holes& texts, const Texts& values) {
  Row row;
  row.each = filled(values, texts);
  Holes holes = texts;
  for (const std::string& value : row.each) {
    holes.emplace_back(fmt::format("<{}>", holes.size() - texts.size() + 1), value);
  }
  for (const auto& [key, node] : table) {
    const std::string word(key.str());
    if (word == "files") {
      for (const auto& [name, text] : *node.as_table()) {
        row.files[std::string(name.str())] = filled(*text.value<std::string>(), holes);
      }
    } else if (word != "each" && word != "name") {
      row.keys[word] = filled(texts_of(node), holes);
    }
  }
  const std::string name = *table["name"].value<std::string>();
  row.name = filled(name, holes);
  if (!values.empty() && row.name == name) row.name += ": " + values[0];
  return row;
}

std::string content_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Where the pattern ends that begins at `at`.
std::size_t end_at(const std::string& pattern, const std::string& text, std::size_t at) {
  const std::size_t hole = pattern.find("...");
  const std::size_t size = std::min(hole, pattern.size());
  if (text.compare(at, size, pattern, 0, size) != 0) return std::string::npos;
  at += size;
  if (hole == std::string::npos) return at;
  const std::string rest = pattern.substr(hole + 3);
  for (;; ++at) {
    const std::size_t end = end_at(rest, text, at);
    if (end != std::string::npos || at >= text.size() || text[at] == '\n') return end;
  }
}

}  // namespace

std::vector<Row> read_rows(const std::string& file, const std::string& table, const Texts& known) {
  const toml::table root = toml::parse_file(file);
  Holes texts;
  if (const toml::table* given = root["texts"].as_table()) {
    for (const auto& [name, text] : *given) {
      texts.emplace_back(fmt::format("<{}>", name.str()), *text.value<std::string>());
    }
  }
  std::vector<Row> rows;
  const char* wanted = std::getenv("ROW");
  std::map<std::string, int> names;
  const auto add = [&](Row row) {
    if (const int before = names[row.name]++; before > 0) {
      row.name += fmt::format(" ({})", before + 1);
    }
    if (wanted == nullptr || row.name.find(wanted) != std::string::npos) rows.push_back(row);
  };
  for (const toml::node& node : *root[table].as_array()) {
    const toml::table& one = *node.as_table();
    for (const auto& [key, value] : one) {
      const std::string word(key.str());
      if (word == "name" || word == "files" || word == "each") continue;
      if (std::ranges::find(known, word) != known.end()) continue;
      throw std::runtime_error(
          fmt::format("{}:{}: unknown key '{}'", file, value.source().begin.line, word));
    }
    const toml::array* each = one["each"].as_array();
    if (each == nullptr) {
      add(row_of(one, texts, {}));
    } else {
      for (const toml::node& values : *each) add(row_of(one, texts, texts_of(values)));
    }
  }
  return rows;
}

RowFolder::RowFolder(const Row& row) : row_(row) {
  std::string name = (fs::temp_directory_path() / "gossamer-row-").string() + std::string(6, 'X');
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = name + "/here";
  fs::create_directory(path_);
  fs::create_directory_symlink(fs::absolute("tests/data"), path_ + "/data");
  for (const auto& [file, text] : row.files) {
    std::ofstream(path_ + "/" + file, std::ios::binary) << text;
  }
}

RowFolder::~RowFolder() {
  std::error_code ignored;
  fs::remove_all(fs::path(path_).parent_path(), ignored);
}

Texts RowFolder::made() const {
  Texts names;
  for (const auto& entry : fs::directory_iterator(path_)) {
    const std::string name = entry.path().filename().string();
    const auto given = row_.files.find(name);
    const bool changed = given != row_.files.end() && content_of(entry.path()) != given->second;
    if (changed || (name != "data" && given == row_.files.end())) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

Answer run_shell(const std::string& lines, const RowFolder& folder) {
  const std::string beside = fs::path(folder.path()).parent_path().string();
  std::ofstream(beside + "/script")
      << "PATH='" << fs::path(GOSSAMER_COMMAND).parent_path().string() << "':$PATH ROOT='"
      << fs::current_path().string() << "'; export PATH ROOT\n"
      << lines << "\n";
  const std::string call = fmt::format(
      "cd '{}' && exec timeout 280 sh -e ../script >../out 2>../err </dev/null", folder.path());
  const int status = std::system(call.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content_of(beside + "/out"),
          content_of(beside + "/err")};
}

Texts lines_of(const std::string& text) {
  Texts lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::size_t end_of(const std::string& pattern, const std::string& text, std::size_t from) {
  for (; from <= text.size(); ++from) {
    const std::size_t end = end_at(pattern, text, from);
    if (end != std::string::npos) return end;
  }
  return std::string::npos;
}
