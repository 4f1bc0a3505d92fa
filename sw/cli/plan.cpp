#include "cli/case_work.hpp"
#include "cli/verbs.hpp"
#include "support/error.hpp"

namespace gossamer::cli {

int plan(const Options& options) {
  if (options.orbits && options.output.empty()) throw InputError("--orbits needs -o");
  Report report =
      carry_out(options, case_of(options), {.then = [&](auto& planned, auto& plan, Step& step) {
                  write_schedule(options, planned, plan, step);
                }});
  return print(options, std::move(report), options.output);
}

int check_file(const Options& options) {
  const Case c = case_of(options);
  return print(options, carry_out(options, c, {.making = "reading " + c.file}), /*output=*/"");
}

}  // namespace gossamer::cli
