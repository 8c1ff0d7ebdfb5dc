// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "compiler/sbml/sbml_library.h"
#include "workflow/fit/fit_problem.h"
#include "workflow/fit/petab/petab_files_internal.h"

namespace bolza::workflow::petab {

/// Reads the tables of a problem one after another: parameters, observables, conditions, experiments, measurements.
class Reader {
 public:
  /// @param symbols  of the model, by identifier
  Reader(const Files& files, std::map<std::string, sbml::SbmlSymbol> symbols, const sbml::SbmlLibrary& library,
         Sources& sources, Diagnostics& diagnostics)
      : files_(files),
        symbols_(std::move(symbols)),
        library_(library),
        sources_(sources),
        diagnostics_(diagnostics) {}

  Result<FitProblem> run();

 private:
  using Row = std::vector<Cell>;
  struct Observed {
    std::string formula;                                        ///< as written
    std::vector<std::string> placeholders, noise_placeholders;  ///< of version 2
  };
  struct Column {
    std::optional<std::size_t> at;
    std::string operator()(const Row& row) const { return at ? row[*at].text : std::string(); }
    const Cell& cell(const Row& row) const { return row[*at]; }
  };

  Result<TextTable> table(const std::string& path);
  Column optional(const TextTable& table, std::initializer_list<std::string_view> names) const {
    return {table.column(names)};
  }
  Result<Column> required(const TextTable& table, const char* what, const char* name);
  Result<Done> once(std::set<std::string>& seen, const Cell& cell);
  std::string name_of(const std::string& id) const;
  std::optional<double> optional_number(const Column& column, const Row& row, bool& bad);

  Result<Done> parameters(const std::string& path);
  Result<Done> parameter(const TextTable& table, const Row& row, const Cell& id);
  Result<estimate::Prior> prior(const TextTable& table, const Row& row);
  Result<Done> observables(const std::string& path);
  Result<Done> noise_of(FitObservable& o, const TextTable& table, const Row& row);
  Result<std::string> formula(const Cell& cell, const FitObservable& o, bool noise);
  Result<Done> conditions(const std::string& path);
  Result<Done> wide_conditions(const TextTable& table);
  Result<Done> long_conditions(const TextTable& table);
  Result<Done> check_targets();
  Result<Done> add_target(FitCondition& condition, const Cell& target, const Cell& value);
  FitCondition& condition_of(const std::string& name, Span span);
  void inherit(const FitCondition& before, FitCondition& later) const;
  Result<Done> experiments(const std::string& path);
  Result<Done> measurements(const std::string& path);
  Result<Done> measurement(const TextTable& table, const Row& row);
  Result<std::vector<std::string>> values_of(const Cell& cell);
  std::size_t placeholders_of(const FitObservable& observable, const std::string& word) const;

  const Files& files_;
  std::map<std::string, sbml::SbmlSymbol> symbols_;
  const sbml::SbmlLibrary& library_;
  Sources& sources_;
  Diagnostics& diagnostics_;
  FitProblem out_;
  std::set<std::string> parameters_, observables_, conditions_;
  std::vector<Cell> of_formulas_;  // targets of conditions that the model does not know
  std::set<std::string> used_;     // identifiers in formulas and what measurements give to them
  std::map<std::string, Observed> observed_;
  struct Periods {
    std::string equilibration, condition;
    std::optional<double> start;
  };
  std::map<std::string, Periods> experiments_;
};

}  // namespace bolza::workflow::petab
