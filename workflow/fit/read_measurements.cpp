// SPDX-License-Identifier: Apache-2.0
// Measurement tables, wide and long.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include "workflow/codes.h"
#include "workflow/fit/read_data.h"

namespace bolza::workflow {
namespace {

using Names = std::vector<std::string>;

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::string part;
  for (char c : text + separator) {
    if (c != separator) {
      if (c != ' ') part += c;
    } else if (!part.empty()) {
      parts.push_back(std::exchange(part, {}));
    }
  }
  return parts;
}

class Reader {
 public:
  Reader(const TextTable& table, const ModelNames& names, FitProblem& problem, Diagnostics& diagnostics)
      : table_(table),
        names_(names),
        problem_(problem),
        diagnostics_(diagnostics) {}

  Result<Done> read(const std::string& condition);

 private:
  struct Column {
    enum class What : std::uint8_t { nothing, observable, input, sigma } what = What::nothing;
    std::size_t observable = 0, of = 0;  // of: the column that a standard deviation belongs to
    std::string name;
  };

  Result<std::size_t> find_time();
  Result<Done> read_wide();
  Result<Done> no_experiment_is_empty(std::size_t first);
  Result<Done> read_long(std::size_t observable, std::size_t value);
  Result<std::size_t> observable_of(const std::string& name, Span span);
  Result<Column> column_of(std::size_t c);
  Result<Done> check_unit(const Cell& head, const std::string& name);
  Result<Done> read_row(const std::vector<Cell>& row, const std::vector<Column>& columns);
  Result<double> time_of(const std::vector<Cell>& row);
  std::string condition_of(const std::vector<Cell>& row) const;
  std::string text_of(const std::vector<Cell>& row, std::optional<std::size_t> c) const {
    return c && !is_missing(row[*c]) ? row[*c].text : "";
  }
  Result<Done> check_value(const FitObservable& observable, const Cell& cell, double value);
  Result<Done> describe(FitObservable& observable, const std::vector<Cell>& row);

  const TextTable& table_;
  const ModelNames& names_;
  FitProblem& problem_;
  Diagnostics& diagnostics_;
  std::size_t time_ = 0;
  std::optional<std::size_t> condition_column_, equilibration_;
  std::map<std::pair<std::string, std::size_t>, std::string> described_;  // by observable and column, what rows said of it
  std::string condition_;
  bool has_observables_ = false;
  std::set<std::tuple<std::string, std::string, double, std::size_t>> seen_;  // condition, equilibration, time, observable
};

/// The column of times; a unit in its header is the model's.
Result<std::size_t> Reader::find_time() {
  Result<std::size_t> time = time_column(table_.file, table_.header, diagnostics_);
  if (!time) return diagnostics_.already_reported();
  std::string unit = unit_in(table_.header[*time].text);
  if (unit.empty() || unit == "s" || names_.units.empty()) return *time;
  return diagnostics_.error(unit_differs, table_.header[*time].span, {"time", unit, "time", "s"},
                            {{{}, "the column's numbers have to be in `s`"}});
}

Result<Done> Reader::read(const std::string& condition) {
  condition_ = condition;
  Result<std::size_t> time = find_time();
  if (!time) return diagnostics_.already_reported();
  time_ = *time;
  condition_column_ = table_.column({"condition", "experiment", "simulationConditionId", "conditionId", "experimentId"});
  equilibration_ = table_.column({"equilibration", "preequilibration", "preequilibrationConditionId"});
  problem_.names_experiments = problem_.names_experiments || condition_column_;
  auto observable = table_.column({"observable", "observableId"}), value = table_.column({"value", "measurement"});
  if (observable && !value && !among(table_.header[*observable].text, names_.variables))
    return diagnostics_.error(column_missing, table_.header[*observable].span, {table_.file, "value"});
  if (table_.rows.empty()) return diagnostics_.error(table_malformed, table_.header[0].span, {"there are no measurements"});
  std::size_t first = problem_.measurements.size();
  bool read = observable && value ? !read_long(*observable, *value).failed() : !read_wide().failed();
  return read ? no_experiment_is_empty(first) : diagnostics_.already_reported();
}

/// Every experiment of a table with observables has a measurement, from `first` on.
Result<Done> Reader::no_experiment_is_empty(std::size_t first) {
  std::set<std::string> measured;
  for (std::size_t k = first; k < problem_.measurements.size(); ++k) measured.insert(problem_.measurements[k].condition);
  for (const std::vector<Cell>& row : table_.rows) {
    std::string condition = condition_of(row);
    if (!has_observables_ || measured.contains(condition)) continue;
    const Cell& at = condition_column_ ? row[*condition_column_] : row[time_];
    return diagnostics_.error(table_malformed, at.span,
                              {condition.empty() ? "every measurement is missing"
                                                 : "every measurement of the experiment `" + condition + "` is missing"});
  }
  return Done{};
}

std::string Reader::condition_of(const std::vector<Cell>& row) const {
  return condition_column_ ? row[*condition_column_].text : condition_;
}

Result<double> Reader::time_of(const std::vector<Cell>& row) {
  if (is_missing(row[time_]) || looks_missing(row[time_]))
    return diagnostics_.error(table_malformed, row[time_].span, {"this row has no time"},
                              {{{}, "a time cannot be missing; `inf` is the steady state"}});
  Result<double> time = number_of(row[time_], diagnostics_);
  if (time && std::isinf(*time) && *time < 0) return diagnostics_.error(number_expected, row[time_].span, {row[time_].text});
  return time;
}

/// The observable of that name: stated, or the variable of the model, or one called y_NAME.
Result<std::size_t> Reader::observable_of(const std::string& name, Span span) {
  if (auto known = problem_.observable(name)) return *known;
  FitObservable observable;
  observable.name = name;
  observable.span = span;
  if (among("y_" + name, names_.variables)) observable.formula = "y_" + name;
  else if (!among(name, names_.variables)) {
    Names candidates = names_.variables;
    for (const FitObservable& o : problem_.observables) candidates.push_back(o.name);
    std::vector<Note> notes = did_you_mean(name, candidates);
    notes.push_back({{}, "what it measures can be said by `--observe \"" + name + " = …\"`"});
    return diagnostics_.error(unknown_observable, span, {name}, std::move(notes));
  }
  problem_.observables.push_back(std::move(observable));
  return problem_.observables.size() - 1;
}

// "y [m]" next to the model's `Real y(unit = "m")`. One without a unit fits any.
Result<Done> Reader::check_unit(const Cell& head, const std::string& name) {
  std::string unit = unit_in(head.text);
  auto known = names_.units.find(among("y_" + name, names_.variables) ? "y_" + name : name);
  if (unit.empty() || known == names_.units.end() || unit == known->second) return Done{};
  return diagnostics_.error(unit_differs, head.span, {name, unit, known->first, known->second},
                            {{{}, "the column's numbers have to be in `" + known->second + "`"}});
}

Result<Reader::Column> Reader::column_of(std::size_t c) {
  const Cell& head = table_.header[c];
  Column column;
  if (c == time_ || c == condition_column_ || c == equilibration_ || head.text.empty()) return column;
  std::string name = name_in(head.text);
  column.name = name;
  if (!check_unit(head, name)) return diagnostics_.already_reported();
  if (among(name, names_.inputs) && !problem_.observable(name)) {
    column.what = Column::What::input;
    return column;
  }
  for (std::string_view ending : {"_sd", "_sigma", "_std", ":sd", ".sd"}) {
    if (!name.ends_with(ending) || among(name, names_.variables)) continue;
    std::string of = name.substr(0, name.size() - ending.size());
    for (std::size_t other = 0; other < table_.header.size(); ++other) {
      if (name_in(table_.header[other].text) != of) continue;
      column.what = Column::What::sigma;
      column.of = other;
      return column;
    }
  }
  Result<std::size_t> observable = observable_of(name, head.span);
  if (!observable) return diagnostics_.already_reported();
  column.what = Column::What::observable;
  column.observable = *observable;
  return column;
}

Result<Done> Reader::check_value(const FitObservable& observable, const Cell& cell, double value) {
  if (std::isinf(value)) return diagnostics_.error(number_expected, cell.span, {cell.text});
  if (observable.scale != estimate::Scale::lin && !(value > 0))
    return diagnostics_.error(not_positive, cell.span, {cell.text, observable.name});
  return Done{};
}

Result<Done> Reader::read_row(const std::vector<Cell>& row, const std::vector<Column>& columns) {
  Result<double> time = time_of(row);
  if (!time) return diagnostics_.already_reported();
  std::string condition = condition_of(row);
  std::vector<std::size_t> made(row.size(), problem_.measurements.size() + row.size());
  std::map<std::string, double> inputs;
  for (std::size_t c = 0; c < row.size(); ++c) {
    if (columns[c].what == Column::What::nothing || is_missing(row[c])) continue;
    Result<double> value = number_of(row[c], diagnostics_);
    if (!value) return diagnostics_.already_reported();
    if (columns[c].what == Column::What::input) inputs[columns[c].name] = *value;
    if (columns[c].what != Column::What::observable) continue;
    const FitObservable& o = problem_.observables[columns[c].observable];
    if (!check_value(o, row[c], *value)) return diagnostics_.already_reported();
    if (!seen_.insert({condition, text_of(row, equilibration_), *time, columns[c].observable}).second)
      diagnostics_.warning(measured_twice, row[c].span, {o.name, row[time_].text});
    made[c] = problem_.measurements.size();
    FitMeasurement& m = problem_.measurements.emplace_back();
    m.observable = columns[c].observable;
    m.condition = condition;
    m.equilibration = text_of(row, equilibration_);
    m.time = *time;
    m.value = *value;
    m.span = row[c].span;
  }
  for (std::size_t c = 0; c < row.size(); ++c) {
    if (columns[c].what != Column::What::sigma || made[columns[c].of] >= problem_.measurements.size()) continue;
    if (is_missing(row[c])) continue;
    Result<double> sigma = number_of(row[c], diagnostics_);
    if (!sigma) return diagnostics_.already_reported();
    if (!(*sigma > 0)) return diagnostics_.error(not_positive, row[c].span, {row[c].text, table_.header[c].text});
    problem_.measurements[made[columns[c].of]].sigma = *sigma;
    problem_.noise_is_known = true;
  }
  if (inputs.empty()) return Done{};
  FitSeries& series = problem_.inputs[condition];
  if (!series.time.empty() && *time < series.time.back())
    return diagnostics_.error(table_malformed, row[time_].span, {"times of inputs have to ascend"});
  series.time.push_back(*time);
  series.span = row[time_].span;
  for (const Column& column : columns) {
    if (column.what != Column::What::input) continue;
    auto found = inputs.find(column.name);
    if (found == inputs.end())
      return diagnostics_.error(table_malformed, row[time_].span, {"the input `" + column.name + "` has no value here"});
    series.values[column.name].push_back(found->second);
  }
  return Done{};
}

Result<Done> Reader::read_wide() {
  std::vector<Column> columns;
  for (std::size_t c = 0; c < table_.header.size(); ++c) {
    Result<Column> column = column_of(c);
    if (!column) return diagnostics_.already_reported();
    has_observables_ = has_observables_ || column->what == Column::What::observable;
    columns.push_back(*std::move(column));
  }
  for (const std::vector<Cell>& row : table_.rows)
    if (!read_row(row, columns)) return diagnostics_.already_reported();
  return Done{};
}

/// What the row says of its observable; every row of one has to say the same.
Result<Done> Reader::describe(FitObservable& observable, const std::vector<Cell>& row) {
  auto scale = table_.column({"transformation", "observableTransformation"});
  if (std::string text = text_of(row, scale); !text.empty()) {
    if (text == "log") observable.scale = estimate::Scale::log;
    else if (text == "log10") observable.scale = estimate::Scale::log10;
    else if (text != "lin") return diagnostics_.error(unknown_word, row[*scale].span, {text, "lin, log, log10"});
  }
  auto noise = table_.column({"noiseFormula"});
  for (auto c : {scale, noise}) {
    std::string text = text_of(row, c);
    if (text.empty()) continue;
    auto [said, is_new] = described_.try_emplace({observable.name, *c}, text);
    if (said->second != text)
      return diagnostics_.error(
          table_malformed, row[*c].span,
          {"`" + observable.name + "` has another `" + table_.header[*c].text + "` in a row above, `" + said->second + "`"},
          {{{}, "standard deviations of single measurements are a column `sd`"}});
    if (c == noise && is_new) {
      observable.noise = text;
      observable.noise_span = row[*c].span;
      problem_.noise_is_known = true;
    }
  }
  return Done{};
}

Result<Done> Reader::read_long(std::size_t observable, std::size_t value) {
  has_observables_ = true;
  auto sd = table_.column({"sd", "sigma", "standardDeviation"}), weight = table_.column({"weight"});
  auto of_observable = table_.column({"observableParameters"}), of_noise = table_.column({"noiseParameters"});
  for (const std::vector<Cell>& row : table_.rows) {
    Result<double> time = time_of(row);
    if (!time) return diagnostics_.already_reported();
    if (is_missing(row[value])) continue;
    Result<double> number = number_of(row[value], diagnostics_);
    Result<std::size_t> o =
        number ? observable_of(row[observable].text, row[observable].span) : diagnostics_.already_reported();
    if (!o || !describe(problem_.observables[*o], row) || !check_value(problem_.observables[*o], row[value], *number))
      return diagnostics_.already_reported();
    FitMeasurement m;
    m.observable = *o;
    m.condition = condition_of(row);
    m.equilibration = text_of(row, equilibration_);
    m.time = *time;
    m.value = *number;
    m.span = row[value].span;
    m.observable_parameters = split(text_of(row, of_observable), ';');
    m.noise_parameters = split(text_of(row, of_noise), ';');
    for (auto [c, to] : {std::pair{sd, &m.sigma}, std::pair{weight, &m.weight}}) {
      if (!c || is_missing(row[*c])) continue;
      Result<double> given = number_of(row[*c], diagnostics_);
      if (!given) return diagnostics_.already_reported();
      if (c == sd ? !(*given > 0) : !(*given >= 0))
        return diagnostics_.error(not_positive, row[*c].span, {row[*c].text, table_.header[*c].text});
      *to = *given;
    }
    if (!std::isnan(m.sigma)) problem_.noise_is_known = true;
    problem_.measurements.push_back(std::move(m));
  }
  return Done{};
}

}  // namespace

Result<Done> read_measurements(const std::string& path, bool one_of_several, const ModelNames& names, FitProblem& problem,
                               Sources& sources, Diagnostics& diagnostics) {
  Result<TextTable> table = read_table(path, sources, diagnostics);
  if (!table) return diagnostics.already_reported();
  std::string condition = one_of_several ? std::filesystem::path(path).stem().string() : "";
  return Reader(*table, names, problem, diagnostics).read(condition);
}

}  // namespace bolza::workflow
