// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "workflow/codes.h"
#include "workflow/fit/petab/tables_internal.h"
#include "workflow/sbml_codes.h"

namespace bolza::workflow::petab {

/// Target and value by the names of the Modelica model. A target that only formulas know becomes a parameter of theirs.
Result<Done> Reader::add_target(FitCondition& condition, const Cell& target, const Cell& value) {
  if (is_missing(value)) return Done{};
  auto symbol = symbols_.find(target.text);
  if (symbol != symbols_.end() && symbol->second.kind == sbml::SbmlSymbol::Kind::assigned)
    return diagnostics_.error(petab_name, target.span, {target.text, "to be set: a rule of the model determines it"});
  if (parameters_.contains(target.text))
    return diagnostics_.error(petab_name, target.span, {target.text, "to be set here: it is in the table of parameters"});
  Cell own = value;
  if (!number_in(value.text)) {
    Result<std::vector<std::string>> names = values_of(value);
    if (!names) return diagnostics_.already_reported();
    own.text = names->empty() ? "" : (*names)[0];
  }
  std::string name = name_of(target.text);
  if (symbol == symbols_.end()) out_.fixed.try_emplace(name, Cell{"0", target.span});
  condition.values.push_back({name, own, target.span});
  return Done{};
}

Result<Done> Reader::wide_conditions(const TextTable& table) {
  std::size_t id = *table.column({"conditionId"});
  auto name = table.column({"conditionName"});
  for (std::size_t c = 0; c < table.header.size(); ++c) {
    const Cell& target = table.header[c];
    if (c == id || (name && c == *name) || symbols_.contains(target.text)) continue;
    symbols_.try_emplace(target.text, sbml::SbmlSymbol{sbml::SbmlSymbol::Kind::parameter, target.text,
                                                       sbml::modelica_name(target.text), "", true});
    out_.fixed.try_emplace(sbml::modelica_name(target.text), Cell{"0", target.span});
    of_formulas_.push_back(target);
  }
  for (const Row& row : table.rows) {
    if (!once(conditions_, row[id])) return diagnostics_.already_reported();
    FitCondition condition{.name = row[id].text, .span = row[id].span};
    for (std::size_t c = 0; c < row.size(); ++c)
      if (c != id && (!name || c != *name) && !add_target(condition, table.header[c], row[c]))
        return diagnostics_.already_reported();
    out_.conditions.push_back(std::move(condition));
  }
  return Done{};
}

/// What a table of conditions sets and the model does not know has to be in a formula, or given to one by a measurement.
Result<Done> Reader::check_targets() {
  for (const Cell& target : of_formulas_)
    if (!used_.contains(target.text)) {
      std::vector<std::string> known;
      for (const auto& [id, symbol] : symbols_)
        if (id != target.text) known.push_back(id);
      return diagnostics_.error(petab_name, target.span, {target.text, "an entity of the model, and no formula has it"},
                                did_you_mean(target.text, known));
    }
  return Done{};
}

Result<Done> Reader::long_conditions(const TextTable& table) {
  Result<Column> id = required(table, "conditions", "conditionId"), target = required(table, "conditions", "targetId"),
                 value = required(table, "conditions", "targetValue");
  if (!id || !target || !value) return diagnostics_.already_reported();
  for (const Row& row : table.rows) {
    if (!symbols_.contains((*target)(row)))
      return diagnostics_.error(petab_name, target->cell(row).span, {(*target)(row), "an entity of the model"});
    conditions_.insert((*id)(row));
    auto known = std::find_if(out_.conditions.begin(), out_.conditions.end(),
                              [&](const FitCondition& c) { return c.name == (*id)(row); });
    if (known == out_.conditions.end()) {
      out_.conditions.push_back({.name = (*id)(row), .span = id->cell(row).span});
      known = out_.conditions.end() - 1;
    }
    if (!add_target(*known, target->cell(row), value->cell(row))) return diagnostics_.already_reported();
  }
  return Done{};
}

Result<Done> Reader::conditions(const std::string& path) {
  Result<TextTable> t = table(path);
  if (!t || !required(*t, "conditions", "conditionId")) return diagnostics_.already_reported();
  return files_.version == 1 ? wide_conditions(*t) : long_conditions(*t);
}

/// The condition of a period, made when there is none: one without values equilibrates, or starts, as the model says.
FitCondition& Reader::condition_of(const std::string& name, Span span) {
  auto known =
      std::find_if(out_.conditions.begin(), out_.conditions.end(), [&](const FitCondition& c) { return c.name == name; });
  if (known != out_.conditions.end()) return *known;
  return out_.conditions.emplace_back(FitCondition{.name = name, .span = span});
}

/// What a condition before all time sets stays so in the next period, but for states, which go their way.
void Reader::inherit(const FitCondition& before, FitCondition& later) const {
  for (const FitCondition::Value& v : before.values) {
    bool is_state = std::any_of(symbols_.begin(), symbols_.end(), [&](const auto& one) {
      return one.second.name == v.target && one.second.kind == sbml::SbmlSymbol::Kind::state;
    });
    bool is_set =
        std::any_of(later.values.begin(), later.values.end(), [&](const auto& own) { return own.target == v.target; });
    if (!is_state && !is_set) later.values.push_back(v);
  }
}

/// Of version 2: a period before all time equilibrates, the next one is measured. Each starts at its own time; measurements
/// without an experiment start at 0.
Result<Done> Reader::experiments(const std::string& path) {
  Result<TextTable> t = table(path);
  if (!t) return diagnostics_.already_reported();
  Result<Column> id = required(*t, "experiments", "experimentId"), time = required(*t, "experiments", "time"),
                 condition = required(*t, "experiments", "conditionId");
  if (!id || !time || !condition) return diagnostics_.already_reported();
  for (const Row& row : t->rows) {
    Result<double> at = number_of(time->cell(row), diagnostics_);
    if (!at) return diagnostics_.already_reported();
    Periods& periods = experiments_[(*id)(row)];
    bool before = std::isinf(*at);
    if (!before && periods.start && *periods.start != *at)
      return diagnostics_.error(petab_not_supported, time->cell(row).span,
                                {"an experiment of several periods", "one after an equilibration is"});
    if (!before) periods.start = *at;
    std::string& name = before ? periods.equilibration : periods.condition;
    name = (*id)(row) + (before ? " before" : "");
    std::vector<FitCondition::Value> values;
    if (!is_missing(condition->cell(row))) {
      const FitCondition* added = out_.condition((*condition)(row));
      if (!added)
        return diagnostics_.error(petab_name, condition->cell(row).span, {(*condition)(row), "in the table of conditions"});
      values = added->values;
    }
    FitCondition& both = condition_of(name, id->cell(row).span);
    both.values.insert(both.values.end(), values.begin(), values.end());
  }
  for (auto& [name, periods] : experiments_) {
    periods.condition = name;
    FitCondition& own = condition_of(name, id->cell(t->rows[0]).span);
    own.start = periods.start.value_or(0);
    if (const FitCondition* first = out_.condition(periods.equilibration)) inherit(*first, own);
  }
  return Done{};
}

}  // namespace bolza::workflow::petab
