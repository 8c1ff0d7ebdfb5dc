// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/text_table.h"
#include "compiler/driver/compile.h"
#include "runtime/estimate/estimation.h"

namespace bolza::workflow {

/// Names of a model, by what they can be in a fit.
struct ModelNames {
  std::vector<std::string> variables, parameters, inputs, states;
  std::map<std::string, std::string> units;  ///< of variables that have one
};

bool among(const std::string& name, const std::vector<std::string>& names);

/// A parameter to be estimated, as it was stated. What is absent is the model's.
struct FitParameter {
  std::string name;
  estimate::Scale scale = estimate::Scale::lin;
  std::optional<double> value, lower, upper;
  estimate::Prior prior;
  bool is_nominal = false;  ///< the value is that of a publication, and may be outside the bounds
  Span span;
};

/// What is measured. Formulas are Modelica expressions over the model's variables and, in noise, over parameters that are
/// declared for the purpose; `observableParameter1_NAME`, `noiseParameter1_NAME`, … stand for what measurements say.
struct FitObservable {
  std::string name;
  std::string formula;  ///< "": the variable called as the observable
  std::string noise;    ///< standard deviation; "": 1, unless measurements have their own
  estimate::Scale scale = estimate::Scale::lin;
  estimate::Noise distribution = estimate::Noise::normal;
  double huber = 0;
  Span span, formula_span, noise_span;
};

/// An expression of the model's variables that gives a value to something; it becomes a variable called `variable`.
struct FitFormula {
  std::string variable, text, of;  ///< of: "the value of `k`"
  Span span;
};

/// What holds in an experiment: a number, the name of an estimated parameter, or the variable of a formula, for parameters,
/// inputs and initial values (the name of a state) of the model.
struct FitCondition {
  std::string name;
  struct Value {
    std::string target;
    Cell value;
    Span column = {};         ///< where the target is named
    bool is_formula = false;  ///< the value is the variable of one of FitProblem::formulas
    bool restarts = false;    ///< a state is set on the way: its initial value stays
  };
  std::vector<Value> values;
  std::optional<double> start;  ///< of the experiment; absent: as FitProblem::start says
  /// What changes at a later time, from the values just before.
  struct Later {
    double time = 0;
    std::vector<Value> values;
  };
  std::vector<Later> later;  ///< ascending in time
  Span span;
};

struct FitMeasurement {
  std::size_t observable = 0;
  std::string condition, equilibration;  ///< "": none
  double time = 0, value = 0;
  double sigma = std::numeric_limits<double>::quiet_NaN();
  double weight = 1;
  std::vector<std::string> observable_parameters, noise_parameters;  ///< numbers, or names of estimated parameters
  Span span;
};

/// An input over time in the experiments under a condition; linear between the times.
struct FitSeries {
  std::vector<double> time;
  std::map<std::string, std::vector<double>> values;
  Span span;  ///< of the last time
};

/// An estimation by names, before the model is compiled: what tables and the command line say.
struct FitProblem {
  std::vector<FitParameter> parameters;
  std::map<std::string, Cell> fixed;  ///< parameters that stay at a number
  std::vector<FitObservable> observables;
  std::vector<FitFormula> formulas;  ///< of values in conditions
  std::vector<FitCondition> conditions;
  std::vector<FitMeasurement> measurements;
  std::map<std::string, FitSeries> inputs;  ///< by condition
  bool noise_is_known = false;     ///< some standard deviation was stated; else residuals tell the size of the noise
  bool names_experiments = false;  ///< a column of the measurements names them
  double start = 0;                ///< of every experiment
  /// Initial values that conditions set, as the model has them: a number, the name of a parameter, or the variable of one of
  /// the formulas.
  std::map<std::string, std::string> starts;

  std::optional<std::size_t> observable(const std::string& name) const;
  const FitCondition* condition(const std::string& name) const;
  const FitFormula* formula(const std::string& variable) const;
};

}  // namespace bolza::workflow
