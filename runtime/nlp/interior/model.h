// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/nlp/nlp.h"

namespace bolza::nlp::interior {

/// Variables that stand in one row each, with a factor of 1 or −1, and nowhere else but with a price in the objective:
/// slacks of inequalities, what the restoration phase adds. A KKT matrix loses them by their row's diagonal.
struct SingleColumns {
  std::vector<std::int32_t> row;
  std::vector<double> sign, price;

  std::size_t size() const { return row.size(); }
  void add(std::size_t of_row, double with_sign, double at_price) {
    row.push_back(static_cast<std::int32_t>(of_row));
    sign.push_back(with_sign);
    price.push_back(at_price);
  }
};

/// minimise f(x) + price' t subject to c(x) + sign t = 0, lower <= (x, t) <= upper: what an interior-point iteration solves.
/// Infinite sides are none.
class BarrierModel {
 public:
  virtual ~BarrierModel() = default;
  std::size_t n = 0, m = 0;           ///< of x, of rows
  SingleColumns columns;              ///< t
  std::vector<double> lower, upper;   ///< [N]
  std::vector<std::uint8_t> is_idle;  ///< [m] 1: no side is finite; such a row is always kept

  std::size_t N() const { return n + columns.size(); }

  /// Moves to v = (x, t) [N]. False: a value was not finite.     @param c  [m]
  virtual bool values(const double* v, double& f, double* c) = 0;
  /// Where the last `values` were.     @param gradient  [n]     @param jacobian  valid until the next call
  virtual bool slopes(double* gradient, const double*& jacobian) = 0;
  /// The same, of sigma f + lambda' c.     @param lambda  [m]     Null: a value was not finite.
  virtual const double* hessian(double sigma, const double* lambda) = 0;
  /// [n] added to the Hessian's diagonal; null: nothing.
  virtual const double* diagonal() const { return nullptr; }
  /// The objective changes with the barrier parameter. True: it did, values and slopes are to be asked for again.
  virtual bool follow(double /*mu*/) { return false; }
};

/// An Nlp with a slack for every inequality, bounds relaxed by a little, rows and objective divided so that no slope at the
/// start is larger than 100 [IPOPT, section 3.8].
class ProblemModel final : public BarrierModel {
 public:
  /// @param relaxation  of bounds, of the larger of their size and 1
  ProblemModel(const Nlp& nlp, Hessian kind, double relaxation);

  /// False: a value at w was not finite.     @param largest  slope that is left as it is
  bool choose_scales(std::span<const double> w, double largest, double objective_factor);

  bool values(const double* v, double& f, double* c) override;
  bool slopes(double* gradient, const double*& jacobian) override;
  const double* hessian(double sigma, const double* lambda) override;

  /// Values of the rows of inequalities at w, in the order of the columns.     False: one was not finite.
  bool rows_at(std::span<const double> w, double* t);

  double objective_scale() const { return of_objective_; }
  const std::vector<double>& row_scale() const { return of_row_; }
  double seconds() const { return seconds_; }

 private:
  const Nlp& nlp_;
  Hessian kind_;
  std::vector<double> target_;       // [m] of equations; 0 else
  std::vector<std::int32_t> slack_;  // [m] place in v; −1: none
  double of_objective_ = 1, seconds_ = 0;
  std::vector<double> of_row_;  // [m] factors
  bool scales_rows_ = false;
  std::vector<double> jacobian_, lambda_;
};

/// The patterns of the second derivatives that a kind evaluates; empty for a quasi-Newton matrix.
const Pattern& second_pattern(const Nlp& nlp, Hessian kind);

}  // namespace bolza::nlp::interior
