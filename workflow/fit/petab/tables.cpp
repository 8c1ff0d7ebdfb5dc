// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "base/numbers.h"
#include "workflow/codes.h"
#include "workflow/fit/petab/tables_internal.h"
#include "workflow/sbml_codes.h"

namespace bolza::workflow::petab {

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> out;
  std::string part;
  for (char c : text + ";") {
    if (c != ';') {
      if (c != ' ' || !part.empty()) part += c;
      continue;
    }
    while (!part.empty() && part.back() == ' ') part.pop_back();
    if (!part.empty()) out.push_back(part);
    part.clear();
  }
  return out;
}

namespace {

const std::map<std::string, estimate::Scale, std::less<>> scales{{"", estimate::Scale::lin},
                                                                 {"lin", estimate::Scale::lin},
                                                                 {"log", estimate::Scale::log},
                                                                 {"log10", estimate::Scale::log10}};

}  // namespace

Result<TextTable> Reader::table(const std::string& path) { return read_table(path, sources_, diagnostics_); }

Result<Reader::Column> Reader::required(const TextTable& table, const char* what, const char* name) {
  if (auto at = table.column({name})) return Column{at};
  std::vector<Note> notes;
  if (table.header.size() == 1)
    notes.push_back({{}, "the header is one column: tabs, semicolons, commas or blanks separate columns"});
  return diagnostics_.error(petab_column, table.header[0].span, {what, name}, std::move(notes));
}

Result<Done> Reader::once(std::set<std::string>& seen, const Cell& cell) {
  if (seen.insert(cell.text).second) return Done{};
  return diagnostics_.error(petab_twice, cell.span, {cell.text});
}

/// The parameter or variable of the Modelica model that an identifier of PEtab means.
std::string Reader::name_of(const std::string& id) const {
  auto symbol = symbols_.find(id);
  return symbol == symbols_.end() ? sbml::modelica_name(id) : symbol->second.name;
}

std::optional<double> Reader::optional_number(const Column& column, const Row& row, bool& bad) {
  if (!column.at || is_missing(column.cell(row))) return {};
  Result<double> value = number_of(column.cell(row), diagnostics_);
  if (value) return *value;
  bad = true;
  return {};
}

Result<Done> Reader::parameter(const TextTable& table, const Row& row, const Cell& id) {
  Column scale = optional(table, {"parameterScale"}), nominal = optional(table, {"nominalValue"});
  Column estimated = optional(table, {"estimate"});
  std::string answer = estimated(row);
  bool yes = answer == "1" || answer == "true" || answer == "True" || answer == "TRUE" || answer == "1.0";
  bool no = answer == "0" || answer == "false" || answer == "False" || answer == "FALSE" || answer == "0.0";
  if (!yes && !no)
    return diagnostics_.error(petab_value, estimated.cell(row).span, {answer, "`estimate`", "it is 1 or 0 (true or false)"});
  auto symbol = symbols_.find(id.text);
  if (symbol != symbols_.end() && symbol->second.kind == sbml::SbmlSymbol::Kind::assigned)
    return diagnostics_.error(petab_name, id.span, {id.text, "a parameter: a rule of the model determines it"});
  std::string name = name_of(id.text);
  if (symbol != symbols_.end() && symbol->second.kind == sbml::SbmlSymbol::Kind::state) name = symbol->second.initial;
  bool bad = false;
  std::optional<double> value = optional_number(nominal, row, bad);
  if (no) {
    if (!value && !bad) return diagnostics_.error(petab_value, id.span, {id.text, "fixed", "it has no `nominalValue`"});
    if (bad) return diagnostics_.already_reported();
    out_.fixed[name] = nominal.cell(row);
    return Done{};
  }
  FitParameter p{.name = name, .value = value, .span = id.span};
  auto word = scales.find(scale(row));
  if (word == scales.end()) return diagnostics_.error(unknown_word, scale.cell(row).span, {scale(row), "lin, log, log10"});
  p.scale = word->second;
  p.is_nominal = true;
  p.lower = optional_number(optional(table, {"lowerBound"}), row, bad);
  p.upper = optional_number(optional(table, {"upperBound"}), row, bad);
  if (bad) return diagnostics_.already_reported();
  if (files_.version == 1 && (!p.lower || !p.upper))
    return diagnostics_.error(petab_value, id.span, {id.text, "estimated", "it has no `lowerBound` and `upperBound`"});
  Result<estimate::Prior> known = prior(table, row);
  if (!known) return diagnostics_.already_reported();
  p.prior = *known;
  bound_by_prior(p);
  out_.parameters.push_back(std::move(p));
  return Done{};
}

/// Identifiers of the tables for entities of the model that have another name there. Rows without one are annotations, and
/// so are those of what is no entity of the model under its own name.
Result<Done> Reader::mapping(const std::string& path) {
  Result<TextTable> t = table(path);
  if (!t) return diagnostics_.already_reported();
  Result<Column> own = required(*t, "mappings", "petabEntityId"), other = required(*t, "mappings", "modelEntityId");
  if (!own || !other) return diagnostics_.already_reported();
  for (const Row& row : t->rows) {
    std::string id = (*own)(row), of = (*other)(row);
    if (is_missing(other->cell(row)) || id == of) continue;
    auto entity = symbols_.find(of);
    if (entity == symbols_.end()) {
      std::vector<std::string> known;
      for (const auto& [name, symbol] : symbols_) known.push_back(name);
      return diagnostics_.error(petab_name, other->cell(row).span, {of, "an entity of the model"}, did_you_mean(of, known));
    }
    if (symbols_.contains(id)) return diagnostics_.error(petab_twice, own->cell(row).span, {id});
    symbols_.emplace(id, entity->second);
  }
  return Done{};
}

Result<Done> Reader::parameters(const std::string& path) {
  Result<TextTable> t = table(path);
  if (!t) return diagnostics_.already_reported();
  Result<Column> id = required(*t, "parameters", "parameterId"), estimated = required(*t, "parameters", "estimate");
  if (!id || !estimated) return diagnostics_.already_reported();
  for (const Row& row : t->rows)
    if (!once(parameters_, id->cell(row)) || !parameter(*t, row, id->cell(row))) return diagnostics_.already_reported();
  return Done{};
}

/// Identifiers of the model, of the table of parameters and placeholders; in noise the observable itself.
Result<std::string> Reader::formula(const Cell& cell, const FitObservable& o, bool noise) {
  Observed& own = observed_[o.name];
  auto resolve = [&](const std::string& id) -> std::optional<std::string> {
    for (const auto& [list, word] :
         {std::pair{&own.placeholders, "observableParameter"}, std::pair{&own.noise_placeholders, "noiseParameter"}})
      for (std::size_t k = 0; k < list->size(); ++k)
        if ((*list)[k] == id) return word + std::to_string(k + 1) + "_" + o.name;
    bool placeholder =
        (id.starts_with("observableParameter") || id.starts_with("noiseParameter")) && id.ends_with("_" + o.name);
    if (placeholder && files_.version == 1) return id;
    if (noise && id == o.name && !symbols_.contains(id)) return "(" + o.formula + ")";
    if (id == "time" && !symbols_.contains(id)) return "time";
    used_.insert(id);
    own.names.insert(id);
    if (symbols_.contains(id) || parameters_.contains(id)) return name_of(id);
    return {};
  };
  std::vector<std::string> known;
  return library_.translate_formula(cell.text, resolve, cell.span, diagnostics_);
}

Result<Done> Reader::noise_of(FitObservable& o, const TextTable& table, const Row& row) {
  Column transformation = optional(table, {"observableTransformation"}),
         distribution = optional(table, {"noiseDistribution"});
  auto scale = scales.find(transformation(row));
  if (scale == scales.end())
    return diagnostics_.error(unknown_word, transformation.cell(row).span, {transformation(row), "lin, log, log10"});
  o.scale = scale->second;
  std::string word = distribution.at && is_missing(distribution.cell(row)) ? "" : distribution(row);
  if (files_.version == 2 && word.starts_with("log-")) {
    o.scale = estimate::Scale::log;
    word = word.substr(4);
  }
  if (!word.empty() && word != "normal" && word != "laplace")
    return diagnostics_.error(unknown_word, distribution.cell(row).span,
                              {word, files_.version == 1 ? "normal, laplace" : "normal, log-normal, laplace, log-laplace"});
  o.distribution = word == "laplace" ? estimate::Noise::laplace : estimate::Noise::normal;
  Column noise = optional(table, {"noiseFormula"});
  if (is_missing(noise.cell(row)))
    return diagnostics_.error(petab_value, o.span, {o.name, "compared", "it has no `noiseFormula`"});
  if (number_in(noise(row))) {
    o.noise = noise(row);
    return Done{};
  }
  Result<std::string> text = formula(noise.cell(row), o, true);
  if (!text) return diagnostics_.already_reported();
  o.noise = *text;
  o.noise_span = noise.cell(row).span;
  return Done{};
}

Result<Done> Reader::observables(const std::string& path) {
  Result<TextTable> t = table(path);
  if (!t) return diagnostics_.already_reported();
  Result<Column> id = required(*t, "observables", "observableId"), column = required(*t, "observables", "observableFormula");
  if (!id || !column || !required(*t, "observables", "noiseFormula")) return diagnostics_.already_reported();
  for (const Row& row : t->rows) {
    if (!once(observables_, id->cell(row))) return diagnostics_.already_reported();
    FitObservable o{.name = (*id)(row), .span = id->cell(row).span};
    observed_[o.name] = {(*column)(row),
                         split(optional(*t, {"observablePlaceholders"})(row)),
                         split(optional(*t, {"noisePlaceholders"})(row)),
                         {}};
    Result<std::string> text = formula(column->cell(row), o, false);
    if (!text) return diagnostics_.already_reported();
    o.formula = *text;
    o.formula_span = column->cell(row).span;
    if (!noise_of(o, *t, row)) return diagnostics_.already_reported();
    out_.observables.push_back(std::move(o));
  }
  return Done{};
}

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
    if (!parameters_.contains(text) && !symbols_.contains(text)) {
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
  Column weights = optional(table, {"useData"});
  (void)weights;
  if (is_missing(value.cell(row))) return Done{};
  FitMeasurement m;
  m.span = value.cell(row).span;
  auto o = out_.observable(observable(row));
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
  m.observable = *o;
  m.value = *number;
  m.time = *at;
  if (out_.observables[*o].scale != estimate::Scale::lin && !(m.value > 0))
    return diagnostics_.error(not_positive, m.span, {value(row), "a measurement on a logarithmic scale"});
  auto known = [&](const Column& column, const std::set<std::string>& ids, const char* what) -> Result<std::string> {
    if (!column.at || is_missing(column.cell(row))) return std::string();
    if (ids.contains(column(row))) return column(row);
    return diagnostics_.error(petab_name, column.cell(row).span, {column(row), what},
                              did_you_mean(column(row), std::vector<std::string>(ids.begin(), ids.end())));
  };
  if (files_.version == 1) {
    Result<std::string> condition =
        known(optional(table, {"simulationConditionId"}), conditions_, "in the table of conditions");
    Result<std::string> before =
        known(optional(table, {"preequilibrationConditionId"}), conditions_, "in the table of conditions");
    if (!condition || !before) return diagnostics_.already_reported();
    m.condition = *condition;
    m.equilibration = *before;
  } else {
    std::set<std::string> ids;
    for (const auto& [id, periods] : experiments_) ids.insert(id);
    Result<std::string> experiment = known(optional(table, {"experimentId"}), ids, "in the table of experiments");
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
  Result<TextTable> t = table(path);
  if (!t) return diagnostics_.already_reported();
  for (const char* name : {"observableId", "measurement", "time"})
    if (!required(*t, "measurements", name)) return diagnostics_.already_reported();
  if (files_.version == 1 && !required(*t, "measurements", "simulationConditionId")) return diagnostics_.already_reported();
  std::size_t before = out_.measurements.size();
  for (const Row& row : t->rows)
    if (!measurement(*t, row)) return diagnostics_.already_reported();
  if (out_.measurements.size() == before)
    return diagnostics_.error(table_malformed, t->header[0].span, {"there are no measurements"});
  return Done{};
}

Result<FitProblem> Reader::run() {
  out_.noise_is_known = true;
  auto each = [&](const std::vector<std::string>& paths, Result<Done> (Reader::*read)(const std::string&)) -> Result<Done> {
    for (const std::string& path : paths)
      if (!(this->*read)(path)) return diagnostics_.already_reported();
    return Done{};
  };
  if (!each(files_.mappings, &Reader::mapping) || !each(files_.parameters, &Reader::parameters) ||
      !each(files_.conditions, &Reader::conditions) || !each(files_.observables, &Reader::observables) ||
      !each(files_.experiments, &Reader::experiments) || !each(files_.measurements, &Reader::measurements) ||
      !check_targets())
    return diagnostics_.already_reported();
  complete_priors();
  return std::move(out_);
}

}  // namespace bolza::workflow::petab
