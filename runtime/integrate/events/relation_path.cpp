// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/events/relation_path.h"

#include <Eigen/Dense>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>

#include "runtime/linalg/dense_decompositions.h"

namespace bolza::integrate {
namespace {

using Part = nonlinear::ModelAt::Part;

constexpr std::size_t dense_limit = 80;
constexpr std::size_t changes_each = 12;  // that a path may make, by relation
constexpr double done = 1e-11;            // last step, relative to sizes and values
constexpr double rounded = 1e-8;          // the same where steps do not get shorter any more

}  // namespace

void RelationPath::collect() {
  relations_.clear();
  const bolza_hybrid& hybrid = *model_.model().hybrid;
  for (std::size_t i = 0; i < hybrid.n_m; ++i) {
    const bolza_discrete& d = hybrid.discrete[i];
    if (d.role != BOLZA_DISCRETE_RELATION || d.indicator < 0 || d.time_only) continue;
    relations_.push_back(
        {.row = static_cast<std::size_t>(d.indicator), .entry = d.now, .positive_is_true = d.positive_is_true != 0});
    bool is_true = model_.shared[static_cast<std::size_t>(d.now)] > 0.5;
    relations_.back().side = is_true == relations_.back().positive_is_true ? 1 : -1;
  }
}

bool RelationPath::indicators_at(const nonlinear::ModelAt::Point& p, std::vector<double>& g) {
  if (!indicators_.raw(p)) return false;
  g.assign(indicators_.raw_values().begin(), indicators_.raw_values().end());
  return true;
}

void RelationPath::change(Relation& r) {
  r.side = -r.side;
  model_.shared[static_cast<std::size_t>(r.entry)] = (r.side > 0) == r.positive_is_true ? 1 : 0;
}

// Newton's step in the present modes; false when the matrix is singular or something is not finite.
bool RelationPath::step(const nonlinear::ModelAt::Point& p, std::vector<double>& d) {
  const bolza_model& m = model_.model();
  if (!model_.value(Part::residuals, p, h_) || !model_.jacobian_nearby(Part::residuals, p, derivative_)) return false;
  Eigen::Index n = static_cast<Eigen::Index>(m.n_z), first = 1 + static_cast<Eigen::Index>(m.n_x);
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::VectorXd row = Eigen::VectorXd::Zero(n);  // equilibrated: diodes in both modes are ten orders apart
  for (std::size_t e = 0; e < derivative_.value.size(); ++e) {
    Eigen::Index r = derivative_.row[e], c = derivative_.col[e] - first;
    if (r >= n || c < 0 || c >= n) continue;
    entries.emplace_back(r, c, derivative_.value[e] * nonlinear::size_of(m.z[c]));
    row[r] = std::max(row[r], std::fabs(entries.back().value()));
  }
  Eigen::VectorXd right(n), solution;
  for (Eigen::Index r = 0; r < n; ++r) right[r] = row[r] > 0 ? -h_[static_cast<std::size_t>(r)] / row[r] : 0;
  if (m.n_z <= dense_limit) {
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n, n);
    for (const auto& e : entries) matrix(e.row(), e.col()) += e.value() / row[e.row()];
    solution = linalg::solve(matrix, right);
  } else {
    for (auto& e : entries) e = {e.row(), e.col(), e.value() / row[e.row()]};
    Eigen::SparseMatrix<double> matrix(n, n);
    matrix.setFromTriplets(entries.begin(), entries.end());
    Eigen::SparseLU<Eigen::SparseMatrix<double>> factor(matrix);
    if (factor.info() != Eigen::Success) return false;
    solution = factor.solve(right);
  }
  if (!solution.allFinite()) return false;
  d.resize(m.n_z);
  for (std::size_t i = 0; i < m.n_z; ++i) d[i] = solution[static_cast<Eigen::Index>(i)] * nonlinear::size_of(m.z[i]);
  return true;
}

bool RelationPath::follow(double t, std::span<const double> x, std::span<const double> u, std::vector<double>& z,
                          const Propagate& propagate) {
  const bolza_model& m = model_.model();
  h_.resize(m.n_z);
  collect();
  auto at = [&](const std::vector<double>& where) { return nonlinear::ModelAt::Point{t, x.data(), where.data(), u.data()}; };
  std::vector<double> g, ahead, d, trial(m.n_z);
  if (!indicators_at(at(z), g)) return false;
  for (Relation& r : relations_)
    if (r.side * g[r.row] < 0) change(r);
  if (!propagate()) return false;
  Relation* last = nullptr;  // changed before this step
  double before = INFINITY;  // size of the last step, when it was a whole one
  double sense = 1;          // -1: the path goes away from ρ = 0
  std::size_t most = 20 + changes_each * relations_.size();
  for (std::size_t k = 0; k < most; ++k) {
    if (!step(at(z), d)) return false;
    double size = 0;
    for (std::size_t i = 0; i < m.n_z; ++i)
      size = std::max(size, std::fabs(d[i]) / std::max(nonlinear::size_of(m.z[i]), std::fabs(z[i])));
    if (size <= done || (!last && size <= rounded && size > 0.5 * before)) return true;
    before = last ? INFINITY : size;
    auto indicators_along = [&](double share) {
      for (std::size_t i = 0; i < m.n_z; ++i) trial[i] = z[i] + share * d[i];
      return indicators_at(at(trial), ahead);
    };
    if (!indicators_at(at(z), g) || !indicators_along(1)) return false;
    // Into the region that was just entered, whatever that does to ρ.
    sense = last && last->side * (ahead[last->row] - g[last->row]) < 0 ? -1 : 1;
    double share = sense > 0 ? 1 : INFINITY;
    Relation* next = nullptr;
    for (Relation& r : relations_) {
      double here = std::max(r.side * g[r.row], 0.0), change_of = sense * r.side * (ahead[r.row] - g[r.row]);
      if (&r == last || !(change_of < 0)) continue;
      double leaves = here / -change_of;
      if (leaves < share && !(here + change_of > -1e-13 * (here + std::fabs(g[r.row])) && sense > 0)) {
        share = leaves;
        next = &r;
      }
    }
    if (!next && sense < 0) return false;  // it goes on for ever
    for (std::size_t i = 0; i < m.n_z; ++i) z[i] += sense * share * d[i];
    last = next;
    if (!next) continue;
    change(*next);
    if (!propagate()) return false;
  }
  return false;
}

}  // namespace bolza::integrate
