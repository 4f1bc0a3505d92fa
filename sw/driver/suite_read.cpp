#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "driver/case.hpp"
#include "driver/suite.hpp"
#include "support/file.hpp"
#include "support/refuse.hpp"
#include "support/words.hpp"

namespace gossamer {
namespace {

namespace fs = std::filesystem;

/// Bytes of a suite file.
constexpr std::size_t kLongest = std::size_t{1} << 26;

std::vector<std::string_view> keys() {
  std::vector<std::string_view> all = {"name"};
  for (const CaseField& field : case_fields()) all.push_back(field.name);
  return all;
}

/// A place in the suite file, for messages.
struct Place {
  std::string file;  ///< or the name used in messages
  std::uint32_t line = 0;
  std::string what;  ///< "case 'ring-8': ", empty until its name is known

  template <typename... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> why, Args&&... args) const {
    gossamer::fail(file, line, "{}{}", what, fmt::format(why, std::forward<Args>(args)...));
  }
  Place at(const toml::node& node) const { return {file, node.source().begin.line, what}; }
};

void check_keys(const toml::table& table, const std::vector<std::string_view>& known,
                const char* what, const Place& place) {
  for (const auto& [key, value] : table) {
    if (std::ranges::find(known, key.str()) != known.end()) continue;
    place.at(value).fail("unknown key '{}' in a {}: {}", key.str(), what,
                         suggestion(key.str(), known));
  }
}

/// One `[[case]]` table.
class CaseReader {
 public:
  /// `head`: of a job, what its programs say together.
  CaseReader(Place place, std::string folder, const toml::table& table,
             const toml::table* head = nullptr)
      : place_(std::move(place)), folder_(std::move(folder)), table_(table), head_(head) {}

  std::vector<SuiteCase> read() {
    std::vector<std::string_view> known = keys();
    if (head_ != nullptr) known.insert(known.end(), {"after", "takes", "beside"});
    check_keys(table_, known, kind_, place_);
    read_each(0);
    return std::move(cases_);
  }

 private:
  /// Is it a list with a case for each element, and not a list that one case has?
  static bool is_choice(std::string_view key, const toml::node& given) {
    const toml::array* array = given.as_array();
    if (array == nullptr || (key != "cycle" && key != "link_stages")) return array != nullptr;
    return std::ranges::any_of(*array, [](const toml::node& node) { return node.is_array(); });
  }

  /// Reads the cases of each element of the lists from field `next` on.
  void read_each(std::size_t next) {
    if (next == case_fields().size()) return read_one();
    const std::string_view key = case_fields()[next].name;
    const toml::node* given = get(key);
    if (given == nullptr || !is_choice(key, *given)) return read_each(next + 1);
    const auto elements = list(key);
    if (elements.empty()) place_.at(*given).fail("the list of {} is empty", key);
    for (const toml::node* element : elements) {
      chosen_[key] = element;
      read_each(next + 1);
    }
    chosen_.erase(key);
  }

  void read_one() {
    place_.what.clear();
    const std::string name = read_name();
    place_.what = fmt::format("{} '{}': ", kind_, name);
    SuiteCase one;
    one.group = name;
    one.place = fmt::format("{}:{}: {} '{}'", place_.file, place_.line, kind_, name);
    fill_in(one.request);
    const bool several = table_["flits"].is_array();
    one.request.name = name + (several ? fmt::format("-L{}", one.request.flits) : "");
    one.after = text("after");
    one.takes = text("takes");
    one.beside = text("beside");
    for (auto& [request, sets] : each_case(one.request)) {
      one.request = std::move(request);
      cases_.push_back(one);
    }
  }

  /// The value of a key: of a list, the element whose case is read.
  const toml::node* get(std::string_view key) const {
    const auto chosen = chosen_.find(key);
    if (chosen != chosen_.end()) return chosen->second;
    if (head_ == nullptr || table_.contains(key)) return table_.get(key);
    const auto field = std::ranges::find(case_fields(), key, &CaseField::name);
    const bool in_file = table_.contains("file") && field->plans;
    return in_file || field == case_fields().end() ? nullptr : head_->get(key);
  }

  /// Adds the place in the file to an error of the library's parsers.
  template <typename Parse>
  auto in_place(std::string_view key, Parse parse) const {
    const Place place = place_.at(*get(key));
    try {
      return parse();
    } catch (const InputError& error) {
      place.fail("{}", error.what());
    }
  }

  /// torus-4x4 of torus:4x4, star-9-ring-4 of product:edges:data/star-9.json,ring:4
  static std::string for_name(std::string value) {
    const auto cut = [&value](const std::regex& what, const char* by) {
      value = std::regex_replace(value, what, by);
    };
    static const std::regex kinds("product:|edges:|@"), folders("[^,:]*/"), endings("\\.[a-z]+\\b"),
        signs("[:,/=;>]");
    cut(kinds, "");
    cut(folders, "");
    cut(endings, "");
    cut(signs, "-");
    return value;
  }

  std::string read_name() const {
    std::string name = text("name");
    if (name.empty()) place_.fail("a {} needs a name", kind_);
    for (const CaseField& field : case_fields()) {
      const std::string key(field.name), word = fmt::format("{{{}}}", key);
      std::size_t at = name.find(word);
      if (at == std::string::npos) continue;
      const std::string value = for_name(field.bare ? bare(key) : text(key));
      if (value.empty()) place_.fail("{} in a name needs the key {}", word, key);
      for (; at != std::string::npos; at = name.find(word, at + value.size())) {
        name.replace(at, word.size(), value);
      }
    }
    const bool plain = name.find_first_not_of(
                           "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                           "0123456789._-") == std::string::npos;
    if (!plain) {
      place_.fail("'{}' is no name: use letters, digits, '.', '_' and '-'", name);
    }
    return name;
  }

  void fill_in(Case& c) const {
    if ((get("file") == nullptr) == (get("topology") == nullptr)) {
      place_.fail("a {} has either a topology or a schedule file", kind_);
    }
    c.flits_given = false;
    for (const CaseField& field : case_fields()) {
      if (get(field.name) == nullptr) continue;
      const Given given{std::string(field.name), field.bare ? bare(field.name) : text(field.name),
                        folder_};
      in_place(field.name, [&] { field.read(c, given); });
    }
    if (!c.algorithm.empty()) in_place("algorithm", [&] { return algorithm(c.algorithm).name; });
    if (c.topology.empty()) return;
    const Topology topology = in_place("topology", [&] { return Topology::parse(c.topology); });
    if (!c.members.empty())
      in_place("members", [&] { return parse_members(c.members, topology).all(); });
    if (!c.sizes.empty())
      in_place("sizes", [&] { return read_sizes(c.sizes, topology.nodes()).equal(); });
    if (c.faults.empty() || names_each(c.faults)) return;
    in_place("faults", [&] { return parse_faults(c.faults, topology, c.seed).empty(); });
  }

  /// Numbers, or true or false, as the command line has them.
  std::string bare(std::string_view key) const {
    std::vector<std::string> words;
    for (const toml::node* node : list(key)) {
      if (node->is_string() || node->is_table() || node->is_array()) {
        place_.at(*node).fail("{} must be a number, true or false, without quotes", key);
      }
      std::ostringstream word;
      node->visit([&word](const auto& value) {
        if constexpr (toml::is_integer<decltype(value)>) {
          word << *value;  // in decimal, however the file writes it
        } else if constexpr (toml::is_value<decltype(value)>) {
          word << value;
        }
      });
      words.push_back(word.str());
    }
    return fmt::format("{}", fmt::join(words, ","));
  }

  std::string text(std::string_view key) const {
    const toml::node* node = get(key);
    if (node == nullptr) return "";
    const auto value = node->value_exact<std::string>();
    if (!value) place_.at(*node).fail("{} must be a text", key);
    if (value->empty()) place_.at(*node).fail("{} is empty", key);
    if (value->find('\n') != std::string::npos) {
      place_.at(*node).fail("{} must be one line", key);
    }
    return *value;
  }

  /// The elements of a list, or a single value in its place.
  std::vector<const toml::node*> list(std::string_view key) const {
    const toml::node* node = get(key);
    if (node == nullptr) return {};
    const toml::array* array = node->as_array();
    if (array == nullptr) return {node};
    std::vector<const toml::node*> elements;
    for (const toml::node& element : *array) elements.push_back(&element);
    return elements;
  }

  Place place_;
  std::string folder_;  ///< of the suite
  const toml::table& table_;
  const toml::table* head_;
  const char* kind_ = head_ != nullptr ? "program" : "case";
  std::map<std::string_view, const toml::node*> chosen_;  ///< the elements of lists, by key
  std::vector<SuiteCase> cases_;
};

toml::table parse(const std::string& text, const std::string& file) {
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    std::string why(error.description());
    std::replace(why.begin(), why.end(), '\n', ' ');
    Place{file, error.source().begin.line, ""}.fail("no TOML: {}", why);
  }
}

/// All totals are required: a missing number would never be compared.
SuiteTotals read_totals(const Place& place, const toml::table& table) {
  SuiteTotals totals = totals_of({});
  for (const auto& [key, value] : table) {
    const auto total = totals.find(std::string(key.str()));
    if (total == totals.end()) place.at(value).fail("unknown key '{}' in [expect]", key.str());
    const auto number = value.value_exact<std::int64_t>();
    if (!number || *number < 0) {
      place.at(value).fail("{} must be a whole number, at least 0", key.str());
    }
    total->second = static_cast<std::uint64_t>(*number);
  }
  for (const auto& [name, number] : totals) {
    if (!table.contains(name)) place.fail("[expect] lacks '{}'", name);
  }
  return totals;
}

/// The program of this name among those before; `key` asks for it.
std::optional<std::size_t> earlier(const std::vector<JobProgram>& before, const SuiteCase& one,
                                   const char* key, const std::string& name) {
  if (name.empty()) return std::nullopt;
  std::vector<std::string_view> names;
  for (const JobProgram& p : before) names.push_back(p.request.name);
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  refuse("{}: {}: there is no program '{}' before it", one.place, key, name);
}

/// The cases of all tables [[kind]] of a file that may have one more table; with `head`, what its
/// programs say together.
std::vector<SuiteCase> read_cases(const toml::table& root, const std::string& kind,
                                  const std::string& more, const Place& start,
                                  const std::string& folder, const toml::table* head = nullptr) {
  for (const auto& [key, value] : root) {
    if (key.str() == kind || key.str() == more) continue;
    start.at(value).fail("unknown key '{}'; a {} is a list of [[{}]], and may have [{}]", key.str(),
                         head != nullptr ? "job" : "suite", kind, more);
  }
  std::vector<SuiteCase> cases;
  std::set<std::string> names;
  const toml::node* const list = root.get(kind);
  if (list == nullptr) start.fail("no {0}s: expected [[{0}]] tables", kind);
  if (!list->is_array()) start.at(*list).fail("expected [[{}]], with two brackets", kind);
  for (const toml::node& node : *list->as_array()) {
    const Place place = start.at(node);
    if (!node.is_table()) place.fail("a {0} is a table; expected [[{0}]]", kind);
    for (SuiteCase& one : CaseReader(place, folder, *node.as_table(), head).read()) {
      if (!names.insert(one.request.name).second) {
        place.fail("{} '{}' appears twice", kind, one.request.name);
      }
      cases.push_back(std::move(one));
    }
  }
  if (cases.empty()) start.fail("no {0}s: expected [[{0}]] tables", kind);
  return cases;
}

}  // namespace

std::vector<JobProgram> read_job(const std::string& file) {
  const toml::table root = parse(read_file(file, kLongest), file);
  const Place start{file, 1, ""};
  const toml::table none;
  const toml::table* const head = root.contains("job") ? root["job"].as_table() : &none;
  if (head == nullptr) start.at(*root.get("job")).fail("expected [job], with one bracket");
  std::vector<std::string_view> known = keys();
  std::erase_if(known, [](std::string_view key) { return key == "name" || key == "file"; });
  check_keys(*head, known, "job", start);
  std::vector<JobProgram> programs;
  const std::string folder = fs::path(file).parent_path().string();
  for (const SuiteCase& one : read_cases(root, "program", "job", start, folder, head)) {
    JobProgram program{one, earlier(programs, one, "after", one.after),
                       earlier(programs, one, "takes", one.takes),
                       earlier(programs, one, "beside", one.beside)};
    // The first of those that start together stands for all.
    const auto first = [&](std::optional<std::size_t> k) {
      return k && programs[*k].beside ? programs[*k].beside : k;
    };
    program.beside = first(program.beside);
    program.after = first(program.after ? program.after : program.takes);
    if (program.beside) {
      const JobProgram& lead = programs[*program.beside];
      if (!one.after.empty()) refuse("{}: after: it starts when '{}' does", one.place, one.beside);
      for (const SuiteCase* p : {&one, static_cast<const SuiteCase*>(&lead)}) {
        if (p->request.file.empty() && p->request.members.empty())
          refuse("{}: what runs at the same time as another one needs members", p->place);
      }
      program.after = lead.after;
    }
    auto back = program.after;
    while (program.takes && back && back != first(program.takes)) back = programs[*back].after;
    if (program.takes && !back) {
      refuse("{}: takes: '{}' does not run before it", one.place, one.takes);
    }
    programs.push_back(std::move(program));
  }
  return programs;
}

Suite read_suite(const std::string& file) {
  return parse_suite(read_file(file, kLongest), file, fs::path(file).parent_path().string());
}

Suite parse_suite(const std::string& text, const std::string& file, const std::string& folder) {
  const toml::table root = parse(text, file);
  const Place start{file, 1, ""};
  Suite suite{read_cases(root, "case", "expect", start, folder), {}};
  if (const toml::node* expect = root.get("expect")) {
    if (!expect->is_table()) start.at(*expect).fail("expected [expect], with one bracket");
    suite.expected = read_totals(start.at(*expect), *expect->as_table());
  }
  return suite;
}

}  // namespace gossamer
