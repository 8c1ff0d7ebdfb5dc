// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "runtime/nlp/nlp.h"
#include "tests/unit/nlp/second_order.h"

namespace bolza::nlp::testing {

inline constexpr double infinite = std::numeric_limits<double>::infinity();

/// lower <= expression <= upper.
struct RowFormula {
  SecondOrder expression;
  double lower = -infinite, upper = infinite;
};
RowFormula operator>=(const SecondOrder& a, const SecondOrder& b);
RowFormula operator<=(const SecondOrder& a, const SecondOrder& b);
RowFormula operator==(const SecondOrder& a, const SecondOrder& b);
RowFormula within(double lower, const SecondOrder& a, double upper);
using Rows = std::vector<RowFormula>;
using Residuals = std::vector<SecondOrder>;
using X = const Variables&;

std::vector<double> filled(std::size_t n, double value);

/// A problem in formulas: the objective or, for a sum of squares, its residuals; rows, which may be left out; bounds, which
/// may be, too. What bounds a row depends on no variable.
struct Formulas {
  std::vector<double> start, lower, upper;
  std::function<SecondOrder(X)> objective;
  std::function<Rows(X)> rows;
  std::function<Residuals(X)> residuals;  ///< objective = Σ residual²
};

/// How often each function was asked for at a new point.
struct Evaluations {
  int objective = 0, gradient = 0, constraints = 0, jacobian = 0, hessian = 0;
};

/// Formulas as an NLP with exact derivatives. All scales are 1; change those of `nlp` before solving where a test is about
/// them. Structure: rows have entries where they depend on a variable, constant ones first; second derivatives are dense
/// over the variables that are not linear everywhere. A solver that has several threads needs several of these.
class FormulaNlp final : public Functions {
 public:
  explicit FormulaNlp(Formulas formulas);
  FormulaNlp(const FormulaNlp&) = delete;
  FormulaNlp& operator=(const FormulaNlp&) = delete;

  Nlp nlp;
  Evaluations evaluations;

  void move_to(std::span<const double> w) override;
  bool objective(double& f) override;
  const double* gradient() override;
  const double* constraints() override;
  const double* jacobian() override;
  const double* hessian(double sigma, std::span<const double> lambda) override;
  const double* gauss_newton(double sigma) override;

 private:
  void evaluate();
  void describe();
  bool count(int& counter, bool& asked);
  const double* given(const std::vector<double>& values) const;

  Formulas formulas_;
  std::vector<double> w_;
  SecondOrder f_;
  Rows rows_;
  Residuals residuals_;
  bool evaluated_ = false, asked_f_ = false, asked_gradient_ = false, asked_g_ = false, asked_jacobian_ = false;
  std::vector<double> gradient_, g_, jacobian_, hessian_, gauss_newton_;
};

}  // namespace bolza::nlp::testing
