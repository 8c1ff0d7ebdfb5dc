// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/sqp/condensing_qp.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

namespace bolza::nlp {
namespace {

using Eigen::Index;

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

class CondensingSolver final : public QuadraticSolver {
 public:
  CondensingSolver(const Nlp& nlp, std::unique_ptr<QuadraticSolver> condensed, std::unique_ptr<QuadraticSolver> whole);
  QuadraticSolution solve(const QuadraticProgram& program, double tolerance) override;
  void accept() override {
    inner_->accept();
    whole_->accept();
  }

 private:
  struct Entry {
    std::size_t place, column;  ///< in the values of the Jacobian; of the whole program
  };
  bool is_state(std::size_t v) const { return state_of_[v] != none; }
  bool eliminate(const QuadraticProgram& program);
  void condense_curvature(const QuadraticProgram& program);
  void condense_rows(const QuadraticProgram& program);
  QuadraticProgram condensed(const QuadraticProgram& program) const;
  QuadraticSolution expanded(const QuadraticProgram& program, QuadraticSolution inner, double& error) const;
  void add_row(std::span<const double> values, std::span<const Entry> row, Eigen::Ref<Eigen::RowVectorXd> by_free,
               double& constant) const;

  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::unique_ptr<QuadraticSolver> inner_, whole_;  // of condensed programs, of others
  std::vector<std::size_t> state_of_, free_of_;     // [n] number among states or among the others, or none
  std::vector<std::size_t> states_, free_;          // variables
  std::vector<std::size_t> condition_;              // [states] rows
  std::vector<std::vector<Entry>> rows_;            // [m] entries
  std::vector<std::size_t> kept_;                   // rows that are not conditions
  std::vector<std::size_t> bounded_;                // states with a finite bound
  Pattern hessian_pattern_, jacobian_pattern_;      // dense
  // of the present program
  RowMatrix Z_;
  std::vector<Index> extent_;  // [states] columns of Z from here on are 0
  std::vector<double> constant_, row_constant_;
  std::vector<double> hessian_, jacobian_, gradient_;
};

CondensingSolver::CondensingSolver(const Nlp& nlp, std::unique_ptr<QuadraticSolver> condensed,
                                   std::unique_ptr<QuadraticSolver> whole)
    : inner_(std::move(condensed)),
      whole_(std::move(whole)),
      state_of_(nlp.n(), none),
      free_of_(nlp.n(), none),
      rows_(nlp.m()) {
  for (std::size_t k = 0; k < nlp.jacobian.size(); ++k)
    rows_[static_cast<std::size_t>(nlp.jacobian.row[k])].push_back({k, static_cast<std::size_t>(nlp.jacobian.col[k])});
  std::vector<char> is_condition(nlp.m(), 0);
  for (std::size_t v = 0; v < nlp.n(); ++v) {
    if (nlp.follows[v] == global) {
      free_of_[v] = free_.size();
      free_.push_back(v);
      continue;
    }
    state_of_[v] = states_.size();
    states_.push_back(v);
    condition_.push_back(static_cast<std::size_t>(nlp.follows[v]));
    is_condition[condition_.back()] = 1;
    if (std::isfinite(nlp.lower[v]) || std::isfinite(nlp.upper[v])) bounded_.push_back(v);
  }
  for (std::size_t r = 0; r < nlp.m(); ++r)
    if (!is_condition[r]) kept_.push_back(r);
  auto size = static_cast<std::int32_t>(free_.size());
  for (std::int32_t r = 0; r < size; ++r)
    for (std::int32_t c = 0; c <= r; ++c) {
      hessian_pattern_.row.push_back(r);
      hessian_pattern_.col.push_back(c);
    }
  for (std::int32_t r = 0; r < static_cast<std::int32_t>(kept_.size() + bounded_.size()); ++r)
    for (std::int32_t c = 0; c < size; ++c) {
      jacobian_pattern_.row.push_back(r);
      jacobian_pattern_.col.push_back(c);
    }
}

// A row of the whole Jacobian in terms of what is left; columns that the caller wants left out are not in `row`.
void CondensingSolver::add_row(std::span<const double> values, std::span<const Entry> row,
                               Eigen::Ref<Eigen::RowVectorXd> by_free, double& constant) const {
  for (const Entry& e : row) {
    double value = values[e.place];
    if (std::size_t s = state_of_[e.column]; s != none) {
      Index extent = extent_[s];
      by_free.head(extent) += value * Z_.row(static_cast<Index>(s)).head(extent);
      constant += value * constant_[s];
    } else by_free[static_cast<Index>(free_of_[e.column])] += value;
  }
}

/// Z and the constants, one condition after another. False: a condition does not determine its state.
bool CondensingSolver::eliminate(const QuadraticProgram& program) {
  auto n_v = static_cast<Index>(free_.size());
  Z_.setZero(static_cast<Index>(states_.size()), n_v);
  extent_.assign(states_.size(), 0);
  constant_.assign(states_.size(), 0.0);
  Eigen::RowVectorXd by_free(n_v);
  std::vector<Entry> others;
  for (std::size_t s = 0; s < states_.size(); ++s) {
    double own = 0, constant = 0;
    others.clear();
    Index extent = 0;
    for (const Entry& e : rows_[condition_[s]]) {
      if (e.column == states_[s]) {
        own += program.jacobian[e.place];
        continue;
      }
      others.push_back(e);
      extent =
          std::max(extent, is_state(e.column) ? extent_[state_of_[e.column]] : static_cast<Index>(free_of_[e.column]) + 1);
    }
    if (own == 0) return false;
    by_free.setZero();
    add_row(program.jacobian, others, by_free, constant);
    Z_.row(static_cast<Index>(s)) = by_free / -own;
    extent_[s] = extent;
    constant_[s] = (program.row_lower[condition_[s]] - constant) / own;
  }
  return true;
}

/// g + Z'(…) and H + Z'H_sv + H_vs Z + Z'H_ss Z, with the shift in them.
void CondensingSolver::condense_curvature(const QuadraticProgram& program) {
  auto n_v = static_cast<Index>(free_.size()), n_s = static_cast<Index>(states_.size());
  RowMatrix HZ = RowMatrix::Zero(n_s, n_v), H = RowMatrix::Zero(n_v, n_v);  // HZ: H_ss Z + H_sv
  Eigen::VectorXd slope_s(n_s), slope_v(n_v);                               // at d = (constant, 0)
  for (Index s = 0; s < n_s; ++s) slope_s[s] = program.gradient[states_[static_cast<std::size_t>(s)]];
  for (Index v = 0; v < n_v; ++v) slope_v[v] = program.gradient[free_[static_cast<std::size_t>(v)]];
  std::vector<Index> extent(extent_);                           // of HZ
  auto add = [&](std::size_t a, std::size_t b, double value) {  // one triangle's entry or, called twice, both
    std::size_t s = state_of_[a], t = state_of_[b];
    if (s == none && t == none) {
      H(static_cast<Index>(free_of_[a]), static_cast<Index>(free_of_[b])) += value;
    } else if (s == none) {
      Index e = extent_[t];
      H.row(static_cast<Index>(free_of_[a])).head(e) += value * Z_.row(static_cast<Index>(t)).head(e);
      slope_v[static_cast<Index>(free_of_[a])] += value * constant_[t];
    } else if (t == none) {
      HZ(static_cast<Index>(s), static_cast<Index>(free_of_[b])) += value;
      extent[s] = std::max(extent[s], static_cast<Index>(free_of_[b]) + 1);
    } else {
      Index e = extent_[t];
      HZ.row(static_cast<Index>(s)).head(e) += value * Z_.row(static_cast<Index>(t)).head(e);
      extent[s] = std::max(extent[s], e);
      slope_s[static_cast<Index>(s)] += value * constant_[t];
    }
  };
  const Pattern& pattern = *program.hessian_pattern;
  for (std::size_t k = 0; k < pattern.size(); ++k) {
    auto a = static_cast<std::size_t>(pattern.row[k]), b = static_cast<std::size_t>(pattern.col[k]);
    if (program.hessian[k] == 0) continue;
    add(a, b, program.hessian[k]);
    if (a != b) add(b, a, program.hessian[k]);
  }
  for (std::size_t v = 0; v < program.n && program.shift > 0; ++v) add(v, v, program.shift_of(v));
  constexpr Index together = 32;  // states whose products are made at once
  for (Index s = 0; s < n_s; s += together) {
    Index count = std::min(together, n_s - s), e = 0, f = 0;
    for (Index j = s; j < s + count; ++j) {
      e = std::max(e, extent_[static_cast<std::size_t>(j)]);
      f = std::max(f, extent[static_cast<std::size_t>(j)]);
    }
    H.topLeftCorner(e, f).noalias() += Z_.block(s, 0, count, e).transpose() * HZ.block(s, 0, count, f);
  }
  slope_v += Z_.transpose() * slope_s;
  gradient_.assign(slope_v.data(), slope_v.data() + n_v);
  hessian_.clear();
  for (Index r = 0; r < n_v; ++r)
    for (Index c = 0; c <= r; ++c) hessian_.push_back(0.5 * (H(r, c) + H(c, r)));
}

void CondensingSolver::condense_rows(const QuadraticProgram& program) {
  auto n_v = static_cast<Index>(free_.size());
  jacobian_.clear();
  row_constant_.clear();
  Eigen::RowVectorXd by_free(n_v);
  auto keep = [&](double constant) {
    jacobian_.insert(jacobian_.end(), by_free.data(), by_free.data() + n_v);
    row_constant_.push_back(constant);
  };
  for (std::size_t r : kept_) {
    double constant = 0;
    by_free.setZero();
    add_row(program.jacobian, rows_[r], by_free, constant);
    keep(constant);
  }
  for (std::size_t v : bounded_) {
    by_free = Z_.row(static_cast<Index>(state_of_[v]));
    keep(constant_[state_of_[v]]);
  }
}

QuadraticProgram CondensingSolver::condensed(const QuadraticProgram& program) const {
  QuadraticProgram qp;
  qp.n = free_.size();
  qp.m = row_constant_.size();
  qp.hessian_pattern = &hessian_pattern_;
  qp.jacobian_pattern = &jacobian_pattern_;
  qp.hessian = hessian_;
  qp.jacobian = jacobian_;
  qp.gradient = gradient_;
  qp.stop = program.stop;
  for (std::size_t v : free_) {
    qp.lower.push_back(program.lower[v]);
    qp.upper.push_back(program.upper[v]);
  }
  auto add = [&](double lower, double upper) {
    double constant = row_constant_[qp.row_lower.size()];
    qp.row_lower.push_back(lower - constant);
    qp.row_upper.push_back(lower == upper ? qp.row_lower.back() : upper - constant);
  };
  for (std::size_t r : kept_) add(program.row_lower[r], program.row_upper[r]);
  for (std::size_t v : bounded_) add(program.lower[v], program.upper[v]);
  return qp;
}

/// The whole solution: states from their conditions, multipliers of the conditions from what is stationary by the states.
/// @param error  what is left of stationarity by the other variables, relative to the gradient
QuadraticSolution CondensingSolver::expanded(const QuadraticProgram& program, QuadraticSolution inner, double& error) const {
  QuadraticSolution out;
  out.outcome = inner.outcome;
  out.iterations = inner.iterations;
  out.wanted_shift = program.shift;
  out.d.assign(program.n, 0.0);
  out.lambda.assign(program.m, 0.0);
  out.z_lower.assign(program.n, 0.0);
  out.z_upper.assign(program.n, 0.0);
  for (std::size_t k = 0; k < free_.size(); ++k) {
    out.d[free_[k]] = inner.d[k];
    if (!inner.z_lower.empty()) {
      out.z_lower[free_[k]] = inner.z_lower[k];
      out.z_upper[free_[k]] = inner.z_upper[k];
    }
  }
  Eigen::Map<const Eigen::VectorXd> d_v(inner.d.data(), static_cast<Index>(free_.size()));
  for (std::size_t s = 0; s < states_.size(); ++s)
    out.d[states_[s]] = constant_[s] + Z_.row(static_cast<Index>(s)).head(extent_[s]).dot(d_v.head(extent_[s]));
  for (std::size_t k = 0; k < kept_.size(); ++k) out.lambda[kept_[k]] = inner.lambda[k];
  for (std::size_t k = 0; k < bounded_.size(); ++k) {
    double l = inner.lambda[kept_.size() + k];
    std::size_t v = bounded_[k];
    bool upper = l > 0;  // towards a side that is not there: rounding
    if (std::isfinite(upper ? program.upper[v] : program.lower[v])) (upper ? out.z_upper : out.z_lower)[v] = std::abs(l);
  }
  std::vector<double> slope(program.gradient.begin(), program.gradient.end());
  add_symmetric_product(*program.hessian_pattern, program.hessian, out.d, slope);
  add_transposed_product(*program.jacobian_pattern, program.jacobian, out.lambda, slope);
  for (std::size_t v = 0; v < program.n; ++v) slope[v] += program.shift_of(v) * out.d[v] - out.z_lower[v] + out.z_upper[v];
  for (std::size_t s = states_.size(); s-- > 0;) {
    const std::vector<Entry>& row = rows_[condition_[s]];
    double own = 0;
    for (const Entry& e : row)
      if (e.column == states_[s]) own += program.jacobian[e.place];
    double l = out.lambda[condition_[s]] = -slope[states_[s]] / own;
    for (const Entry& e : row) slope[e.column] += program.jacobian[e.place] * l;
  }
  double size = 1;
  error = 0;
  for (double g : program.gradient) size = std::max(size, 1 + std::abs(g));
  for (std::size_t v : free_) error = std::max(error, std::abs(slope[v]) / size);
  for (std::size_t v : bounded_) out.d[v] = std::clamp(out.d[v], program.lower[v], program.upper[v]);  // rounding
  return out;
}

QuadraticSolution CondensingSolver::solve(const QuadraticProgram& program, double tolerance) {
  using enum QuadraticOutcome;
  constexpr double loose = 10;
  if (program.elastic || !eliminate(program)) return whole_->solve(program, tolerance);
  condense_curvature(program);
  condense_rows(program);
  QuadraticSolution inner = inner_->solve(condensed(program), tolerance);
  int iterations = inner.iterations;
  if (inner.outcome == stopped && inner.d.size() != free_.size()) return inner;  // before it had a step
  if (inner.outcome == optimal || inner.outcome == stopped) {
    double error = 0;
    QuadraticSolution solution = expanded(program, std::move(inner), error);
    if (error <= loose * tolerance || solution.outcome == stopped) return solution;
  }
  QuadraticSolution solution = whole_->solve(program, tolerance);
  solution.iterations += iterations;
  return solution;
}

}  // namespace

std::unique_ptr<QuadraticSolver> condensing_solver(const Nlp& nlp, std::unique_ptr<QuadraticSolver> condensed,
                                                   std::unique_ptr<QuadraticSolver> whole) {
  return std::make_unique<CondensingSolver>(nlp, std::move(condensed), std::move(whole));
}

}  // namespace bolza::nlp
