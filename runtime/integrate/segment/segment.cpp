// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/segment/segment.h"

#include <algorithm>
#include <cmath>

#include "runtime/integrate/segment/work_internal.h"

namespace bolza::integrate {
namespace {

bool makes_events(const bolza_model& model) { return model.hybrid && !model.hybrid->is_literal; }

// Columns in which anything moves, one at least.
std::vector<Eigen::Index> moving(const Segment::Directions& d) {
  std::vector<Eigen::Index> out;
  for (Eigen::Index c = 0; c < d.x.cols(); ++c)
    if (d.x.col(c).any() || d.direct.col(c).any() || (c + 1 == d.x.cols() && out.empty())) out.push_back(c);
  return out;
}

// Sizes that are not given are 1; those of pairs are products.
void set_sizes(Segment::Directions& d, Eigen::Index directions) {
  d.sizes.resize(static_cast<std::size_t>(directions), 1.0);
  for (auto [i, j] : d.pairs) d.sizes.push_back(d.sizes[static_cast<std::size_t>(i)] * d.sizes[static_cast<std::size_t>(j)]);
}

}  // namespace

double Segment::Work::share_at(std::size_t place, double s) const {
  if (places.size() == 1) return 1;
  if (places.size() == 2) return place == 0 ? 1 - s : s;
  double share = 1;
  for (std::size_t k = 0; k < places.size(); ++k)
    if (k != place) share *= (s - places[k]) / (places[place] - places[k]);
  return share;
}

double Segment::Work::slope_share_at(std::size_t place, double s) const {
  if (places.size() < 3) return places.size() == 1 ? 0 : place == 0 ? -1 : 1;
  double share = 1, slope = 0;  // the product rule, factor by factor
  for (std::size_t k = 0; k < places.size(); ++k) {
    if (k == place) continue;
    double width = places[place] - places[k], factor = (s - places[k]) / width;
    slope = slope * factor + share / width;
    share *= factor;
  }
  return slope;
}

double Segment::Work::input(std::size_t i, double s) const {
  double value = share_at(0, s) * left[i];
  for (std::size_t place = 1; place < places.size(); ++place) value += share_at(place, s) * value_at(place, i);
  return value;
}

double Segment::Work::input_slope(std::size_t i, double s) const {
  double slope = 0;
  for (std::size_t place = 0; place < places.size(); ++place) slope += slope_share_at(place, s) * value_at(place, i);
  return slope / times.length;
}

Segment::Segment(ReducedModel& model, const SegmentOptions& options)
    : work_(options.written               ? make_written_segment(model, options)
            : makes_events(model.model()) ? make_stretch_segment(model, options)
                                          : make_smooth_segment(model, options)) {}
Segment::~Segment() = default;
Segment::Segment(Segment&&) noexcept = default;

std::size_t Segment::controls() const { return work_->controls(); }
std::size_t Segment::inputs() const { return work_->inputs(); }

bool Segment::forward(const SegmentTimes& times, std::span<const double> u_left, std::span<const double> u_right,
                      std::span<double> x, std::span<double> q) {
  if (work_->options.budget.ended()) return false;
  nonlinear::ModelAt::Watched watched(work_->model.at(), work_->options.budget);
  work_->set(times, u_left, u_right);
  return work_->forward(x, q);
}

bool Segment::takes_samples() const { return work_->takes_samples(); }
void Segment::sample_at(Samples* samples) {
  work_->samples = samples;
  work_->records = false;
}
void Segment::record_at(Samples* samples) {
  work_->samples = samples;
  work_->records = samples != nullptr;
}

void Segment::repeat_steps(bool repeat) { work_->repeats = repeat; }

bool Segment::adjoint(std::span<double> lambda, std::span<const double> weight, std::span<double> gradient,
                      std::span<const double> samples, std::vector<double>* at_samples) {
  Backward one{{lambda.begin(), lambda.end()}, {weight.begin(), weight.end()}, {gradient.begin(), gradient.end()}, {}, {}};
  if (!adjoint({&one, 1}, samples)) return false;
  std::copy(one.lambda.begin(), one.lambda.end(), lambda.begin());
  std::copy(one.gradient.begin(), one.gradient.end(), gradient.begin());
  if (at_samples) at_samples->insert(at_samples->end(), one.at_samples.begin(), one.at_samples.end());
  return true;
}

bool Segment::adjoint(std::span<Backward> functionals, std::span<const double> samples) {
  if (work_->options.budget.ended()) return false;
  nonlinear::ModelAt::Watched watched(work_->model.at(), work_->options.budget);
  return functionals.empty() || work_->adjoint(functionals, samples);
}

bool Segment::tangent(const SegmentTimes& times, std::span<const double> u_left, std::span<const double> u_right,
                      std::span<double> x, std::span<double> q, Directions& d) {
  using Eigen::Index;
  using Eigen::MatrixXd;
  if (work_->options.budget.ended()) return false;
  nonlinear::ModelAt::Watched watched(work_->model.at(), work_->options.budget);
  work_->set(times, u_left, u_right);
  Index n_x = d.x.rows(), all = d.x.cols(), m = all - static_cast<Index>(d.pairs.size());
  set_sizes(d, m);
  if (std::vector<Index> some = moving(d); d.pairs.empty() && static_cast<Index>(some.size()) < all)
    return tangent_along(some, times, u_left, u_right, x, q, d);
  std::vector<Index> moved;  // inputs that some direction moves
  for (Index r = 0; r < d.direct.rows(); ++r)
    if (d.direct.row(r).any()) moved.push_back(r);
  Index local = n_x + static_cast<Index>(moved.size());
  if (local >= m || makes_events(work_->model.model())) return work_->tangent(x, q, d);
  Directions own;  // of each of the inputs, put together afterwards
  for (Index i = 0; i < local && !d.pairs.empty(); ++i)
    for (Index j = 0; j <= i; ++j) own.pairs.push_back({i, j});
  Index columns = local + static_cast<Index>(own.pairs.size());
  own.x = MatrixXd::Zero(n_x, columns);
  own.q = MatrixXd::Zero(d.q.rows(), columns);
  own.x.leftCols(n_x).setIdentity();
  own.direct = MatrixXd::Zero(d.direct.rows(), columns);
  own.sizes.assign(static_cast<std::size_t>(local), 1.0);
  MatrixXd along(local, all);
  along.topRows(n_x) = d.x;
  for (std::size_t k = 0; k < moved.size(); ++k) {
    Index row = n_x + static_cast<Index>(k);
    own.direct(moved[k], row) = 1;
    along.row(row) = d.direct.row(moved[k]);
  }
  for (Index r = 0; r < local; ++r) {
    double largest = 0;
    for (Index c = 0; c < m; ++c) largest = std::max(largest, std::abs(along(r, c)) * d.sizes[static_cast<std::size_t>(c)]);
    if (largest > 0) own.sizes[static_cast<std::size_t>(r)] = largest;
  }
  set_sizes(own, local);
  if (!work_->tangent(x, q, own)) return false;
  auto together = [&](const MatrixXd& by, MatrixXd& out, Index row) {  // row of x or Q, by the local inputs
    out.row(row) += by.row(row).head(local) * along;
    if (d.pairs.empty()) return;
    MatrixXd curvature(local, local);
    for (std::size_t k = 0; k < own.pairs.size(); ++k) {
      auto [i, j] = own.pairs[k];
      curvature(i, j) = curvature(j, i) = by(row, local + static_cast<Index>(k));
    }
    MatrixXd bent = curvature * along.leftCols(m);
    for (std::size_t k = 0; k < d.pairs.size(); ++k)
      out(row, m + static_cast<Index>(k)) += along.col(d.pairs[k].first).dot(bent.col(d.pairs[k].second));
  };
  if (work_->samples)
    for (MatrixXd& by : work_->samples->by) by = by * along;
  d.x.setZero();
  for (Index r = 0; r < d.x.rows(); ++r) together(own.x, d.x, r);
  for (Index r = 0; r < d.q.rows(); ++r) together(own.q, d.q, r);
  return true;
}

// Parameters that only observations know move nothing here.
bool Segment::tangent_along(const std::vector<Eigen::Index>& some, const SegmentTimes& times, std::span<const double> u_left,
                            std::span<const double> u_right, std::span<double> x, std::span<double> q, Directions& d) {
  using Eigen::MatrixXd;
  Directions own{d.x(Eigen::all, some), d.q(Eigen::all, some), d.direct(Eigen::all, some), {}, {}};
  for (Eigen::Index c : some) own.sizes.push_back(d.sizes[static_cast<std::size_t>(c)]);
  if (!tangent(times, u_left, u_right, x, q, own)) return false;
  d.x(Eigen::all, some) = own.x;
  d.q(Eigen::all, some) = own.q;
  if (!work_->samples) return true;
  for (MatrixXd& by : work_->samples->by) {
    MatrixXd all = MatrixXd::Zero(d.x.rows(), d.x.cols());
    all(Eigen::all, some) = by;
    by = std::move(all);
  }
  return true;
}

bool Segment::plan(const SegmentTimes& times, std::span<const double> u_left, std::span<const double> u_right,
                   std::span<const double> x) {
  if (work_->options.budget.ended()) return false;
  nonlinear::ModelAt::Watched watched(work_->model.at(), work_->options.budget);
  work_->set(times, u_left, u_right);
  return work_->plan_tangent(x);
}

bool Segment::has_second_tangent() const { return work_->has_second_tangent(); }

bool Segment::has_second() const { return work_->has_second(); }

bool Segment::second(const SegmentTimes& times, std::span<const double> u_left, std::span<const double> u_right,
                     std::span<const double> x, Directions& d, std::span<const double> lambda,
                     std::span<const double> weight, const Eigen::MatrixXd& weight_dot, Eigen::MatrixXd& lambda_dot,
                     Eigen::MatrixXd& gradient_dot) {
  if (work_->options.budget.ended()) return false;
  nonlinear::ModelAt::Watched watched(work_->model.at(), work_->options.budget);
  work_->set(times, u_left, u_right);
  work_->weight.assign(weight.begin(), weight.end());
  if (d.sizes.empty()) d.sizes.assign(static_cast<std::size_t>(d.x.cols()), 1.0);
  return work_->second(x, d, lambda, weight_dot, lambda_dot, gradient_dot);
}

std::span<const double> Segment::discrete_at(bool end) const { return work_->discrete_at(end); }

}  // namespace bolza::integrate
