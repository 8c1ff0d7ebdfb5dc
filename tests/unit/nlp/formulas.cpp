// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/nlp/formulas.h"

#include <algorithm>
#include <cmath>

namespace bolza::nlp::testing {
namespace {

std::size_t at(std::int32_t k) { return static_cast<std::size_t>(k); }
bool holds(std::uint32_t set, std::size_t k) { return (set >> k & 1) != 0; }

/// The lower triangle over a set of variables.
Pattern triangle(std::uint32_t set, std::size_t n) {
  Pattern pattern;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      if (holds(set, i) && holds(set, j))
        pattern.row.push_back(static_cast<std::int32_t>(i)), pattern.col.push_back(static_cast<std::int32_t>(j));
  return pattern;
}

}  // namespace

RowFormula operator>=(const SecondOrder& a, const SecondOrder& b) {
  return b.variables() == 0 ? RowFormula{a, b.value(), infinite} : RowFormula{a - b, 0, infinite};
}
RowFormula operator<=(const SecondOrder& a, const SecondOrder& b) {
  return b.variables() == 0 ? RowFormula{a, -infinite, b.value()} : RowFormula{a - b, -infinite, 0};
}
RowFormula operator==(const SecondOrder& a, const SecondOrder& b) {
  return b.variables() == 0 ? RowFormula{a, b.value(), b.value()} : RowFormula{a - b, 0, 0};
}
RowFormula within(double lower, const SecondOrder& a, double upper) { return {a, lower, upper}; }

std::vector<double> filled(std::size_t n, double value) { return std::vector<double>(n, value); }

FormulaNlp::FormulaNlp(Formulas formulas) : formulas_(std::move(formulas)) {
  std::size_t n = formulas_.start.size();
  nlp.start = formulas_.start, nlp.lower = formulas_.lower, nlp.upper = formulas_.upper;
  if (nlp.lower.empty()) nlp.lower.assign(n, -infinite);
  if (nlp.upper.empty()) nlp.upper.assign(n, infinite);
  nlp.scale.assign(n, 1), nlp.role.assign(n, VariableRole::parameter), nlp.interval.assign(n, global);
  nlp.functions = this;
  w_ = nlp.start;
  evaluate();
  describe();
  evaluated_ = false;
}

/// Rows and patterns, which do not depend on the point.
void FormulaNlp::describe() {
  std::uint32_t nonlinear = f_.nonlinear(), in_residuals = 0;
  for (const RowFormula& row : rows_) {
    nlp.row_lower.push_back(row.lower), nlp.row_upper.push_back(row.upper);
    nlp.linear.push_back(row.expression.nonlinear() == 0);
    nonlinear |= row.expression.nonlinear();
  }
  nlp.row_scale.assign(rows_.size(), 1), nlp.row_role.assign(rows_.size(), RowRole::point);
  nlp.row_interval.assign(rows_.size(), global);
  for (bool linear : {true, false}) {
    for (std::size_t r = 0; r < rows_.size(); ++r)
      for (std::size_t v = 0; v < nlp.n(); ++v)
        if ((nlp.linear[r] != 0) == linear && holds(rows_[r].expression.variables(), v))
          nlp.jacobian.row.push_back(static_cast<std::int32_t>(r)), nlp.jacobian.col.push_back(static_cast<std::int32_t>(v));
    if (linear) nlp.constant_entries = nlp.jacobian.size();
  }
  nlp.hessian = triangle(nonlinear, nlp.n());
  for (const SecondOrder& residual : residuals_) in_residuals |= residual.variables();
  nlp.gauss_newton = triangle(in_residuals, nlp.n());
}

void FormulaNlp::evaluate() {
  if (evaluated_) return;
  Variables x(w_);
  if (formulas_.rows) rows_ = formulas_.rows(x);
  if (formulas_.residuals) {
    residuals_ = formulas_.residuals(x);
    f_ = 0;
    for (const SecondOrder& residual : residuals_) f_ += square(residual);
  } else {
    f_ = formulas_.objective(x);
  }
  evaluated_ = true;
}

void FormulaNlp::move_to(std::span<const double> w) {
  if (std::equal(w.begin(), w.end(), w_.begin(), w_.end()) && evaluated_) return;
  w_.assign(w.begin(), w.end());
  evaluated_ = asked_f_ = asked_gradient_ = asked_g_ = asked_jacobian_ = false;
}

bool FormulaNlp::count(int& counter, bool& asked) {
  evaluate();
  if (!asked) ++counter;
  return asked = true;
}

/// Null when a value is not finite; never null for an empty array.
const double* FormulaNlp::given(const std::vector<double>& values) const {
  static constexpr double nothing = 0;
  if (values.empty()) return &nothing;
  bool finite = std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
  return finite ? values.data() : nullptr;
}

bool FormulaNlp::objective(double& f) {
  count(evaluations.objective, asked_f_);
  f = f_.value();
  return std::isfinite(f);
}

const double* FormulaNlp::gradient() {
  count(evaluations.gradient, asked_gradient_);
  gradient_.clear();
  for (std::size_t v = 0; v < nlp.n(); ++v) gradient_.push_back(f_.derivative(static_cast<int>(v)));
  return given(gradient_);
}

const double* FormulaNlp::constraints() {
  count(evaluations.constraints, asked_g_);
  g_.clear();
  for (const RowFormula& row : rows_) g_.push_back(row.expression.value());
  return given(g_);
}

const double* FormulaNlp::jacobian() {
  count(evaluations.jacobian, asked_jacobian_);
  jacobian_.clear();
  for (std::size_t k = 0; k < nlp.jacobian.size(); ++k)
    jacobian_.push_back(rows_[at(nlp.jacobian.row[k])].expression.derivative(nlp.jacobian.col[k]));
  return given(jacobian_);
}

const double* FormulaNlp::hessian(double sigma, std::span<const double> lambda) {
  evaluate();
  ++evaluations.hessian;
  hessian_.clear();
  for (std::size_t k = 0; k < nlp.hessian.size(); ++k) {
    int i = nlp.hessian.row[k], j = nlp.hessian.col[k];
    double entry = sigma * f_.derivative(i, j);
    for (std::size_t r = 0; r < rows_.size(); ++r) entry += lambda[r] * rows_[r].expression.derivative(i, j);
    hessian_.push_back(entry);
  }
  return given(hessian_);
}

const double* FormulaNlp::gauss_newton(double sigma) {
  evaluate();
  ++evaluations.hessian;
  gauss_newton_.clear();
  for (std::size_t k = 0; k < nlp.gauss_newton.size(); ++k) {
    double entry = 0;
    for (const SecondOrder& r : residuals_)
      entry += 2 * sigma * r.derivative(nlp.gauss_newton.row[k]) * r.derivative(nlp.gauss_newton.col[k]);
    gauss_newton_.push_back(entry);
  }
  return given(gauss_newton_);
}

}  // namespace bolza::nlp::testing
