// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/print.h"
#include "workflow/codes.h"

namespace bolza::cli {
namespace {

struct Skeleton {
  std::string_view kind, text;  ///< `@` stands for the name
};

constexpr std::array skeletons{
    Skeleton{"optimization", R"(// A mass is moved from rest to rest in the shortest time, with a bounded force and speed.
//   bolza solve @.mop --report @.html
optimization @(
    // what is minimised: a value at the end, and, with `objectiveIntegrand = …`, an integral over the horizon
    objective = finalTime,
    startTime = 0,
    // a free final time; without `free` it is fixed: `finalTime = 2`
    finalTime(free = true, min = 0.1, max = 100, initialGuess = 2))
  parameter Real mass = 1 "changed by --set mass=2";

  // states: what `der()` is taken of. `fixed = true` makes `start` the initial value
  Real position(start = 0, fixed = true, unit = "m");
  Real velocity(start = 0, fixed = true, unit = "m/s", max = 0.8);

  // controls: inputs without an equation, between their bounds
  input Real force(min = -1, max = 1, unit = "N");
equation
  der(position) = velocity;
  mass*der(velocity) = force;
constraint
  // at one time
  position(finalTime) = 1;
  velocity(finalTime) = 0;
  // at every time: -0.1 <= position + 0.1*velocity;
end @;
)"},
    Skeleton{"model", R"(// A tank with an outlet: a model to simulate, and a problem that asks for its best inflow.
//   bolza simulate @.mop @Plant --plot
//   bolza solve @.mop @
model @Plant
  parameter Real area(unit = "m2") = 2 "changed by --set area=3";
  parameter Real outlet(unit = "m2/s") = 0.5;
  Real level(start = 1, fixed = true, unit = "m") "what `der()` is taken of is a state";
  input Real inflow(start = 0.75, min = 0, max = 1, unit = "m3/s") "an input without an equation is a control";
equation
  area*der(level) = inflow - outlet*level;
  annotation(experiment(StopTime = 10));
end @Plant;

// the level is brought to 1.5 m with little change of the inflow
optimization @(objectiveIntegrand = (level - 1.5)^2 + 0.1*(inflow - 0.75)^2, startTime = 0, finalTime = 10)
  extends @Plant;
constraint
  level <= 1.6;
end @;
)"},
    Skeleton{"calibration", R"(// Two constants of a reaction are estimated from measured concentrations.
//   bolza solve @.mop --report @.html
optimization @(
    // least squares between the model and the data
    objective = sum((c(t[i]) - measured[i])^2 for i in 1:size(t, 1)),
    startTime = 0,
    finalTime = 4)
  // data; a table in a file is read by `parameter Real data[:, :] = Modelica.DOML.readTable("runs.csv")`
  parameter Real t[8] = {0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4} "times of the measurements";
  parameter Real measured[8] = {0.62, 0.41, 0.29, 0.22, 0.19, 0.16, 0.155, 0.15};

  // what is estimated: free parameters, with bounds where they are known
  parameter Real k(free = true, min = 0, initialGuess = 0.5) "rate constant";
  parameter Real rest(free = true, min = 0, max = 1, initialGuess = 0.1) "what does not react";

  Real c(start = 1, fixed = true) "concentration";
equation
  der(c) = -k*(c - rest);
end @;
)"}};

constexpr std::array keywords{
    "algorithm",    "and",          "annotation",  "block",    "break",      "class",       "connect",   "connector",
    "constant",     "constraint",   "der",         "discrete", "each",       "else",        "elseif",    "elsewhen",
    "encapsulated", "end",          "enumeration", "equation", "expandable", "extends",     "external",  "false",
    "final",        "flow",         "for",         "function", "if",         "import",      "impure",    "in",
    "initial",      "inner",        "input",       "loop",     "maximize",   "minimize",    "model",     "not",
    "operator",     "optimization", "or",          "outer",    "output",     "package",     "parameter", "partial",
    "protected",    "public",       "pure",        "record",   "redeclare",  "replaceable", "return",    "stream",
    "then",         "true",         "type",        "when",     "while",      "within"};

bool is_name(std::string_view name) {
  auto letter = [](char c) { return c == '_' || (static_cast<unsigned char>(c) < 128 && std::isalpha(c) != 0); };
  bool good = !name.empty() && letter(name[0]);
  for (char c : name) good = good && (letter(c) || (c >= '0' && c <= '9'));
  for (std::string_view keyword : keywords) good = good && name != keyword;
  return good;
}

std::string filled(std::string_view text, const std::string& name) {
  std::string out;
  for (char c : text)
    if (c == '@') out += name;
    else out += c;
  return out;
}

}  // namespace

int run_new(const Arguments& arguments) {
  Sources sources;
  Diagnostics diagnostics;
  const std::string& name = arguments.model.class_name;
  std::string file = name + ".mop";
  auto refuse = [&] { return refuse_input(diagnostics, sources, arguments); };
  if (!is_name(name)) {
    diagnostics.error(workflow::not_a_class_name, {}, {name});
    return refuse();
  }
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> out(std::fopen(file.c_str(), "wx"), std::fclose);  // never over another
  if (!out) {
    diagnostics.error(errno == EEXIST ? workflow::file_exists : workflow::file_not_written, {}, {file});
    return refuse();
  }
  std::string text;
  for (const Skeleton& skeleton : skeletons)
    if (skeleton.kind == arguments.skeleton.kind) text = filled(skeleton.text, name);
  bool whole = std::fwrite(text.data(), 1, text.size(), out.get()) == text.size();
  whole = std::fclose(out.release()) == 0 && whole;
  if (!whole) {
    std::error_code none;
    std::filesystem::remove(file, none);  // nothing half-written stays
    diagnostics.error(workflow::file_not_written, {}, {file});
    return refuse();
  }
  if (arguments.print.json)
    print_json({{"status", "fine"}, {"file", file}, {"class", name}, {"diagnostics", nlohmann::json::array()}});
  else std::printf("wrote %s\nto solve it:  bolza solve %s %s\n", file.c_str(), file.c_str(), name.c_str());
  return fine;
}

}  // namespace bolza::cli
