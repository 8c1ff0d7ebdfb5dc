// SPDX-License-Identifier: Apache-2.0
#include "compiler/driver/option_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/expects.h"
#include "compiler/driver/method_pairs.h"
#include "compiler/driver/option_codes.h"

namespace bolza::driver {
namespace {

using enum OptionType;

constexpr std::array option_rows{
    OptionRow{"transcription",
              choice,
              "radau",
              {"radau", "gauss", "lobatto", "euler", "implicit-euler", "trapezoidal", "midpoint", "hermite-simpson",
               "single-shooting", "multiple-shooting"},
              {"discr", "discretization"},
              "how the continuous problem becomes a finite one"},
    OptionRow{"integrator", OptionType::row, "", {}, {}, "integrator of shooting, simulation and re-simulation"},
    OptionRow{"nlp", OptionType::row, "ipopt", {}, {"engine"}, "engine for the nonlinear program"},
    OptionRow{"mesh",
              OptionType::mesh,
              "50",
              {},
              {"n", "n_e", "elements", "intervals"},
              "number of mesh intervals, or the mesh points themselves: 0,0.1,0.3,1"},
    OptionRow{"refine",
              number,
              "",
              {},
              {"mesh_tolerance", "mesh_tol"},
              "cut mesh intervals and solve again until the local error of every interval is below this (1e-6)"},
    OptionRow{"max-refinements", integer, "10", {}, {"refinements"}, "rounds of `refine`"},
    OptionRow{"max-mesh", integer, "10000", {}, {}, "intervals that `refine` may make"},
    OptionRow{"points", integer, "3", {}, {"n_cp", "order"}, "collocation points per mesh interval"},
    OptionRow{"guess",
              choice,
              "auto",
              {"auto", "constant", "simulate", "linear", "perturbed"},
              {},
              "trajectories to start from: data that the objective compares with, else constant start values and initial "
              "guesses; a simulation; straight lines to end values; constants moved by random functions (`seed`)"},
    OptionRow{"multi-start",
              integer,
              "0",
              {},
              {"starts"},
              "solve from this many perturbed guesses as well, and keep the best solution"},
    OptionRow{"seed", integer, "1", {}, {}, "of perturbed guesses: the same seed gives the same guess"},
    OptionRow{"retry",
              flag,
              "true",
              {},
              {"retries"},
              "try a solve that fails in other ways: other guesses, barriers, a coarse mesh"},
    OptionRow{
        "control",
        choice,
        "collocated",
        {"collocated", "constant", "structure"},
        {"controls"},
        "a polynomial through the collocation points; one value per mesh interval; or solved once more with a piece of "
        "the horizon for each arc, and controls that are at bounds there held"},
    OptionRow{"control-grid",
              OptionType::grid,
              "",
              {},
              {"control-intervals"},
              "intervals on which controls have their values, where not on the mesh: 20, or u=20,v=5"},
    OptionRow{"phase-mesh",
              OptionType::grid,
              "",
              {},
              {},
              "intervals of single phases, where not those of `mesh`: first=20,lap=40 (`lap`: each phase of an array)"},
    OptionRow{"phase-control",
              OptionType::text,
              "",
              {},
              {},
              "controls of single phases, where not as `control` says: first=constant,lap=collocated"},
    OptionRow{
        "path-constraints",
        choice,
        "sampled",
        {"sampled", "maxima", "integrated"},
        {},
        "shooting: path constraints hold at the mesh points; or also at their maxima between them, found after a solve and "
        "added to it; or as the mean of their squared violations over the horizon"},
    OptionRow{"path-tolerance",
              number,
              "",
              {},
              {},
              "violation of path constraints that is let through, relative to sizes: between samples with `maxima` "
              "(1e-6), in the root of the mean square with `integrated` (1e-4)"},
    OptionRow{
        "tighten", flag, "false", {}, {}, "shooting: integrate loosely at first, and more exactly as the engine converges"},
    OptionRow{
        "linear-solver",
        choice,
        "auto",
        {"auto", "chain", "mumps"},
        {"linear_solver"},
        "what factors linear systems of `ipopt` and `barrier`: blocks along the chain of mesh intervals, MUMPS, or the "
        "first where it is expected to gain"},
    OptionRow{
        "condensing",
        flag,
        "false",
        {},
        {},
        "multiple shooting with `hqp` or `sqp`: states are eliminated from the quadratic programs, which become dense"},
    OptionRow{"checkpoint-memory",
              number,
              "",
              {},
              {},
              "shooting: megabytes that the states kept for the adjoint of an interval may take (64): beyond it pieces are "
              "integrated again"},
    OptionRow{
        "lift",
        flag,
        "true",
        {},
        {"lifted"},
        "single shooting with exact or Gauss-Newton matrices: states at the mesh points are variables of the iteration, "
        "eliminated in every step, so that it converges as multiple shooting does"},
    OptionRow{"hand-over",
              OptionType::list,
              "all",
              {"states", "controls", "costates", "multipliers", "active-sets"},
              {},
              "what a stage of a chain gives to the next: all, none, or some: states,controls,costates"},
    OptionRow{"arcs",
              text,
              "",
              {},
              {},
              "indirect methods, `--control structure`: arcs of controls, where not as the direct solution shows them: \"u: "
              "max, singular, min; v: "
              "free\""},
    OptionRow{"costates",
              choice,
              "direct",
              {"direct", "random"},
              {},
              "indirect methods: costates to start from are those of a direct solution; or constants drawn from `seed`, "
              "beside a simulation, without a direct stage"},
    OptionRow{"continue",
              text,
              "",
              {},
              {},
              "indirect methods: solve for the first value of a parameter and follow the solutions along it, past folds: "
              "k=0.1..10"},
    OptionRow{"tol", number, "1e-8", {}, {"tolerance"}, "tolerance of the nonlinear program"},
    OptionRow{"places",
              choice,
              "mesh",
              {"mesh", "polynomial"},
              {},
              "timed values between mesh points: the mesh is made to meet their times, or the polynomial is evaluated"},
    OptionRow{"hessian",
              choice,
              "exact",
              {"exact", "lbfgs", "gauss-newton"},
              {"hessian_approximation"},
              "second derivatives of the nonlinear program"},
    OptionRow{
        "integers",
        choice,
        "branch",
        {"branch", "sum-up", "relax"},
        {},
        "Integer and Boolean inputs and free parameters: branch and bound; the relaxed optimum rounded so that integrals "
        "of controls stay close; solved for as Reals"},
    OptionRow{"integer-gap", number, "1e-4", {}, {"mip_gap"}, "relative gap at which a branch and bound ends"},
    OptionRow{"max-nodes", integer, "1000", {}, {"nodes"}, "relaxed problems that a branch and bound may solve"},
    OptionRow{"max-iterations", integer, "3000", {}, {"max_iter", "iterations"}, "iterations of the engine"},
    OptionRow{"max-time", number, "", {}, {"max_cpu_time"}, "seconds after which the last iterate is given back"},
    OptionRow{"rtol", number, "1e-8", {}, {"rtol_tolerance", "relative_tolerance"}, "relative tolerance of the integrator"},
    OptionRow{"samples", integer, "", {}, {"steps"}, "equidistant samples of a least-squares integrand (DOML: Steps)"},
    OptionRow{
        "scaling", choice, "nominal", {"nominal", "none"}, {"variable_scaling"}, "divide variables by their nominal values"},
    OptionRow{"form",
              choice,
              "explicit",
              {"explicit", "reduced", "original"},
              {},
              "equations as x' = f and loops; index reduced, all of them residuals; or as they are written, of any index"},
    OptionRow{"initialization",
              choice,
              "auto",
              {"auto", "kinsol", "newton", "ipopt", "idas", "idas-steady"},
              {"initialisation"},
              "solver for initial values: KINSOL, then Newton's method, then IPOPT; one of them; IDAS from the states, or "
              "at rest"},
    OptionRow{"threads", integer, "1", {}, {}, "threads that evaluate kernels; the result has the same bits for any number"},
    OptionRow{"resimulate", flag, "true", {}, {}, "integrate the model with the optimal controls and report the deviation"},
    OptionRow{"output", text, "", {}, {"result_file_name"}, "result file"},
};

/// Pontryagin's conditions as a boundary value problem.
constexpr MethodRow indirect(std::string_view name, std::string_view integrator, std::string_view help) {
  return {name, {{{"transcription", "multiple-shooting"}, {"integrator", integrator}, {"nlp", "newton"}}}, help};
}

/// The reduced space: a method integrates, the adjoint of its own steps gives the gradient.
constexpr MethodRow reduced(std::string_view name, std::string_view integrator, std::string_view engine,
                            std::string_view help) {
  return {name, {{{"transcription", "single-shooting"}, {"integrator", integrator}, {"nlp", engine}}}, help};
}

/// Everything discretised.
constexpr MethodRow direct(std::string_view name, std::string_view transcription, std::string_view engine,
                           std::string_view help) {
  return {name, {{{"transcription", transcription}, {"nlp", engine}}}, help};
}

/// States at all mesh points are variables.
constexpr MethodRow shooting(std::string_view name, std::string_view integrator, std::string_view help) {
  return {name, {{{"transcription", "multiple-shooting"}, {"integrator", integrator}, {"nlp", "hqp"}}}, help};
}

constexpr std::array method_rows{
    MethodRow{"collocation", {{{"transcription", "radau"}}}, "Radau IIA collocation, IPOPT"},
    direct("ipopt", "radau", "ipopt", "Radau IIA collocation, IPOPT"),
    direct("ipopt+radau", "radau", "ipopt", "the same"),
    direct("ipopt+gauss", "gauss", "ipopt", "Gauss-Legendre collocation, IPOPT"),
    direct("ipopt+lobatto", "lobatto", "ipopt", "Lobatto IIIA collocation, IPOPT"),
    direct("ipopt+euler", "euler", "ipopt", "explicit Euler, IPOPT"),
    direct("ipopt+trapezoidal", "trapezoidal", "ipopt", "trapezoidal rule, IPOPT"),
    direct("barrier", "radau", "barrier", "Radau IIA collocation, IPOPT's algorithm along the chain of intervals"),
    direct("barrier+radau", "radau", "barrier", "the same"),
    direct("sqp+euler", "euler", "sqp", "explicit Euler, dense SQP"),
    direct("hqp+euler", "euler", "hqp", "explicit Euler, sparse SQP"),
    direct("hqp+radau", "radau", "hqp", "Radau IIA collocation, sparse SQP"),
    reduced("ipopt+cvodes", "cvodes", "ipopt", "reduced space: CVODES integrates, its adjoints give the gradient"),
    reduced("ipopt+idas", "idas", "ipopt",
            "the same by IDAS: algebraics and their multipliers are unknowns of its own adjoints"),
    reduced("ipopt+dopri5", "dopri5", "ipopt", "reduced space, the adjoint of the steps of DOPRI5"),
    reduced("ipopt+rk4", "rk4", "ipopt", "reduced space, the adjoint of the steps of RK4"),
    reduced("rkcon+radau5", "radau5", "sqp", "reduced space, the adjoint of the steps of Radau IIA, dense SQP"),
    reduced("ipopt+radau5", "radau5", "ipopt", "the same, IPOPT"),
    reduced("ipopt+midpoint", "midpoint", "ipopt", "reduced space, the adjoint of the implicit midpoint rule"),
    reduced("ipopt+sdirk", "sdirk", "ipopt", "reduced space, the adjoint of the steps of SDIRK"),
    reduced("ipopt+grk4", "grk4", "ipopt", "reduced space, the adjoint of the steps of the Rosenbrock method"),
    reduced("ipopt+adams", "adams", "ipopt", "reduced space, the adjoint of Adams' multistep method"),
    reduced("ipopt+enright", "enright", "ipopt", "reduced space, the adjoint of Enright's second-derivative method"),
    reduced("ipopt+enright-semi", "enright_semi", "ipopt", "reduced space, the adjoint of its semi-implicit variant"),
    reduced("ipopt+taylor", "taylor", "ipopt", "reduced space, the adjoint of Taylor series"),
    reduced("sqp+cvodes", "cvodes", "sqp", "reduced space: CVODES and its adjoints, dense SQP"),
    MethodRow{
        "nlsq+cvodes",
        {{{"transcription", "single-shooting"}, {"integrator", "cvodes"}, {"nlp", "nlsq"}, {"hessian", "gauss-newton"}}},
        "least squares in the reduced space, Levenberg-Marquardt"},
    reduced("trust-region+cvodes", "cvodes", "trust-region", "fits from far away in the reduced space, trust region"),
    direct("multiple-shooting", "multiple-shooting", "ipopt",
           "multiple shooting on CVODES, IPOPT; `--integrator` takes another"),
    shooting("hqp+dopri5", "dopri5", "multiple shooting with DOPRI5, sparse SQP"),
    shooting("hqp+rk4", "rk4", "multiple shooting with RK4, sparse SQP"),
    shooting("hqp+grk4", "grk4", "multiple shooting with the Rosenbrock method, sparse SQP"),
    shooting("hqp+sdirk", "sdirk", "multiple shooting with SDIRK, sparse SQP"),
    shooting("hqp+imp", "midpoint", "multiple shooting with the implicit midpoint rule, sparse SQP"),
    shooting("hqp+odets", "taylor", "multiple shooting with Taylor series, sparse SQP"),
    shooting("hqp+cvodes", "cvodes", "multiple shooting with CVODES, sparse SQP"),
    indirect("bndsco+rk4", "rk4", "Pontryagin's conditions, multiple shooting with RK4, damped Newton"),
    direct("bonmin+euler", "euler", "bonmin", "integer controls on explicit Euler, BONMIN"),
    reduced("bonmin+cvodes", "cvodes", "bonmin", "integer controls in the reduced space, BONMIN"),
    indirect("indirect", "dopri5",
             "the same with DOPRI5; `bndsco+radau5`, `bndsco+taylor`, `bndsco+radau` take other steps"),
    MethodRow{"rkcon+radau5-dae1",
              {{{"transcription", "single-shooting"}, {"integrator", "radau5"}, {"nlp", "sqp"}, {"form", "reduced"}}},
              "reduced space: Radau IIA on implicit equations of index 1, every derivative an unknown of its stages"},
    MethodRow{"rkcon+radau5-dae3",
              {{{"transcription", "single-shooting"}, {"integrator", "radau5"}, {"nlp", "sqp"}, {"form", "original"}}},
              "reduced space: Radau IIA on the equations as written, of index up to 3"},
};

/// Lower case, `_` and ` ` as `-`.
std::string plain(std::string_view name) {
  std::string out(name);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '_' || c == ' ') c = '-';
  }
  return out;
}

const OptionRow* find_option(std::string_view name) {
  std::string wanted = plain(name);
  for (const OptionRow& row : option_rows) {
    if (row.name == wanted) return &row;
    for (std::string_view alias : row.aliases)
      if (!alias.empty() && plain(alias) == wanted) return &row;
  }
  return nullptr;
}

const MethodRow* find_method(std::string_view name) {
  std::string wanted = plain(name);
  std::replace(wanted.begin(), wanted.end(), '-', '+');
  for (const MethodRow& row : method_rows) {
    std::string own(row.name);
    std::replace(own.begin(), own.end(), '-', '+');
    if (own == wanted) return &row;
  }
  return nullptr;
}

std::vector<std::string> option_names() {
  std::vector<std::string> names{"method", "chain", "ipopt", "bonmin"};
  for (const OptionRow& row : option_rows) {
    names.emplace_back(row.name);
    for (std::string_view alias : row.aliases)
      if (!alias.empty()) names.emplace_back(alias);
  }
  return names;
}

bool parse_number(std::string_view text, double& value) {
  auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  return status == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

std::string choice_list(const OptionRow& row) {
  std::string out;
  for (std::string_view c : row.choices)
    if (!c.empty()) out += (out.empty() ? "`" : ", `") + std::string(c) + "`";
  return out;
}

/// The value in its canonical spelling, or "" when it does not have the option's form; `expected` says what would.
std::string canonical_mesh(std::string_view value, std::string& expected) {
  expected = "a number of intervals (`50`) or increasing fractions from 0 to 1 (`0,0.1,0.3,1`)";
  double number = 0, previous = -1;
  if (parse_number(value, number))
    return number >= 1 && number <= 1e7 && number == std::floor(number) ? std::to_string(static_cast<long>(number)) : "";
  std::string list(value);
  std::erase_if(list, [](char c) { return c == ' ' || c == '{' || c == '}'; });
  std::string_view rest = list;
  bool first = true;
  while (!rest.empty()) {
    std::size_t comma = std::min(rest.find(','), rest.size());
    if (!parse_number(rest.substr(0, comma), number) || number <= previous || (first && number != 0)) return "";
    previous = number;
    first = false;
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return previous == 1 ? list : "";
}

/// "20", "u=20,v=5" or "10,v=5" without blanks.
std::string canonical_grid(std::string_view value, std::string& expected) {
  expected = "a number of intervals (`20`), or one for each control (`u=20,v=5`)";
  std::string list(value), out;
  std::erase_if(list, [](char c) { return c == ' ' || c == '{' || c == '}'; });
  for (std::string_view rest = list; !rest.empty();) {
    std::size_t comma = 0;  // not one inside of brackets: `u[1,2]=5`
    for (int depth = 0; comma < rest.size() && (depth > 0 || rest[comma] != ','); ++comma)
      depth += (rest[comma] == '[') - (rest[comma] == ']');
    std::string_view item = rest.substr(0, comma);
    std::size_t equals = item.rfind('=');
    double number = 0;
    bool good = parse_number(item.substr(equals == item.npos ? 0 : equals + 1), number) && number >= 1 && number <= 1e7 &&
                number == std::floor(number) && equals != 0;
    if (!good) return "";
    out += (out.empty() ? "" : ",") + std::string(item);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return out;
}

/// "states,controls" in the order of the table; `all` and `none` stand alone.
std::string canonical_list(const OptionRow& row, std::string_view value, std::string& expected) {
  expected = "`all`, `none`, or some of " + choice_list(row) + " with commas between them";
  std::string list(value), out;
  std::erase_if(list, [](char c) { return c == ' ' || c == '{' || c == '}'; });
  if (plain(list) == "all" || plain(list) == "none") return plain(list);
  std::vector<std::string> words;
  for (std::string_view rest = list; !rest.empty();) {
    std::size_t comma = std::min(rest.find(','), rest.size());
    words.push_back(plain(rest.substr(0, comma)));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  for (const std::string& word : words)
    if (word.empty() || std::find(row.choices.begin(), row.choices.end(), word) == row.choices.end()) return "";
  for (std::string_view choice : row.choices)
    if (!choice.empty() && std::find(words.begin(), words.end(), choice) != words.end())
      out += (out.empty() ? "" : ",") + std::string(choice);
  return out;
}

std::string canonical_value(const OptionRow& row, std::string_view value, std::string& expected) {
  double number = 0;
  switch (row.type) {
    case OptionType::choice: {
      std::string wanted = plain(value);
      expected = "one of " + choice_list(row);
      if (row.name == "transcription" && wanted == "lgr") return "radau";
      if (row.name == "transcription" && wanted == "lg") return "gauss";
      if (row.name == "transcription" && wanted == "lgl") return "lobatto";
      if (row.name == "hessian" && wanted == "limited-memory") return "lbfgs";
      for (std::string_view c : row.choices)
        if (!c.empty() && c == wanted) return std::string(c);
      return "";
    }
    case OptionType::number:
      expected = "a positive number";
      return parse_number(value, number) && number > 0 ? std::string(value) : "";
    case OptionType::integer:
      expected = row.name == "threads"       ? "a whole number from 1 to 1024"
                 : row.name == "multi-start" ? "a whole number, or 0 for no other start"
                                             : "a whole number, at least 1";
      return parse_number(value, number) && number >= (row.name == "multi-start" ? 0 : 1) &&
                     number <= (row.name == "threads" ? 1024 : 1e9) && number == std::floor(number)
                 ? std::to_string(static_cast<long>(number))
                 : "";
    case OptionType::mesh:
      return canonical_mesh(value, expected);
    case OptionType::grid:
      return canonical_grid(value, expected);
    case OptionType::list:
      return canonical_list(row, value, expected);
    case OptionType::flag: {
      std::string wanted = plain(value);
      expected = "`true` or `false`";
      if (wanted == "true" || wanted == "yes" || wanted == "1" || wanted.empty()) return "true";
      return wanted == "false" || wanted == "no" || wanted == "0" ? "false" : "";
    }
    case OptionType::text:
      return std::string(value);
    case OptionType::row:
      expected = "a name that `bolza methods` lists";
      return plain(value);
  }
  return "";
}

void set_all(Options& options, const auto& settings, Span at) {
  for (const auto& [name, setting] : settings)
    if (!name.empty()) {
      options.values[std::string(name)] = setting;
      options.places[std::string(name)] = at;
    }
}

/// The names that have `value` as their second half: it is not a method, but what one is made with.
std::string names_with_steps(std::string_view value) {
  std::string out;
  for (const MethodRow& m : method_rows)
    if (m.name.ends_with("+" + plain(value))) out += (out.empty() ? "`" : ", `") + std::string(m.name) + "`";
  return out;
}

Result<Done> set_method(Options& options, std::string_view value, Span at, Diagnostics& diagnostics) {
  const MethodRow* row = find_method(value);
  if (!row) {
    if (auto pair = options_of_pair(plain(value)); !pair.empty()) {
      set_all(options, pair, at);
      return Done{};
    }
    std::vector<Note> notes;
    if (std::string with = names_with_steps(value); !with.empty()) {
      notes.push_back({{}, "an engine belongs to it: " + with});
    } else {
      std::vector<std::string> names;
      for (const MethodRow& m : method_rows) names.emplace_back(m.name);
      for (std::string_view c : option_rows[0].choices)
        if (!c.empty()) names.emplace_back(c);
      notes = did_you_mean(value, names);
    }
    notes.push_back({{}, "`bolza methods` lists all of them"});
    return diagnostics.error(unknown_method, at, {value}, std::move(notes));
  }
  set_all(options, row->options, at);
  return Done{};
}

bool is_transcription(std::string_view value) {
  std::string unused;
  return !canonical_value(option_rows[0], value, unused).empty();
}

}  // namespace

std::span<const OptionRow> option_table() { return option_rows; }
std::span<const MethodRow> method_table() { return method_rows; }

bool Options::has(std::string_view name) const { return values.contains(std::string(name)); }

std::string Options::text(std::string_view name) const {
  auto found = values.find(std::string(name));
  if (found != values.end()) return found->second;
  const OptionRow* row = find_option(name);
  expects(row != nullptr, "options are read by a name of the table");
  return std::string(row->fallback);
}

double Options::number(std::string_view name) const {
  double value = 0;
  expects(parse_number(text(name), value), "a number is read from an option that has one");
  return value;
}

int Options::integer(std::string_view name) const { return static_cast<int>(number(name)); }
bool Options::flag(std::string_view name) const { return text(name) == "true"; }

Span Options::place(std::string_view name) const {
  auto found = places.find(std::string(name));
  return found == places.end() ? Span{} : found->second;
}

void Options::merge(const Options& other) {
  for (const auto& [name, value] : other.values) {
    values[name] = value;
    places[name] = other.place(name);
  }
}

Result<Done> set_option(Options& options, std::string_view name, std::string_view value, Span at, Diagnostics& diagnostics) {
  std::string key = plain(name);
  if (std::size_t dot = name.find('.'); dot != std::string_view::npos && dot > 0 && dot + 1 < name.size()) {
    std::string own = plain(name.substr(0, dot)) + std::string(name.substr(dot));
    options.values[own] = value;
    options.places[own] = at;
    return Done{};
  }
  bool names_method = key == "method" || key == "solver" || key == "transcription";
  if (names_method && !is_transcription(value)) return set_method(options, value, at, diagnostics);
  const OptionRow* row = names_method ? &option_rows[0] : find_option(name);
  if (!row) return diagnostics.error(unknown_option, at, {name}, did_you_mean(name, option_names()));
  std::string expected, canonical = canonical_value(*row, value, expected);
  if (canonical.empty() && row->type != OptionType::text)
    return diagnostics.error(bad_option_value, at, {row->name, value, expected});
  options.values[std::string(row->name)] = canonical;
  options.places[std::string(row->name)] = at;
  return Done{};
}

}  // namespace bolza::driver
