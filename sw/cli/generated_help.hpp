#pragma once

#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace gossamer::cli {

/// Files installed beside the command, generated from its verbs and options: a manual page (`man`),
/// or shell completion (`bash`, `zsh`, `fish`). Throws InputError for anything else.
std::string generated_help(const CLI::App& app, std::string_view kind);

}  // namespace gossamer::cli
