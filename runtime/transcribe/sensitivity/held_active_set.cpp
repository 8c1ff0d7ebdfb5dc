// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/sensitivity/held_active_set.h"

#include <algorithm>
#include <cmath>

#include "base/numbers.h"
#include "runtime/kkt/chain.h"
#include "runtime/nlp/stages.h"

namespace bolza::transcribe {
namespace {

using Side = ActiveSet::Side;

constexpr double held = 1e9;            ///< curvature along what is held, of what is largest: errors are its inverse
constexpr double equation = 1e-10;      ///< the same of rows: what depends on others has a multiplier all the same
constexpr double good_residual = 1e-7;  ///< of a solution of the system, relative

/// What a side says: active where its multiplier is larger than its distance.
Side side_of(double to_lower, double to_upper, double multiplier) {
  if (multiplier < 0 && -multiplier > to_lower) return Side::lower;
  return multiplier > 0 && multiplier > to_upper ? Side::upper : Side::none;
}

double scale_at(const std::vector<double>& scales, std::size_t k) {
  return std::isfinite(scales[k]) && scales[k] > 0 ? scales[k] : 1;
}

double largest_of(const std::vector<double>& values) {
  double largest = 0;
  for (double v : values) largest = std::max(largest, std::abs(v));
  return largest;
}

}  // namespace

ActiveSet active_set(const nlp::Nlp& nlp, const nlp::Iterate& it, const double* g) {
  ActiveSet out;
  double f = nlp.objective_scale > 0 ? nlp.objective_scale : 1;
  for (std::size_t v = 0; v < nlp.n(); ++v) {
    double scale = scale_at(nlp.scale, v);
    out.to_lower.push_back((it.w[v] - nlp.lower[v]) / scale);
    out.to_upper.push_back((nlp.upper[v] - it.w[v]) / scale);
    out.multiplier.push_back((it.z_upper[v] - it.z_lower[v]) * scale / f);
    out.variable.push_back(side_of(out.to_lower[v], out.to_upper[v], out.multiplier[v]));
  }
  for (std::size_t r = 0; r < nlp.m(); ++r) {
    double scale = scale_at(nlp.row_scale, r);
    bool is_equation = nlp.row_lower[r] == nlp.row_upper[r];
    out.row_to_lower.push_back(is_equation ? infinity : (g[r] - nlp.row_lower[r]) / scale);
    out.row_to_upper.push_back(is_equation ? infinity : (nlp.row_upper[r] - g[r]) / scale);
    out.row_multiplier.push_back(it.lambda[r] * scale / f);
    out.row.push_back(is_equation ? Side::none : side_of(out.row_to_lower[r], out.row_to_upper[r], out.row_multiplier[r]));
  }
  return out;
}

/// Along the chain, else by a sparse LU of the whole matrix.
struct HeldActiveSet::Factors {
  std::unique_ptr<kkt::Chain> chain;
  linalg::SparseFactors<double> sparse;
  Eigen::SparseMatrix<double> matrix;
};

HeldActiveSet::HeldActiveSet(const nlp::Nlp& nlp, ActiveSet active)
    : nlp_(nlp),
      active_(std::move(active)),
      objective_scale_(nlp.objective_scale > 0 ? nlp.objective_scale : 1),
      factors_(std::make_unique<Factors>()) {}
HeldActiveSet::~HeldActiveSet() = default;

std::unique_ptr<HeldActiveSet> HeldActiveSet::at(const nlp::Nlp& nlp, const nlp::Iterate& it) {
  if (it.z_lower.size() != nlp.n() || it.z_upper.size() != nlp.n() || it.lambda.size() != nlp.m()) return nullptr;
  nlp.functions->move_to(it.w);
  const double* g = nlp.functions->constraints();
  const double* jacobian = nlp.functions->jacobian();
  const double* hessian = nlp.functions->hessian(1, it.lambda);
  if (!hessian || (nlp.m() > 0 && (!g || !jacobian))) return nullptr;
  std::unique_ptr<HeldActiveSet> out(new HeldActiveSet(nlp, active_set(nlp, it, g)));
  return out->factor(hessian, jacobian) ? std::move(out) : nullptr;
}

bool HeldActiveSet::factor(const double* hessian, const double* jacobian) {
  std::size_t n = nlp_.n(), m = nlp_.m();
  for (std::size_t k = 0; k < nlp_.hessian.size(); ++k)
    hessian_.push_back(hessian[k] * scale_at(nlp_.scale, static_cast<std::size_t>(nlp_.hessian.row[k])) *
                       scale_at(nlp_.scale, static_cast<std::size_t>(nlp_.hessian.col[k])) / objective_scale_);
  for (std::size_t k = 0; k < nlp_.jacobian.size(); ++k)
    jacobian_.push_back(jacobian[k] * scale_at(nlp_.scale, static_cast<std::size_t>(nlp_.jacobian.col[k])) /
                        scale_at(nlp_.row_scale, static_cast<std::size_t>(nlp_.jacobian.row[k])));
  double most = held * std::max(1.0, largest_of(hessian_));
  for (std::size_t v = 0; v < n; ++v) sigma_.push_back(active_.variable[v] == Side::none ? 0 : most);
  for (std::size_t r = 0; r < m; ++r)
    delta_.push_back(nlp_.row_lower[r] == nlp_.row_upper[r] || active_.row[r] != Side::none ? equation : most);
  factors_->chain = kkt::Chain::analyse(nlp::chain_of(nlp_, nlp_.hessian));
  for (kkt::Care care : {kkt::Care::fast, kkt::Care::pivots})
    if (factors_->chain && factors_->chain->factor(hessian_, jacobian_, sigma_, delta_, care).outcome == kkt::Outcome::ok) {
      std::vector<double> trial(n + m, 1);
      if (factors_->chain->solve(trial) <= good_residual) return true;
    }
  factors_->chain.reset();
  std::vector<Eigen::Triplet<double>> entries;
  auto add = [&](std::size_t r, std::size_t c, double v) {
    entries.emplace_back(static_cast<int>(r), static_cast<int>(c), v);
  };
  for (std::size_t k = 0; k < hessian_.size(); ++k) {
    auto r = static_cast<std::size_t>(nlp_.hessian.row[k]), c = static_cast<std::size_t>(nlp_.hessian.col[k]);
    add(r, c, hessian_[k]);
    if (r != c) add(c, r, hessian_[k]);
  }
  for (std::size_t k = 0; k < jacobian_.size(); ++k) {
    auto r = n + static_cast<std::size_t>(nlp_.jacobian.row[k]), c = static_cast<std::size_t>(nlp_.jacobian.col[k]);
    add(r, c, jacobian_[k]);
    add(c, r, jacobian_[k]);
  }
  for (std::size_t v = 0; v < n; ++v) add(v, v, sigma_[v]);
  for (std::size_t r = 0; r < m; ++r) add(n + r, n + r, -delta_[r]);
  auto size = static_cast<Eigen::Index>(n + m);
  factors_->matrix.resize(size, size);
  factors_->matrix.setFromTriplets(entries.begin(), entries.end());
  factors_->matrix.makeCompressed();
  return factors_->sparse.compute(factors_->matrix);
}

std::vector<double> HeldActiveSet::jacobian_times(const std::vector<double>& w) const {
  std::vector<double> out(nlp_.m(), 0);
  for (std::size_t k = 0; k < jacobian_.size(); ++k)
    out[static_cast<std::size_t>(nlp_.jacobian.row[k])] += jacobian_[k] * w[static_cast<std::size_t>(nlp_.jacobian.col[k])];
  return out;
}

HeldActiveSet::Response HeldActiveSet::respond(const Change& change) const {
  std::size_t n = nlp_.n(), m = nlp_.m();
  std::vector<double> side(n + m, 0), rhs(n + m);  // side: by how much that moves which is held
  for (std::size_t v = 0; v < n; ++v) {
    double scale = scale_at(nlp_.scale, v);
    if (active_.variable[v] != Side::none)
      side[v] = (active_.variable[v] == Side::lower ? change.lower[v] : change.upper[v]) / scale;
    rhs[v] = -change.gradient[v] * scale / objective_scale_ + sigma_[v] * side[v];
  }
  for (std::size_t r = 0; r < m; ++r) {
    bool is_equation = nlp_.row_lower[r] == nlp_.row_upper[r];
    bool is_held = is_equation || active_.row[r] != Side::none;
    double moved = active_.row[r] == Side::upper ? change.row_upper[r] : change.row_lower[r];
    rhs[n + r] = is_held ? (moved - change.rows[r]) / scale_at(nlp_.row_scale, r) : 0;
  }
  Response out;
  if (factors_->chain) out.good = factors_->chain->solve(rhs) <= good_residual;
  else {
    Eigen::MatrixXd column = Eigen::Map<Eigen::VectorXd>(rhs.data(), static_cast<Eigen::Index>(n + m)), x = column;
    factors_->sparse.solve(x, /*transposed=*/false);
    Eigen::MatrixXd left = column - factors_->matrix * x;
    factors_->sparse.solve(left, /*transposed=*/false);
    x += left;
    std::copy_n(x.data(), n + m, rhs.begin());
  }
  out.good = out.good && std::ranges::all_of(rhs, [](double v) { return std::isfinite(v); });
  out.w.assign(rhs.begin(), rhs.begin() + static_cast<std::ptrdiff_t>(n));
  out.row_multiplier.assign(rhs.begin() + static_cast<std::ptrdiff_t>(n), rhs.end());
  for (std::size_t v = 0; v < n; ++v) {
    double scale = scale_at(nlp_.scale, v);
    out.multiplier.push_back(sigma_[v] * (out.w[v] - side[v]));
    out.to_lower.push_back(out.w[v] - change.lower[v] / scale);
    out.to_upper.push_back(change.upper[v] / scale - out.w[v]);
  }
  std::vector<double> rows = jacobian_times(out.w);
  for (std::size_t r = 0; r < m; ++r) {
    double scale = scale_at(nlp_.row_scale, r), moved = rows[r] + change.rows[r] / scale;
    out.row_to_lower.push_back(moved - change.row_lower[r] / scale);
    out.row_to_upper.push_back(change.row_upper[r] / scale - moved);
  }
  return out;
}

}  // namespace bolza::transcribe
