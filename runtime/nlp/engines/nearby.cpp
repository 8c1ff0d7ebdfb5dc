// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/engines/nearby.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "runtime/nlp/engines/barrier_diagonals.h"
#include "runtime/nlp/engines/chain_factors.h"
#include "runtime/nlp/residuals.h"

namespace bolza::nlp {
namespace {

constexpr double flat = 1e-6;      ///< curvature, relative to the largest that there is about the point
constexpr double displaced = 0.1;  ///< of the sizes: where it is looked at
constexpr double steps[] = {0.3, 0.1, 0.03, 0.01};

double largest(std::span<const double> values) {
  double out = 0;
  for (double v : values) out = std::max(out, std::abs(v));
  return out;
}

class Neighbourhood {
 public:
  Neighbourhood(const Nlp& nlp, double tol, const Report& report, LinearSolver solver)
      : nlp_(nlp),
        functions_(*nlp.functions),
        at_(report.iterate),
        f_(report.objective),
        tol_(tol),
        solver_(solver) {}

  /// False: nothing can be said.
  bool prepare() {
    std::size_t n = nlp_.n(), m = nlp_.m();
    if (nlp_.hessian.size() == 0 || at_.lambda.size() != m || at_.z_lower.size() != n || at_.z_upper.size() != n)
      return false;
    double beside = std::max(curvature_at(moved(wave(1), displaced)), curvature_at(moved(wave(1), -displaced)));
    functions_.move_to(at_.w);
    const double *g = functions_.constraints(), *jacobian = functions_.jacobian();
    const double* hessian = functions_.hessian(1, at_.lambda);
    if (!hessian || !g || !jacobian || !functions_.objective(f_)) return false;
    double here = largest({hessian, nlp_.hessian.size()}), most = std::max(here, beside);
    bool is_quadratic = std::abs(beside - here) <= 1e-9 * most;
    if (is_quadratic || !std::isfinite(most)) return false;
    gap_ = gap_of(nlp_, at_, g);
    BarrierDiagonals barrier = barrier_diagonals(nlp_, at_, g, flat * most);
    factors_ = kkt_factors_of(nlp_, solver_, used_);
    return factors_->factor({hessian, nlp_.hessian.size()}, {jacobian, nlp_.jacobian.size()}, barrier.sigma, barrier.delta);
  }

  std::vector<double> look() {
    for (int trial = 1; trial <= 2; ++trial) {
      std::vector<double> direction = softest(wave(trial));
      if (std::vector<double> found = along(direction); !found.empty()) return found;
      for (double side : {displaced, -displaced})
        if (std::vector<double> found = along(descent_from(moved(direction, side))); !found.empty()) return found;
    }
    return {};
  }

 private:
  /// Irregular numbers between -1 and 1, the same on every machine.
  std::vector<double> wave(int number) const {
    std::vector<double> d(nlp_.n());
    for (std::size_t v = 0; v < d.size(); ++v)
      d[v] = 2 * std::fmod(0.6180339887 * static_cast<double>(v + 1) + 0.414213562 * number, 1.0) - 1;
    return d;
  }

  std::vector<double> moved(const std::vector<double>& direction, double step) const {
    std::vector<double> w = at_.w;
    for (std::size_t v = 0; v < w.size(); ++v)
      w[v] = std::min(std::max(w[v] + step * direction[v], nlp_.lower[v]), nlp_.upper[v]);
    return w;
  }

  double curvature_at(const std::vector<double>& w) const {
    functions_.move_to(w);
    const double* hessian = functions_.hessian(1, at_.lambda);
    double most = hessian ? largest({hessian, nlp_.hessian.size()}) : 0;
    return std::isfinite(most) ? most : 0;
  }

  /// The part of a solution of the KKT system that moves variables, of largest entry 1; zero where there is none.
  std::vector<double> solved(std::vector<double> rhs) const {
    rhs.resize(nlp_.n() + nlp_.m(), 0.0);
    factors_->solve(rhs);
    rhs.resize(nlp_.n());
    double most = largest(rhs);
    for (double& v : rhs) v = most > 0 && std::isfinite(most) ? v / most : 0;
    return rhs;
  }

  std::vector<double> softest(std::vector<double> from) const { return solved(solved(std::move(from))); }

  std::vector<double> descent_from(const std::vector<double>& w) const {
    functions_.move_to(w);
    const double *gradient = functions_.gradient(), *jacobian = functions_.jacobian();
    if (!gradient || !jacobian) return std::vector<double>(nlp_.n());
    std::vector<double> slope = slope_of_lagrangian(nlp_, at_, gradient, jacobian);
    for (double& s : slope) s = -s;
    return solved(std::move(slope));
  }

  /// By what equations are off, and inequalities where they are broken.
  std::vector<double> residuals_of(const double* g) const {
    std::vector<double> off(nlp_.m());
    for (std::size_t r = 0; r < off.size(); ++r) off[r] = g[r] - std::clamp(g[r], nlp_.row_lower[r], nlp_.row_upper[r]);
    return off;
  }

  /// Led back to the rows; empty where they have no value.
  std::vector<double> restored(std::vector<double> w) const {
    for (int round = 0; round < 3 && nlp_.m() > 0; ++round) {
      functions_.move_to(w);
      const double* g = functions_.constraints();
      if (!g) return {};
      std::vector<double> off = residuals_of(g);
      if (largest(off) <= tol_ * tol_) break;
      std::vector<double> rhs(nlp_.n());
      for (double o : off) rhs.push_back(-o);
      factors_->solve(rhs);
      for (std::size_t v = 0; v < w.size(); ++v) w[v] = std::min(std::max(w[v] + rhs[v], nlp_.lower[v]), nlp_.upper[v]);
    }
    return w;
  }

  /// By how much the point is better, after what its violations are worth; not finite: it has no value.
  double gain_of(const std::vector<double>& w) const {
    double f = NAN;
    functions_.move_to(w);
    const double* g = functions_.constraints();
    if (!g || !functions_.objective(f)) return NAN;
    std::vector<double> off = residuals_of(g);
    if (largest(off) > tol_) return NAN;
    double price = 0;
    for (std::size_t r = 0; r < off.size(); ++r) price += 2 * std::abs(at_.lambda[r] * off[r]);
    return f_ - f - price;
  }

  std::vector<double> along(const std::vector<double>& direction) const {
    if (!(largest(direction) > 0)) return {};
    double margin = 100 * tol_ + 1e-6 * std::abs(f_) + 2 * gap_;
    std::vector<double> best;
    for (double step : steps)
      for (double side : {step, -step}) {
        std::vector<double> w = restored(moved(direction, side));
        double gain = w.empty() ? NAN : gain_of(w);
        if (!(gain > margin)) continue;
        margin = gain;
        best = std::move(w);
      }
    return best;
  }

  const Nlp& nlp_;
  Functions& functions_;
  const Iterate& at_;
  double f_, tol_, gap_ = 0;
  LinearSolver solver_;
  LinearAlgebra used_;
  std::unique_ptr<KktFactors> factors_;
};

}  // namespace

std::vector<double> better_nearby(const Nlp& nlp, double tol, const Report& report, LinearSolver solver) {
  Neighbourhood around(nlp, tol, report, solver);
  return around.prepare() ? around.look() : std::vector<double>{};
}

}  // namespace bolza::nlp
