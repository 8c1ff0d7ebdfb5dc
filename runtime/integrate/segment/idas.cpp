// SPDX-License-Identifier: Apache-2.0
// A segment on IDAS: values and sensitivities.
#include "runtime/integrate/segment/idas_internal.h"

#include <algorithm>
#include <cmath>

namespace bolza::integrate {

using Eigen::Index;

IdasSegment::IdasSegment(ReducedModel& model, const SegmentOptions& options)
    : Work(model, options),
      n_z_(model.model().n_z),
      n_(n_x + n_z_),
      block_(n_ + n_q),
      context_(make_context()),
      y_(make_vector(block_, context_.get())),
      yp_(make_vector(block_, context_.get())),
      u_(n_u),
      rates_(n_x + n_q),
      gradient_(model.columns() + n_z_) {
  const bolza_model& m = model.model();
  std::size_t by_row = m.rates->jac_nnz + (n_z_ ? m.residuals->jac_nnz : 0);
  by_entries_ = by_row <= 2 * (m.rates->grad_nnz + (n_z_ ? m.residuals->grad_nnz : 0));
}

IdasSegment::Point IdasSegment::point(double s, const double* y) {
  for (std::size_t i = 0; i < n_u; ++i) u_[i] = options.linear_control ? (1 - s) * left[i] + s * right[i] : left[i];
  return {times.begin + s * times.length, y, y + n_x, u_.data()};
}

bool IdasSegment::is_known(const Point& p) const {
  return known_.valid && known_.t == p.t && std::equal(known_.unknowns.begin(), known_.unknowns.end(), p.x);
}

bool IdasSegment::find_rates(const Point& p) {
  if (!is_known(p)) return model.at().value(Part::rates, p, rates_);
  std::copy(known_.rates.begin(), known_.rates.end(), rates_.begin());
  return true;
}

bool IdasSegment::find_residuals(const Point& p, std::span<double> h) {
  if (h.empty()) return true;
  if (!is_known(p)) return model.at().value(Part::residuals, p, h);
  std::copy(known_.residuals.begin(), known_.residuals.end(), h.begin());
  return true;
}

bool IdasSegment::find_entries(const Point& p) {
  if (is_known(p)) return true;
  known_.valid = false;
  known_.t = p.t;
  known_.unknowns.assign(p.x, p.x + n_);
  known_.entries.clear();
  known_.rates.resize(rates_.size());
  known_.residuals.resize(n_z_);
  for (Part part : {Part::rates, Part::residuals}) {
    if (part == Part::residuals && !n_z_) break;
    if (!model.at().jacobian(part, p, part == Part::rates ? known_.rates : known_.residuals, derivative_)) return false;
    known_.entries.insert(known_.entries.end(), derivative_.value.begin(), derivative_.value.end());
  }
  return known_.valid = true;
}

double IdasSegment::size_of(std::size_t i) const {
  const bolza_model& m = model.model();
  return nonlinear::size_of(i < n_x ? m.x[i] : m.z[i - n_x]);
}

bool IdasSegment::by_algebraics(const Point& p, Eigen::MatrixXd& h_z) {
  auto n = static_cast<Index>(n_z_);
  h_z = Eigen::MatrixXd::Zero(n, n);
  return entries(p, [&](bool rate, std::size_t row, std::size_t col, double v) {
    if (!rate && col > n_x && col <= n_) h_z(static_cast<Index>(row), static_cast<Index>(col - n_x - 1)) += v;
  });
}

// y and y' at the start.
bool IdasSegment::place(std::span<const double> x) {
  known_.valid = false;
  N_VConst(0, yp_.get());
  std::copy(x.begin(), x.end(), view(y_.get()).begin());
  std::fill(view(y_.get()).begin() + static_cast<std::ptrdiff_t>(n_), view(y_.get()).end(), 0.0);
  Point begin = point(0, N_VGetArrayPointer(y_.get()));
  if (!is_index2() && !model.move_to(begin.t, x, u_)) return false;
  std::copy(model.z().begin(), model.z().end(), view(y_.get()).begin() + static_cast<std::ptrdiff_t>(n_x));
  if (is_index2() && !find_algebraics(0)) return false;
  if (!model.at().value(Part::rates, begin, rates_)) return false;
  for (std::size_t i = 0; i < n_x + n_q; ++i) view(yp_.get())[i < n_x ? i : n_z_ + i] = times.length * rates_[i];
  return true;
}

bool IdasSegment::results(N_Vector y, std::span<double> x, std::span<double> integrals) const {
  std::copy_n(view(y).begin(), n_x, x.begin());
  for (std::size_t i = 0; i < n_q; ++i) integrals[i] += view(y)[n_ + i];
  return std::all_of(x.begin(), x.end(), [](double v) { return std::isfinite(v); });
}

bool IdasSegment::forward(std::span<double> x, std::span<double> integrals) {
  if (!n_x || times.length == 0) {
    std::copy(x.begin(), x.end(), view(y_.get()).begin());
    return n_q == 0 || times.length == 0;
  }
  if (!place(x)) return false;
  if (!values_) values_ = std::make_shared<Forward>(*this, 0, Corrections::simultaneous);
  if (!values_->begin(nullptr)) return false;
  if (!values_->record()) return no_room(values_->pieces);
  end_.assign(values_->block(0), values_->block(0) + n_);
  return results(values_->y.get(), x, integrals);
}

bool IdasSegment::tangent(std::span<double> x, std::span<double> integrals, Segment::Directions& d) {
  std::size_t m = static_cast<std::size_t>(d.x.cols());
  if (!m || !n_x || times.length == 0) return forward(x, integrals);
  bool together = options.method_options.sensitivity_method == "simultaneous";
  if (!sensitivities_ || sensitivities_->m != m)
    sensitivities_ = std::make_shared<Forward>(*this, m, together ? Corrections::simultaneous : Corrections::staggered);
  Forward& run = *sensitivities_;
  if (!place(x) || !run.begin(&d) || !run.run()) return false;
  auto nx = static_cast<Index>(n_x), nq = static_cast<Index>(n_q);
  for (Index k = 0; k < d.x.cols(); ++k) {
    const double* moved = run.block(1 + static_cast<std::size_t>(k));
    d.x.col(k) = Eigen::Map<const Eigen::VectorXd>(moved, nx);
    if (n_q) d.q.col(k) += Eigen::Map<const Eigen::VectorXd>(moved + n_, nq);
  }
  return results(run.y.get(), x, integrals) && d.x.allFinite() && d.q.allFinite();
}

bool IdasSegment::no_room(const AdjointPieces& pieces) {
  if (pieces.no_room()) model.at().note("a checkpoint could not be written to the temporary file", times.begin);
  return false;
}

std::unique_ptr<Segment::Work> make_idas_segment(ReducedModel& model, const SegmentOptions& options) {
  return std::make_unique<IdasSegment>(model, options);
}

}  // namespace bolza::integrate
