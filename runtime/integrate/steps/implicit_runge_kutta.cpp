// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/steps/implicit_runge_kutta.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/numbers.h"
#include "runtime/integrate/model/derivative_matrix.h"
#include "runtime/integrate/steps/stage_factors.h"
#include "runtime/linalg/lagrange.h"

namespace bolza::integrate {
namespace {

using Eigen::Index;

constexpr int most_newton_iterations = 10;

// Which unknowns no row of their own time determines: columns of h_z without a partner in a maximum matching.
std::vector<char> undetermined(std::size_t n_z, const std::vector<std::vector<std::size_t>>& columns_of_row) {
  std::vector<std::ptrdiff_t> row_of(n_z, -1);
  std::vector<char> seen;
  std::function<bool(std::size_t)> assign = [&](std::size_t row) {
    for (std::size_t c : columns_of_row[row]) {
      if (seen[c]) continue;
      seen[c] = 1;
      if (row_of[c] >= 0 && !assign(static_cast<std::size_t>(row_of[c]))) continue;
      row_of[c] = static_cast<std::ptrdiff_t>(row);
      return true;
    }
    return false;
  };
  for (std::size_t r = 0; r < columns_of_row.size(); ++r) {
    seen.assign(n_z, 0);
    assign(r);
  }
  std::vector<char> out(n_z);
  for (std::size_t c = 0; c < n_z; ++c) out[c] = row_of[c] < 0;
  return out;
}

class ImplicitRungeKutta final : public OneStepMethod {
 public:
  ImplicitRungeKutta(OneStepModel& model, const CollocationTableau& tableau)
      : model_(model),
        table_(tableau),
        s_(tableau.stages),
        n_(model.n_x + model.n_z),
        width_(model.n_x + model.n_q),
        b_(linalg::lagrange_integrals(tableau.c, 1)),
        nodes_{0},
        derivatives_(model.model),
        factors_(std::make_shared<StageFactors>(s_, collocation_form(tableau.c).a, model.n_x, n_)),
        power_(n_, 0) {
    nodes_.insert(nodes_.end(), tableau.c.begin(), tableau.c.end());
    ends_at_stage_ = tableau.c.back() == 1;
    node_product_ = {1};
    for (double c : tableau.c) {
      node_product_.push_back(0);
      for (std::size_t k = node_product_.size(); --k > 0;) node_product_[k] -= node_product_[k - 1] / c;
    }
    fixed_ = table_.error.empty() || model.setup.options.fixed_step > 0;
    // the estimate is of lower order: its tolerance is that of a method of the full order [HW, IV.8]
    double rtol = model.setup.rtol, own = fixed_ ? rtol : 0.1 * std::pow(rtol, 2.0 / 3);
    loosened_ = own / rtol;
    rounding_ = 10 * rounding / own;
    newton_tolerance_ = std::max(rounding_, fixed_ ? 1e-2 : std::min(0.03, std::sqrt(own)));
    limit_ = fixed_ ? 3 * most_newton_iterations : most_newton_iterations;  // a step of fixed length cannot be shortened
  }

  void restart(const State&, double) override {
    stale_ = true;
    first_ = true;
    past_h_ = candidate_h_ = 0;
    begin_t_ = NAN;
  }

  Advance advance(StepRecord& r) override {
    if (!at_begin(r)) return Advance::not_finite;
    remember(r);
    r.factors = factors_;
    Index s = static_cast<Index>(s_), n = static_cast<Index>(n_);
    Eigen::MatrixXd Z = guess(r), W(s, n), F(s, n);
    Advance outcome = Advance::diverged;
    for (int attempt = 0; attempt < 2 && outcome == Advance::diverged; ++attempt) {
      if (attempt && fresh_) break;
      if (attempt) {
        stale_ = true;
        Z.setZero();
      }
      if (stale_ && !differentiate(r)) return Advance::not_finite;
      if ((r.h != factorised_h_ || attempt) && !factorise(r.h)) return Advance::diverged;
      outcome = newton(r, Z, W, F);
    }
    if (outcome != Advance::done) {
      stale_ = !fresh_;
      return outcome;
    }
    finish(r, Z, F);
    if (!ends_at_stage_ && !model_.solve(r.begin.t + r.h, r.end.x, r.end.z))
      return model_.not_finite ? Advance::not_finite : Advance::diverged;
    candidate_ = Z;
    candidate_h_ = r.h;
    candidate_end_ = r.begin.t + r.h;
    r.bend.clear();
    inside_ = Inside::not_looked_at;
    double error = table_.error.empty() ? 0 : error_of(r, Z);
    if (!fixed_) r.error = error;
    fresh_ = false;
    stale_ = !(contraction_ < 1e-3 || (r.newton == 1));
    return Advance::done;
  }

  bool interpolate(const StepRecord& r, double t, State& state) override {
    if (inside_ == Inside::not_looked_at) inside_ = look_inside(r) ? Inside::known : Inside::unknown;
    if (!of_stages(r, t, state)) return false;
    if (inside_ != Inside::known) return true;
    double theta = (t - r.begin.t) / r.h, first = share_of_defect(theta), second = -share_of_defect(1 - theta);
    for (std::size_t k = 0; k < model_.n_x; ++k) state.x[k] += first * defect_[0][k] + second * defect_[1][k];
    return true;
  }

  // By the polynomial of the stages and its bend.
  bool of_stages(const StepRecord& r, double t, State& state) {
    double theta = (t - r.begin.t) / r.h;
    std::vector<double> value = linalg::lagrange_values(nodes_, theta),
                        integral = linalg::lagrange_integrals(table_.c, theta);
    state.t = t;
    state.x = r.begin.x;
    state.z = r.begin.z;
    state.q = r.begin.q;
    auto blend = [&](std::vector<double>& v, const std::vector<double>& stages) {
      for (std::size_t k = 0; k < v.size(); ++k) {
        v[k] *= value[0];
        for (std::size_t i = 0; i < s_; ++i) v[k] += value[i + 1] * stages[i * v.size() + k];
      }
    };
    blend(state.x, r.stage_x);
    double bend = r.bend.empty() ? 0 : bend_at(theta);
    for (std::size_t k = 0; bend != 0 && k < model_.n_x; ++k) state.x[k] += bend * r.bend[k];
    for (std::size_t k = 0; k < model_.n_q; ++k)
      for (std::size_t i = 0; i < s_; ++i) state.q[k] += r.h * integral[i] * r.slope[i * width_ + model_.n_x + k];
    if (ends_at_stage_) {
      blend(state.z, r.stage_z);
      for (std::size_t k = 0; bend != 0 && k < model_.n_z; ++k) state.z[k] += bend * r.bend[model_.n_x + k];
      return true;
    }
    return model_.solve(t, state.x, state.z);
  }

  // Defects of that polynomial at two places, without their stiff parts, make it one order better. Where what is stiff is
  // much of them they would say nothing. False: so it is, there is no bend, or something is not finite.
  bool look_inside(const StepRecord& r) {
    constexpr double least_left = 0.7;  // of the defects
    if (r.bend.empty() || !ends_at_stage_) return false;
    double whole = 0, left = 0;
    State at;
    std::vector<double> defect(n_);
    for (std::size_t place = 0; place < 2; ++place) {
      double theta = looked_inside_at[place], bend = bend_slope(theta);
      if (!of_stages(r, r.begin.t + theta * r.h, at) || !rows(at.t, at.x.data(), at.z.data(), defect.data(), nullptr))
        return false;
      std::vector<double> slope = linalg::lagrange_slopes(nodes_, theta);
      for (std::size_t k = 0; k < model_.n_x; ++k) {
        double moved = slope[0] * r.begin.x[k] + bend * r.bend[k];
        for (std::size_t i = 0; i < s_; ++i) moved += slope[i + 1] * r.stage_x[i * model_.n_x + k];
        defect[k] -= moved / r.h;
      }
      Eigen::VectorXd filtered = factors_->real_eigenvalue() * factors_->solve_real(Eigen::Map<const Eigen::VectorXd>(
                                                                   defect.data(), static_cast<Index>(n_)));
      defect_[place].assign(filtered.begin(), filtered.begin() + static_cast<std::ptrdiff_t>(model_.n_x));
      for (std::size_t k = 0; k < model_.n_x; ++k) {
        whole += std::pow(weight(k, r.begin) * r.h * defect[k], 2);
        left += std::pow(weight(k, r.begin) * defect_[place][k], 2);
      }
    }
    return std::isfinite(left) && left > least_left * least_left * whole;
  }

  double bend_slope(double theta) const {
    double value = 0, power = 1;
    for (double coefficient : node_product_) {
      value += coefficient * power;
      power *= theta;
    }
    return value;
  }

  // The polynomial whose slope is 1 at the start of a step and 0 at its stages; at the end of a step of Radau's it is 0.
  double bend_at(double theta) const {
    double value = 0, power = theta;
    for (std::size_t k = 0; k < node_product_.size(); ++k, power *= theta)
      value += node_product_[k] * power / static_cast<double>(k + 1);
    return value;
  }

  // Gustafsson's predictive controller.    [HW, IV.8]
  double next_step(const StepRecord& r, bool accepted) override {
    constexpr double safety = 0.9;
    double error = std::max(r.error, 1e-10), exponent = 1.0 / (table_.error_order + 1);
    double share = std::min(safety, safety * (1 + 2 * most_newton_iterations) / (r.newton + 2 * most_newton_iterations));
    double quotient = std::clamp(std::pow(error, exponent) / share, 0.125, 5.0);
    if (accepted) {
      if (!first_) {
        double predicted = last_h_ / r.h * std::pow(error * error / last_error_, exponent) / safety;
        quotient = std::max(quotient, std::clamp(predicted, 0.125, 5.0));
      }
      last_h_ = r.h;
      last_error_ = std::max(1e-2, error);
      first_ = false;
    }
    double h = r.h / quotient;
    if (accepted && r.rejections) h = std::min(h, r.h);
    return accepted && !stale_ && h >= r.h && h <= 1.2 * r.h ? r.h : h;  // the factorisation stays good
  }

  double first_step(const State& state, double longest) override {
    return model_.first_step(state, longest, std::max(1, table_.error_order));
  }

 private:
  double weight(std::size_t i, const State& at) const {
    double w = i < model_.n_x ? model_.weight_x(i, at.x[i], at.x[i])
                              : model_.weight_z(i - model_.n_x, at.z[i - model_.n_x], at.z[i - model_.n_x]);
    return w / loosened_;
  }

  // f and h at the start of the step; once per step.
  bool at_begin(const StepRecord& r) {
    if (begin_t_ == r.begin.t && begin_rows_.size() == n_) return true;
    begin_rows_.assign(n_, 0);
    if (!rows(r.begin.t, r.begin.x.data(), r.begin.z.data(), begin_rows_.data(), nullptr)) return false;
    begin_t_ = r.begin.t;
    fresh_ = false;
    return true;
  }

  // (f, h) at one point; q's rates as well where wanted.
  bool rows(double t, const double* x, const double* z, double* out, double* slope) {
    std::vector<double> rate(width_);
    if (!model_.rates(t, x, z, rate)) return false;
    std::copy_n(rate.begin(), model_.n_x, out);
    if (slope) std::copy(rate.begin(), rate.end(), slope);
    return model_.residuals(t, x, z, {out + model_.n_x, model_.n_z});
  }

  bool differentiate(const StepRecord& r) {
    std::vector<double>& u = model_.inputs(r.begin.t, r.begin.x.data(), r.begin.z.data());
    nonlinear::ModelAt::Point point{r.begin.t, r.begin.x.data(), r.begin.z.data(), u.data()};
    DerivativeMatrix::Sparse D;
    if (!derivatives_.fill(model_.setup.model, point, D)) return false;
    ++model_.setup.report.jacobians;
    jacobian_ = part_of(D, {1, static_cast<Index>(n_)}, static_cast<Index>(model_.n_x), static_cast<Index>(width_));
    if (first_) find_powers();
    stale_ = false;
    fresh_ = true;
    factorised_h_ = 0;
    return true;
  }

  // Variables of index k are weighted with h^(k−1) [HW, VII.7]. Where the model does not tell their indices, algebraics that
  // no equation of their time determines have the index of the model; with index 3 the states that they drive have index 2.
  void find_powers() {
    int index = model_.model.index;
    std::fill(power_.begin(), power_.end(), 0);
    if (index < 2) return;
    if (const std::int32_t* known = model_.model.variable_index) {
      for (std::size_t k = 0; k < n_; ++k) power_[k] = known[k] - 1;
      return;
    }
    std::vector<std::vector<std::size_t>> columns(model_.n_z);
    auto each = [&](auto&& take) {  // entries that are not zero
      for (Index c = 0; c < jacobian_.cols(); ++c)
        for (DerivativeMatrix::Sparse::InnerIterator e(jacobian_, c); e; ++e)
          if (e.value() != 0) take(static_cast<std::size_t>(e.row()), static_cast<std::size_t>(c));
    };
    each([&](std::size_t row, std::size_t col) {
      if (row >= model_.n_x && col >= model_.n_x) columns[row - model_.n_x].push_back(col - model_.n_x);
    });
    std::vector<char> hidden = undetermined(model_.n_z, columns);
    for (std::size_t i = 0; i < model_.n_z; ++i) power_[model_.n_x + i] = hidden[i] ? index - 1 : 0;
    if (index < 3) return;
    each([&](std::size_t row, std::size_t col) {
      if (row < model_.n_x && col >= model_.n_x && hidden[col - model_.n_x]) power_[row] = 1;
    });
  }

  bool factorise(double h) {
    ++model_.setup.report.factorisations;
    factorised_h_ = factors_->factorise(jacobian_, h) ? h : 0;
    return factorised_h_ > 0;
  }

  // The step before, when this one follows it, gives guesses by its polynomial.
  void remember(const StepRecord& r) {
    if (candidate_h_ > 0 && candidate_end_ == r.begin.t) {
      past_ = candidate_;
      past_h_ = candidate_h_;
      candidate_h_ = 0;
    }
  }

  Eigen::MatrixXd guess(const StepRecord& r) const {
    Eigen::MatrixXd Z = Eigen::MatrixXd::Zero(static_cast<Index>(s_), static_cast<Index>(n_));
    if (!(past_h_ > 0)) return Z;
    std::vector<double> end = linalg::lagrange_values(nodes_, 1);
    for (std::size_t i = 0; i < s_; ++i) {
      std::vector<double> value = linalg::lagrange_values(nodes_, 1 + table_.c[i] * r.h / past_h_);
      for (std::size_t j = 0; j < s_; ++j)
        Z.row(static_cast<Index>(i)) += (value[j + 1] - end[j + 1]) * past_.row(static_cast<Index>(j));
    }
    return Z;
  }

  // Solves for the increments Z; leaves f, h of the last iterate in F.
  Advance newton(StepRecord& r, Eigen::MatrixXd& Z, Eigen::MatrixXd& W, Eigen::MatrixXd& F) {
    std::size_t nx = model_.n_x, nz = model_.n_z;
    r.stage_x.resize(s_ * nx);
    r.stage_z.resize(s_ * nz);
    r.slope.resize(s_ * width_);
    W = factors_->inverse() * Z;
    Eigen::VectorXd scale(static_cast<Index>(n_));
    for (std::size_t i = 0; i < n_; ++i) scale[static_cast<Index>(i)] = weight(i, r.begin) * std::pow(r.h, power_[i]);
    double before = 0, rate = 0, factor = std::pow(std::max(contraction_factor_, rounding), 0.8);
    for (int k = 1; k <= limit_; ++k) {
      r.newton = k;
      ++model_.setup.report.newton_iterations;
      if (!evaluate(r, Z, F)) return Advance::not_finite;
      F = factors_->inverse() * F;
      factors_->solve(W, F);
      if (!F.allFinite()) return Advance::not_finite;
      double size = std::sqrt((F * scale.asDiagonal()).squaredNorm() / static_cast<double>(s_ * n_));
      if (k > 1) {
        double ratio = size / before;
        rate = k == 2 ? ratio : std::sqrt(ratio * rate);
        bool rounded = size <= 100 * rounding_;  // as good as it gets: corrections no longer shrink
        if (!(rate < 0.99) && !rounded) return Advance::diverged;
        rate = std::min(rate, 0.9);
        factor = ratio > 0.5 && rounded ? 0 : rate / (1 - rate);
        if (!fixed_ && factor * size * std::pow(rate, most_newton_iterations - 1 - k) > newton_tolerance_)
          return Advance::diverged;
      }
      before = std::max(size, rounding);
      W += F;
      Z = factors_->transform() * W;
      if (factor * size <= newton_tolerance_) {
        contraction_factor_ = k == 1 ? factor : rate / (1 - rate);
        contraction_ = k == 1 ? contraction_ : rate;
        r.contraction = contraction_;
        set_stages(r, Z);
        return model_.n_q == 0 || evaluate(r, Z, F) ? Advance::done : Advance::not_finite;
      }
    }
    return Advance::diverged;
  }

  void set_stages(StepRecord& r, const Eigen::MatrixXd& Z) const {
    std::size_t nx = model_.n_x, nz = model_.n_z;
    for (std::size_t i = 0; i < s_; ++i) {
      for (std::size_t k = 0; k < nx; ++k)
        r.stage_x[i * nx + k] = r.begin.x[k] + Z(static_cast<Index>(i), static_cast<Index>(k));
      for (std::size_t k = 0; k < nz; ++k)
        r.stage_z[i * nz + k] = r.begin.z[k] + Z(static_cast<Index>(i), static_cast<Index>(nx + k));
    }
  }

  bool evaluate(StepRecord& r, const Eigen::MatrixXd& Z, Eigen::MatrixXd& F) {
    set_stages(r, Z);
    std::vector<double> row(n_);
    for (std::size_t i = 0; i < s_; ++i) {
      const double *x = r.stage_x.data() + i * model_.n_x, *z = r.stage_z.data() + i * model_.n_z;
      if (!rows(r.begin.t + table_.c[i] * r.h, x, z, row.data(), r.slope.data() + i * width_)) return false;
      for (std::size_t k = 0; k < n_; ++k) F(static_cast<Index>(i), static_cast<Index>(k)) = row[k];
    }
    return true;
  }

  void finish(StepRecord& r, const Eigen::MatrixXd& Z, const Eigen::MatrixXd&) {
    std::size_t nx = model_.n_x, nz = model_.n_z, last = s_ - 1;
    std::vector<double> end = linalg::lagrange_values(nodes_, 1);
    r.end.t = r.begin.t + r.h;
    r.end.x = r.begin.x;
    r.end.z = r.begin.z;
    r.end.q = r.begin.q;
    for (std::size_t k = 0; k < nx; ++k)
      for (std::size_t i = 0; i < s_; ++i) r.end.x[k] += end[i + 1] * Z(static_cast<Index>(i), static_cast<Index>(k));
    std::copy_n(r.stage_z.begin() + static_cast<std::ptrdiff_t>(last * nz), nz, r.end.z.begin());
    for (std::size_t k = 0; k < model_.n_q; ++k)
      for (std::size_t i = 0; i < s_; ++i) r.end.q[k] += r.h * b_[i] * r.slope[i * width_ + nx + k];
  }

  // The polynomial of the stages has another slope at the start than f. The difference h (f − slope), without its stiff
  // parts, is what it lacks of order four.
  void keep_bend(StepRecord& r, const Eigen::VectorXd& filtered) const {
    r.bend.resize(n_);
    for (std::size_t k = 0; k < n_; ++k) r.bend[k] = factors_->real_eigenvalue() * filtered[static_cast<Index>(k)];
  }

  double error_of(StepRecord& r, const Eigen::MatrixXd& Z) {
    Eigen::VectorXd difference = Eigen::VectorXd::Zero(static_cast<Index>(n_)), rhs(static_cast<Index>(n_));
    for (std::size_t k = 0; k < model_.n_x; ++k)
      for (std::size_t i = 0; i < s_; ++i)
        difference[static_cast<Index>(k)] += table_.error[i] * Z(static_cast<Index>(i), static_cast<Index>(k)) / r.h;
    auto measure = [&](std::span<const double> at) {
      for (std::size_t k = 0; k < n_; ++k) rhs[static_cast<Index>(k)] = difference[static_cast<Index>(k)] + at[k];
      rhs = factors_->solve_real(rhs);
      if (r.bend.empty() && model_.model.index <= 1) keep_bend(r, rhs);
      double total = 0;
      for (std::size_t k = 0; k < n_; ++k)
        total += std::pow(rhs[static_cast<Index>(k)] * weight(k, r.begin) * std::pow(r.h, power_[k]), 2);
      return std::max(std::sqrt(total / static_cast<double>(n_)), 1e-10);
    };
    double error = measure(begin_rows_);
    if (error < 1 || !(first_ || r.rejections)) return error;
    std::vector<double> x = r.begin.x, z = r.begin.z, moved(n_);  // stiff parts of the error are filtered once more
    for (std::size_t k = 0; k < n_; ++k) (k < model_.n_x ? x[k] : z[k - model_.n_x]) += rhs[static_cast<Index>(k)];
    return rows(r.begin.t, x.data(), z.data(), moved.data(), nullptr) ? measure(moved) : error;
  }

  OneStepModel& model_;
  const CollocationTableau& table_;
  std::size_t s_, n_, width_;
  std::vector<double> b_, nodes_, node_product_;  // last: coefficients of Π (1 − θ/c)
  DerivativeMatrix derivatives_;
  DerivativeMatrix::Sparse jacobian_;  // of (f, h) by (x, z)
  std::shared_ptr<StageFactors> factors_;
  std::vector<int> power_;
  bool ends_at_stage_ = false, fixed_ = false, stale_ = true, fresh_ = false, first_ = true;
  double loosened_ = 1, newton_tolerance_ = 1e-3, rounding_ = 0, factorised_h_ = 0;
  int limit_ = most_newton_iterations;
  double contraction_ = 1, contraction_factor_ = 1;
  double last_h_ = 0, last_error_ = 1;
  double begin_t_ = NAN;
  std::vector<double> begin_rows_;
  enum class Inside : std::uint8_t { not_looked_at, known, unknown } inside_ = Inside::not_looked_at;
  std::vector<double> defect_[2];     // [n_x] in the last step
  Eigen::MatrixXd past_, candidate_;  // increments of the last accepted step, of the last attempt
  double past_h_ = 0, candidate_h_ = 0, candidate_end_ = 0;
};

}  // namespace

std::unique_ptr<OneStepMethod> make_implicit_method(OneStepModel& model, const CollocationTableau& tableau) {
  return std::make_unique<ImplicitRungeKutta>(model, tableau);
}

std::unique_ptr<Integrator> make_implicit(const Setup& setup, const CollocationTableau& tableau) {
  return make_one_step(setup, [&tableau](OneStepModel& model) { return make_implicit_method(model, tableau); });
}

}  // namespace bolza::integrate
