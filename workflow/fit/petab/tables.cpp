// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/codes.h"
#include "base/numbers.h"
#include "compiler/sbml/codes.h"
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

Result<TextTable> Reader::table(const std::string& path, const char* what) {
  std::error_code failure;
  auto place = files_.places.find(path);
  if (place != files_.places.end() && !std::filesystem::exists(path, failure)) {
    unread_.insert(what);
    return diagnostics_.error(table_unreadable, place->second, {path, "there is no such file"},
                              {{{}, "paths are relative to the folder of the YAML file"}});
  }
  Result<TextTable> read = read_table(path, sources_, diagnostics_);
  if (!read) unread_.insert(what);
  return read;
}

Result<Reader::Column> Reader::required(const TextTable& table, const char* what, const char* name) {
  if (auto at = table.column({name})) return Column{at};
  unread_.insert(what);
  std::vector<std::string> names;
  for (const Cell& cell : table.header) names.push_back(cell.text);
  std::vector<Note> notes = did_you_mean(name, names);
  if (table.header.size() == 1)
    notes.push_back({{}, "the header is one column: tabs, semicolons, commas or blanks separate columns"});
  return diagnostics_.error(petab_column, table.header[0].span, {what, name}, std::move(notes));
}

/// All rows, whatever is wrong in some.
Result<Done> Reader::each_row(const TextTable& table, const std::function<Result<Done>(const Row&)>& read) {
  bool good = true;
  for (const Row& row : table.rows) good = read(row) && good;
  if (!good) return diagnostics_.already_reported();
  return Done{};
}

/// Names that PEtab gives away: letters, digits and underscores; in version 2 no word of its formulas. Names of a model in
/// Modelica are its own.
Result<Done> Reader::check_identifier(const Cell& cell) {
  auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  bool valid = !cell.text.empty() && !std::isdigit(static_cast<unsigned char>(cell.text[0])) &&
               std::ranges::all_of(cell.text, is_letter);
  if (files_.language != "sbml" && symbols_.contains(cell.text)) return Done{};
  if (!valid)
    return diagnostics_.error(petab_name, cell.span, {cell.text, "an identifier"},
                              {{{}, "letters, digits and underscores, a digit not first"}});
  static const std::set<std::string, std::less<>> words{
      "true",    "false",   "inf",     "time",      "nan",  "pow",  "exp",  "sqrt",   "log",     "ln",      "log2",
      "log10",   "sin",     "cos",     "tan",       "cot",  "sec",  "csc",  "arcsin", "arccos",  "arctan",  "arccot",
      "arcsec",  "arccsc",  "sinh",    "cosh",      "tanh", "coth", "sech", "csch",   "arcsinh", "arccosh", "arctanh",
      "arccoth", "arcsech", "arccsch", "piecewise", "abs",  "sign", "min",  "max"};
  std::string lower;
  for (char c : cell.text) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (files_.version == 1 || !words.contains(lower)) return Done{};
  return diagnostics_.error(petab_name, cell.span, {cell.text, "an identifier: formulas have the word"});
}

/// Columns of the other version change nothing.
void Reader::warn_of_columns(const TextTable& table, std::initializer_list<const char*> of_1,
                             std::initializer_list<const char*> of_2) {
  for (const char* name : files_.version == 1 ? of_2 : of_1)
    if (auto at = table.column({name}))
      diagnostics_.warning(petab_other_version, table.header[*at].span, {name, files_.version == 1 ? "2" : "1"});
}

Result<Done> Reader::once(std::set<std::string>& seen, const Cell& cell) {
  if (!check_identifier(cell)) return diagnostics_.already_reported();
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
  Column scale = of_version(table, "parameterScale", nullptr), nominal = optional(table, {"nominalValue"});
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
  if (value && std::isinf(*value))
    return diagnostics_.error(petab_value, nominal.cell(row).span, {id.text, "simulated", "its `nominalValue` is infinite"});
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
  if (!p.lower || !p.upper)
    return diagnostics_.error(petab_value, id.span, {id.text, "estimated", "it has no `lowerBound` and `upperBound`"});
  if (!(*p.lower < *p.upper))
    return diagnostics_.error(bad_bounds, id.span,
                              {id.text, "lower " + shown(*p.lower) + " is not below upper " + shown(*p.upper)});
  Result<estimate::Prior> known = prior(table, row);
  if (!known) return diagnostics_.already_reported();
  p.prior = *known;
  bound_by_prior(p);
  out_.parameters.push_back(std::move(p));
  return Done{};
}

/// A row for all weights of a part of a network that no row of a smaller part has.
Result<Done> Reader::weights(const TextTable& table, const Row& row, const Cell& id, const Networks::Part& part) {
  std::set<std::string> others;
  for (const std::string& name : parts_)
    if (const Networks::Part& other = networks_.parts.at(name); other.depth > part.depth)
      for (const Weight& w : other.weights) others.insert(w.id);
  Row own = row;
  auto put = [&](const char* column, const std::string& text) {
    if (auto at = table.column({column})) own[*at].text = text;
  };
  Column nominal = optional(table, {"nominalValue"}), lower = optional(table, {"lowerBound"}),
         upper = optional(table, {"upperBound"});
  if (!lower.at || is_missing(lower.cell(row))) put("lowerBound", "-inf");
  if (!upper.at || is_missing(upper.cell(row))) put("upperBound", "inf");
  bool from_file = nominal(row) == "array" || (nominal.at && is_missing(nominal.cell(row)));
  for (const Weight& w : part.weights) {
    if (others.contains(w.id)) continue;
    if (from_file && !w.value)
      return diagnostics_.error(petab_value, id.span,
                                {id.text, "given by an array", "no file has `" + w.layer + "/" + w.array + "`"});
    if (from_file) put("nominalValue", exact_text(*w.value));
    if (!parameter(table, own, {w.id, id.span})) return diagnostics_.already_reported();
    parameters_.insert(w.id);
  }
  return Done{};
}

/// Identifiers of the tables for entities of the model that have another name there. Rows without one are annotations, and
/// so are those of what is no entity of the model under its own name.
Result<Done> Reader::mapping(const std::string& path) {
  Result<TextTable> t = table(path, "mappings");
  if (!t) return diagnostics_.already_reported();
  Result<Column> own = required(*t, "mappings", "petabEntityId"), other = required(*t, "mappings", "modelEntityId");
  if (!own || !other) return diagnostics_.already_reported();
  return each_row(*t, [&](const Row& row) -> Result<Done> {
    std::string id = (*own)(row), of = (*other)(row);
    if (is_missing(other->cell(row)) || id == of || networks_.has(of)) return Done{};
    if (!check_identifier(own->cell(row))) return diagnostics_.already_reported();
    auto entity = symbols_.find(of);
    if (entity == symbols_.end()) {
      std::vector<std::string> known;
      for (const auto& [name, symbol] : symbols_) known.push_back(name);
      return diagnostics_.error(petab_name, other->cell(row).span, {of, "an entity of the model"}, did_you_mean(of, known));
    }
    if (symbols_.contains(id)) return diagnostics_.error(petab_twice, own->cell(row).span, {id});
    symbols_.emplace(id, entity->second);
    return Done{};
  });
}

Result<Done> Reader::parameters(const std::string& path) {
  Result<TextTable> t = table(path, "parameters");
  if (!t) return diagnostics_.already_reported();
  Result<Column> id = required(*t, "parameters", "parameterId"), estimated = required(*t, "parameters", "estimate");
  if (!id || !estimated) return diagnostics_.already_reported();
  warn_of_columns(*t, {"parameterScale", "objectivePriorType", "objectivePriorParameters"},
                  {"priorDistribution", "priorParameters"});
  for (const Row& row : t->rows)
    if (networks_.parts.contains((*id)(row))) parts_.insert((*id)(row));
  return each_row(*t, [&](const Row& row) -> Result<Done> {
    const Cell& cell = id->cell(row);
    if (!once(parameters_, cell)) return diagnostics_.already_reported();
    auto part = networks_.parts.find(cell.text);
    return part == networks_.parts.end() ? parameter(*t, row, cell) : weights(*t, row, cell, part->second);
  });
}

/// Modelica's expression for a formula; the first identifier that is not known is said, with what may be meant.
Result<std::string> Reader::translated(const Cell& cell, const sbml::Resolve& resolve) {
  std::string unknown;
  auto known = [&](const std::string& id) -> std::optional<std::string> {
    if (auto name = resolve(id)) return name;
    if (unknown.empty()) unknown = id;
    return "0.0";
  };
  Result<std::string> text = library_.translate_formula(cell.text, known, cell.span, diagnostics_);
  if (!text) return diagnostics_.already_reported();
  if (unknown.empty()) return *text;
  std::vector<std::string> names(parameters_.begin(), parameters_.end());
  for (const auto& [id, symbol] : symbols_) names.push_back(id);
  return diagnostics_.error(sbml::unknown_symbol, cell.span, {unknown}, did_you_mean(unknown, names));
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
    if (symbols_.contains(id) || parameters_.contains(id) || !knows_names()) return name_of(id);
    return {};
  };
  return translated(cell, resolve);
}

Result<Done> Reader::noise_of(FitObservable& o, const TextTable& table, const Row& row) {
  Column transformation = of_version(table, "observableTransformation", nullptr),
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
  Result<std::string> text = formula(noise.cell(row), o, /*noise=*/true);
  if (!text) return diagnostics_.already_reported();
  o.noise = *text;
  o.noise_span = noise.cell(row).span;
  return Done{};
}

Result<Done> Reader::observables(const std::string& path) {
  Result<TextTable> t = table(path, "observables");
  if (!t) return diagnostics_.already_reported();
  Result<Column> id = required(*t, "observables", "observableId"), column = required(*t, "observables", "observableFormula");
  if (!id || !column || !required(*t, "observables", "noiseFormula")) return diagnostics_.already_reported();
  warn_of_columns(*t, {"observableTransformation"}, {"observablePlaceholders", "noisePlaceholders"});
  return each_row(*t, [&](const Row& row) { return observable(*t, row, id->cell(row), column->cell(row)); });
}

Result<Done> Reader::observable(const TextTable& table, const Row& row, const Cell& id, const Cell& formula_cell) {
  if (!once(observables_, id)) return diagnostics_.already_reported();
  FitObservable o{.name = id.text, .span = id.span};
  observed_[o.name] = {formula_cell.text,
                       split(of_version(table, nullptr, "observablePlaceholders")(row)),
                       split(of_version(table, nullptr, "noisePlaceholders")(row)),
                       {}};
  Result<std::string> text = formula(formula_cell, o, /*noise=*/false);
  if (!text) return diagnostics_.already_reported();
  o.formula = *text;
  o.formula_span = formula_cell.span;
  if (!noise_of(o, table, row)) return diagnostics_.already_reported();
  out_.observables.push_back(std::move(o));
  return Done{};
}

Result<FitProblem> Reader::run() {
  out_.noise_is_known = true;
  std::size_t before = diagnostics_.errors();
  auto each = [&](const std::vector<std::string>& paths, Result<Done> (Reader::*read)(const std::string&)) {
    std::size_t errors = diagnostics_.errors();
    for (const std::string& path : paths) (void)bool((this->*read)(path));
    return diagnostics_.errors() == errors;
  };
  each(files_.mappings, &Reader::mapping);
  each(files_.parameters, &Reader::parameters);
  each(files_.conditions, &Reader::conditions);
  bool formulas = each(files_.observables, &Reader::observables);
  each(files_.experiments, &Reader::experiments);
  if (each(files_.measurements, &Reader::measurements) && formulas && !check_targets())
    return diagnostics_.already_reported();
  if (diagnostics_.errors() > before) return diagnostics_.already_reported();
  if (out_.parameters.empty())
    return diagnostics_.error(nothing_to_fit, {}, {"no row of the table of parameters has `estimate` true (or 1)"});
  complete_priors();
  return std::move(out_);
}

}  // namespace bolza::workflow::petab
