// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/checks/algebraic_branch.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace bolza::transcribe {
namespace {

using Part = nonlinear::ModelAt::Part;
constexpr double solved_step = 1e-10;   ///< of the sizes: a step of Newton's method after which z is a solution
constexpr double rounding_step = 1e-7;  ///< and one that only rounding errors keep from being shorter
constexpr int most_newton_steps = 12;
constexpr double next_to = 0.5;              ///< by which steps shrink that stay next to where they began
constexpr double contraction_wanted = 0.25;  ///< by which they shrink on the way along a branch
constexpr double shortest = 1e-7;            ///< step of the way, as a share of it
constexpr int most_steps = 500;

}  // namespace

AlgebraicBranch::AlgebraicBranch(const bolza_problem& problem, const bolza_model& model, std::vector<double> shared,
                                 std::vector<double> size)
    : at_(problem, model, std::move(shared)),
      size_(std::move(size)),
      residual_(model.n_z) {
  std::vector<linalg::EntryMatrix<double>::Place> places;
  const bolza_function* h = model.residuals;
  for (std::size_t e = 0; h && e < h->jac_nnz; ++e) {
    auto row = static_cast<std::size_t>(h->jac_row[e]), column = static_cast<std::size_t>(h->jac_col[e]);
    if (row >= model.n_z || column <= model.n_x || column > model.n_x + model.n_z) continue;
    places.push_back({static_cast<int>(row), static_cast<int>(column - model.n_x - 1)});
    entry_.push_back(e);
  }
  auto n = static_cast<Eigen::Index>(model.n_z);
  by_z_ = {n, n, places};
}

AlgebraicBranch::Distance AlgebraicBranch::distance(std::span<const double> a, std::span<const double> b) const {
  Distance worst;
  for (std::size_t i = 0; i < size_.size(); ++i)
    if (double d = std::abs(a[i] - b[i]) / size_[i]; d > worst.value) worst = {i, d};
  return worst;
}

/// One step of Newton's method; its length, or none where there is no step.
std::optional<double> AlgebraicBranch::step(const Inputs& at, std::vector<double>& z) {
  if (!at_.jacobian(Part::residuals, {at.t, at.x.data(), z.data(), at.u.data()}, residual_, jacobian_)) return {};
  by_z_.clear();
  for (std::size_t k = 0; k < entry_.size(); ++k) by_z_.add(k, jacobian_.value[entry_[k]]);
  if (!factors_.compute(by_z_.matrix())) return {};
  Eigen::VectorXd change =
      factors_.solve(Eigen::Map<const Eigen::VectorXd>(residual_.data(), static_cast<Eigen::Index>(residual_.size())));
  if (!change.allFinite()) return {};
  double length = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    double by = change[static_cast<Eigen::Index>(i)];
    z[i] -= by;
    length = std::max(length, std::abs(by) / size_[i]);
  }
  return length;
}

/// @param contraction  by which every step must be shorter than the one before     @param contracted_by  the worst of them
std::optional<std::vector<double>> AlgebraicBranch::contracted(const Inputs& at, std::vector<double> z, double contraction,
                                                               double& contracted_by) {
  double last = INFINITY;
  contracted_by = 0;
  for (int k = 0; k < most_newton_steps; ++k) {
    std::optional<double> length = step(at, z);
    if (!length) return {};
    if (*length <= solved_step) return z;
    double by = *length / last;
    if (by > contraction && last <= rounding_step) return z;
    if (by > contraction) return {};
    contracted_by = std::max(contracted_by, by);
    last = *length;
  }
  return {};
}

std::optional<std::vector<double>> AlgebraicBranch::solution_at(const Inputs& at, std::vector<double> z) {
  double by = 0;
  return contracted(at, std::move(z), next_to, by);
}

std::optional<std::vector<double>> AlgebraicBranch::follow(const Inputs& from, std::span<const double> z, const Inputs& to) {
  std::vector<double> here(z.begin(), z.end());
  double s = 0, length = 1;
  Inputs next = to;
  for (int k = 0; k < most_steps && length >= shortest; ++k) {
    double reached = std::min(1.0, s + length);
    auto between = [reached](double a, double b) { return (1 - reached) * a + reached * b; };
    next.t = between(from.t, to.t);
    std::transform(from.x.begin(), from.x.end(), to.x.begin(), next.x.begin(), between);
    std::transform(from.u.begin(), from.u.end(), to.u.begin(), next.u.begin(), between);
    double by = 0;
    std::optional<std::vector<double>> found = contracted(next, here, contraction_wanted, by);
    if (!found) {
      length *= 0.5;
      continue;
    }
    here = *std::move(found);
    s = reached;
    if (s >= 1) return here;
    if (by < 0.25 * contraction_wanted) length *= 2;
  }
  return {};
}

}  // namespace bolza::transcribe
