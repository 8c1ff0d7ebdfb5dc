#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/print.h"
#include "compiler/driver/compile.h"
#include "compiler/driver/option_table.h"
#include "workflow/solver.h"

namespace bolza::cli {
namespace {

std::string form_of(const driver::OptionRow& row) {
  std::string out;
  for (std::string_view c : row.choices)
    if (!c.empty()) out += (out.empty() ? "" : " | ") + std::string(c);
  if (!out.empty()) return out;
  switch (row.type) {
    case driver::OptionType::choice:
      return "";
    case driver::OptionType::number:
      return "number";
    case driver::OptionType::integer:
      return "whole number";
    case driver::OptionType::mesh:
      return "intervals, or fractions 0,…,1";
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

void print_tables(const workflow::SolverLibrary& library) {
  std::puts("methods (--method, or a stage of --chain)");
  for (const driver::MethodRow& m : driver::method_table())
    std::printf("  %-18s %s%s\n", std::string(m.name).c_str(), std::string(m.help).c_str(),
                m.missing.empty() ? "" : "  (not in this version)");
  print_rows("integrators (--integrator)", library.integrators());
  std::puts("\noptions of integrators (simulate --option NAME=VALUE)");
  for (const integrate::MethodOption& o : library.method_options())
    std::printf("  %-26s %s%s%s\n", std::string(o.name).c_str(), std::string(o.description).c_str(),
                o.words.empty() ? "" : ": ", std::string(o.words).c_str());
  print_rows("engines for nonlinear programs (--nlp)", library.engines());
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

}  // namespace

int run_methods(const Arguments& arguments) {
  Sources sources;
  Diagnostics diagnostics;
  auto library = workflow::solver_library(diagnostics);
  if (!library) {
    if (arguments.json) print_json({{"diagnostics", to_json(diagnostics, sources)}});
    return print_diagnostics(diagnostics, sources, arguments), bad_input;
  }
  if (!arguments.json) return print_tables(**library), fine;
  nlohmann::json methods = nlohmann::json::array(), options = nlohmann::json::array();
  for (const driver::MethodRow& m : driver::method_table())
    methods.push_back({{"name", m.name}, {"help", m.help}, {"available", m.missing.empty()}});
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
              {"options", options},
              {"passes", driver::pass_names()}});
  return fine;
}

}  // namespace bolza::cli
