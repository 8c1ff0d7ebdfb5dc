// SPDX-License-Identifier: Apache-2.0
// Tables of conditions and parameters.
#include <cmath>

#include "workflow/codes.h"
#include "workflow/fit/read_data.h"

namespace bolza::workflow {
namespace {

Result<estimate::Scale> scale_of(const Cell& cell, Diagnostics& diagnostics) {
  if (cell.text.empty() || cell.text == "lin") return estimate::Scale::lin;
  if (cell.text == "log") return estimate::Scale::log;
  if (cell.text == "log10") return estimate::Scale::log10;
  return diagnostics.error(unknown_word, cell.span, {cell.text, "lin, log, log10"});
}

Result<bool> is_estimated(const Cell& cell, Diagnostics& diagnostics) {
  if (cell.text.empty() || cell.text == "1" || cell.text == "true") return true;
  if (cell.text == "0" || cell.text == "false") return false;
  return diagnostics.error(unknown_word, cell.span, {cell.text, "0, 1"});
}

}  // namespace

Result<Done> read_conditions(const std::string& path, FitProblem& problem, Sources& sources, Diagnostics& diagnostics) {
  Result<TextTable> table = read_table(path, sources, diagnostics);
  if (!table) return diagnostics.already_reported();
  auto name = table->column({"condition", "experiment", "conditionId"}), title = table->column({"conditionName"}),
       start = table->column({"startTime"});
  if (!name) return diagnostics.error(column_missing, table->header[0].span, {table->file, "condition"});
  for (const std::vector<Cell>& row : table->rows) {
    FitCondition condition;
    condition.name = row[*name].text;
    condition.span = row[*name].span;
    if (problem.condition(condition.name))
      return diagnostics.error(table_malformed, condition.span, {"there are two conditions `" + condition.name + "`"});
    for (std::size_t c = 0; c < row.size(); ++c)
      if (c != *name && c != title && c != start && !is_missing(row[c]))
        condition.values.push_back({table->header[c].text, row[c], table->header[c].span});
    if (start && !is_missing(row[*start])) {
      Result<double> time = number_of(row[*start], diagnostics);
      if (!time) return diagnostics.already_reported();
      if (!std::isfinite(*time)) return diagnostics.error(number_expected, row[*start].span, {row[*start].text});
      condition.start = *time;
    }
    problem.conditions.push_back(std::move(condition));
  }
  return Done{};
}

Result<Done> read_parameters(const std::string& path, FitProblem& problem, Sources& sources, Diagnostics& diagnostics) {
  Result<TextTable> table = read_table(path, sources, diagnostics);
  if (!table) return diagnostics.already_reported();
  auto name = table->column({"parameter", "parameterId", "name"});
  auto scale = table->column({"scale", "parameterScale"}), lower = table->column({"lower", "lowerBound", "min"}),
       upper = table->column({"upper", "upperBound", "max"}),
       value = table->column({"nominal", "nominalValue", "value", "start"}), estimate = table->column({"estimate"});
  if (!name) return diagnostics.error(column_missing, table->header[0].span, {table->file, "parameter"});
  for (const std::vector<Cell>& row : table->rows) {
    FitParameter p;
    p.name = row[*name].text;
    p.span = row[*name].span;
    for (const FitParameter& other : problem.parameters)
      if (other.name == p.name)
        return diagnostics.error(table_malformed, p.span, {"there are two parameters `" + p.name + "`"});
    if (scale) {
      Result<estimate::Scale> given = scale_of(row[*scale], diagnostics);
      if (!given) return diagnostics.already_reported();
      p.scale = *given;
    }
    for (auto [c, to] : {std::pair{lower, &p.lower}, std::pair{upper, &p.upper}, std::pair{value, &p.value}}) {
      if (!c || is_missing(row[*c])) continue;
      Result<double> number = number_of(row[*c], diagnostics);
      if (!number) return diagnostics.already_reported();
      *to = *number;
    }
    Result<bool> free = estimate ? is_estimated(row[*estimate], diagnostics) : Result<bool>(true);
    if (!free) return diagnostics.already_reported();
    if (*free) problem.parameters.push_back(std::move(p));
    else if (p.value) problem.fixed[p.name] = row[*value];
  }
  return Done{};
}

}  // namespace bolza::workflow
