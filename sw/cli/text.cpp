#include "cli/text.hpp"

#include <fmt/color.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/job.hpp"
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

namespace {

/// What another choice of algorithm would take, if there was a choice.
void print_runner_up(const Facts& r) {
  const auto& next = r.plan->runner_up;
  if (!next) return;
  fmt::print("runner-up: {}{}{}, {} {} cycles\n", next->algorithm, through(next->ports),
             next->pieces > 1 ? fmt::format(" in {} pieces", next->pieces) : "",
             next->exact ? "takes" : "takes at least", grouped(next->cycles));
}

std::string verdict_text(const Facts& r, const Paint& paint) {
  if (r.interrupted()) return paint.bad("INTERRUPTED") + " while " + r.interrupted_in;
  return r.passed() ? paint.good("PASS") : paint.bad("FAIL");
}

}  // namespace

int exit_status(const Facts& r) {
  if (r.interrupted()) return 128 + interrupt_signal();
  return r.passed() ? 0 : 1;
}

void print_report(const Facts& r, const Paint& paint) {
  if (!r.plan) {  // interrupted before anything was known
    fmt::print("{}\n", verdict_text(r, paint));
    return;
  }
  fmt::print("{}\n", paint.strong(title_of(r)));
  fmt::print("{}\n\n", paint.faint(model_of(r)));
  for (const Number& n : numbers_of(r)) {
    fmt::print("  {:<17} {:>15}   {}\n", n.name, n.value, paint.faint(n.meaning));
  }
  if (r.check_ignored && !r.check.ok()) {
    fmt::print("\nThe checker refuses this schedule (it ran because of --no-check):\n");
    for (const BrokenRule& fault : r.check.faults) fmt::print("  {}\n", to_string(fault));
  }
  fmt::print("\n{}\n", verdict_text(r, paint));
  for (const std::string& problem : r.problems) fmt::print("  {}\n", problem);
  print_runner_up(r);
}

}  // namespace gossamer::cli
