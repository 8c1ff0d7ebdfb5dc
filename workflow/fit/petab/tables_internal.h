// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "compiler/sbml/sbml_library.h"
#include "workflow/fit/fit_problem.h"
#include "workflow/fit/petab/petab_files_internal.h"
#include "workflow/fit/petab/sciml/networks.h"

namespace bolza::workflow::petab {

/// What stands between semicolons, without blanks around it.
std::vector<std::string> split(const std::string& text);

/// Reads the tables of a problem one after another: mappings, parameters, conditions, observables, experiments,
/// measurements. What is wrong in a row is said, and the next one is read; nothing is said of what follows from it.
class Reader {
 public:
  /// @param networks  its neural networks
  /// @param symbols  of the model, by identifier
  Reader(const Files& files, const Networks& networks, std::map<std::string, sbml::SbmlSymbol> symbols,
         const sbml::SbmlLibrary& library, Sources& sources, Diagnostics& diagnostics)
      : files_(files),
        networks_(networks),
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
    std::set<std::string> names;                                ///< identifiers in formula and noise
  };
  struct Target {
    Cell target, value;
  };
  struct Column {
    std::optional<std::size_t> at;
    std::string operator()(const Row& row) const { return at ? row[*at].text : std::string(); }
    const Cell& cell(const Row& row) const { return row[*at]; }
  };

  Result<TextTable> table(const std::string& path, const char* what);
  /// The column that this version calls so; null: it has none.
  Column of_version(const TextTable& table, const char* in_1, const char* in_2) const {
    const char* name = files_.version == 1 ? in_1 : in_2;
    return name ? Column{table.column({name})} : Column{};
  }
  void warn_of_columns(const TextTable& table, std::initializer_list<const char*> of_1,
                       std::initializer_list<const char*> of_2);
  Result<Done> each_row(const TextTable& table, const std::function<Result<Done>(const Row&)>& read);
  Result<Done> check_identifier(const Cell& cell);
  /// Were the tables read that give names? What is unknown else follows from what was said of them.
  bool knows_names() const {
    return !unread_.contains("parameters") && !unread_.contains("mappings") && !unread_.contains("conditions");
  }
  Column optional(const TextTable& table, std::initializer_list<std::string_view> names) const {
    return {table.column(names)};
  }
  Result<Column> required(const TextTable& table, const char* what, const char* name);
  Result<Done> once(std::set<std::string>& seen, const Cell& cell);
  std::string name_of(const std::string& id) const;
  std::optional<double> optional_number(const Column& column, const Row& row, bool& bad);

  Result<Done> mapping(const std::string& path);
  Result<Done> parameters(const std::string& path);
  Result<Done> parameter(const TextTable& table, const Row& row, const Cell& id);
  Result<Done> weights(const TextTable& table, const Row& row, const Cell& id, const Networks::Part& part);
  Result<estimate::Prior> prior(const TextTable& table, const Row& row);
  static void bound_by_prior(FitParameter& p);
  void complete_priors();
  Result<Done> observables(const std::string& path);
  Result<Done> observable(const TextTable& table, const Row& row, const Cell& id, const Cell& formula_cell);
  Result<Done> noise_of(FitObservable& o, const TextTable& table, const Row& row);
  Result<std::string> translated(const Cell& cell, const sbml::Resolve& resolve);
  Result<std::string> formula(const Cell& cell, const FitObservable& o, bool noise);
  Result<Done> conditions(const std::string& path);
  Result<Done> wide_conditions(const TextTable& table);
  Result<Done> long_conditions(const TextTable& table);
  Result<Done> check_targets();
  Result<Done> check_target(const Cell& target);
  void add_output_parameter(const Cell& target);
  Result<Done> add_target(FitCondition& condition, const Cell& target, const Cell& value);
  Result<Done> experiments(const std::string& path);
  Result<Done> period(const Row& row, const Column& id, const Column& time, const Column& condition);
  Result<Done> check_outputs() const;
  Result<Done> experiment(const std::string& id);
  Result<std::vector<FitCondition::Value>> values_at_start(const std::vector<Target>& targets);
  Result<std::vector<FitCondition::Value>> values_on_the_way(const std::vector<Target>& targets);
  enum class Moment : std::uint8_t { start, on_the_way };  ///< the model has no values yet, or has some
  Result<std::string> target_value(const Cell& cell, Moment moment);
  FitCondition::Value value_of(const Target& target, const std::string& name, const std::string& text);
  std::vector<FitCondition::Value> inherited(const std::vector<FitCondition::Value>& before) const;
  Result<Done> measurements(const std::string& path);
  Result<Done> measurement(const TextTable& table, const Row& row);
  Result<std::vector<std::string>> values_of(const Cell& cell);
  std::size_t placeholders_of(const FitObservable& observable, const std::string& word) const;

  const Files& files_;
  const Networks& networks_;
  std::map<std::string, sbml::SbmlSymbol> symbols_;
  const sbml::SbmlLibrary& library_;
  Sources& sources_;
  Diagnostics& diagnostics_;
  FitProblem out_;
  std::set<std::string> unread_;  // tables that cannot be read, or lack a column
  std::set<std::string> parts_;   // of networks, in the table of parameters
  std::set<std::string> parameters_, observables_, conditions_;
  std::vector<Cell> of_formulas_;  // targets of conditions that the model does not know
  std::set<std::string> used_;     // identifiers in formulas and what measurements give to them
  std::map<std::string, Observed> observed_;
  std::map<std::string, std::vector<Target>> targets_;  // of conditions, in version 2
  struct Periods {
    std::map<double, std::vector<Target>> targets;  // by time, -inf before all
    std::string equilibration;                      // a condition; "": none
    Span span;
  };
  std::map<std::string, Periods> experiments_;
  std::set<std::string> experiment_ids_;
  std::map<std::string, std::string> formulas_;  // variables of formulas, by what they say
};

}  // namespace bolza::workflow::petab
