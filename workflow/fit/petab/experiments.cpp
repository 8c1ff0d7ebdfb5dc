// SPDX-License-Identifier: Apache-2.0
// Experiments of version 2: periods, each with conditions that are applied at its start.
#include <algorithm>
#include <cmath>

#include "base/numbers.h"
#include "workflow/codes.h"
#include "workflow/fit/petab/tables_internal.h"
#include "workflow/sbml_codes.h"

namespace bolza::workflow::petab {

using SymbolKind = sbml::SbmlSymbol::Kind;
using PeriodValues = std::vector<FitCondition::Value>;

/// Modelica's expression for a target value. Before the first period nothing is known but parameters and the time.
Result<std::string> Reader::target_value(const Cell& cell, Moment moment) {
  std::string unknown;
  auto resolve = [&](const std::string& id) -> std::optional<std::string> {
    if (id == "time" && !symbols_.contains(id)) return "time";
    auto symbol = symbols_.find(id);
    used_.insert(id);
    if (symbol == symbols_.end() && !parameters_.contains(id) && knows_names()) return {};
    if (symbol != symbols_.end() && symbol->second.kind != SymbolKind::parameter && unknown.empty()) unknown = id;
    return name_of(id);
  };
  Result<std::string> text = translated(cell, resolve);
  if (!text) return diagnostics_.already_reported();
  if (moment == Moment::start && !unknown.empty())
    return diagnostics_.error(petab_name, cell.span, {unknown, "known before the first period"},
                              {{{}, "values there are computed from the table of parameters"}});
  return *text;
}

/// A number, the name of a parameter, or a formula that becomes a variable; the same one has one variable.
FitCondition::Value Reader::value_of(const Target& target, const std::string& name, const std::string& text) {
  FitCondition::Value out{.target = name, .value = {text, target.value.span}, .column = target.target.span};
  bool is_parameter = std::ranges::any_of(parameters_, [&](const std::string& id) { return name_of(id) == text; });
  if (number_in(text) || is_parameter) return out;
  auto [known, fresh] = formulas_.try_emplace(text, "'target value " + std::to_string(formulas_.size() + 1) + "'");
  if (fresh) out_.formulas.push_back({known->second, text, "the value of `" + target.target.text + "`", target.value.span});
  out.value.text = known->second;
  out.is_formula = true;
  return out;
}

Result<PeriodValues> Reader::values_at_start(const std::vector<Target>& targets) {
  PeriodValues out;
  for (const Target& t : targets) {
    Result<std::string> text = target_value(t.value, Moment::start);
    if (!text) return diagnostics_.already_reported();
    out.push_back(value_of(t, name_of(t.target.text), *text));
  }
  return out;
}

/// What is set while the model runs, from the values before. A concentration that is set, and one in a compartment whose
/// size is set, stays what it is, so that its amount changes.
Result<PeriodValues> Reader::values_on_the_way(const std::vector<Target>& targets) {
  std::map<std::string, std::string> set;  // texts by names of the model
  for (const Target& t : targets) {
    Result<std::string> text = target_value(t.value, Moment::on_the_way);
    if (!text) return diagnostics_.already_reported();
    set[name_of(t.target.text)] = *text;
  }
  auto size_of = [&](const sbml::SbmlSymbol& s) { return set.contains(s.size) ? set[s.size] : s.size; };
  PeriodValues out;
  for (const Target& t : targets) {
    auto symbol = symbols_.find(t.target.text);
    std::string name = name_of(t.target.text), text = set[name];
    bool follows = symbol != symbols_.end() && !symbol->second.amount.empty();
    if (follows) text = "(" + text + ")*(" + size_of(symbol->second) + ")";
    out.push_back(value_of(t, follows ? symbol->second.amount : name, text));
    out.back().restarts = true;
    for (const auto& [id, s] : symbols_) {
      if (s.amount.empty() || s.size != name || set.contains(s.name) || id != s.id) continue;
      out.push_back(value_of(t, s.amount, s.name + "*(" + set[name] + ")"));
      out.back().restarts = true;
    }
  }
  return out;
}

/// What is set before all time stays so in the next period, but for states, which go their way.
PeriodValues Reader::inherited(const PeriodValues& before) const {
  PeriodValues out;
  for (const FitCondition::Value& v : before)
    if (std::ranges::none_of(symbols_,
                             [&](const auto& s) { return s.second.name == v.target && s.second.kind == SymbolKind::state; }))
      out.push_back(v);
  return out;
}

/// One row: a condition, or none, at a time.
Result<Done> Reader::period(const Row& row, const Column& id, const Column& time, const Column& condition) {
  bool is_new = experiment_ids_.insert(id(row)).second;
  Periods& periods = experiments_[id(row)];
  periods.span = id.cell(row).span;
  if (is_new && !check_identifier(id.cell(row))) return diagnostics_.already_reported();
  Result<double> at = number_of(time.cell(row), diagnostics_);
  if (!at) return diagnostics_.already_reported();
  if (std::isnan(*at) || *at == infinity)
    return diagnostics_.error(petab_value, time.cell(row).span,
                              {time(row), "the time of a period", "it is a number or -inf"});
  std::vector<Target>& targets = periods.targets[*at];
  if (is_missing(condition.cell(row))) return Done{};
  auto added = targets_.find(condition(row));
  if (added == targets_.end() && unread_.contains("conditions")) return Done{};
  if (added == targets_.end()) {
    std::vector<std::string> known;
    for (const auto& [name, own] : targets_) known.push_back(name);
    return diagnostics_.error(petab_name, condition.cell(row).span, {condition(row), "in the table of conditions"},
                              did_you_mean(condition(row), known));
  }
  for (const Target& t : added->second) {
    if (std::ranges::any_of(targets, [&](const Target& other) { return other.target.text == t.target.text; }))
      return diagnostics_.error(
          petab_value, condition.cell(row).span,
          {condition(row), "applied here", "`" + t.target.text + "` is set by another condition at this time"});
    targets.push_back(t);
  }
  return Done{};
}

/// The conditions of an experiment: an equilibration, what holds at its start, and what changes later.
Result<Done> Reader::experiment(const std::string& id) {
  Periods& periods = experiments_[id];
  FitCondition own{.name = id, .start = 0, .span = periods.span};
  auto next = periods.targets.begin();
  bool settles = std::isinf(next->first);
  if (settles) {
    Result<PeriodValues> values = values_at_start(next->second);
    if (!values) return diagnostics_.already_reported();
    periods.equilibration = id + " before";
    own.values = inherited(*values);
    out_.conditions.push_back({.name = periods.equilibration, .values = *std::move(values), .span = periods.span});
    ++next;
  }
  for (bool first = true; next != periods.targets.end(); ++next) {
    bool starts = std::exchange(first, false);
    Result<PeriodValues> values = starts && !settles ? values_at_start(next->second) : values_on_the_way(next->second);
    if (!values) return diagnostics_.already_reported();
    if (!starts) {
      own.later.push_back({next->first, *std::move(values)});
      continue;
    }
    own.start = next->first;
    std::erase_if(own.values, [&](const FitCondition::Value& before) {
      return std::ranges::any_of(*values, [&](const FitCondition::Value& v) { return v.target == before.target; });
    });
    own.values.insert(own.values.end(), values->begin(), values->end());
  }
  out_.conditions.push_back(std::move(own));
  return Done{};
}

Result<Done> Reader::experiments(const std::string& path) {
  Result<TextTable> t = table(path, "experiments");
  if (!t) return diagnostics_.already_reported();
  Result<Column> id = required(*t, "experiments", "experimentId"), time = required(*t, "experiments", "time"),
                 condition = required(*t, "experiments", "conditionId");
  if (!id || !time || !condition) return diagnostics_.already_reported();
  if (!each_row(*t, [&](const Row& row) { return period(row, *id, *time, *condition); }))
    return diagnostics_.already_reported();
  std::set<std::string> made;
  return each_row(*t, [&](const Row& row) -> Result<Done> {
    if (!made.insert((*id)(row)).second) return Done{};
    return experiment((*id)(row));
  });
}

/// An observable with a parameter that conditions give has its value in every experiment in which it is measured.
Result<Done> Reader::check_outputs() const {
  for (const Cell& parameter : of_formulas_) {
    std::string name = name_of(parameter.text);
    auto sets = [&](const FitCondition::Value& v) { return v.target == name; };
    for (const FitMeasurement& m : out_.measurements) {
      const FitObservable& o = out_.observables[m.observable];
      if (!observed_.at(o.name).names.contains(parameter.text)) continue;
      const FitCondition* c = out_.condition(m.condition);
      bool known = c && std::ranges::any_of(c->values, sets);
      for (std::size_t k = 0; c && k < c->later.size() && c->later[k].time <= m.time; ++k)
        known = known || std::ranges::any_of(c->later[k].values, sets);
      if (!known)
        return diagnostics_.error(petab_value, m.span,
                                  {o.name, "compared", "nothing gives `" + parameter.text + "` a value in this experiment"});
    }
  }
  return Done{};
}

}  // namespace bolza::workflow::petab
