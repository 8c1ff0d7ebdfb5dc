// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/structure/check_balance.h"

#include <algorithm>
#include <map>
#include <set>

#include "compiler/ir/print.h"
#include "compiler/passes/parameters/parameter_order.h"
#include "compiler/passes/system/codes.h"

namespace bolza::passes {

std::string counted(std::size_t n, const char* what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

namespace {

constexpr std::size_t text_limit = 60;

/// One line, single blanks, at most `text_limit` bytes (cut between UTF-8 characters).
std::string squeezed(std::string_view text) {
  std::string out;
  for (char c : text) {
    bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank) out += c;
    else if (!out.empty() && out.back() != ' ') out += ' ';
  }
  while (!out.empty() && (out.back() == ' ' || out.back() == ';')) out.pop_back();
  if (out.size() <= text_limit) return out;
  std::size_t cut = text_limit - 3;
  while (cut > 0 && (static_cast<unsigned char>(out[cut]) & 0xC0) == 0x80) --cut;
  return out.substr(0, cut) + "…";
}

std::string list_of(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t k = 0; k < names.size() && k < notes_limit; ++k) out += (k ? ", `" : "`") + names[k] + "`";
  if (names.size() > notes_limit) out += " and " + std::to_string(names.size() - notes_limit) + " more";
  return out;
}

/// Collects the notes that name a part of the model.
class Explanation {
 public:
  Explanation(const System& system, const EquationRows& equations, const Unknowns& unknowns)
      : system_(system),
        equations_(equations),
        unknowns_(unknowns) {}

  std::vector<std::string> names(const std::vector<std::uint32_t>& columns) const {
    std::vector<std::string> names;
    for (std::uint32_t c : columns) names.push_back(system_.name(named(c)));
    return names;
  }

  /// The derivative of a state and the state are one unknown.
  VariableId named(std::uint32_t column) const {
    VariableId v = unknowns_.variables[column];
    return system_.role(v) == ScalarRole::derivative ? system_.owner[v.index()] : v;
  }

  const GroupInstance& first_part(std::uint32_t row) const { return equations_.instances[equations_.parts[row][0]]; }

  void equations(const std::vector<std::uint32_t>& rows, const std::string& role) {
    for (std::size_t k = 0; k < rows.size() && k < notes_limit; ++k) {
      if (equations_.parts[rows[k]].empty()) continue;
      const GroupInstance& part = first_part(rows[k]);
      std::string text = text_of(system_, part);
      if (!loose_flows(rows[k]).empty()) text += " = 0";
      notes.push_back({system_.span_of_origin(part.origin), role + ": " + text});
    }
    if (rows.size() > notes_limit)
      notes.push_back({{}, "and " + std::to_string(rows.size() - notes_limit) + " more equations"});
  }

  void unknowns(const std::vector<std::uint32_t>& columns) {
    for (std::size_t k = 0; k < columns.size() && k < notes_limit; ++k) {
      VariableId v = named(columns[k]);
      notes.push_back({system_.span_of(v), "not determined: `" + system_.name(v) + "`"});
    }
    if (columns.size() > notes_limit)
      notes.push_back({{}, "and " + std::to_string(columns.size() - notes_limit) + " more unknowns"});
  }

  /// Flows of connectors at the top that an equation may have made zero, because nothing is connected to them: such an
  /// equation has the declaration of the flow as its place, and may have lost its variable to an alias by now.
  std::vector<VariableId> loose_flows(std::uint32_t row) const {
    std::vector<VariableId> flows;
    if (equations_.parts[row].size() != 1) return flows;
    Span origin = system_.flat.origins[first_part(row).origin].span;
    for (const ir::Variable& v : system_.flat.variables)
      if (origin && v.span == origin && v.name.size() == 2) flows.push_back(v.first);
    return flows;
  }

  /// For unknowns, or equations, of connectors at the top: one note a connector.
  void loose_connectors(const Decomposition& d) {
    std::map<std::string, std::string> flow_of;  // connector → flow
    std::set<std::string> concerned;
    for (std::uint32_t row = 0; row < equations_.parts.size(); ++row)
      for (VariableId v : loose_flows(row)) flow_of.emplace(connector_of(system_.name(v)), system_.name(v));
    for (std::uint32_t c : d.under_columns) concerned.insert(connector_of(system_.name(named(c))));
    for (std::uint32_t row : d.over_rows)
      for (VariableId v : loose_flows(row)) concerned.insert(connector_of(system_.name(v)));
    for (const auto& [connector, flow] : flow_of)
      if (concerned.contains(connector) && notes.size() < notes_limit)
        notes.push_back({{},
                         "nothing is connected to `" + connector + "`, so that `" + flow +
                             " = 0`: connect it, in a model that has this one as a component"});
    has_loose_connectors_ = !notes.empty();
  }
  bool has_loose_connectors() const { return has_loose_connectors_; }
  static std::string connector_of(const std::string& name) { return name.substr(0, name.rfind('.')); }

  std::vector<Note> notes;

 private:
  bool has_loose_connectors_ = false;
  const System& system_;
  const EquationRows& equations_;
  const Unknowns& unknowns_;
};

/// Names of the variables of some roles in some equations.
std::vector<std::string> variables_in(const System& system, const EquationRows& equations,
                                      const std::vector<std::uint32_t>& rows, auto... roles) {
  std::vector<VariableId> found;
  for (std::uint32_t r : rows)
    for (std::uint32_t part : equations.parts[r])
      for (VariableId v : equations.instances[part].applied.slots)
        if (((system.role(v) == roles) || ...)) found.push_back(v);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::vector<std::string> names;
  for (VariableId v : found) names.push_back(system.name(v));
  return names;
}

/// Derivatives whose coefficients are zero, of which no equation is left.
std::vector<std::string> unused_derivatives(const System& system) {
  std::vector<std::string> names;
  for (std::uint32_t v = 0; v < system.n(); ++v)
    if (VariableId id(std::size_t{v}); system.role(id) == ScalarRole::unused) names.push_back(system.name(id));
  return names;
}

}  // namespace

std::string text_of_origin(const System& system, std::uint32_t origin) {
  const ir::Origin& from = system.flat.origins[origin];
  if (!system.options.sources || !from.span) return {};
  std::string text = squeezed(system.options.sources->text(from.span));
  for (std::size_t k = 0; k < from.iterators.size(); ++k)
    text += (k ? ", " : " [") + from.iterators[k].first + " = " + number_text(from.iterators[k].second);
  if (!from.iterators.empty()) text += "]";
  if (from.differentiated == 0) return text;
  return (from.differentiated == 1
              ? "d/dt ("
              : "d" + std::to_string(from.differentiated) + "/dt" + std::to_string(from.differentiated) + " (") +
         text + ")";
}

std::string text_of(const System& system, const GroupInstance& instance) {
  std::string text = text_of_origin(system, instance.origin);
  if (!text.empty()) return text;
  SectionBuilder builder;
  builder.add(instance);
  ir::Section section = builder.finish(0);
  return "0 = " + ir::to_text(system.flat, section.groups[0], 0, 0, {.limit = text_limit});
}

Reported explain_singular(const System& system, const EquationRows& equations, const Unknowns& unknowns,
                          const Incidence& incidence, const Matching& matching, Diagnostics& diagnostics) {
  Decomposition d = decompose(incidence, matching);
  Explanation explanation(system, equations, unknowns);
  bool balanced = incidence.n_rows() == incidence.n_columns;
  explanation.loose_connectors(d);
  if (!d.over_rows.empty()) {
    explanation.notes.push_back({{},
                                 counted(d.over_rows.size(), "equation") + " for " +
                                     counted(d.over_columns.size(), "unknown") +
                                     (d.over_columns.empty() ? "" : ": " + list_of(explanation.names(d.over_columns)))});
    explanation.equations(d.over_rows, "one of them");
  }
  if (std::vector<std::string> inputs = variables_in(system, equations, d.over_rows, ScalarRole::input); !inputs.empty())
    explanation.notes.push_back({{}, "inputs without binding count as known: " + list_of(inputs)});
  if (std::vector<std::string> known =
          variables_in(system, equations, d.over_rows, ScalarRole::fixed_parameter, ScalarRole::free_parameter);
      d.over_columns.empty() && !known.empty())
    explanation.notes.push_back(
        {{}, "nothing in it is unknown; parameters have the value of their declaration: " + list_of(known)});
  if (std::vector<std::string> lost = unused_derivatives(system); !d.over_rows.empty() && !lost.empty())
    explanation.notes.push_back({{}, "no equation reads " + list_of(lost) + ": what multiplies it is zero"});
  if (!d.under_columns.empty()) {
    explanation.notes.push_back(
        {{}, counted(d.under_rows.size(), "equation") + " for " + counted(d.under_columns.size(), "unknown")});
    if (system.flat.optimization && d.over_rows.empty())
      explanation.notes.push_back({{}, "what the optimisation chooses is an `input`, or `parameter Real p(free = true)`"});
    explanation.unknowns(d.under_columns);
    if (!explanation.has_loose_connectors()) explanation.equations(d.under_rows, "contains them");
  }
  if (balanced)
    return diagnostics.error(singular, system.span_of_origin(explanation.first_part(d.over_rows[0]).origin),
                             {counted(d.over_rows.size(), "equation"), counted(d.over_columns.size(), "unknown")},
                             std::move(explanation.notes));
  return diagnostics.error(unbalanced, system.flat.span,
                           {counted(incidence.n_rows(), "equation"), counted(incidence.n_columns, "unknown")},
                           std::move(explanation.notes));
}

Result<Done> check_balance(System& system, Diagnostics& diagnostics) {
  Unknowns unknowns = unknowns_of(system);
  if (system.flat.equations.n_rows == unknowns.variables.size()) return Done{};
  EquationRows equations = equations_of(system);
  Incidence incidence = incidence_of(system, equations, unknowns, true);
  Matching matching = empty_matching(incidence);
  maximise(incidence, matching);
  return explain_singular(system, equations, unknowns, incidence, matching, diagnostics);
}

}  // namespace bolza::passes
