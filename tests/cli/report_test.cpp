// `report`, and the pages of `run` and `suite`: what is written where, and what is refused. What
// the pages show is looked at in a browser (tests/browser).
#include <filesystem>

#include "catch.hpp"
#include "command.hpp"

namespace {

namespace fs = std::filesystem;

/// The command must refuse, in one line that says this.
void check_refused(const std::string& arguments, const std::string& says) {
  const Outcome outcome = run_gossamer(arguments);
  CAPTURE(arguments, outcome.out, outcome.err);
  CHECK(outcome.status == 2);
  CHECK(outcome.error_lines() == 1);
  CHECK(outcome.err.find(says) != std::string::npos);
}

bool is_page(const std::string& file) {
  const std::string text = content_of(file);
  return text.starts_with("<!DOCTYPE html>") && text.ends_with("</html>\n");
}

}  // namespace

TEST_CASE("report writes a page and pictures, and says where") {
  const Scratch scratch;
  const std::string page = scratch.path("page.html"), picture = scratch.path("a=b.svg");
  const Outcome outcome = run_gossamer("report --topology ring:4 --algorithm ring -o " + page +
                                       " --svg knowledge=" + picture);
  CHECK(outcome.status == 0);
  CHECK(outcome.out.ends_with("PASS\nreport: " + page + "\npicture: " + picture + "\n"));
  CHECK(is_page(page));
  CHECK(content_of(picture).starts_with("<svg "));
}

TEST_CASE("report of what the checker refuses is written too, and fails") {
  const Scratch scratch;
  const std::string page = scratch.path("page.html");
  CHECK(run_gossamer("report tests/data/ring-4-not-yet-held.jsonl -o " + page).status == 1);
  CHECK(is_page(page));
  CHECK(content_of(page).find("--no-check --trace fail.fst") != std::string::npos);
}

TEST_CASE("report refuses in one line what it cannot do") {
  check_refused("report --topology ring:4", "report needs a file to write: -o FILE.html, or --svg");
  check_refused("report -o x.html", "nothing to plan");
  check_refused("report --topology ring:4 -o x.pdf", "-o: 'x.pdf' must end in .html");
  check_refused("report --topology ring:4 --svg fabric=x.png", "--svg: 'x.png' must end in .svg");
  check_refused("report --topology ring:4 -o /nowhere/x.html", "-o: there is no folder /nowhere");
  check_refused("report --topology ring:4 --svg links=x.svg",
                "unknown picture 'links': known are fabric, space-time and knowledge");
  check_refused("report --topology ring:4 --svg fabric", "--svg: 'fabric' names no file");
  check_refused("report --topology ring:4 --svg fabric=/nowhere/x.svg",
                "there is no folder /nowhere");
  check_refused("run --topology ring:4 --report /nowhere/x.html",
                "--report: there is no folder /nowhere");
  check_refused("suite tests/regression.toml --report /nowhere/x.html",
                "--report: there is no folder /nowhere");
  const Scratch scratch;
  check_refused("report --topology torus:49x49x49 --svg fabric=" + scratch.path("x.svg"),
                "117649 nodes are too many for a picture; 2000 at most");
  CHECK_FALSE(fs::exists(scratch.path("x.svg")));
}

TEST_CASE("a suite's page is its own, and that of one case that is chosen the case's") {
  const Scratch scratch;
  const std::string all = scratch.path("all.html"), one = scratch.path("one.html");
  const std::string suite = "suite tests/regression.toml --case 'ring-4-L*'";
  CHECK(run_gossamer(suite + " --report " + all).status == 0);
  CHECK(content_of(all).find("\"kind\":\"suite\"") != std::string::npos);
  CHECK(run_gossamer("suite tests/regression.toml --case ring-4-L4 --report " + one).status == 0);
  CHECK(content_of(one).find("\"kind\":\"case\"") != std::string::npos);
  CHECK(content_of(one).find("\"seen\":{\"until\":") != std::string::npos);
}

TEST_CASE("the pictures of the README are those that the command makes") {
  const Scratch scratch;
  const std::string times = scratch.path("t.svg"), links = scratch.path("f.svg");
  CHECK(
      run_gossamer(
          "report --topology hypercube:3 --algorithm bertsekas --flits 4 --svg space-time=" + times)
          .status == 0);
  CHECK(run_gossamer("report --topology torus:5x5 --algorithm lee-code --flits 4 --svg fabric=" +
                     links)
            .status == 0);
  CHECK(content_of(times) == content_of("docs/use/space-time.svg"));
  CHECK(content_of(links) == content_of("docs/use/fabric.svg"));
}
