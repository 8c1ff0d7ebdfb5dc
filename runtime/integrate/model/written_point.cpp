// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/model/written_point.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "runtime/integrate/index.h"
#include "runtime/linalg/dense_decompositions.h"

namespace bolza::integrate {
namespace {

using Part = nonlinear::ModelAt::Part;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double worn = 0.5;  ///< cosine of the angle between constraints and M from where M is chosen again

bool named(const bolza_variable& v, const char* name) { return v.name && name && std::strcmp(v.name, name) == 0; }

std::size_t find(const bolza_variable* list, std::size_t n, const char* name) {
  return static_cast<std::size_t>(std::find_if(list, list + n, [&](const bolza_variable& v) { return named(v, name); }) -
                                  list);
}

bool same_names(const bolza_variable* a, const bolza_variable* b, std::size_t n) {
  return std::equal(a, a + n, b, [](const bolza_variable& v, const bolza_variable& w) { return named(v, w.name); });
}

bool same_place(const bolza_source& a, const bolza_source& b) {
  return a.line > 0 && a.line == b.line && a.column == b.column && a.file && b.file && std::strcmp(a.file, b.file) == 0;
}

/// Initial equations of the model that stem from one of the written equations.
std::vector<std::size_t> hidden_constraints(const bolza_model& model, const bolza_model& written) {
  std::vector<std::size_t> rows;
  const bolza_function *initial = model.initial, *h = written.residuals;
  for (std::size_t r = 0; initial && initial->rows && h && h->rows && r < model.n_initial; ++r)
    if (std::any_of(h->rows, h->rows + written.n_z,
                    [&](const bolza_row& row) { return same_place(row.source, initial->rows[r].source); }))
      rows.push_back(r);
  return rows;
}

/// How much of the row space of one matrix with full rank the other covers: the least cosine.
double least_cosine(const MatrixXd& a, const MatrixXd& b) {
  return linalg::singular_values(linalg::orthonormal_columns(a).transpose() * linalg::orthonormal_columns(b))
      .values.minCoeff();
}

}  // namespace

std::string objection_to_written(const bolza_model& model, const bolza_model& written) {
  if (model.n_u != written.n_u || model.n_global != written.n_global || model.n_q != written.n_q ||
      !same_names(model.u, written.u, model.n_u) || !same_names(model.shared, written.shared, model.n_global))
    return "inputs, parameters or integrals of the equations as written are not those of the reduced ones";
  for (std::size_t i = 0; i < model.n_x; ++i)
    if (find(written.x, written.n_x, model.x[i].name) == written.n_x)
      return "`" + std::string(model.x[i].name) + "` is a state of the reduced equations, not of those written";
  return {};
}

WrittenPoint::WrittenPoint(ReducedModel& model, const bolza_model& written)
    : model_(model),
      rows_(hidden_constraints(model.model(), written)),
      x_(written.n_x),
      z_(written.n_z) {
  const bolza_model& m = model.model();
  size_.resize(at(m.n_x));
  for (std::size_t i = 0; i < m.n_x; ++i) {
    place_.push_back(find(written.x, written.n_x, m.x[i].name));
    size_[at(i)] = nonlinear::size_of(m.x[i]);
  }
  for (std::size_t i = 0; i < written.n_x; ++i) {
    states_.push_back(source_of(written.x[i]));
    if (states_.back().what != Source::What::state) dependent_.push_back(i);
  }
  for (std::size_t i = 0; i < written.n_z; ++i) algebraics_.push_back(source_of(written.z[i]));
}

WrittenPoint::Source WrittenPoint::source_of(const bolza_variable& variable) const {
  const bolza_model& m = model_.model();
  using enum Source::What;
  if (std::size_t k = find(m.x, m.n_x, variable.name); k < m.n_x) return {state, k};
  if (std::size_t k = find(m.z, m.n_z, variable.name); k < m.n_z) return {algebraic, k};
  for (std::size_t k = 0; k < m.n_outputs; ++k) {
    const bolza_output& o = m.results[k];
    if (!variable.name || !o.name || std::strcmp(o.name, variable.name) != 0) continue;
    auto index = static_cast<std::size_t>(o.index);
    if (o.kind == 1) return {output, index, o.sign, o.offset};
    if (o.kind == 2) return {rate, index, o.sign, o.offset};
    if (o.kind == 3) return {shared, index, o.sign, o.offset};
    if (index == 0) return {time, 0, o.sign, o.offset};
    if (index <= m.n_x) return {state, index - 1, o.sign, o.offset};
    if (index <= m.n_x + m.n_z) return {algebraic, index - 1 - m.n_x, o.sign, o.offset};
    return {input, index - 1 - m.n_x - m.n_z, o.sign, o.offset};
  }
  for (std::size_t k = 0; k < m.n_x; ++k)
    if (variable.name && m.x[k].name && variable.name == "der(" + std::string(m.x[k].name) + ")") return {rate, k};
  return {guess, 0, 1, nonlinear::guess_of(variable)};
}

/// Requires  the model stands at x̂.
bool WrittenPoint::value_of(const Source& source, double& value) {
  const bolza_model& m = model_.model();
  std::vector<double> rows;
  double of = 0;
  switch (source.what) {
    case Source::What::state:
      of = moved_[source.index];
      break;
    case Source::What::algebraic:
      of = model_.z()[source.index];
      break;
    case Source::What::input:
      of = model_.u()[source.index];
      break;
    case Source::What::time:
      of = t_;
      break;
    case Source::What::shared:
      of = model_.at().shared[source.index];
      break;
    case Source::What::output:
      rows.resize(m.outputs->n_rows);
      if (!model_.rows(Part::outputs, rows)) return false;
      of = rows[source.index];
      break;
    case Source::What::rate:
      rows.resize(model_.rate_rows());
      if (!model_.rates(rows)) return false;
      of = rows[source.index];
      break;
    case Source::What::guess:
      break;
  }
  value = source.sign * of + source.offset;
  return std::isfinite(value);
}

/// Total derivatives by (t, x̂, u, p), added.
bool WrittenPoint::gradient_of(const Source& source, std::span<double> gradient) {
  const bolza_model& m = model_.model();
  std::vector<double> weight;
  switch (source.what) {
    case Source::What::state:
      gradient[1 + source.index] += source.sign;
      return true;
    case Source::What::input:
      gradient[1 + m.n_x + source.index] += source.sign;
      return true;
    case Source::What::time:
      gradient[0] += source.sign;
      return true;
    case Source::What::shared:
      if (source.index < m.n_global) gradient[1 + m.n_x + m.n_u + source.index] += source.sign;
      return true;
    case Source::What::guess:
      return true;
    case Source::What::algebraic:
      weight.assign(m.n_z, 0.0);
      weight[source.index] = source.sign;
      return model_.add_gradient(Part::rates, {}, weight, gradient);
    case Source::What::output:
    case Source::What::rate:
      weight.assign(source.index + 1, 0.0);
      weight[source.index] = source.sign;
      return model_.add_gradient(source.what == Source::What::rate ? Part::rates : Part::outputs, weight, {}, gradient);
  }
  return false;
}

/// c and its total derivatives at x.
bool WrittenPoint::constraints(std::span<const double> x, std::span<const double> u, double t, VectorXd& c, MatrixXd& by) {
  std::vector<double> all(model_.model().n_initial);
  if (!model_.move_to(t, x, u) || !model_.rows(Part::initial, all)) return false;
  c.resize(at(rows_.size()));
  by.resize(c.size(), at(model_.columns()));
  std::vector<double> gradient(model_.columns());
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    std::vector<double> weight(rows_[k] + 1);
    weight.back() = 1;
    std::fill(gradient.begin(), gradient.end(), 0.0);
    if (!model_.add_gradient(Part::initial, weight, {}, gradient)) return false;
    c[at(k)] = all[rows_[k]];
    by.row(at(k)) = Eigen::Map<const Eigen::RowVectorXd>(gradient.data(), by.cols());
  }
  return by.allFinite();
}

/// M of the constraints where we stand, of columns of the size of one.
void WrittenPoint::choose(const MatrixXd& by) {
  M_ = size_.cwiseAbs2().asDiagonal() * by_x(by).transpose();
  for (Index k = 0; k < M_.cols(); ++k)
    if (double length = size_.cwiseInverse().cwiseProduct(M_.col(k)).norm(); length > 0) M_.col(k) /= length;
}

bool WrittenPoint::project(std::span<const double> u, bool hold) {
  VectorXd c;
  double last = INFINITY;
  constexpr int most = 20;
  for (int k = 0; k < most; ++k) {
    if (!constraints(moved_, u, t_, c, by_)) return false;
    if (k == 0 && M_.size() > 0 && !hold) {
      MatrixXd inverse = size_.cwiseInverse().asDiagonal();
      if (least_cosine(size_.asDiagonal() * by_x(by_).transpose(), inverse * M_) < worn) M_.resize(0, 0);
    }
    if (M_.size() == 0) choose(by_);
    VectorXd step = M_ * linalg::least_squares(by_x(by_) * M_, c);
    if (!step.allFinite()) return false;
    double size = 0;
    for (std::size_t i = 0; i < moved_.size(); ++i)
      size = std::max(size, std::fabs(step[at(i)]) / std::max(size_[at(i)], std::fabs(moved_[i])));
    if (size <= 1e-14 || (size < 1e-10 && size >= 0.5 * last)) return true;
    for (std::size_t i = 0; i < moved_.size(); ++i) moved_[i] -= step[at(i)];
    last = size;
  }
  model_.at().note("no states fulfil the hidden constraints near those of the integration", t_);
  return false;
}

bool WrittenPoint::move_to(double t, std::span<const double> x, std::span<const double> u, bool hold) {
  t_ = t;
  moved_.assign(x.begin(), x.end());
  if (!rows_.empty() && !project(u, hold)) return false;
  if (!model_.move_to(t, moved_, u)) return false;
  for (std::size_t i = 0; i < x_.size(); ++i)
    if (!value_of(states_[i], x_[i])) return false;
  for (std::size_t i = 0; i < z_.size(); ++i)
    if (!value_of(algebraics_[i], z_[i])) return false;
  return true;
}

bool WrittenPoint::jacobian(MatrixXd& by) {
  Index n = at(model_.columns());
  MatrixXd moved = MatrixXd::Zero(n, n);  // (t, x̂, u, p) by (t, x, u, p)
  moved.setIdentity();
  if (!rows_.empty()) {
    MatrixXd mu = linalg::least_squares(by_x(by_) * M_, by_);
    moved.middleRows(1, size_.size()) -= M_ * mu;
  }
  by.resize(at(x_.size()), n);
  std::vector<double> gradient(model_.columns());
  for (std::size_t i = 0; i < x_.size(); ++i) {
    std::fill(gradient.begin(), gradient.end(), 0.0);
    if (!gradient_of(states_[i], gradient)) return false;
    by.row(at(i)) = Eigen::Map<const Eigen::RowVectorXd>(gradient.data(), n) * moved;
  }
  return by.allFinite();
}

// With ν of (c_x M)ᵀν = Mᵀλ the gradient is that of λᵀx̂ − νᵀc, whose derivative by μ is zero.
bool WrittenPoint::second(const VectorXd& lambda, const MatrixXd& direction, MatrixXd& out) {
  if (rows_.empty()) return true;
  VectorXd own(size_.size());
  for (std::size_t i = 0; i < place_.size(); ++i) own[at(i)] = lambda[at(place_[i])] * states_[place_[i]].sign;
  MatrixXd square = by_x(by_) * M_;
  VectorXd nu = linalg::least_squares(square.transpose(), M_.transpose() * own);
  MatrixXd moves = direction, curved = MatrixXd::Zero(direction.rows(), direction.cols());
  moves.middleRows(1, size_.size()) -= M_ * linalg::least_squares(square, by_ * direction);
  std::vector<double> weight(model_.model().n_initial);
  for (std::size_t k = 0; k < rows_.size(); ++k) weight[rows_[k]] = nu[at(k)];
  if (!model_.second_adjoint(Part::initial, weight, {}, {}, moves, curved)) return false;
  MatrixXd nu_dot = linalg::least_squares(square.transpose(), M_.transpose() * curved.middleRows(1, size_.size()));
  out += by_.transpose() * nu_dot - curved;
  return out.allFinite();
}

}  // namespace bolza::integrate
