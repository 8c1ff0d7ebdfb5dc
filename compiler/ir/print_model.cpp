// SPDX-License-Identifier: Apache-2.0
// The flat model as text: what `bolza flatten` shows.
#include <algorithm>
#include <array>
#include <map>

#include "compiler/ir/print.h"

namespace bolza::ir {
namespace {

/// One instance of one root that adds to a row.
struct Contribution {
  const Group* group;
  std::size_t root, instance;
};

std::vector<std::vector<Contribution>> contributions(const Section& section, std::size_t root_of_pair, bool pairs) {
  std::vector<std::vector<Contribution>> rows(section.n_rows);
  for (const Group& group : section.groups)
    for (std::size_t r = 0; r < group.roots.size(); ++r)
      if (!pairs || r % 2 == root_of_pair)
        for (std::size_t i = 0; i < group.n; ++i) rows[group.rows[r][i].index()].push_back({&group, r, i});
  return rows;
}

std::string sum_text(const FlatModel& model, const std::vector<Contribution>& terms) {
  constexpr std::size_t shown = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(terms.size(), shown); ++i)
    text += (i ? " + " : "") + to_text(model, *terms[i].group, terms[i].root, terms[i].instance);
  if (terms.size() > shown) text += " + … (" + std::to_string(terms.size()) + " terms)";
  return text.empty() ? "0" : text;
}

std::string equation_text(const FlatModel& model, const std::vector<Contribution>& terms) {
  if (terms.size() == 1) {
    Group sides = *terms[0].group;
    const Dag& dag = model.expressions.dag;
    ExprId root = sides.roots[terms[0].root];
    if (dag.op(root) == Op::sub) {
      sides.roots = {dag.operands(root)[0], dag.operands(root)[1]};
      return to_text(model, sides, 0, terms[0].instance) + " = " + to_text(model, sides, 1, terms[0].instance);
    }
  }
  return "0 = " + sum_text(model, terms);
}

/// Rows in order; of those whose first term belongs to one group only the first few, then a count of the others. `by_root`:
/// where several roots of a group make rows of their own.
template <class Text>
std::string rows_text(const std::vector<std::vector<Contribution>>& rows, ListOptions options, Text text_of,
                      bool by_root = false) {
  struct Seen {
    std::size_t first_row = 0, n = 0;
  };
  using Kind = std::pair<const Group*, std::size_t>;
  std::map<Kind, Seen> seen;  // only looked up, never walked: addresses do not decide the order of the text
  std::vector<Kind> order;
  std::string text;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    Kind kind{nullptr, 0};
    if (!rows[row].empty()) kind = {rows[row][0].group, by_root ? rows[row][0].root : 0};
    auto [at, is_new] = seen.emplace(kind, Seen{row, 0});
    if (is_new) order.push_back(kind);
    ++at->second.n;
    if (options.instances == 0 || at->second.n <= options.instances) text += "  " + text_of(row) + ";\n";
  }
  for (const Kind& kind : order)
    if (std::size_t n = seen[kind].n; options.instances != 0 && n > options.instances)
      text += "  // " + std::to_string(n - options.instances) + " more like `" + text_of(seen[kind].first_row) + "`\n";
  return text;
}

std::string section_text(const FlatModel& model, const char* heading, const Section& section, ListOptions options) {
  if (section.n_rows == 0) return "";
  auto rows = contributions(section, 0, false);
  return heading + std::string("\n") +
         rows_text(rows, options, [&](std::size_t row) { return equation_text(model, rows[row]); });
}

std::string constraints_text(const FlatModel& model, const ConstraintSection& constraints, ListOptions options) {
  auto left = contributions(constraints.section, 0, true);
  auto right = contributions(constraints.section, 1, true);
  constexpr std::array relation{" = ", " <= ", " >= "};
  return rows_text(left, options, [&](std::size_t row) {
    return sum_text(model, left[row]) + relation[static_cast<std::size_t>(constraints.relations[row])] +
           sum_text(model, right[row]);
  });
}

// ---------------------------------------------------------------- events

std::string discrete_text(const FlatModel& model, const char* heading, const Section& section, ListOptions options) {
  if (section.n_rows == 0) return "";
  auto left = contributions(section, 0, true), right = contributions(section, 1, true);
  auto text_of = [&](std::size_t row) { return sum_text(model, left[row]) + " = " + sum_text(model, right[row]); };
  return heading + std::string("\n") + rows_text(left, options, text_of, true);
}

std::string reinitialisations_text(const FlatModel& model, ListOptions options) {
  const Reinitialisations& all = model.reinitialisations;
  if (all.section.n_rows == 0) return "";
  auto fires = contributions(all.section, 0, true), value = contributions(all.section, 1, true);
  return "event\n" + rows_text(fires, options, [&](std::size_t row) {
           return "when " + sum_text(model, fires[row]) + ": reinit(" + name_of(model, all.states[row]) + ", " +
                  sum_text(model, value[row]) + ")";
         });
}

std::string listed(const FlatModel& model, const std::vector<Term>& values) {
  std::string text;
  for (const Term& value : values) text += ", " + to_text(model, value);
  return text;
}

/// The values of a message after its text.
std::string message_text(const FlatModel& model, const std::string& message, const std::vector<Term>& values) {
  return "\"" + message + "\"" + listed(model, values);
}

std::string sources_text(const FlatModel& model) {
  std::string text;
  for (const Sampling& s : model.samples)
    text += "  " + name_of(model, s.variable) + " = sample(" + to_text(model, s.start) + ", " + to_text(model, s.interval) +
            ");\n";
  for (std::size_t k = 0; k < model.delays.size(); ++k) {
    const Delay& d = model.delays[k];
    if (std::ranges::any_of(model.transports, [&](const Transport& t) { return k == t.first || k == t.first + 1; }))
      continue;
    text += "  " + name_of(model, d.variable) + " = delay(" + to_text(model, d.expression) + ", " + to_text(model, d.time) +
            ", " + to_text(model, d.longest) + ");\n";
  }
  for (const Transport& t : model.transports) {
    const Delay &left = model.delays[t.first], &right = model.delays[t.first + 1];
    text += "  (" + name_of(model, left.variable) + ", " + name_of(model, right.variable) + ") = spatialDistribution(" +
            to_text(model, left.expression) + ", " + to_text(model, right.expression) + ", " + to_text(model, left.time) +
            ", " + to_text(model, right.time) + ", {" + listed(model, t.places).substr(2) + "}, {" +
            listed(model, t.values).substr(2) + "});\n";
  }
  return text.empty() ? text : "source\n" + text;
}

/// "when c", "at events", "at events while c": a call is due when its condition is false.
std::string call_moment(const FlatModel& model, const Assertion& call) {
  const Dag& dag = model.expressions.dag;
  Term due = call.condition;
  if (dag.is_number(due.root)) return call.level == AssertionLevel::call ? "always" : "at events";
  bool negated = dag.op(due.root) == Op::logical_not;
  if (negated) due.root = dag.operands(due.root)[0];
  std::string text = to_text(model, due);
  return (call.level == AssertionLevel::call ? "when " : "at events while ") + (negated ? text : "not (" + text + ")");
}

std::string conditions_text(const FlatModel& model) {
  std::string text;
  for (const Assertion& a : model.assertions)
    if (a.level >= AssertionLevel::call)
      text += "  " + call_moment(model, a) + ": " + a.message + listed(model, a.values) + ";\n";
    else
      text += "  assert(" + to_text(model, a.condition) + ", " + message_text(model, a.message, a.values) +
              (a.level == AssertionLevel::warning ? ", warning" : "") + ");\n";
  for (const Termination& t : model.terminations)
    text += "  when " + to_text(model, t.condition) + ": terminate(" + message_text(model, t.message, t.values) + ");\n";
  return text;
}

// ---------------------------------------------------------------- variables

std::string values_text(const FlatModel& model, const ElementValues& values, ListOptions options) {
  if (values.terms.size() == 1) return to_text(model, values.terms[0]);
  std::size_t shown = options.instances == 0 ? values.terms.size() : std::min(values.terms.size(), options.instances);
  std::string text = "{";
  for (std::size_t i = 0; i < shown; ++i) text += (i ? ", " : "") + to_text(model, values.terms[i]);
  return text + (shown < values.terms.size() ? ", …}" : "}");
}

std::string declared_name(const FlatModel& model, const Variable& variable) {
  if (variable.dimensions.empty()) return name_of(model, variable.first);
  std::string text;
  std::size_t next = 0;
  for (const Variable::NamePart& part : variable.name) {
    text += (text.empty() ? "" : ".") + part.name;
    for (std::uint32_t d = 0; d < part.dimensions && next < variable.dimensions.size(); ++d, ++next)
      text += (d == 0 ? "[" : ",") + std::to_string(variable.dimensions[next]);
    if (part.dimensions > 0) text += ']';
  }
  return text;
}

std::string attributes_text(const FlatModel& model, const Variable& variable, ListOptions options) {
  constexpr std::array<const char*, attribute_count> names{"start", "min", "max", "nominal", "initialGuess"};
  std::string text;
  auto add = [&](const std::string& entry) { text += (text.empty() ? "(" : ", ") + entry; };
  for (std::size_t a = 0; a < attribute_count; ++a)
    if (variable.attributes[a].present()) add(names[a] + (" = " + values_text(model, variable.attributes[a], options)));
  bool all_fixed =
      !variable.fixed.empty() && std::find(variable.fixed.begin(), variable.fixed.end(), false) == variable.fixed.end();
  bool some_fixed = std::find(variable.fixed.begin(), variable.fixed.end(), true) != variable.fixed.end();
  if (some_fixed) add(all_fixed ? "fixed = true" : "fixed of some elements");
  if (variable.free) add("free = true");
  auto selectable = std::count(variable.selectable.begin(), variable.selectable.end(), true);
  if (selectable > 0)
    add(selectable == std::ssize(variable.selectable) ? "selectable = true" : "selectable of some elements");
  if (variable.state_select_always) add("stateSelect = StateSelect.always");
  if (variable.state_select_prefer) add("stateSelect = StateSelect.prefer");
  if (variable.state_select_avoid) add("stateSelect = StateSelect.avoid");
  if (variable.state_select_never) add("stateSelect = StateSelect.never");
  if (!variable.quantity.empty()) add("quantity = \"" + variable.quantity + "\"");
  if (!variable.unit.empty()) add("unit = \"" + variable.unit + "\"");
  if (!variable.display_unit.empty()) add("displayUnit = \"" + variable.display_unit + "\"");
  return text.empty() ? text : text + ")";
}

std::string variable_text(const FlatModel& model, const Variable& variable, ListOptions options) {
  constexpr std::array types{"Real", "Integer", "Boolean", "enumeration"};
  std::string text = "  ";
  if (variable.kind == VariableKind::parameter) text += variable.is_constant ? "constant " : "parameter ";
  if (variable.kind == VariableKind::input) text += "input ";
  if (variable.kind == VariableKind::discrete && variable.type == ValueType::real) text += "discrete ";
  text += types[static_cast<std::size_t>(variable.type)];
  text += " " + declared_name(model, variable) + attributes_text(model, variable, options);
  if (variable.binding.present()) text += " = " + values_text(model, variable.binding, options);
  text += ";";
  if (!variable.description.empty()) text += "  // " + variable.description;
  return text + "\n";
}

std::string variables_text(const FlatModel& model, ListOptions options) {
  std::string text;
  for (const Variable& variable : model.variables) {
    bool implied = variable.kind == VariableKind::time || variable.kind == VariableKind::derivative ||
                   variable.kind == VariableKind::timed || variable.kind == VariableKind::previous ||
                   variable.kind == VariableKind::initial_flag || variable.kind == VariableKind::terminal_flag ||
                   variable.kind == VariableKind::homotopy || variable.kind == VariableKind::sample ||
                   variable.kind == VariableKind::delayed;
    bool plain_end = (variable.kind == VariableKind::start_time || variable.kind == VariableKind::final_time) &&
                     attributes_text(model, variable, options).empty() && !variable.binding.present();
    if (!implied && !plain_end) text += variable_text(model, variable, options);
  }
  return text;
}

std::string switching_text(const FlatModel& model, const SwitchingRule& rule) {
  std::string controls, text;
  for (VariableId control : rule.controls) controls += (controls.empty() ? "" : ", ") + name_of(model, control);
  if (rule.controls.size() > 1) controls = "{" + controls + "}";
  if (rule.dwell > 0) text += "  minDwellTime(" + controls + ", " + to_text(rule.dwell) + ");\n";
  if (rule.switches) text += "  maxSwitches(" + controls + ", " + std::to_string(*rule.switches) + ");\n";
  return text;
}

std::string optimization_text(const FlatModel& model, const OptimizationProblem& problem, ListOptions options) {
  std::string text = problem.is_static ? "static optimization\n" : "optimization\n";
  const char* sense = problem.maximize ? "  maximize " : "  minimize ";
  auto add = [&](const Section& section, std::uint32_t row, const char* before, const std::string& after) {
    if (section.n_rows == 0 || section.groups.empty()) return;
    auto parts = contributions(section, 0, false);
    if (row < parts.size() && !parts[row].empty()) text += sense + (before + sum_text(model, parts[row])) + after + ";\n";
  };
  add(problem.objective, 0, "", "");
  for (std::uint32_t row = 0; row < problem.integrand.n_rows; ++row)
    add(problem.integrand, row, "integral(", row < model.phases.size() ? ") over " + model.phases[row].name : ")");
  if (problem.path.section.n_rows + problem.point.section.n_rows > 0) text += "constraint\n";
  text += constraints_text(model, problem.path, options) + constraints_text(model, problem.point, options);
  for (const SwitchingRule& rule : problem.switching) text += switching_text(model, rule);
  return text;
}

std::string annotation_text(const FlatModel& model) {
  std::string text;
  auto add = [&](const std::string& prefix, const AnnotationOption& option) {
    const double* number = std::get_if<double>(&option.value);
    text += (text.empty() ? "  annotation(" : ", ") + prefix + option.name + " = ";
    text += number ? to_text(*number) : '"' + std::get<std::string>(option.value) + '"';
  };
  for (const AnnotationOption& option : model.experiment) add("experiment.", option);
  for (const AnnotationOption& option : model.solver) add("", option);
  return text.empty() ? text : text + ");\n";
}

}  // namespace

std::string to_text(const FlatModel& model, ListOptions options) {
  std::string text = "model " + model.name + "\n" + variables_text(model, options);
  text += section_text(model, "initial equation", model.initial_equations, options);
  text += section_text(model, "equation", model.equations, options);
  text += discrete_text(model, "initial discrete equation", model.initial_discrete_equations.section, options);
  text += discrete_text(model, "discrete equation", model.discrete_equations.section, options);
  text += reinitialisations_text(model, options);
  text += sources_text(model);
  text += conditions_text(model);
  if (model.optimization) text += optimization_text(model, *model.optimization, options);
  text += annotation_text(model);
  for (std::size_t i = 0; i < model.expressions.programs.size(); ++i) text += to_text(model.expressions, ProgramId(i));
  return text + "end " + model.name + ";\n";
}

}  // namespace bolza::ir
