#pragma once

#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace gossamer::cli {

/// What is installed beside the command, made from its own verbs and options: a manual page (`man`), or
/// what a shell completes (`bash`, `zsh`, `fish`). Throws InputError for anything else.
std::string generated_help(const CLI::App& app, std::string_view kind);

}  // namespace gossamer::cli
