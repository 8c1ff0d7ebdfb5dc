// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "runtime/abi/bolza.h"
#include "runtime/integrate/inputs/inputs.h"

namespace bolza::estimate {

/// On which scale a parameter is searched, or an observable compared with its measurement. log: natural.
enum class Scale : std::uint8_t { lin, log, log10 };

/// x on the scale, and back.
inline double to_scale(double value, Scale scale) {
  return scale == Scale::lin ? value : scale == Scale::log ? std::log(value) : std::log10(value);
}
inline double from_scale(double scaled, Scale scale) {
  return scale == Scale::lin ? scaled : scale == Scale::log ? std::exp(scaled) : std::pow(10, scaled);
}
/// d from_scale / d scaled at the value.
inline double slope_of(double value, Scale scale) {
  return scale == Scale::lin ? 1 : scale == Scale::log ? value : value * std::numbers::ln10;
}

/// Distribution of measurements around the simulated observable, on the observable's scale.
enum class Noise : std::uint8_t { normal, laplace };

/// What is known of a parameter beforehand. `location` and `width` on the parameter's scale if `on_scale`, else in physical
/// units; log kinds: of the natural logarithm of the parameter.
struct Prior {
  enum class Kind : std::uint8_t {
    none,
    uniform,      ///< from `location` to `width`
    log_uniform,  ///< of the logarithm, from that of `location` to that of `width`
    normal,       ///< mean and standard deviation
    laplace,      ///< location and scale, of the following, too
    log_normal,
    log_laplace,
    cauchy,
    gamma,    ///< shape and scale
    rayleigh  ///< scale in `width`
  } kind = Kind::none;
  double location = 0, width = 1;
  bool on_scale = false;
  bool is_truncated = false;  ///< the density within the parameter's bounds integrates to one
};

/// A number to be estimated. Values and bounds in physical units, lower < upper, lower > 0 on logarithmic scales.
struct Parameter {
  std::string name, unit;
  Scale scale = Scale::lin;
  double value = 0;  ///< start, or the published value
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
  Prior prior;
};

/// One entry of the model's shared values in an experiment, or for one measurement: a parameter, a formula or a number.
struct Setting {
  std::size_t entry = 0;        ///< of shared values; below n_global where it stands for a parameter or a formula
  std::int32_t parameter = -1;  ///< index of the estimated parameter; -1: none
  double value = 0;             ///< where it is neither a parameter nor a formula
  std::int32_t formula = -1;    ///< index of Estimation::formulas; -1: none
};
using Settings = std::vector<Setting>;

/// A variable of the model, however it is computed: sign · row + offset.
struct ModelValue {
  enum class Kind : std::uint8_t { point, output, rate, shared } kind = Kind::point;  ///< as in bolza_output
  std::int32_t index = 0;
  double sign = 1, offset = 0;
};

struct Observable {
  std::string name, unit;
  ModelValue value;                 ///< what is measured, in physical units
  std::optional<ModelValue> sigma;  ///< standard deviation (Laplace: scale) on the observable's scale, when the model has it
  double number = 1;                ///< of the standard deviation otherwise
  bool is_open = false;             ///< nobody stated it: `number` is a share of a size that the residuals tell
  Scale scale = Scale::lin;
  Noise noise = Noise::normal;
  double huber = 0;  ///< > 0: beyond so many standard deviations residuals count linearly
};

/// One measured number. NaN are not measurements: readers leave them out.
struct Measurement {
  std::size_t observable = 0;
  double time = 0;  ///< seconds (the model's unit of time); infinity: at steady state
  double value = 0;
  double sigma = std::numeric_limits<double>::quiet_NaN();  ///< standard deviation of this one; NaN: the observable's
  double weight = 1;                                        ///< its share of the objective, 0: shown, not fitted
  std::size_t variant = 0;                                  ///< of Estimation::variants
  std::uint32_t line = 0;                                   ///< of its file
};

/// One run of the model under conditions of its own.
struct Experiment {
  std::string name, file;
  double start = 0;
  Settings settings;                     ///< while it lasts, in addition to Estimation::common
  std::optional<Settings> equilibrates;  ///< of the steady state from which it starts
  struct Restart {
    std::size_t state = 0;
    Setting value;  ///< `entry` means nothing
  };
  std::vector<Restart> restarts;  ///< states that are set at `start` after the steady state
  /// What changes at a later time, all of it from the values just before; measurements of that time come after it.
  struct Change {
    double time = 0;
    Settings settings;  ///< over those before
    std::vector<Restart> restarts;
  };
  std::vector<Change> changes;              ///< ascending in time, after `start`
  std::optional<integrate::Inputs> inputs;  ///< absent: every input at its start value
  std::vector<Measurement> measurements;    ///< ascending in time
};

/// Everything that estimating parameters needs besides the model.
/// Invariants  parameters of settings exist; every global entry of the model but the times is set by `common` or by the
/// experiment; times of measurements are not before the experiment's start.
struct Estimation {
  std::vector<Parameter> parameters;
  std::vector<Observable> observables;
  Settings common;  ///< in every experiment
  /// Variables that settings and restarts take their values from. Those of an experiment's first settings, and of the steady
  /// state from which it starts, depend on time and shared values alone.
  std::vector<ModelValue> formulas = {};
  std::vector<Settings> variants{{}};  ///< of single measurements, over those of the experiment: offsets, noise, …
  std::vector<Experiment> experiments;
  /// Variance of open noise: standard deviations of these observables are `number` × its root. A fit replaces it by what the
  /// residuals tell unless `holds_noise`.
  double open_variance = 1;
  bool holds_noise = false;
  std::size_t n_measurements() const {
    std::size_t n = 0;
    for (const Experiment& e : experiments) n += e.measurements.size();
    return n;
  }
};

}  // namespace bolza::estimate
