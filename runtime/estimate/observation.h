// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Dense>
#include <span>
#include <vector>

#include "runtime/estimate/estimation.h"
#include "runtime/integrate/model/reduced_model.h"

namespace bolza::estimate {

/// Values of some variables of a model at one point after the other, with their total derivatives.
class Observation {
 public:
  explicit Observation(integrate::ReducedModel& model);

  /// Moves to a point; shared values are those of the model. False: not finite, or algebraics cannot be solved for.
  bool move_to(double t, std::span<const double> x, std::span<const double> u);
  /// The variable there.
  bool value(const ModelValue& of, double& out);
  /// The same, and its derivatives by the columns of a ReducedModel: time, x, u, p. `by` is overwritten.
  bool derivative(const ModelValue& of, double& out, std::span<double> by);

 private:
  bool rows(ModelValue::Kind kind);
  double known(const ModelValue& of) const;  // of the rows at the point, which may not be finite
  bool row_gradient(ModelValue::Kind kind, std::size_t row, std::span<double> by);
  bool output_entries();

  integrate::ReducedModel& model_;
  double t_ = 0;
  std::vector<double> x_, u_;
  std::vector<double> outputs_, rates_;  // rows at the point
  bool has_outputs_ = false, has_rates_ = false, has_entries_ = false;
  nonlinear::Derivative entries_;                   // of the outputs, without algebraics
  std::vector<std::size_t> row_begin_, row_entry_;  // entries by rows; empty before the first use
  std::vector<double> weight_, z_weight_;
};

}  // namespace bolza::estimate
