// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "workflow/codes.h"
#include "workflow/fit/petab/tables_internal.h"
#include "workflow/sbml_codes.h"

namespace bolza::workflow::petab {

/// Placeholders of an observable, by what its formulas say: the largest number after `word`; in version 2 their lists.
std::size_t Reader::placeholders_of(const FitObservable& o, const std::string& word) const {
  const Observed& own = observed_.at(o.name);
  if (files_.version == 2) return (word[0] == 'n' ? own.noise_placeholders : own.placeholders).size();
  std::size_t count = 0;
  for (std::size_t k = 1; k < 100; ++k) {
    std::string name = word + std::to_string(k) + "_" + o.name;
    if (o.formula.find(name) != std::string::npos || o.noise.find(name) != std::string::npos) count = k;
  }
  return count;
}

/// What a placeholder or a condition gives: a number, or a parameter.
Result<std::vector<std::string>> Reader::values_of(const Cell& cell) {
  std::vector<std::string> out;
  for (std::string& text : split(cell.text)) {
    if (number_in(text)) {
      out.push_back(std::move(text));
      continue;
    }
    if (!parameters_.contains(text) && !symbols_.contains(text) && knows_names()) {
      std::vector<std::string> known(parameters_.begin(), parameters_.end());
      return diagnostics_.error(petab_name, cell.span, {text, "a number or a parameter of the table"},
                                did_you_mean(text, known));
    }
    used_.insert(text);
    out.push_back(name_of(text));
  }
  return out;
}

Result<Done> Reader::measurement(const TextTable& table, const Row& row) {
  Column observable = optional(table, {"observableId"}), value = optional(table, {"measurement"}),
         time = optional(table, {"time"});
  if (is_missing(value.cell(row))) return Done{};
  FitMeasurement m;
  m.span = value.cell(row).span;
  auto o = out_.observable(observable(row));
  if (!o && (observables_.contains(observable(row)) || unread_.contains("observables")))
    return Done{};  // what is wrong was said there
  if (!o) {
    std::vector<std::string> known(observables_.begin(), observables_.end());
    return diagnostics_.error(petab_name, observable.cell(row).span, {observable(row), "in the table of observables"},
                              did_you_mean(observable(row), known));
  }
  if (is_missing(time.cell(row)))
    return diagnostics_.error(table_malformed, m.span, {"this row has no time"},
                              {{{}, "a time cannot be missing; `inf` is the steady state"}});
  Result<double> number = number_of(value.cell(row), diagnostics_), at = number_of(time.cell(row), diagnostics_);
  if (!number || !at) return diagnostics_.already_reported();
  if (!std::isfinite(*number))
    return diagnostics_.error(number_expected, m.span, {value(row)},
                              {{{}, "a measurement is finite; an empty cell is none"}});
  m.observable = *o;
  m.value = *number;
  m.time = *at;
  if (out_.observables[*o].scale != estimate::Scale::lin && !(m.value > 0))
    return diagnostics_.error(not_positive, m.span, {value(row), "a measurement on a logarithmic scale"});
  auto known = [&](const Column& column, const std::set<std::string>& ids, const std::string& table) -> Result<std::string> {
    if (!column.at || is_missing(column.cell(row))) return std::string();
    if (ids.contains(column(row)) || unread_.contains(table)) return column(row);
    return diagnostics_.error(petab_name, column.cell(row).span, {column(row), "in the table of " + table},
                              did_you_mean(column(row), std::vector<std::string>(ids.begin(), ids.end())));
  };
  if (files_.version == 1) {
    Result<std::string> condition = known(optional(table, {"simulationConditionId"}), conditions_, "conditions");
    Result<std::string> before = known(optional(table, {"preequilibrationConditionId"}), conditions_, "conditions");
    if (!condition || !before) return diagnostics_.already_reported();
    m.condition = *condition;
    m.equilibration = *before;
  } else {
    Result<std::string> experiment = known(optional(table, {"experimentId"}), experiment_ids_, "experiments");
    if (!experiment) return diagnostics_.already_reported();
    if (!experiment->empty()) {
      m.condition = *experiment;
      m.equilibration = experiments_[*experiment].equilibration;
    }
  }
  for (auto [name, target] :
       {std::pair{"observableParameters", &m.observable_parameters}, std::pair{"noiseParameters", &m.noise_parameters}}) {
    Column column = optional(table, {name});
    if (column.at && !is_missing(column.cell(row))) {
      Result<std::vector<std::string>> values = values_of(column.cell(row));
      if (!values) return diagnostics_.already_reported();
      *target = std::move(*values);
    }
    std::string word = name;
    word.pop_back();
    if (std::size_t wanted = placeholders_of(out_.observables[*o], word); wanted != target->size())
      return diagnostics_.error(petab_value, column.at ? column.cell(row).span : m.span,
                                {out_.observables[*o].name, "compared",
                                 "its formulas have " + std::to_string(wanted) + " of the placeholders `" + word +
                                     "`, the row gives " + std::to_string(target->size())});
  }
  out_.measurements.push_back(std::move(m));
  return Done{};
}

Result<Done> Reader::measurements(const std::string& path) {
  Result<TextTable> t = table(path, "measurements");
  if (!t) return diagnostics_.already_reported();
  for (const char* name : {"observableId", "measurement", "time"})
    if (!required(*t, "measurements", name)) return diagnostics_.already_reported();
  if (files_.version == 1 && !required(*t, "measurements", "simulationConditionId")) return diagnostics_.already_reported();
  warn_of_columns(*t, {"simulationConditionId", "preequilibrationConditionId"}, {"experimentId", "modelId"});
  std::size_t before = out_.measurements.size();
  if (!each_row(*t, [&](const Row& row) { return measurement(*t, row); })) return diagnostics_.already_reported();
  if (out_.measurements.size() == before && diagnostics_.errors() == 0)
    return diagnostics_.error(table_malformed, t->header[0].span, {"there are no measurements"});
  return Done{};
}

}  // namespace bolza::workflow::petab
