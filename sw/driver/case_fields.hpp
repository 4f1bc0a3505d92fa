#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "driver/case.hpp"

namespace gossamer {

/// The value of a field as somebody wrote it.
struct Given {
  std::string what;  ///< "--flits" or "flits", for messages
  std::string text;
  std::string folder = {};  ///< in which its files are; empty: the current one
};

/// What a request can say, once for all who read or print it: the command line, suites, lists of
/// cases and the command that runs a case again.
struct CaseField {
  std::string_view name;  ///< "link_stages" in a suite, --link-stages on the command line
  std::string help;
  bool plans = false;  ///< a schedule file already gives it
  bool bare = false;   ///< in a suite: numbers or true and false, and no text
  /// Throws InputError "--flits: what is wrong".
  void (*read)(Case&, const Given&);
  /// As `read` takes it, but of files with their folder; empty: not given.
  std::string (*text)(const Case&);
};

/// In the order in which they are printed.
const std::vector<CaseField>& case_fields();
/// The field of this name, which exists.
const CaseField& case_field(std::string_view name);
/// "--link-stages"
std::string option_of(const CaseField& field);

/// " --topology ring:8 --ports all" for a shell, without the file and what that gives.
std::string options_text(const Case& c);

}  // namespace gossamer
