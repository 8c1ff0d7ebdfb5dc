// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/feasible_start.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "runtime/nlp/solve.h"

namespace bolza::transcribe {
namespace {

using nonlinear::Entry;

/// ½ Σ ((w − w0) / size)², and the equations as constraints.
class Distance final : public nlp::Functions {
 public:
  Distance(const nonlinear::Equations& equations, std::vector<double> from)
      : equations_(equations),
        from_(std::move(from)),
        gradient_(from_.size()),
        rows_(equations.rows) {}

  void move_to(std::span<const double> w) override { w_.assign(w.begin(), w.end()); }

  bool objective(double& f) override {
    f = 0;
    for (std::size_t i = 0; i < w_.size(); ++i) f += 0.5 * std::pow((w_[i] - from_[i]) / equations_.size[i], 2);
    return true;
  }

  const double* gradient() override {
    for (std::size_t i = 0; i < w_.size(); ++i)
      gradient_[i] = (w_[i] - from_[i]) / (equations_.size[i] * equations_.size[i]);
    return gradient_.data();
  }

  const double* constraints() override { return equations_.residual(w_, rows_) ? rows_.data() : nullptr; }

  const double* jacobian() override {
    entries_.clear();
    values_.clear();
    if (!equations_.jacobian(w_, entries_)) return nullptr;
    for (const Entry& e : entries_) values_.push_back(e.value);
    return values_.data();
  }

  const double* hessian(double, std::span<const double>) override { return nullptr; }  // is not asked for
  const double* gauss_newton(double) override { return nullptr; }

 private:
  const nonlinear::Equations& equations_;
  std::vector<double> from_, w_, gradient_, rows_, values_;
  std::vector<Entry> entries_;
};

/// The places of the Jacobian's entries, which are the same at every point; none when it is not finite at the start.
std::optional<nlp::Pattern> pattern_of(const nonlinear::Equations& equations, std::span<const double> w) {
  std::vector<Entry> entries;
  if (!equations.jacobian(w, entries)) return {};
  nlp::Pattern pattern;
  for (const Entry& e : entries) {
    pattern.row.push_back(e.row);
    pattern.col.push_back(e.col);
  }
  return pattern;
}

}  // namespace

bool find_feasible(const nonlinear::Equations& equations, std::span<const double> lower, std::span<const double> upper,
                   std::vector<double>& w) {
  std::optional<nlp::Pattern> pattern = pattern_of(equations, w);
  std::size_t n = equations.unknowns, m = equations.rows;
  if (!pattern || m > n) return false;
  nlp::Nlp nlp;
  nlp.start = w;
  nlp.lower.assign(lower.begin(), lower.end());
  nlp.upper.assign(upper.begin(), upper.end());
  nlp.scale.assign(equations.size.begin(), equations.size.end());
  nlp.role.assign(n, nlp::VariableRole::algebraic);
  nlp.interval.assign(n, nlp::global);
  nlp.row_lower.assign(m, 0);
  nlp.row_upper.assign(m, 0);
  nlp.row_scale.assign(m, 1);
  nlp.row_role.assign(m, nlp::RowRole::initial);
  nlp.row_interval.assign(m, nlp::global);
  nlp.linear.assign(m, 0);
  nlp.jacobian = *std::move(pattern);
  Distance functions(equations, w);
  nlp.functions = &functions;
  nlp::Report report = nlp::solve(nlp, {.tol = 1e-10, .max_iterations = 500, .hessian = nlp::Hessian::lbfgs});
  bool found = report.status == nlp::Status::solved || report.status == nlp::Status::acceptable;
  if (found) w = report.iterate.w;
  return found;
}

}  // namespace bolza::transcribe
