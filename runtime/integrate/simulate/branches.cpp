// SPDX-License-Identifier: Apache-2.0
// Do the equations determine the algebraics, and does their solution go on?
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "runtime/integrate/failure.h"
#include "runtime/integrate/simulate/run_internal.h"
#include "runtime/nonlinear/initialise.h"

namespace bolza::integrate {
namespace {

using nonlinear::ModelAt;

constexpr std::size_t most_ranked = 300, most_looks = 20;  // unknowns; combinations of discrete values
constexpr double singular_below = 1e-12;                   // pivots of an equilibrated matrix
constexpr double moved_aside = 0.01;                       // of sizes: where a matrix is singular by chance only
constexpr double notable = 0.01, sudden = 3;  // change in a step, relative to size; times what the step before lets expect
constexpr double longer = 5;                  // times its length, as far as the slopes of a step are believed
constexpr int most_halvings = 25;

// h_z in unknowns of size one, rows of size one. False: not to be had.
bool scaled_jacobian(ModelAt& at, const ModelAt::Point& point, std::span<const double> size, Eigen::MatrixXd& out) {
  nonlinear::Derivative d;
  const bolza_model& m = at.model();
  if (!at.jacobian(ModelAt::Part::residuals, point, {}, d)) return false;
  auto n = static_cast<Eigen::Index>(m.n_z), first = 1 + static_cast<Eigen::Index>(m.n_x);
  out.setZero(n, n);
  for (std::size_t e = 0; e < d.value.size(); ++e) {
    Eigen::Index row = d.row[e], column = d.col[e] - first;
    if (row < n && column >= 0 && column < n) out(row, column) += d.value[e] * size[static_cast<std::size_t>(column)];
  }
  for (int pass = 0; pass < 3; ++pass) {
    for (Eigen::Index k = 0; k < n; ++k)
      if (double largest = out.row(k).cwiseAbs().maxCoeff(); largest > 0) out.row(k) /= largest;
    for (Eigen::Index k = 0; k < n; ++k)
      if (double largest = out.col(k).cwiseAbs().maxCoeff(); largest > 0) out.col(k) /= largest;
  }
  return out.allFinite();
}

bool is_singular(const Eigen::MatrixXd& matrix, Eigen::VectorXd& kernel) {
  Eigen::PartialPivLU<Eigen::MatrixXd> quick(matrix);
  if (quick.matrixLU().diagonal().cwiseAbs().minCoeff() > 1e-9) return false;
  Eigen::FullPivLU<Eigen::MatrixXd> factor(matrix);
  factor.setThreshold(singular_below);
  if (factor.isInvertible()) return false;
  kernel = factor.kernel().col(0);
  return true;
}

}  // namespace

// Names what nothing determines: where the matrix of the algebraic equations is singular here and beside this point. A
// matrix that is singular at a point only, as for the temperature of a fluid at rest, is none of these.
void Run::look_at_rank() {
  if (!options.looks_ahead || !model.n_z || model.n_z > most_ranked || model.index > 1 || ranks_looked_at >= most_looks)
    return;
  ++ranks_looked_at;
  std::vector<double> size, x = state.x, z = state.z;
  for (std::size_t k = 0; k < model.n_z; ++k) size.push_back(std::max(std::fabs(state.z[k]), sizes.of_algebraic(k)));
  Eigen::MatrixXd matrix;
  Eigen::VectorXd kernel;
  if (!scaled_jacobian(at, point(), size, matrix) || !is_singular(matrix, kernel)) return;
  for (double side : {1.0, -0.7}) {
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = state.x[i] + side * moved_aside * (1 + 0.37 * static_cast<double>(i % 7)) *
                              std::max(std::fabs(state.x[i]), sizes.of_state(i));
    for (std::size_t k = 0; k < z.size(); ++k)
      z[k] = state.z[k] + side * moved_aside * (1 + 0.29 * static_cast<double>(k % 5)) * size[k];
    if (!scaled_jacobian(at, {state.t, x.data(), z.data(), u.data()}, size, matrix) || !is_singular(matrix, kernel)) return;
  }
  std::string names;
  std::size_t shown_names = 0, first = model.n_z;
  double largest = kernel.cwiseAbs().maxCoeff();
  for (std::size_t k = 0; k < model.n_z; ++k) {
    if (!(std::fabs(kernel[static_cast<Eigen::Index>(k)]) > 1e-6 * largest)) continue;
    if (first == model.n_z) first = k;
    if (shown_names++ < 3)
      names += (names.empty() ? "`" : ", `") + std::string(model.z[k].name ? model.z[k].name : "") + "`";
  }
  if (shown_names > 3) names += ", …";
  abi::Finding f;
  f.time = state.t;
  f.name = names;
  place(f, model.z[first].source);
  for (const abi::Finding& known : out.report.undetermined)
    if (known.name == f.name) return;
  out.report.undetermined.push_back(std::move(f));
}

// An algebraic that changed much more in this step than in the last one: is that steep, or does its solution jump? By
// halving the step where it changes. Cost: nothing where changes are steady.
void Run::look_for_jump(Integrator& integrator, const State& before) {
  double h = state.t - before.t;
  if (!(h > 0)) return;
  std::size_t worst = model.n_z;
  double most = sudden;
  for (std::size_t k = 0; k < model.n_z; ++k) {
    double change = std::fabs(state.z[k] - before.z[k]);
    double size = std::max({std::fabs(state.z[k]), std::fabs(before.z[k]), sizes.of_algebraic(k)});
    double expected = slope_z.empty() ? 0 : slope_z[k] * std::min(h, longer * slope_length);
    if (change > notable * size && change > most * expected) {
      worst = k;
      most = expected > 0 ? change / expected : INFINITY;
    }
  }
  slope_z.resize(model.n_z);
  for (std::size_t k = 0; k < model.n_z; ++k) slope_z[k] = std::fabs(state.z[k] - before.z[k]) / h;
  slope_length = h;
  if (worst == model.n_z || !out.report.jumps.empty()) return;
  std::string message = out.report.message;  // of a place that is only looked at nothing is said
  abi::Finding finding = out.report.finding;
  State left = before, right = state, middle;
  // Dense output of algebraics may be a polynomial that cuts across a jump: they are followed from either side.
  std::vector<double> inputs(model.n_u);
  auto follow = [&](const State& from) {
    if (model.index > 1) return false;
    std::vector<double> z = from.z;
    input_evaluator.at(middle.t, middle.x.data(), middle.z.data(), inputs);
    bool found = nonlinear::solve_algebraics(at, middle.t, middle.x, inputs, z).converged();
    if (found) middle.z = std::move(z);
    return found;
  };
  double whole = std::fabs(right.z[worst] - left.z[worst]);
  for (int n = 0; n < most_halvings; ++n) {
    double t = 0.5 * (left.t + right.t);
    if (!(t > left.t && t < right.t)) break;
    if (integrator.at(t, middle) != SimulateStatus::finished) break;  // nothing goes on between both
    if (!follow(left)) follow(right);
    bool in_left = std::fabs(middle.z[worst] - left.z[worst]) > std::fabs(right.z[worst] - middle.z[worst]);
    std::swap(in_left ? right : left, middle);
    if (std::fabs(right.z[worst] - left.z[worst]) < 0.25 * whole) return;
  }
  out.report.message = std::move(message);
  out.report.finding = std::move(finding);
  abi::Finding f;
  f.time = right.t;
  f.bound = left.z[worst];
  f.value = right.z[worst];
  f.name = model.z[worst].name ? model.z[worst].name : "";
  place(f, model.z[worst].source);
  out.report.jumps.push_back(std::move(f));
}

}  // namespace bolza::integrate
