// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/print.h"
#include "compiler/driver/compile.h"
#include "compiler/driver/option_table.h"
#include "workflow/solve/attempts/attempt_table.h"
#include "workflow/solve/checks/check_table.h"
#include "workflow/solve/method/combinations.h"
#include "workflow/solve/method/solver.h"

namespace bolza::cli {
namespace {

std::string form_of(const driver::OptionRow& row) {
  std::string out;
  for (std::string_view c : row.choices)
    if (!c.empty()) out += (out.empty() ? "" : " | ") + std::string(c);
  if (row.type == driver::OptionType::list) return "all | none | some of " + out;
  if (!out.empty()) return out;
  switch (row.type) {
    case driver::OptionType::choice:
    case driver::OptionType::list:
      return "";
    case driver::OptionType::number:
      return "number";
    case driver::OptionType::integer:
      return "integer";
    case driver::OptionType::mesh:
      return "intervals, or fractions 0,…,1";
    case driver::OptionType::grid:
      return "intervals, or name=intervals, …";
    case driver::OptionType::flag:
      return "true | false";
    case driver::OptionType::text:
      return "text";
    case driver::OptionType::row:
      return "a name of the table above";
  }
  return "";
}

std::string aliases_of(const driver::OptionRow& row) {
  std::string out;
  for (std::string_view a : row.aliases)
    if (!a.empty()) out += (out.empty() ? "" : ", ") + std::string(a);
  return out;
}

void print_rows(const char* title, const std::vector<workflow::TableRow>& rows) {
  std::printf("\n%s\n", title);
  for (const workflow::TableRow& row : rows)
    std::printf("  %-18s %s%s\n", std::string(row.name).c_str(), std::string(row.description).c_str(),
                row.available ? "" : "  (was not built)");
}

nlohmann::json json_of(const std::vector<workflow::TableRow>& rows) {
  nlohmann::json list = nlohmann::json::array();
  for (const workflow::TableRow& row : rows)
    list.push_back({{"name", row.name}, {"help", row.description}, {"available", row.available}});
  return list;
}

/// What a pair can: yes (any model), s (sums of squares), p (of values at points), b (bounds alone), i (whole numbers too),
/// - (nothing).
std::string mark_of(const workflow::MethodTriple& c) {
  if (!c.reason.empty()) return "-";
  std::string_view mark = c.condition.empty()                          ? "yes"
                          : c.condition == workflow::squares_alone     ? "s"
                          : c.condition == workflow::squares_at_points ? "p"
                                                                       : "b";
  return std::string(mark) + (c.takes_integers ? " i" : "");
}

/// One line for every transcription, or for every integrator of one that integrates; one column for every engine.
void print_combinations(const workflow::SolverLibrary& library) {
  std::printf("\nwhat goes together (--transcription, --integrator, --nlp)\n  %-18s %-13s", "", "");
  for (const workflow::TableRow& engine : library.engines()) std::printf(" %-7s", std::string(engine.name).c_str());
  std::vector<std::pair<std::string, std::string>> reasons;  // with the transcriptions that they hold for
  const workflow::MethodTriple* before = nullptr;
  std::vector<workflow::MethodTriple> all = workflow::combinations(library);
  for (const workflow::MethodTriple& c : all) {
    bool same = before && before->transcription == c.transcription;
    if (!same || before->integrator != c.integrator)
      std::printf("\n  %-18s %-13s", same ? "" : c.transcription.c_str(), c.integrator.empty() ? "-" : c.integrator.c_str());
    std::printf(" %-7s", mark_of(c).c_str());
    before = &c;
    if (c.reason.empty()) continue;
    std::string reason = c.reason + "; the nearest that does is `" + c.nearest + "`";
    auto told = std::find_if(reasons.begin(), reasons.end(), [&](const auto& r) { return r.first == reason; });
    if (told == reasons.end()) told = reasons.insert(told, {reason, ""});
    if (told->second.find(c.transcription) == std::string::npos)
      told->second += (told->second.empty() ? "" : ", ") + c.transcription;
  }
  std::puts(
      "\n  i: integers too; s: the objective has to be a sum of squares, or an integral of them; p: a sum of squares "
      "of "
      "values at points; b: there may be no constraints but bounds, of "
      "controls "
      "and parameters");
  for (const auto& [reason, where] : reasons) std::printf("  -: %s (%s)\n", reason.c_str(), where.c_str());
}

nlohmann::json combinations_json(const workflow::SolverLibrary& library) {
  nlohmann::json list = nlohmann::json::array();
  for (const workflow::MethodTriple& c : workflow::combinations(library)) {
    nlohmann::json o{{"transcription", c.transcription},
                     {"engine", c.engine},
                     {"works", c.reason.empty()},
                     {"whole_numbers", c.takes_integers}};
    if (!c.integrator.empty()) o["integrator"] = c.integrator;
    if (!c.condition.empty()) o["condition"] = c.condition;
    if (!c.reason.empty()) {
      o["reason"] = c.reason;
      o["nearest"] = c.nearest;
    }
    list.push_back(o);
  }
  return list;
}

nlohmann::json method_json(const driver::MethodRow& m) {
  nlohmann::json settings = nlohmann::json::object();
  for (auto [name, value] : m.options)
    if (!name.empty()) settings[std::string(name)] = value;
  return {{"name", m.name}, {"help", m.help}, {"available", true}, {"options", settings}};
}

void print_tables(const workflow::SolverLibrary& library) {
  std::puts("methods (--method, or a stage of --chain)");
  for (const driver::MethodRow& m : driver::method_table())
    std::printf("  %-18s %s\n", std::string(m.name).c_str(), std::string(m.help).c_str());
  std::puts(
      "  ENGINE+STEPS       any other pair of these halves, or with a transcription: hqp+adams, sqp+dopri5, bonmin+radau;\n"
      "                     hqp with an integrator is multiple shooting, others are single shooting; ENGINE alone is on "
      "radau");
  print_rows("integrators (--integrator)", library.integrators());
  std::puts("\noptions of integrators (--option NAME=VALUE; in chains and annotations integrator.NAME = VALUE)");
  for (const integrate::MethodOption& o : library.method_options())
    std::printf("  %-26s %s%s%s\n", std::string(o.name).c_str(), std::string(o.description).c_str(),
                o.words.empty() ? "" : ": ", std::string(o.words).c_str());
  print_rows("engines for nonlinear programs (--nlp)", library.engines());
  print_combinations(library);
  std::puts("\noptions of engines (--engine-option NAME=VALUE; ipopt.NAME is any of IPOPT's own)");
  for (const workflow::TableRow& engine : library.engines())
    for (const auto& [name, form] : engine.options)
      std::printf("  %-32s %s\n", (std::string(engine.name) + "." + std::string(name)).c_str(), std::string(form).c_str());
  std::puts("\noptions (--name value, annotation(name = value), method(name=value))");
  for (const driver::OptionRow& row : driver::option_table()) {
    std::printf("  %-15s %s", std::string(row.name).c_str(), std::string(row.help).c_str());
    if (!row.fallback.empty()) std::printf(" [%s]", std::string(row.fallback).c_str());
    std::printf("\n  %-15s %s", "", form_of(row).c_str());
    std::string aliases = aliases_of(row);
    std::printf(aliases.empty() ? "\n" : "; also called %s\n", aliases.c_str());
  }
  std::puts("\npasses (flatten --after NAME, --disable NAME)");
  for (const std::string& name : driver::pass_names()) std::printf("  %s\n", name.c_str());
}

nlohmann::json attempts_json() {
  nlohmann::json list = nlohmann::json::array();
  for (const workflow::AttemptRow* row : workflow::attempts())
    list.push_back({{"name", row->name}, {"difference", row->difference}});
  return list;
}

nlohmann::json searches_json() {
  nlohmann::json list = nlohmann::json::array();
  for (const workflow::SearchRow* row : workflow::searches()) list.push_back({{"name", row->name}, {"looks", row->looks}});
  return list;
}

nlohmann::json checks_json() {
  nlohmann::json list = nlohmann::json::array();
  for (const workflow::CheckRow& row : workflow::checks())
    list.push_back({{"looks_for", row.kind}, {"needs", workflow::name_of(row.needs)}});
  return list;
}

}  // namespace

int run_methods(const Arguments& arguments) {
  Sources sources;
  Diagnostics diagnostics;
  auto library = workflow::solver_library(diagnostics);
  if (!library) {
    if (arguments.print.json) print_json({{"diagnostics", to_json(diagnostics, sources)}});
    print_diagnostics(diagnostics, sources, arguments);
    return bad_input;
  }
  if (!arguments.print.json) {
    print_tables(**library);
    return fine;
  }
  nlohmann::json methods = nlohmann::json::array(), options = nlohmann::json::array();
  for (const driver::MethodRow& m : driver::method_table()) methods.push_back(method_json(m));
  for (const driver::OptionRow& row : driver::option_table())
    options.push_back({{"name", row.name}, {"form", form_of(row)}, {"default", row.fallback}, {"help", row.help}});
  nlohmann::json integrator_options = nlohmann::json::array();
  for (const integrate::MethodOption& o : (*library)->method_options())
    integrator_options.push_back(
        {{"name", o.name}, {"help", o.description}, {"words", o.words}, {"default", o.default_text}});
  print_json({{"methods", methods},
              {"integrator_options", integrator_options},
              {"integrators", json_of((*library)->integrators())},
              {"engines", json_of((*library)->engines())},
              {"combinations", combinations_json(**library)},
              {"options", options},
              {"attempts", attempts_json()},
              {"searches", searches_json()},
              {"checks", checks_json()},
              {"passes", driver::pass_names()}});
  return fine;
}

}  // namespace bolza::cli
