// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "runtime/integrate/state.h"
#include "runtime/nonlinear/model_at.h"

namespace bolza::integrate {

/// How large the variables of a run are: what absolute tolerances are shares of.
///
/// A variable with a nominal value has that size. Another has the size of its start value, and grows with the largest value
/// that it has had, up to 1: what is larger counts by its own value. One that starts at zero has a guess, until its values
/// are larger: what its equation makes of the sizes of other variables, and of sources that change with time, within the
/// shorter of its own time constant and the horizon, not beyond its bounds; 1 where nothing is known. No size is smaller
/// than what rounding of the terms of a rate leaves open. Vectors are [n_x + n_z], states first.
class VariableSizes {
 public:
  /// What is known before: sizes for variables without a nominal value, 0 where nothing is. May be empty.
  VariableSizes(nonlinear::ModelAt& model, std::span<const double> known);

  /// Every size is the nominal value, or 1, until this. Cost: a Jacobian, where something has to be found out.
  /// @param horizon  seconds        @param tolerance  share of a size that the integration may leave as an error
  void begin(const nonlinear::ModelAt::Point& point, double horizon, double tolerance);
  /// The trajectory comes here. True: a size has grown, by a factor of two at least.
  bool grow(const State& state);

  double of_state(std::size_t i) const { return size_[i]; }
  double of_algebraic(std::size_t k) const { return size_[n_x_ + k]; }

  /// A variable that has stayed far below its guessed size, though it is more than what errors of others make of it.
  struct Mistaken {
    std::size_t variable = 0;
    double guess = 0, largest = 0;
  };
  /// Asked at the end of a run. Cost: a Jacobian, where there is one.
  std::vector<Mistaken> mistaken(const nonlinear::ModelAt::Point& end) const;
  /// Sizes that the run has shown, for another one that starts as it did; see the constructor.
  std::vector<double> shown() const;

 private:
  struct Entry {
    std::size_t column;
    double value;
  };
  using Rows = std::vector<std::vector<Entry>>;  // of (f, h) by (x, z)
  bool coefficients(const nonlinear::ModelAt::Point& point, Rows& rows) const;
  double time_constant(const Rows& rows, std::size_t state) const;
  void guess(const nonlinear::ModelAt::Point& point, Rows rows, std::span<const double> rounding);
  void add_sources(const nonlinear::ModelAt::Point& point, Rows& rows) const;
  void guess_through_algebraics(const nonlinear::ModelAt::Point& point, const Rows& rows, double no_evidence);
  void raise_to_rounding(const Rows& rows);
  void spread(const Rows& rows, std::span<const double> rates);
  std::vector<double> rates_above_rounding(const nonlinear::ModelAt::Point& point, const Rows& rows,
                                           std::span<const double> rounding) const;
  double guess_of_state(const Rows& rows, double rate, std::size_t state) const;
  double guess_of_algebraic(const Rows& rows, std::span<const std::size_t> where, std::size_t variable) const;
  std::vector<double> rounding_of(const Rows& rows, const nonlinear::ModelAt::Point& point) const;
  const bolza_variable& variable(std::size_t i) const;

  nonlinear::ModelAt& model_;
  std::size_t n_x_, n_;
  double horizon_ = 0, tolerance_ = 0;
  std::vector<double> size_, largest_;
  std::vector<char> guessed_;
  std::vector<std::size_t> open_;  ///< whose sizes may grow
};

}  // namespace bolza::integrate
