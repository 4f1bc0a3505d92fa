#include "cli/text.hpp"

#include <fmt/color.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/terminal.hpp"
#include "support/words.hpp"

namespace gossamer::cli {
namespace {

std::string styled(bool on, const fmt::text_style& style, std::string_view text) {
  return on ? fmt::format(style, "{}", text) : std::string(text);
}

}  // namespace

Paint::Paint() : on_(is_terminal(STDOUT_FILENO) && std::getenv("NO_COLOR") == nullptr) {}

std::string Paint::good(std::string_view text) const {
  return styled(on_, fmt::emphasis::bold | fmt::fg(fmt::terminal_color::green), text);
}
std::string Paint::bad(std::string_view text) const {
  return styled(on_, fmt::emphasis::bold | fmt::fg(fmt::terminal_color::red), text);
}
std::string Paint::strong(std::string_view text) const {
  return styled(on_, fmt::emphasis::bold, text);
}
std::string Paint::faint(std::string_view text) const {
  return styled(on_, fmt::fg(fmt::terminal_color::bright_black), text);
}

std::string model_text(const Model& model) {
  return fmt::format(
      "{}, {} duplex, {} switching{}, {}",
      model.ports == PortModel::Single ? "single port" : "all ports", to_string(model.duplex),
      to_string(model.switching),
      model.hop_rounds == 1 ? "" : fmt::format(" ({} rounds a hop)", model.hop_rounds),
      model.combining ? "combining" : "one message a transfer");
}

void print_waveform(const std::string& file) {
  const std::string view = std::filesystem::path(file).replace_extension(".gtkw").string();
  fmt::print("waveform: gtkwave {} {}\n", shell_file(file), shell_file(view));
}

void print_error(const std::string& line) {
  std::fflush(stdout);
  std::fputs(fmt::format("gossamer: {}\n", line).c_str(), stderr);
}

void print_json(const nlohmann::ordered_json& json) {
  // File names in messages may not be UTF-8; the output must be.
  fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

}  // namespace gossamer::cli
