#include "cli/generated_help.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "algorithms/registry.hpp"
#include "cli/verbs.hpp"
#include "driver/case.hpp"
#include "support/error.hpp"

namespace gossamer::cli {
namespace {

struct Option {
  std::vector<std::string> names;  ///< with their dashes; or the name of a positional
  std::string description;
  bool positional = false, takes_value = false;
  std::vector<std::string> values;  ///< all values that it accepts; empty: a file or free text
};

struct Verb {
  std::string name, description;
  std::vector<Option> options;
};

std::vector<std::string> values_of(const CLI::Option& option) {
  if (option.check_lname("ports")) return {"single", "all"};
  if (option.check_lname("duplex")) return {"full", "half"};
  if (option.check_lname("engine")) return {"tile", "flat", "systemc"};
  std::vector<std::string> values;
  if (option.check_lname("algorithm")) {
    for (const Algorithm& a : algorithms()) values.emplace_back(a.name);
  } else if (option.check_lname("collective")) {
    for (const CollectiveTerms& c : kCollectiveTerms) values.emplace_back(c.name);
    values.emplace_back(kBarrier);
  } else if (option.check_lname("format")) {
    for (const ExportFormat& f : export_formats()) values.emplace_back(f.name);
  }
  return values;
}

std::vector<Option> options_of(const CLI::App& app) {
  std::vector<Option> options;
  for (const CLI::Option* o : app.get_options()) {
    Option option;
    for (const std::string& name : o->get_snames()) option.names.push_back("-" + name);
    for (const std::string& name : o->get_lnames()) option.names.push_back("--" + name);
    option.positional = option.names.empty();
    if (option.positional) option.names = {o->get_name(true)};
    option.description = o->get_description();
    option.takes_value = o->get_items_expected_max() > 0;
    option.values = values_of(*o);
    options.push_back(std::move(option));
  }
  return options;
}

std::vector<Verb> verbs_of(const CLI::App& app) {
  std::vector<Verb> verbs;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
    verbs.push_back({verb->get_name(), verb->get_description(), options_of(*verb)});
  }
  return verbs;
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size()) {
    text.replace(at, what.size(), with);
  }
  return text;
}

/// Escapes text for a manual page: no line is a request, and dashes can be copied to a shell.
std::string roff(std::string text) {
  text = replaced(replaced(std::move(text), "\\", "\\e"), "-", "\\-");
  text = replaced(std::move(text), "\n", "\n\\&");
  return "\\&" + text;
}

std::string man_option(const Option& option) {
  std::string names;
  for (const std::string& name : option.names) {
    names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", replaced(name, "-", "\\-"));
  }
  const bool value = option.takes_value && !option.positional;
  return fmt::format(".TP\n{}{}\n{}\n", names, value ? " \\fIVALUE\\fR" : "",
                     roff(option.description));
}

std::string man_page(const CLI::App& app) {
  std::string page = fmt::format(
      ".TH GOSSAMER 1\n.SH NAME\ngossamer \\- {0}\n.SH SYNOPSIS\n.B gossamer\n.I VERB\n"
      "[\\fIFILE\\fR] [\\fIOPTION\\fR ...]\n.SH DESCRIPTION\n{0}\n.SH VERBS\n",
      roff(app.get_description()));
  for (const Verb& verb : verbs_of(app)) {
    page += fmt::format(".SS {}\n{}\n", verb.name, roff(verb.description));
    for (const Option& option : verb.options) page += man_option(option);
  }
  page += ".SH OPTIONS\n";
  for (const Option& option : options_of(app)) page += man_option(option);
  page += fmt::format(".SH NOTES\n{}\n", replaced(roff(app.get_footer()), "\n", "\n.br\n"));
  return page +
         ".SH FILES\n.TP\n\\fI~/.cache/gossamer\\fR\nEngines, which are built when they are first "
         "needed; in \\fB$XDG_CACHE_HOME\\fR where that is set.\n";
}

std::string joined(const std::vector<Option>& options) {
  std::string words;
  for (const Option& option : options) {
    if (option.positional) continue;
    for (const std::string& name : option.names) words += (words.empty() ? "" : " ") + name;
  }
  return words;
}

std::string bash(const CLI::App& app) {
  std::string verbs, cases, values;
  for (const Verb& verb : verbs_of(app)) {
    verbs += (verbs.empty() ? "" : " ") + verb.name;
    cases += fmt::format("    {}) words='{}' ;;\n", verb.name, joined(verb.options));
    for (const Option& option : verb.options) {
      const std::string line =
          fmt::format("    {}) COMPREPLY=($(compgen -W '{}' -- \"$word\")); return ;;\n",
                      fmt::join(option.names, "|"), fmt::join(option.values, " "));
      if (!option.values.empty() && values.find(line) == std::string::npos) values += line;
    }
  }
  return fmt::format(R"(# gossamer: what bash completes; written by the command itself.
_gossamer() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} words=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '{} {}' -- "$word"))
    return
  fi
  case ${{COMP_WORDS[COMP_CWORD-1]}} in
{}  esac
  case ${{COMP_WORDS[1]}} in
{}  esac
  case $word in -*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;; esac
}}
complete -o default -F _gossamer gossamer
)",
                     verbs, joined(options_of(app)), values, cases);
}

/// Text in a shell's single quotes; `escape` replaces a quote.
std::string quoted(const std::string& text, std::string_view escape) {
  return "'" + replaced(replaced(text, "\n", " "), "'", escape) + "'";
}

std::string zsh(const CLI::App& app) {
  // In the arguments of _arguments, colons and brackets have a meaning.
  const auto plain = [](std::string text) {
    for (const char* mark : {"[", "]", ":"})
      text = replaced(std::move(text), mark, "\\" + std::string(mark));
    return text;
  };
  std::string verbs, cases;
  for (const Verb& verb : verbs_of(app)) {
    verbs += fmt::format("    {}\n", quoted(verb.name + ":" + plain(verb.description), "'\\''"));
    cases += fmt::format("    {}) _arguments", verb.name);
    for (const Option& option : verb.options) {
      const std::string rest = !option.takes_value ? ""
                               : option.values.empty()
                                   ? ":value:_files"
                                   : fmt::format(":value:({})", fmt::join(option.values, " "));
      if (option.positional) {
        cases += " " + quoted("*:" + option.names.front() + ":_files", "'\\''");
        continue;
      }
      for (const std::string& name : option.names) {
        cases +=
            " \\\n      " + quoted(name + "[" + plain(option.description) + "]" + rest, "'\\''");
      }
    }
    cases += " ;;\n";
  }
  return fmt::format(R"(#compdef gossamer
# What zsh completes; written by the command itself.
_gossamer() {{
  local -a verbs
  verbs=(
{}  )
  if (( CURRENT == 2 )); then
    _describe verb verbs
    return
  fi
  local verb=$words[2]
  shift words
  (( CURRENT-- ))
  case $verb in
{}  esac
}}
_gossamer "$@"
)",
                     verbs, cases);
}

std::string fish(const CLI::App& app) {
  const auto text = [](const std::string& t) { return quoted(replaced(t, "\\", "\\\\"), "\\'"); };
  std::string lines = "# gossamer: what fish completes; written by the command itself.\n";
  for (const Verb& verb : verbs_of(app)) {
    lines += fmt::format("complete -c gossamer -f -n __fish_use_subcommand -a {} -d {}\n",
                         verb.name, text(verb.description));
    for (const Option& option : verb.options) {
      if (option.positional) continue;
      lines += fmt::format("complete -c gossamer -n '__fish_seen_subcommand_from {}'", verb.name);
      for (const std::string& name : option.names) {
        lines += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      }
      if (option.takes_value) lines += " -r";
      if (!option.values.empty()) {
        lines += fmt::format(" -f -a {}", text(fmt::format("{}", fmt::join(option.values, " "))));
      }
      lines += fmt::format(" -d {}\n", text(option.description));
    }
  }
  return lines;
}

}  // namespace

std::string generated_help(const CLI::App& app, std::string_view kind) {
  if (kind == "man") return man_page(app);
  if (kind == "bash") return bash(app);
  if (kind == "zsh") return zsh(app);
  if (kind == "fish") return fish(app);
  throw InputError(fmt::format("--generate: '{}' is none of man, bash, zsh and fish", kind));
}

}  // namespace gossamer::cli
