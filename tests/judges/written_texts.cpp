#include "judges/written_texts.hpp"

#include <fmt/format.h>

#include <sstream>

#include "driver/suite.hpp"
#include "support/words.hpp"
#include "export/text.hpp"
#include "schedule/jsonl.hpp"

namespace gossamer::tb {
namespace {

Schedule schedule(const char* text) {
  std::istringstream lines(text);
  return read_jsonl(lines, "line");
}

/// Node 1 forwards what the end nodes have for each other.
Schedule exchange_on_a_path() {
  return schedule(
      R"({"gossamer":1,"topology":"path:3","collective":"total-exchange","model":{"ports":"all","duplex":"full","switching":"packet","combining":true}}
{"r":1,"path":[0,1],"msgs":[[0,1],[0,2]]}
{"r":1,"path":[2,1],"msgs":[[2,1],[2,0]]}
{"r":2,"path":[1,0],"msgs":[[1,0],[2,0]]}
{"r":2,"path":[1,2],"msgs":[[1,2],[0,2]]}
)");
}

/// Node 1 adds its own to what node 2 sends.
Schedule sum_on_a_path() {
  return schedule(
      R"({"gossamer":1,"topology":"path:3","collective":"reduce","root":0,"op":"sum","model":{"ports":"all","duplex":"full","switching":"packet","combining":false}}
{"r":1,"path":[2,1],"msgs":[0]}
{"r":2,"path":[1,0],"msgs":[0]}
)");
}

SuiteResult result(double seconds, std::vector<std::string> problems, std::string error,
                   std::string interrupted_in) {
  SuiteResult result;
  result.seconds = seconds;
  result.facts.problems = std::move(problems);
  result.facts.error = std::move(error);
  result.facts.interrupted_in = std::move(interrupted_in);
  return result;
}

/// A report with cases of every outcome, and checks; the last case did not run.
std::string junit_report() {
  std::vector<SuiteCase> cases(5);
  for (std::size_t i = 0; i < cases.size(); ++i) cases[i].request.name = "abcde"[i];
  SuiteReport report{cases,
                     {result(0.0625, {}, "", ""), result(1.5, {"one", "two"}, "", ""),
                      result(0, {}, "too large", ""), result(0, {}, "", "running")},
                     {{"compared", "all", {}}, {"judges", "", {"x & y", "z"}}}};
  report.count();
  return junit_xml("<s>", report);
}

}  // namespace

std::vector<WrittenText> written_texts() {
  return {
      {"the GOAL text of an exchange through a node in the middle",
       goal_text(exchange_on_a_path(), 2),
       R"(// total-exchange on path:3: 2 rounds, 8 bytes a message
num_ranks 3

rank 0 {
// l1 in round 1 carries 0>1 0>2
l1: send 16b to 1 tag 0 nic 0
l2: recv 16b from 1 tag 0 nic 0
}

rank 1 {
l1: recv 16b from 0 tag 0 nic 1
l2: recv 16b from 2 tag 0 nic 0
// l3 in round 2 carries 1>0 2>0
l3: send 16b to 0 tag 0 nic 1
l3 requires l2
// l4 in round 2 carries 0>2 1>2
l4: send 16b to 2 tag 0 nic 0
l4 requires l1
}

rank 2 {
// l1 in round 1 carries 2>0 2>1
l1: send 16b to 1 tag 0 nic 1
l2: recv 16b from 1 tag 0 nic 1
}
)"},
      {"the MSCCL file of a sum", msccl_xml(sum_on_a_path()),
       R"(<algo name="gossamer" proto="Simple" nchannels="1" nchunksperloop="1" ngpus="3" coll="reduce" inplace="0" outofplace="1" minBytes="0" maxBytes="1099511627776">
  <gpu id="0" i_chunks="1" o_chunks="1" s_chunks="0">
    <tb id="0" send="-1" recv="1" chan="0">
      <step s="0" type="rrc" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
  </gpu>
  <gpu id="1" i_chunks="1" o_chunks="0" s_chunks="1">
    <tb id="0" send="-1" recv="2" chan="0">
      <step s="0" type="rrc" srcbuf="i" srcoff="0" dstbuf="s" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="1"/>
    </tb>
    <tb id="1" send="0" recv="-1" chan="0">
      <step s="0" type="s" srcbuf="s" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="0" deps="0" hasdep="0"/>
    </tb>
  </gpu>
  <gpu id="2" i_chunks="1" o_chunks="0" s_chunks="0">
    <tb id="0" send="1" recv="-1" chan="0">
      <step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="s" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
  </gpu>
</algo>
)"},
      {"the JUnit report of cases of every outcome", junit_report(),
       R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="&lt;s&gt;" tests="7" failures="3" errors="1" skipped="1" time="1.562">
  <testcase classname="gossamer" name="a" time="0.062"/>
  <testcase classname="gossamer" name="b" time="1.500">
    <failure type="check" message="one">one
two</failure>
  </testcase>
  <testcase classname="gossamer" name="c" time="0.000">
    <error type="error" message="too large">too large</error>
  </testcase>
  <testcase classname="gossamer" name="d" time="0.000">
    <failure type="check" message="failed"></failure>
  </testcase>
  <testcase classname="gossamer" name="e" time="0.000">
    <skipped type="interrupted" message="interrupted before it ended"></skipped>
  </testcase>
  <testcase classname="gossamer" name="compared"/>
  <testcase classname="gossamer" name="judges">
    <failure type="check" message="x &amp; y">x &amp; y
z</failure>
  </testcase>
</testsuite>
)"},
      {"what must be escaped in XML, and what cannot stand there",
       xml_escaped(
           "a<b> & \"c\"\x01 \xc3\xa4\xc3 \xe2\x82\xac\xe2\x82 "
           "\xf0\x9f\x98\x80\xc0\xaf\xe0\x80\xaf\xed\xa0\x80\xef\xbf\xbf\xf4\x90\x80\x80\n"
           "\xe2\x28\xa1\t\x7f \xef\xbf\xbd"),
       "a&lt;b&gt; &amp; &quot;c&quot;? \xc3\xa4? \xe2\x82\xac?? "
       "\xf0\x9f\x98\x80???????????????\n?(?\t\x7f \xef\xbf\xbd"},
  };
}

std::string difference(const WrittenText& text) {
  if (text.is == text.should) return "";
  std::istringstream is(text.is), should(text.should);
  std::string here, there;
  for (std::size_t line = 1;; ++line) {
    const bool more = static_cast<bool>(std::getline(is, here));
    const bool expected = static_cast<bool>(std::getline(should, there));
    if (more && expected && here == there) continue;
    if (!more && !expected) return text.what + ": its line ends are others";
    return fmt::format("{}: line {} is {}; expected {}", text.what, line,
                       more ? "\"" + here + "\"" : "missing",
                       expected ? "\"" + there + "\"" : "none");
  }
}

}  // namespace gossamer::tb
