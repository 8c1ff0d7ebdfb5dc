// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/arguments.h"

namespace bolza::cli {

/// An option whose values are words of a table.     @param into  an enumeration, or an optional one; outlives the parser
template <typename Into, typename Value, std::size_t n>
CLI::Option* add_choice(CLI::App& app, const std::string& name, Into& into, const Words<Value, n>& words,
                        const std::string& help) {
  auto take = [&into, &words](const std::string& word) { into = *words.find(word); };
  return app.add_option_function<std::string>(name, take, help)->check(CLI::IsMember(words.list()));
}

/// Numbers in [least, most]; what is not a number is outside, too.
CLI::Validator not_empty(const std::string& wanted);  ///< a text that names something
CLI::Validator between(double least, double most, const std::string& wanted);
CLI::Validator finite();
CLI::Validator positive();
CLI::Validator pixels();

// Options that several commands have, or that belong together.

void add_model(CLI::App& app, Arguments& a, bool class_too = true);
/// Of commands that run what a model calls; after `add_model`.
/// Whose foreign code runs.
void add_trust(CLI::App& app, Arguments& a);
void add_sandbox(CLI::App& app, Arguments& a);
void add_common(CLI::App& app, Arguments& a);
/// Of every command, unless it has one of its own.
void add_memory_limit(CLI::App& app, Arguments& a);
void add_limits(CLI::App& app, Arguments& a);
void add_method_options(CLI::App& app, Arguments& a);
void add_identification(CLI::App& app, Arguments& a);
void add_solver_options(CLI::App& app, Arguments& a);
/// One row of the option table, where a command takes few of them; its words are checked at once.
void add_table_option(CLI::App& app, Arguments& a, const char* name);
void add_results(CLI::App& app, Arguments& a);
/// Of commands whose result is what they print: a page, no progress line, no cache. Among the results of others.
void add_report(CLI::App& app, Arguments& a);
void add_nonsmooth(CLI::App& app, Arguments& a);
/// `--start` and `--stop`; the texts say what counts without them.
void add_horizon(CLI::App& app, Arguments& a, const std::string& start, const std::string& stop);
void add_smooth(CLI::App& app, Arguments& a);
void add_scenarios(CLI::App& app, Arguments& a);
void add_objectives(CLI::App& app, Arguments& a);

}  // namespace bolza::cli
