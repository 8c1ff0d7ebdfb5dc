// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "workflow/codes.h"
#include "workflow/fit/petab/tables_internal.h"
#include "workflow/sbml_codes.h"

namespace bolza::workflow::petab {

/// A target that only formulas know becomes a parameter of theirs.
void Reader::add_output_parameter(const Cell& target) {
  std::string name = sbml::modelica_name(target.text);
  symbols_.try_emplace(target.text, sbml::SbmlSymbol{sbml::SbmlSymbol::Kind::parameter, target.text, name, "", true});
  out_.fixed.try_emplace(name, Cell{"0", target.span});
  of_formulas_.push_back(target);
}

Result<Done> Reader::check_target(const Cell& target) {
  auto symbol = symbols_.find(target.text);
  if (symbol != symbols_.end() && symbol->second.kind == sbml::SbmlSymbol::Kind::assigned)
    return diagnostics_.error(petab_name, target.span, {target.text, "to be set: a rule of the model determines it"});
  if (parameters_.contains(target.text))
    return diagnostics_.error(petab_name, target.span, {target.text, "to be set here: it is in the table of parameters"});
  return Done{};
}

/// Target and value by the names of the Modelica model.
Result<Done> Reader::add_target(FitCondition& condition, const Cell& target, const Cell& value) {
  if (is_missing(value)) return Done{};
  Cell own = value;
  if (!number_in(value.text)) {
    Result<std::vector<std::string>> names = values_of(value);
    if (!names) return diagnostics_.already_reported();
    own.text = names->empty() ? "" : (*names)[0];
  }
  condition.values.push_back({name_of(target.text), own, target.span});
  return Done{};
}

Result<Done> Reader::wide_conditions(const TextTable& table) {
  std::size_t id = *table.column({"conditionId"});
  auto name = table.column({"conditionName"});
  for (std::size_t c = 0; c < table.header.size(); ++c)
    if (c != id && !(name && c == *name) && !symbols_.contains(table.header[c].text)) add_output_parameter(table.header[c]);
  std::set<std::size_t> wrong;  // columns whose target is; that is said once
  for (std::size_t c = 0; c < table.header.size(); ++c)
    if (c != id && !(name && c == *name) && !check_target(table.header[c])) wrong.insert(c);
  Result<Done> rows = each_row(table, [&](const Row& row) -> Result<Done> {
    if (!once(conditions_, row[id])) return diagnostics_.already_reported();
    FitCondition condition{.name = row[id].text, .span = row[id].span};
    bool good = true;
    for (std::size_t c = 0; c < row.size(); ++c)
      if (c != id && (!name || c != *name) && !wrong.contains(c))
        good = add_target(condition, table.header[c], row[c]) && good;
    out_.conditions.push_back(std::move(condition));
    if (!good) return diagnostics_.already_reported();
    return Done{};
  });
  if (!rows || !wrong.empty()) return diagnostics_.already_reported();
  return Done{};
}

/// What a table of conditions sets and the model does not know has to be in a formula, or given to one by a measurement.
Result<Done> Reader::check_targets() {
  bool good = true;
  for (const Cell& target : of_formulas_)
    if (!used_.contains(target.text)) {
      std::vector<std::string> known;
      for (const auto& [id, symbol] : symbols_)
        if (id != target.text) known.push_back(id);
      diagnostics_.error(petab_name, target.span, {target.text, "an entity of the model, and no formula has it"},
                         did_you_mean(target.text, known));
      good = false;
    }
  if (!good) return diagnostics_.already_reported();
  return check_outputs();
}

Result<Done> Reader::long_conditions(const TextTable& table) {
  Result<Column> id = required(table, "conditions", "conditionId"), target = required(table, "conditions", "targetId"),
                 value = required(table, "conditions", "targetValue");
  if (!id || !target || !value) return diagnostics_.already_reported();
  return each_row(table, [&](const Row& row) -> Result<Done> {
    const Cell& own = target->cell(row);
    bool is_new = !targets_.contains((*id)(row));
    std::vector<Target>& targets = targets_[(*id)(row)];
    if ((is_new && !check_identifier(id->cell(row))) || !check_target(own)) return diagnostics_.already_reported();
    if (!symbols_.contains(own.text)) add_output_parameter(own);
    if (is_missing(value->cell(row)))
      return diagnostics_.error(petab_value, value->cell(row).span ? value->cell(row).span : own.span,
                                {own.text, "set", "it has no `targetValue`"});
    if (std::ranges::any_of(targets, [&](const Target& t) { return t.target.text == own.text; }))
      return diagnostics_.error(petab_twice, own.span, {own.text});
    targets.push_back({own, value->cell(row)});
    if (!target_value(value->cell(row), Moment::on_the_way)) return diagnostics_.already_reported();
    return Done{};
  });
}

Result<Done> Reader::conditions(const std::string& path) {
  Result<TextTable> t = table(path, "conditions");
  if (!t || !required(*t, "conditions", "conditionId")) return diagnostics_.already_reported();
  return files_.version == 1 ? wide_conditions(*t) : long_conditions(*t);
}

}  // namespace bolza::workflow::petab
