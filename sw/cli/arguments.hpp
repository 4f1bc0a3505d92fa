#pragma once

#include <array>
#include <string_view>

#include "cli/options.hpp"

namespace CLI {
class App;
}

namespace gossamer::cli {

inline constexpr std::array<std::string_view, 10> kVerbs = {
    "list", "plan", "check", "run", "rank", "suite", "export", "import", "compare", "report"};

/// Adds all verbs with their options, defaults and examples.
void add_verbs(CLI::App& app, Options& options);

}  // namespace gossamer::cli
