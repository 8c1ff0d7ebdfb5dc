// SPDX-License-Identifier: Apache-2.0
// What initial equations and links between phases determine: Newton's method, and the implicit function theorem.
#include <algorithm>

#include "runtime/linalg/dense_decompositions.h"
#include "runtime/transcribe/gradient/reduced_gradient_internal.h"

namespace bolza::transcribe {

/// How far the equations are from holding, and their derivatives by all variables. [rows × n]
bool Gradients::determining_jacobian(Shooting& shooting, const Directions& d, Eigen::MatrixXd& by_all,
                                     Eigen::VectorXd& value) const {
  const double* g = shooting.constraints();
  const double* jacobian = g ? shooting.jacobian() : nullptr;
  if (!jacobian) return false;
  Eigen::Index n = static_cast<Eigen::Index>(shooting.nlp.n());
  by_all = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(d.determining_rows.size()), n);
  value.resize(by_all.rows());
  std::vector<Eigen::Index> place(shooting.nlp.m(), -1);
  for (std::size_t k = 0; k < d.determining_rows.size(); ++k) {
    place[d.determining_rows[k]] = static_cast<Eigen::Index>(k);
    value[static_cast<Eigen::Index>(k)] = g[d.determining_rows[k]] - shooting.nlp.row_lower[d.determining_rows[k]];
  }
  for (std::size_t e = 0; e < shooting.nlp.jacobian.size(); ++e) {
    Eigen::Index row = place[static_cast<std::size_t>(shooting.nlp.jacobian.row[e])];
    if (row >= 0) by_all(row, shooting.nlp.jacobian.col[e]) += jacobian[e];
  }
  return true;
}

Eigen::MatrixXd Gradients::columns(const Eigen::MatrixXd& all, const std::vector<std::size_t>& which) {
  Eigen::MatrixXd out(all.rows(), static_cast<Eigen::Index>(which.size()));
  for (std::size_t k = 0; k < which.size(); ++k)
    out.col(static_cast<Eigen::Index>(k)) = all.col(static_cast<Eigen::Index>(which[k]));
  return out;
}

/// Newton's method on these equations; the start of the NLP is moved.
bool Gradients::determine(const Directions& d) { return d.determined.empty() || settle(*main_, d, main_->nlp.start); }

bool Gradients::settle(Shooting& shooting, const Directions& d, std::vector<double>& w) const {
  auto most = static_cast<int>(30 + shooting.phases.size());  // a phase begins right when the one before it ends right
  for (int iteration = 0; iteration < most; ++iteration) {
    shooting.move_to(w);
    Eigen::MatrixXd all;
    Eigen::VectorXd value;
    if (!determining_jacobian(shooting, d, all, value)) return false;
    Eigen::VectorXd step = linalg::solve(columns(all, d.determined), value);
    if (!step.allFinite()) return false;
    double size = 0;
    for (std::size_t k = 0; k < d.determined.size(); ++k) {
      w[d.determined[k]] -= step[static_cast<Eigen::Index>(k)];
      size = std::max(size, std::abs(step[static_cast<Eigen::Index>(k)]) / shooting.nlp.scale[d.determined[k]]);
    }
    if (size < 1e-13) break;
  }
  shooting.move_to(w);
  return true;
}

/// How all variables move along the directions: those that equations determine by the implicit function theorem.
/// [n × directions]
bool Gradients::movements(Shooting& s, const Directions& d, Eigen::MatrixXd& T) const {
  using Eigen::Index;
  T = Eigen::MatrixXd::Zero(static_cast<Index>(s.nlp.n()), static_cast<Index>(d.list.size()));
  for (Index k = 0; k < T.cols(); ++k) T(static_cast<Index>(d.variables[static_cast<std::size_t>(k)]), k) = 1;
  if (d.determined.empty()) return true;
  Eigen::MatrixXd all;
  Eigen::VectorXd value;
  if (!determining_jacobian(s, d, all, value)) return false;
  Eigen::MatrixXd moved = linalg::solve(columns(all, d.determined), -columns(all, d.variables));
  for (std::size_t k = 0; k < d.determined.size(); ++k)
    T.row(static_cast<Index>(d.determined[k])) = moved.row(static_cast<Index>(k));
  return moved.allFinite();
}

/// From gradients by all variables [rows × n] to those by directions [rows × directions].
bool Gradients::reduce(Shooting& shooting, const Directions& d, const Eigen::MatrixXd& by_variables,
                       std::vector<double>& out) const {
  Eigen::MatrixXd T;
  if (d.determined.empty()) {
    out.clear();
    for (Eigen::Index r = 0; r < by_variables.rows(); ++r)
      for (std::size_t v : d.variables) out.push_back(by_variables(r, static_cast<Eigen::Index>(v)));
    return true;
  }
  if (!movements(shooting, d, T)) return false;
  Eigen::MatrixXd reduced = T.transpose() * by_variables.transpose();
  out.assign(reduced.data(), reduced.data() + reduced.size());
  return true;
}

/// Multipliers and T of ∇²J = T' ∇²L T, see `hessian`. False: an evaluation failed.
bool Gradients::lagrangian(Shooting& s, const Directions& d, std::vector<double>& lambda, Eigen::MatrixXd& T) const {
  using Eigen::Index;
  s.move_to(main_->nlp.start);
  lambda.assign(s.rows.size(), 0.0);
  if (!movements(s, d, T)) return false;
  if (d.determined.empty()) return true;
  const double* g = s.gradient();
  if (!g) return false;
  Eigen::VectorXd by(static_cast<Index>(d.determined.size())), value;
  for (std::size_t k = 0; k < d.determined.size(); ++k) by[static_cast<Index>(k)] = g[d.determined[k]];
  Eigen::MatrixXd all;
  if (!determining_jacobian(s, d, all, value)) return false;
  Eigen::VectorXd multiplier = linalg::solve(columns(all, d.determined).transpose(), -by);
  for (std::size_t k = 0; k < d.determined.size(); ++k) lambda[d.determining_rows[k]] = multiplier[static_cast<Index>(k)];
  return true;
}

}  // namespace bolza::transcribe
