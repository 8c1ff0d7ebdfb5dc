// SPDX-License-Identifier: Apache-2.0
// A segment whose equations are integrated as they were written, of index up to 3, for a model with its index reduced: at
// its start the states are moved onto the hidden constraints (written_point.h), a segment of the written equations does the
// rest. So states at mesh points, the constraints' derivatives, algebraics and whatever reads them are those of the reduced
// model.
#include <algorithm>

#include "base/expects.h"
#include "runtime/integrate/index.h"
#include "runtime/integrate/model/written_point.h"
#include "runtime/integrate/segment/work_internal.h"

namespace bolza::integrate {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

SegmentOptions inner_options(SegmentOptions options) {
  options.written = nullptr;
  return options;
}

class WrittenSegment final : public Segment::Work {
 public:
  WrittenSegment(ReducedModel& reduced, const SegmentOptions& o)
      : Work(reduced, o),
        phase_(o.written->phases[o.phase]),
        written_(*o.written, *o.written->models[phase_.model]),
        start_(reduced, written_.model()),
        inner_(make_smooth_segment(written_, inner_options(o))) {
    expects(inner_->inputs() == inputs(), "both forms of a model have the same inputs");
  }

  bool forward(std::span<double> x, std::span<double> integrals) override {
    std::vector<double> own;
    if (!begin(x, own) || !inner_->forward(own, integrals)) return note();
    for (std::size_t i = 0; i < n_x; ++i) x[i] = own[start_.place()[i]];
    return true;
  }

  bool adjoint(std::span<Backward> functionals, std::span<const double> samples) override {
    std::vector<Backward> own;
    for (const Backward& b : functionals) own.push_back({written(b.lambda), b.weight, b.gradient, {}});
    bool same = start_.is_same();
    MatrixXd by;
    if (!inner_->adjoint(own, same ? samples : std::span<const double>{})) return note();
    if (!stand() || !start_.jacobian(by)) return false;
    for (std::size_t k = 0; k < functionals.size(); ++k) {
      Backward& b = functionals[k];
      std::vector<double> end = b.lambda;
      VectorXd pulled = by.transpose() * Eigen::Map<const VectorXd>(own[k].lambda.data(), by.rows());
      b.gradient = std::move(own[k].gradient);
      for (std::size_t i = 0; i < n_x; ++i) b.lambda[i] = pulled[at(1 + i)];
      add_begin(pulled, b.gradient);
      if (same) sample(own[k].at_samples, samples.size(), b);
      else
        for (double s : samples)  // λ as written jumps off the constraints between their projections
          for (std::size_t i = 0; i < n_x; ++i) b.at_samples.push_back((1 - s) * b.lambda[i] + s * end[i]);
    }
    return true;
  }

  bool tangent(std::span<double> x, std::span<double> integrals, Segment::Directions& along) override {
    std::vector<double> own;
    MatrixXd by;
    if (!begin(x, own) || !start_.jacobian(by)) return false;
    Segment::Directions d{by * columns_of(along), along.q, along.direct, along.sizes, along.pairs};
    if (!inner_->tangent(own, integrals, d)) return note();
    for (std::size_t i = 0; i < n_x; ++i) {
      x[i] = own[start_.place()[i]];
      along.x.row(at(i)) = d.x.row(at(start_.place()[i]));
    }
    along.q = d.q;
    return true;
  }

  bool has_second() const override { return start_.has_second() && model.has_second() && inner_->has_second(); }
  bool second(std::span<const double> x, const Segment::Directions& along, std::span<const double> lambda,
              const MatrixXd& weight_dot, MatrixXd& lambda_dot, MatrixXd& gradient_dot) override {
    std::vector<double> own;
    MatrixXd by, columns = columns_of(along);
    if (!begin(x, own) || !start_.jacobian(by)) return false;
    Segment::Directions d{by * columns, along.q, along.direct, along.sizes, {}};
    std::vector<double> end = written(lambda);
    MatrixXd moves = MatrixXd::Zero(by.rows(), columns.cols());
    for (std::size_t i = 0; i < n_x; ++i) moves.row(at(start_.place()[i])) = lambda_dot.row(at(i));
    inner_->weight = weight;
    if (!inner_->second(own, d, end, weight_dot, moves, gradient_dot)) return note();
    Backward first{end, weight, std::vector<double>(inputs()), {}};
    if (!inner_->adjoint({&first, 1}, {})) return note();
    MatrixXd pulled = by.transpose() * moves;
    if (!stand() || !start_.second(Eigen::Map<const VectorXd>(first.lambda.data(), by.rows()), columns, pulled))
      return false;
    lambda_dot = pulled.middleRows(1, at(n_x));
    gradient_dot.topRows(at(n_u)) += pulled.middleRows(at(1 + n_x), at(n_u));
    gradient_dot.middleRows(at(controls()), at(n_p)) += pulled.bottomRows(at(n_p));
    gradient_dot.row(at(begin_input())) += pulled.row(0);
    return gradient_dot.allFinite();
  }

 private:
  /// The written equations' states where the segment begins, and all that their segment has to know.
  bool begin(std::span<const double> x, std::vector<double>& own) {
    const bolza_model& m = written_.model();
    std::vector<double>& shared = written_.at().shared;
    const double* data = phase_.shared_values ? phase_.shared_values : m.shared_values;
    if (data) std::copy(data, data + m.n_shared, shared.begin());
    std::copy_n(model.at().shared.begin(), n_p, shared.begin());
    x_.assign(x.begin(), x.end());
    if (!start_.move_to(times.begin, x_, left, repeats)) return false;
    own = start_.x();
    inner_->guess_z = start_.z();
    inner_->set(times, left, right);
    inner_->repeats = repeats;
    return true;
  }

  /// Back to the start, if the model was elsewhere.
  bool stand() { return start_.move_to(times.begin, x_, left, true); }

  /// What the model learns of a failure of the written one.
  bool note() {
    const nonlinear::ModelAt::Trouble& t = written_.at().trouble();
    if (!t.text.empty()) model.at().note(t.text, t.time, t.place);
    return false;
  }

  std::vector<double> written(std::span<const double> lambda) const {
    std::vector<double> own(written_.model().n_x);
    for (std::size_t i = 0; i < n_x; ++i) own[start_.place()[i]] = lambda[i];
    return own;
  }

  void sample(const std::vector<double>& own, std::size_t count, Backward& b) const {
    for (std::size_t s = 0; s < count; ++s)
      for (std::size_t i = 0; i < n_x; ++i) b.at_samples.push_back(own[s * written_.model().n_x + start_.place()[i]]);
  }

  /// What the start's columns (t, x, u, p) give to the inputs.
  void add_begin(const VectorXd& by, std::span<double> gradient) const {
    gradient[begin_input()] += by[0];
    for (std::size_t i = 0; i < n_u; ++i) gradient[i] += by[at(1 + n_x + i)];
    for (std::size_t j = 0; j < n_p; ++j) gradient[controls() + j] += by[at(1 + n_x + n_u + j)];
  }

  /// How these move along directions.
  MatrixXd columns_of(const Segment::Directions& along) const {
    MatrixXd columns(at(1 + n_x + n_u + n_p), along.x.cols());
    columns << along.direct.row(at(begin_input())), along.x, along.direct.topRows(at(n_u)),
        along.direct.middleRows(at(controls()), at(n_p));
    return columns;
  }

  const bolza_phase& phase_;
  ReducedModel written_;
  WrittenPoint start_;
  std::unique_ptr<Segment::Work> inner_;
  std::vector<double> x_;  // at the start
};

}  // namespace

std::unique_ptr<Segment::Work> make_written_segment(ReducedModel& model, const SegmentOptions& options) {
  return std::make_unique<WrittenSegment>(model, options);
}

}  // namespace bolza::integrate
