// SPDX-License-Identifier: Apache-2.0
#include "workflow/scenarios.h"

#include <cmath>
#include <numeric>

#include "base/numbers.h"
#include "base/text_table.h"
#include "workflow/codes.h"

namespace bolza::workflow {
namespace {

Result<double> value_of(const Cell& cell, const Cell& header, std::size_t scenario, Diagnostics& diagnostics) {
  if (is_missing(cell))
    return diagnostics.error(table_malformed, cell.span,
                             {"scenario " + std::to_string(scenario) + " has no value for `" + header.text + "`"});
  Result<double> value = number_of(cell, diagnostics);
  if (value && !std::isfinite(*value))
    return diagnostics.error(table_malformed, cell.span, {"`" + header.text + "` has to be finite"});
  return value;
}

}  // namespace

std::string text_of(const ScenarioRequest& request, std::size_t n_scenarios) {
  std::string text = std::to_string(n_scenarios);
  if (request.risk == ir::Risk::expected) text += ", expected value";
  if (request.risk == ir::Risk::worst) text += ", worst case";
  if (request.risk == ir::Risk::cvar) text += ", mean of the worst " + shown(100 * request.tail) + " %";
  if (request.chance < 1) text += ", constraints with a probability of " + shown(request.chance);
  for (std::size_t s : request.excused)
    text += (s == *request.excused.begin() ? ", not asked of " : ", ") + std::to_string(s + 1);
  if (request.branch) text += ", controls of their own from t = " + shown(*request.branch);
  return text;
}

Result<Done> check_branch(const ScenarioRequest& request, const ir::Problem& problem, Diagnostics& diagnostics) {
  if (!request.branch || problem.shared_numbers.size() < 2) return Done{};
  const ir::Numbers &start = problem.shared_numbers[0], &final = problem.shared_numbers[1];
  bool outside = start.fixed && final.fixed && (*request.branch < start.start || *request.branch >= final.start);
  if (!outside) return Done{};
  return diagnostics.error(cannot_combine, {},
                           {"`--branch " + shown(*request.branch) + "` is outside the horizon from " + shown(start.start) +
                            " to " + shown(final.start) + ", in which scenarios get controls of their own"});
}

Result<ir::ScenarioTable> read_scenarios(const ScenarioRequest& request, Sources& sources, Diagnostics& diagnostics) {
  Result<TextTable> table = read_table(request.file, sources, diagnostics);
  if (!table) return diagnostics.already_reported();
  std::optional<std::size_t> weight = table->column({"weight", "probability"}), name = table->column({"scenario", "name"});
  ir::ScenarioTable out;
  out.span = table->header[0].span;
  out.risk = request.risk;
  out.tail = request.tail;
  out.branch = request.branch;
  out.excused = request.excused;
  for (std::size_t c = 0; c < table->header.size(); ++c)
    if (c != weight && c != name) out.columns.push_back({table->header[c].text, table->header[c].span});
  if (out.columns.empty()) return diagnostics.error(table_malformed, out.span, {"no column names a parameter"});
  if (table->rows.empty()) return diagnostics.error(table_malformed, out.span, {"there is no scenario"});
  for (const std::vector<Cell>& row : table->rows) {
    std::vector<double>& values = out.values.emplace_back();
    double share = 1;
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c == name) continue;
      Result<double> value = value_of(row[c], table->header[c], out.values.size(), diagnostics);
      if (!value) return diagnostics.already_reported();
      if (c != weight) values.push_back(*value);
      if (c == weight) share = *value;
      if (c == weight && !(share > 0))
        return diagnostics.error(not_positive, row[c].span, {row[c].text, table->header[c].text});
    }
    out.weights.push_back(share);
  }
  double sum = std::accumulate(out.weights.begin(), out.weights.end(), 0.0);
  for (double& share : out.weights) share /= sum;
  return out;
}

}  // namespace bolza::workflow
