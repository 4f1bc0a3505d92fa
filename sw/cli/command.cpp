#include "cli/command.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/text.hpp"
#include "cli/verbs.hpp"
#include "cli/version.hpp"
#include "support/error.hpp"
#include "support/file.hpp"
#include "support/job.hpp"
#include "support/memory.hpp"
#include "support/words.hpp"
#include "topology/topology.hpp"

namespace gossamer {
namespace {

namespace fs = std::filesystem;
using cli::kStdout;
using cli::Ask;

constexpr int kBadInput = 2;

/// Rewrites what CLI11 says about an option with a wrong number of values.
std::string plain_text(const CLI::ParseError& error) {
  const std::string text = error.what();
  const std::string_view flag = "Could not convert: ";
  if (text.starts_with(flag)) {
    return text.substr(flag.size(), text.find(' ', flag.size()) - flag.size()) + " takes no value";
  }
  const std::string option = text.substr(0, text.find(':'));
  if (text.find("required TEXT missing") != std::string::npos) return option + " needs a value";
  if (text.find("At Most 1") != std::string::npos) return option + " is given more than once";
  return text;
}

/// A verb must come first; otherwise a mistyped verb would be taken for a stray argument.
void check_verb(const std::vector<std::string>& words) {
  const std::vector<std::string_view> names = cli::verb_names();
  if (words.empty()) {
    throw InputError(fmt::format("no verb given: {} (gossamer --help)", fmt::join(names, ", ")));
  }
  const std::string_view first = words[0];
  if (first == "-h" || first == "--version" || first.starts_with("--help")) return;
  if (std::ranges::find(names, first) != names.end()) return;
  if (first.starts_with("-")) {
    throw InputError(fmt::format("the verb comes first, not '{}': {} (gossamer --help)", first,
                                 fmt::join(names, ", ")));
  }
  throw InputError(fmt::format("unknown verb '{}': {}", first, suggestion(first, names)));
}

/// Replaces `help` and `help VERB` by --help and VERB --help.
std::vector<std::string> without_help_verb(int argc, char** argv) {
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (words.empty() || words[0] != "help") return words;
  if (words.size() > 2) {
    throw InputError(fmt::format("help takes one verb, not also '{}'", words[2]));
  }
  if (words.size() == 1) return {"--help"};
  const std::vector<std::string_view> names = cli::verb_names();
  if (std::ranges::find(names, words[1]) == names.end()) {
    throw InputError(
        fmt::format("help: unknown verb '{}': {}", words[1], suggestion(words[1], names)));
  }
  return {words[1], "--help"};
}

/// The options that name a file to write.
constexpr std::string_view kOutputs[] = {"-o",       "--loads", "--junit",
                                         "--report", "--trace", "--svg"};

/// A word "-" is the open stream: after an output stdout, else stdin.
void name_streams(std::vector<std::string>& words) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i] != "-") continue;
    const bool written = words[i - 1] == "--output" ||
                         std::ranges::find(kOutputs, words[i - 1]) != std::end(kOutputs);
    words[i] = written ? kStdout : "/dev/stdin";
  }
}

/// "did you mean --topology torus:4x4?" for a word that is one, where the verb has that option.
std::string topology_hint(const CLI::App& verb, const std::string& word) {
  const std::size_t colon = word.find(':');
  if (colon == std::string::npos || verb.get_option_no_throw("--topology") == nullptr) return "";
  std::vector<std::string_view> kinds;
  for (const TopologyKind& kind : topology_kinds()) kinds.push_back(kind.name);
  const std::string_view near = nearest_name(word.substr(0, colon), kinds);
  if (near.empty()) return "";
  return fmt::format(": did you mean --topology {}{}?", near, word.substr(colon));
}

/// Throws InputError for arguments that the verb does not know.
void check_leftovers(const CLI::App& app, const CLI::App& verb) {
  std::vector<std::string> extras = verb.remaining();
  std::erase(extras, "--");
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  for (const std::string& extra : extras) {
    if (!extra.starts_with("-")) continue;
    const std::string word = extra.substr(0, extra.find('='));
    const std::vector<std::string_view> candidates(names.begin(), names.end());
    const std::string_view near = nearest_name(word, candidates);
    throw InputError(fmt::format("{} has no option {}{}", verb.get_name(), word,
                                 near.empty()
                                     ? fmt::format(" (gossamer {} --help)", verb.get_name())
                                     : fmt::format(": did you mean {}?", near)));
  }
  for (const std::string& word : app.remaining()) extras.push_back(word);  // those behind "--"
  if (extras.empty()) return;
  throw InputError(fmt::format("{} does not take the argument '{}'{}", verb.get_name(),
                               extras.front(), topology_hint(verb, extras.front())));
}

/// A topology in the place of a file is no file that cannot be opened.
void check_file_name(const CLI::App& verb, const Ask& o) {
  std::error_code ignored;
  const std::string hint = topology_hint(verb, o.file);
  if (hint.empty() || fs::exists(o.file, ignored)) return;
  throw InputError(fmt::format("there is no file '{}'{}", o.file, hint));
}

/// Throws InputError for an option with an empty value, which would count as not given.
void check_values(const CLI::App& verb) {
  for (const CLI::Option* option : verb.get_options()) {
    if (std::ranges::find(option->results(), "") == option->results().end()) continue;
    throw InputError(option->get_name() + " needs a value");
  }
}

/// What is given for an option, of a verb that has it.
std::vector<std::string> given(const CLI::App& verb, const std::string& name) {
  const CLI::Option* option = verb.get_option_no_throw(name);
  return option == nullptr ? std::vector<std::string>{} : option->results();
}

/// Throws InputError for an output that cannot be written, or is another output, too. Whoever reads
/// one later, whatever names it, is refused.
void check_outputs(const CLI::App& verb, const Ask& o) {
  if (cli::writes_folder(o.format)) return;
  std::set<std::string> taken;
  const auto check = [&taken](const std::string& option, const fs::path& file) {
    if (written_in_place(file)) return;
    const std::string why = fmt::format(
        "{}: '{}' is an input or another output, too: name another file", option, file.string());
    if (!taken.insert(target_of(file)).second) throw InputError(why);
    refuse_to_read(file, why);
    std::error_code ignored;
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    if (!fs::is_directory(folder, ignored)) {
      throw InputError(fmt::format("{}: there is no folder {}", option, folder.string()));
    }
    const NewFile can_be_made(file);
  };
  for (const std::string_view name : kOutputs) {
    const std::string option(name);
    for (const std::string& word : given(verb, option)) {
      const bool picture = option == "--svg" && !o.pictures.empty();  // fabric=FILE.svg
      const std::string file = picture ? word.substr(word.find('=') + 1) : word;
      check(option, file);
      if (option != "--trace") continue;
      for (const char* beside : {".gtkw", ".flits", ".operators"}) {
        check(option, fs::path(file).replace_extension(beside));
      }
    }
  }
}

int dispatch(const CLI::App& verb, const Ask& o, Runner& runner) {
  const auto all = cli::verbs();
  const cli::Verb& v = *std::ranges::find(all, verb.get_name(), &cli::Verb::name);
  if (v.needs != nullptr && o.file.empty()) {
    throw InputError(fmt::format("{} needs a {}", v.name, v.needs));
  }
  return v.run(o, runner);
}

[[noreturn]] void refuse_output(const std::string& why) {
  throw InputError("cannot write to standard output: " + why);
}

/// Throws InputError if the output could not be written completely: a disk may be full.
void require_printed() {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.flush()) return;
  if (errno == 0) {  // an earlier part failed, and its reason is lost: this will fail for it again
    std::clearerr(stdout);
    if (std::fputc('\n', stdout) != EOF) std::fflush(stdout);
  }
  refuse_output(errno != 0 ? std::strerror(errno) : "the stream failed");
}

int parse_and_dispatch(int argc, char** argv, Runner& runner) {
  Ask ask;
  ask.program = argc > 0 ? argv[0] : "gossamer";
  for (int i = 0; i < argc; ++i) ask.command += (i > 0 ? " " : "") + shell_word(argv[i]);
  CLI::App app("Computes collective-communication schedules and runs them on the RTL of a fabric.",
               "gossamer");
  app.get_formatter()->column_width(26);
  app.allow_extras();            // behind "--"
  app.require_subcommand(0, 1);  // the name of a second verb is a word like any other
  app.set_version_flag("--version", fmt::format("gossamer {}", cli::version()), "show the version");
  app.footer(
      "`gossamer help VERB` explains a verb.\n"
      "Examples:\n"
      "  gossamer help run\n"
      "  gossamer run --topology torus:4x4\n\n"
      "Exit status: 0 all as predicted, 1 a check failed, 2 bad input,\n"
      "130 interrupted by Ctrl-C (128 + the signal's number).");
  cli::add_verbs(app, ask);
  app.set_help_all_flag("--help-all", "show the help of every verb");
  std::vector<std::string> words = without_help_verb(argc, argv);
  check_verb(words);
  name_streams(words);
  std::ranges::reverse(words);  // CLI11 wants them reversed
  try {
    app.parse(std::move(words));
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    throw InputError(plain_text(error));
  }
  const CLI::App& verb = *app.get_subcommands().front();
  check_leftovers(app, verb);
  check_values(verb);
  check_file_name(verb, ask);
  check_outputs(verb, ask);
  cli::read_values(ask);
  return dispatch(verb, ask, runner);
}

}  // namespace

void prepare_process() {
  signal(SIGXFSZ, SIG_IGN);
  share_heap_if_limited();
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) == -1) open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

int run_command(int argc, char** argv, Runner& runner) {
  catch_interrupts();
  try {
    int status = kBadInput;
    try {
      status = parse_and_dispatch(argc, argv, runner);
    } catch (const std::system_error& error) {  // fmt::print does not say what cannot be written
      if (std::ferror(stdout) != 0) refuse_output(error.code().message());
      throw;
    }
    require_printed();
    return status;
  } catch (const Interrupted&) {
    cli::print_error("interrupted");
    return 128 + interrupt_signal();
  } catch (const std::exception& error) {
    const std::string why = one_line(error);
    runner.note_failure(why);
    cli::print_error(why);
    return kBadInput;
  }
}

}  // namespace gossamer
