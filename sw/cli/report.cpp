#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "cli/case_work.hpp"
#include "cli/text.hpp"
#include "cli/verbs.hpp"
#include "page/case_page.hpp"
#include "support/error.hpp"
#include "support/file.hpp"

namespace gossamer::cli {
namespace {

struct PictureFile {
  Picture picture;
  std::string file;
};

std::vector<PictureFile> picture_files(const Options& options) {
  std::vector<PictureFile> files;
  for (const std::string& text : options.pictures) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals + 1 == text.size()) {
      throw InputError(fmt::format("--svg: '{}' names no file: space-time=FILE.svg", text));
    }
    files.push_back({parse_picture(text.substr(0, equals)), text.substr(equals + 1)});
    require_extension("--svg", files.back().file, ".svg");
  }
  return files;
}

}  // namespace

int report(const Options& options) {
  const Case c = case_of(options);
  const std::vector<PictureFile> pictures = picture_files(options);
  if (options.report.empty() && pictures.empty()) {
    throw InputError("report needs a file to write: -o FILE.html, or --svg");
  }
  require_extension("-o", options.report, ".html");
  const auto draw = [&](const Report& report, const Plan& plan, Step& step) {
    step.begin("drawing");
    if (!options.report.empty()) {
      write_file(options.report, case_page(report, plan, options.program, options.command));
    }
    for (const auto& [picture, file] : pictures) {
      write_file(file, picture_svg(picture, report, plan));
    }
  };
  const Report report = carry_out(options, c, {.then = draw});
  print_report(report, Paint());
  if (report.interrupted()) return exit_status(report);
  if (!options.report.empty()) fmt::print("report: {}\n", options.report);
  for (const auto& [picture, file] : pictures) fmt::print("picture: {}\n", file);
  return exit_status(report);
}

}  // namespace gossamer::cli
