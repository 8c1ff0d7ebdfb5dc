// SPDX-License-Identifier: Apache-2.0
#include "cli/suggestions.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <string_view>

#include "base/diagnostics.h"
#include "compiler/driver/option_table.h"

namespace bolza::cli {
namespace {

/// The option that is called so elsewhere: `--n_e` for `--mesh`. "": none.
std::string option_called(std::string_view name) {
  auto plain = [](std::string word) {
    std::replace(word.begin(), word.end(), '_', '-');
    return word;
  };
  for (const driver::OptionRow& row : driver::option_table())
    for (std::string_view alias : row.aliases)
      if (!alias.empty() && "--" + plain(std::string(alias)) == plain(std::string(name)))
        return "--" + std::string(row.name);
  return "";
}

/// Options in which other tools name the class; here it is an argument of its own.
constexpr std::string_view called_class[] = {"--class", "--model", "--class-name", "--model-name"};

}  // namespace

void suggest(const CLI::App& app, const std::vector<std::string>& commands, int argc, char** argv) {
  auto used = app.get_subcommands();
  if (used.empty()) {
    if (argc > 1 && argv[1][0] != '-')
      for (const Note& note : did_you_mean(argv[1], commands)) std::fprintf(stderr, "%s\n", note.text.c_str());
    return;
  }
  std::vector<std::string> known;
  for (const CLI::Option* option : used[0]->get_options())
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  for (const std::string& extra : used[0]->remaining()) {
    if (!extra.starts_with("--")) continue;
    std::string name = extra.substr(0, extra.find('='));
    std::vector<Note> notes = did_you_mean(name, known);
    std::string called = option_called(name);
    if (std::ranges::find(known, called) != known.end()) notes = {{{}, "did you mean `" + called + "`?"}};
    if (std::ranges::find(called_class, name) != std::end(called_class) && used[0]->get_option_no_throw("class"))
      notes = {{{}, "the class follows the file: `bolza " + used[0]->get_name() + " FILE CLASS`"}};
    auto has = [&](const char* option) { return std::ranges::find(known, option) != known.end(); };
    if (name == "--method" && has("--integrator"))
      notes = {{{}, "the integrator is chosen by `--integrator`; `bolza methods` lists them"}};
    for (const std::string& other : known)  // --stop-time for --stop, --tolerance for --tol
      if (notes.empty() && other.size() > 3 && (name.starts_with(other) || other.starts_with(name)))
        notes.push_back({{}, "did you mean `" + other + "`?"});
    if (notes.empty() && has("--option"))
      notes.push_back(
          {{},
           "options of integrators are `--option NAME=VALUE`" +
               std::string(has("--engine-option") ? ", those of engines `--engine-option ENGINE.NAME=VALUE`" : "") +
               "; `bolza methods` lists them"});
    for (const Note& note : notes) std::fprintf(stderr, "%s\n", note.text.c_str());
  }
}

}  // namespace bolza::cli
