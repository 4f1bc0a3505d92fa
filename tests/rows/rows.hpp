#pragma once

#include <map>
#include <string>
#include <vector>

/// A row of a table of tests, with all holes filled.
struct Row {
  using Texts = std::vector<std::string>;
  std::string name;
  std::map<std::string, std::string> files;  ///< name and content of what lies in the folder
  std::map<std::string, Texts> keys;         ///< all other keys; a single value is a list of one
  Texts each;                                ///< its element of the list `each`

  bool has(const std::string& key) const { return keys.contains(key); }
  /// The values of a key; none if the row does not have it.
  Texts all(const std::string& key) const { return has(key) ? keys.at(key) : Texts{}; }
  /// Its first value, or `other`.
  std::string one(const std::string& key, const std::string& other = "") const {
    return has(key) ? keys.at(key).at(0) : other;
  }
};

/// The rows of `[[table]]` in a file, of which ROW may choose some by a part of their names. Only
/// these keys, `name`, `files` and `each` are allowed.
std::vector<Row> read_rows(const std::string& file, const std::string& table,
                           const Row::Texts& known);

/// A folder with the files of a row, and `data`, which leads to tests/data.
class RowFolder {
 public:
  explicit RowFolder(const Row& row);
  ~RowFolder();
  RowFolder(const RowFolder&) = delete;
  RowFolder& operator=(const RowFolder&) = delete;

  const std::string& path() const { return path_; }
  /// What was made or changed there.
  Row::Texts made() const;

 private:
  const Row& row_;
  std::string path_;
};

struct Answer {
  int status = -1;
  std::string out, err;
};

/// Runs the lines by `sh -e` in the folder, with `gossamer` among the commands and ROOT as the
/// folder of the sources.
Answer run_shell(const std::string& lines, const RowFolder& folder);

/// The text without its last line's end, in lines.
Row::Texts lines_of(const std::string& text);

/// Where `text` has the pattern from `from` on, and where it ends there; `...` in a pattern stands
/// for anything within a line. Returns npos if it has not.
std::size_t end_of(const std::string& pattern, const std::string& text, std::size_t from = 0);
