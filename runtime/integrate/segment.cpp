#include "runtime/integrate/segment.h"

#include "runtime/integrate/segment_work_internal.h"

namespace bolza::integrate {

Segment::Segment(ReducedModel& model, const SegmentOptions& options)
    : work_(model.model().hybrid ? make_stretch_segment(model, options) : make_smooth_segment(model, options)) {}
Segment::~Segment() = default;
Segment::Segment(Segment&&) noexcept = default;

std::size_t Segment::controls() const { return work_->controls(); }
std::size_t Segment::inputs() const { return work_->inputs(); }

bool Segment::forward(const SegmentTimes& times, std::span<const double> u_left, std::span<const double> u_right,
                      std::span<double> x, std::span<double> q) {
  work_->set(times, u_left, u_right);
  return work_->forward(x, q);
}

void Segment::repeat_steps(bool repeat) { work_->repeats = repeat; }

bool Segment::adjoint(std::span<double> lambda, std::span<const double> weight, std::span<double> gradient,
                      std::span<const double> samples, std::vector<double>* at_samples) {
  work_->weight.assign(weight.begin(), weight.end());
  return work_->adjoint(lambda, gradient, samples, at_samples);
}

bool Segment::tangent(const SegmentTimes& times, std::span<const double> u_left, std::span<const double> u_right,
                      std::span<double> x, std::span<double> q, Directions& d) {
  work_->set(times, u_left, u_right);
  if (d.sizes.empty()) d.sizes.assign(static_cast<std::size_t>(d.x.cols()), 1.0);
  Eigen::Index n_x = d.x.rows(), m = d.x.cols();
  std::vector<Eigen::Index> moved;  // inputs that some direction moves
  for (Eigen::Index r = 0; r < d.direct.rows(); ++r)
    if (d.direct.row(r).any()) moved.push_back(r);
  Eigen::Index local = n_x + static_cast<Eigen::Index>(moved.size());
  if (local >= m || work_->model.model().hybrid) return work_->tangent(x, q, d);
  Directions own;  // of each of the inputs, put together afterwards
  own.x = Eigen::MatrixXd::Identity(n_x, local), own.q = Eigen::MatrixXd::Zero(d.q.rows(), local);
  own.direct = Eigen::MatrixXd::Zero(d.direct.rows(), local);
  own.sizes.assign(static_cast<std::size_t>(local), 1.0);
  Eigen::MatrixXd along(local, m);
  along.topRows(n_x) = d.x;
  for (std::size_t k = 0; k < moved.size(); ++k) {
    Eigen::Index row = n_x + static_cast<Eigen::Index>(k);
    own.direct(moved[k], row) = 1;
    along.row(row) = d.direct.row(moved[k]);
  }
  for (Eigen::Index r = 0; r < local; ++r) {
    double largest = 0;
    for (Eigen::Index c = 0; c < m; ++c)
      largest = std::max(largest, std::abs(along(r, c)) * d.sizes[static_cast<std::size_t>(c)]);
    if (largest > 0) own.sizes[static_cast<std::size_t>(r)] = largest;
  }
  if (!work_->tangent(x, q, own)) return false;
  d.q += own.q * along;
  d.x = own.x * along;
  return true;
}

bool Segment::has_second() const { return work_->has_second(); }

bool Segment::second(const SegmentTimes& times, std::span<const double> u_left, std::span<const double> u_right,
                     std::span<const double> x, Directions& d, std::span<const double> lambda,
                     std::span<const double> weight, const Eigen::MatrixXd& weight_dot, Eigen::MatrixXd& lambda_dot,
                     Eigen::MatrixXd& gradient_dot) {
  work_->set(times, u_left, u_right);
  work_->weight.assign(weight.begin(), weight.end());
  if (d.sizes.empty()) d.sizes.assign(static_cast<std::size_t>(d.x.cols()), 1.0);
  return work_->second(x, d, lambda, weight_dot, lambda_dot, gradient_dot);
}

std::span<const double> Segment::discrete_at(bool end) const { return work_->discrete_at(end); }

}  // namespace bolza::integrate
