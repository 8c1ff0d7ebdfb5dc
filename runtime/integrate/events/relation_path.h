// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "runtime/integrate/events/indicators.h"
#include "runtime/nonlinear/model_at.h"

namespace bolza::integrate {

/// Solves the algebraic equations h(z, m) = 0 together with the relations m of z by following the solutions of h = ρ·w from
/// a point where they hold (ρ = 1, w the residual there) to ρ = 0. On the way relations change one at a time, each where its
/// indicator is zero; between two changes every step is one of Newton's method. Where a change turns the path back (the
/// Jacobian changes the sign of its determinant) it is followed with growing ρ until it turns again. For equations that are
/// continuous and piecewise linear, as ideal diodes and dry friction make them, the path ends in a solution whenever every
/// combination of modes is regular and there is one.                                     [KATZENELSON, CHIEN-KUH]
class RelationPath {
 public:
  /// Brings every other discrete value into line with the relations as they are; false: a value is not finite.
  using Propagate = std::function<bool()>;

  RelationPath(nonlinear::ModelAt& model, Indicators& indicators) : model_(model), indicators_(indicators) {}

  /// @param z  [n_z]  in: where the path begins; out: where it ends, or the last point
  /// Sets relations in the model's shared values. False: no end was found, relations are as they were left.
  /// Cost: one factorisation of h_z for each change.
  bool follow(double t, std::span<const double> x, std::span<const double> u, std::vector<double>& z,
              const Propagate& propagate);

 private:
  struct Relation {
    std::size_t row = 0;
    std::int32_t entry = 0;
    bool positive_is_true = false;
    double side = 1;        ///< of the indicator on which the relation is as remembered
    std::size_t turns = 0;  ///< changes in a row without progress
  };
  void collect();
  bool indicators_at(const nonlinear::ModelAt::Point& p, std::vector<double>& g);
  bool step(const nonlinear::ModelAt::Point& p, std::vector<double>& d);
  void change(Relation& r);

  nonlinear::ModelAt& model_;
  Indicators& indicators_;
  std::vector<Relation> relations_;
  nonlinear::Derivative derivative_;
  std::vector<double> h_;
};

}  // namespace bolza::integrate
