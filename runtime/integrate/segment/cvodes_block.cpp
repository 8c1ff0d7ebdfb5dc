// SPDX-License-Identifier: Apache-2.0
// A segment on CVODES' steps: the states and their sensitivities along m directions (none: values alone) as one vector, n
// and n × m by rows, after them the integrals in the same way. A step's equations are solved here, staggered: Newton's
// method for the states, then, with the matrix at the point found, one solve for all sensitivities, which are linear in
// themselves.
#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/integrate/segment/cvodes_internal.h"
#include "runtime/integrate/segment/step_newton_internal.h"
#include "runtime/integrate/segment/step_samples_internal.h"

namespace bolza::integrate {
namespace {

using Eigen::Index;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using ByRows = Eigen::Map<RowMajor>;
using ConstByRows = Eigen::Map<const RowMajor>;

constexpr std::size_t columns_at_once = 8;  ///< columns whose squares are summed together

// The largest of `most` and the sums of (v w)² over each column of a block.
double largest_of_columns(const double* v, const double* w, std::size_t rows, std::size_t columns, double most) {
  for (std::size_t first = 0; first < columns; first += columns_at_once) {
    std::size_t count = std::min(columns_at_once, columns - first);
    double sums[columns_at_once] = {};
    for (std::size_t i = 0; i < rows; ++i) {
      std::size_t at = i * columns + first;
      for (std::size_t k = 0; k < count; ++k) sums[k] += v[at + k] * w[at + k] * v[at + k] * w[at + k];
    }
    for (std::size_t k = 0; k < count; ++k)
      if (!std::isnan(most) && !(sums[k] <= most)) most = sums[k];
  }
  return most;
}

}  // namespace

struct CvodesSegment::Block final : BdfEquations {
  CvodesSegment& w;
  std::size_t n, m, q, size;  // q: where the integrals begin
  BdfSteps steps;
  StepNewton newton;
  std::vector<double> f, at, least;  // [n]; [size]; [size] absolute tolerances
  std::vector<double> floor;         // [n] |x| in them

  Block(CvodesSegment& segment, std::size_t directions)
      : w(segment),
        n(segment.n_x),
        m(directions),
        q(n * (1 + m)),
        size((n + segment.n_q) * (1 + m)),
        steps(*this, size),
        newton(n, segment.places_by_state(), segment.context_.get(), segment.options.method_options),
        f(n),
        at(size),
        least(size) {
    if (m == 0) newton.keep_rate();  // values of fits; those that have derivatives beside them are smoother
  }

  void weigh(const double* y, double* weights) override {
    for (std::size_t i = 0; i < size; ++i) weights[i] = 1 / (w.options.rtol * std::fabs(y[i]) + least[i]);
  }

  // The largest root mean square of the states, of each direction, and of the integrals.
  double norm(const double* v, const double* weights) const override {
    const MethodOptions& o = w.options.method_options;
    double most = largest_of_columns(v, weights, n, 1, 0);
    if (m && o.sensitivity_error_control > 0) most = largest_of_columns(v + n, weights + n, n, m, most);
    most = std::sqrt(most / static_cast<double>(n));
    if (!w.n_q || !(o.quadrature_error_control > 0)) return most;
    double other = largest_of_columns(v + q, weights + q, w.n_q, 1, 0);
    if (m && o.sensitivity_error_control > 0)
      other = largest_of_columns(v + q + w.n_q, weights + q + w.n_q, w.n_q, m, other);
    other = std::sqrt(other / static_cast<double>(w.n_q));
    return other <= most ? most : other;  // not finite where one is not
  }

  bool move_to(double s, const double* x) {
    return w.point_.move_to(s, {x, n}) && (m ? w.point_.entries() : w.point_.rates());
  }

  bool rates(double s, const double* y, double* out) override {
    if (!move_to(s, y)) return false;
    fill(s, y + n, out, Rows::states);
    fill(s, y + n, out + q, Rows::integrals);
    return true;
  }

  // (f or q, and how they move) at the point, of which the entries are known.
  void fill(double s, const double* sensitivities, double* out, Rows part) {
    std::size_t rows = part == Rows::integrals ? w.n_q : n;
    const double* rate = w.point_.rows().data() + (part == Rows::integrals ? n : 0);
    for (std::size_t i = 0; i < rows; ++i) out[i] = w.times.length * rate[i];
    if (m && rows) along(s, sensitivities, out + rows, rows, part);
  }

  // to [rows × m] := h (D S + D_direct d) + (f, q) dh
  void along(double s, const double* sensitivities, double* to, std::size_t rows, Rows part) {
    if (w.n_u || w.options.times_move) w.move_directions(s);
    const EntriesOf& entries = w.of_part_[part == Rows::integrals];
    ConstByRows S(sensitivities, static_cast<Index>(n), static_cast<Index>(m));
    ByRows out(to, static_cast<Index>(rows), static_cast<Index>(m));
    out.setZero();
    for (const Entry& e : entries.by_state)
      out.row(static_cast<Index>(e.row)) += w.point_.entry(e.place) * S.row(static_cast<Index>(e.col));
    for (std::size_t k = 0; k < m; ++k) {
      const double* moved = w.moved_.col(static_cast<Index>(k)).data();
      for (const Entry& e : entries.by_other[k]) to[e.row * m + k] += w.point_.entry(e.place) * moved[e.col];
    }
    const double* rate = w.point_.rows().data() + (part == Rows::integrals ? n : 0);
    out *= w.times.length;
    if (!w.by_length_.isZero(0))
      for (std::size_t r = 0; r < rows; ++r) out.row(static_cast<Index>(r)) += rate[r] * w.by_length_;
  }

  // Those of f at the point x by the states, one after the other.
  auto entries_at(double s, const double* x) {
    return [this, s, x](const auto& add) {
      if (!w.point_.move_to(s, {x, n}) || !w.point_.entries()) return false;
      const auto& places = w.model.rate_places();
      for (std::size_t e = 0; e < places.size(); ++e)
        if (w.by_state(places[e])) add(w.times.length * w.point_.entry(e));
      return true;
    };
  }

  bool correct(const Step& step) override {
    auto rates_at = [&](const double* x) -> const double* {
      if (!w.point_.move_to(step.s, {x, n}) || !w.point_.rates()) return nullptr;
      for (std::size_t i = 0; i < n; ++i) f[i] = w.times.length * w.point_.rows()[i];
      return f.data();
    };
    return newton.solve(step, rates_at, entries_at(step.s, step.y)) && (!m || correct_sensitivities(step)) &&
           (!w.n_q || correct_integrals(step));
  }

  // Its right-hand side with what is predicted; e = M⁻¹ (γ F(predicted) − c slope).
  bool correct_sensitivities(const Step& step) {
    if (!newton.factorise(step.gamma, entries_at(step.s, step.y))) return false;
    ByRows E(step.e + n, static_cast<Index>(n), static_cast<Index>(m));
    along(step.s, step.predicted + n, E.data(), n, Rows::states);
    E = step.gamma * E - step.c * ConstByRows(step.slope + n, E.rows(), E.cols());
    return newton.solve_block(E.data(), m);
  }

  bool correct_integrals(const Step& step) {
    if (!move_to(step.s, step.y)) return false;
    for (std::size_t i = n; i < q; ++i) step.y[i] = step.predicted[i] + step.e[i];
    fill(step.s, step.y + n, step.e + q, Rows::integrals);
    for (std::size_t i = q; i < size; ++i) step.e[i] = step.gamma * step.e[i] - step.c * step.slope[i];
    return true;
  }

  // Those of the states, and atol / |p̄| of each direction; see `keep_above_rounding`.
  void set_tolerances(std::span<const double> peak) {
    floor.assign(peak.begin(), peak.end());
    for (std::size_t i = 0; i < n; ++i) {
      least[i] = w.state_tolerance(i);
      for (std::size_t k = 0; k < m; ++k) least[n + i * m + k] = w.sensitivity_tolerance(i, k, floor[i]);
    }
    for (std::size_t i = 0; i < w.n_q; ++i) {
      least[q + i] = w.options.rtol;
      for (std::size_t k = 0; k < m; ++k) least[q + w.n_q + i * m + k] = w.integral_tolerance(k);
    }
  }

  void begin(std::span<const double> x, const Eigen::MatrixXd& S) {
    std::fill(at.begin(), at.end(), 0.0);
    std::copy(x.begin(), x.end(), at.begin());
    if (m) ByRows(at.data() + n, S.rows(), S.cols()) = S;
    set_tolerances(w.peak_);
    newton.forget();
    steps.begin(0, 1, at.data(), w.step_options());
  }

  // Step by step to s or beyond it; then the states and sensitivities there. The tolerances follow the states, in powers of
  // two.
  bool steps_to(double s) {
    for (long step = 0; steps.reached() < s; ++step)
      if (!one_of(step)) return false;
    steps.at(s, at.data(), 0, q);
    return true;
  }

  bool one_of(long number) {
    if (number == w.options.max_steps) return w.too_many_steps(number, steps.reached());
    return one_step();
  }

  bool one_step() {
    if (!steps.step()) return w.stopped("no step is short enough for the tolerance", steps.reached());
    bool grew = false;
    for (std::size_t i = 0; i < n && m; ++i) {
      w.peak_[i] = std::max(w.peak_[i], std::fabs(steps.y()[i]));
      grew = grew || w.peak_[i] > 2 * floor[i];
    }
    if (grew) set_tolerances(w.peak_);
    if (w.keeps_record_) w.record_.add(steps);
    return !w.keeps_record_ || w.record_.bytes() <= w.record_room_ || (w.keeps_record_ = false);
  }

  Eigen::MatrixXd sensitivities() const { return ConstByRows(at.data() + n, static_cast<Index>(n), static_cast<Index>(m)); }

  void take_sample(std::size_t k) {
    w.take_sample(k, std::span(at).first(n));
    if (m) w.samples->by.push_back(sensitivities());
  }

  bool run() {
    auto& samples = w.samples;
    if (samples && samples->per_step) return run_with_samples_of_steps();
    for (std::size_t k = 0; samples && k < samples->at.size(); ++k) {
      if (samples->at[k] > 0 && !steps_to(samples->at[k])) return false;
      take_sample(k);
    }
    return steps_to(1);
  }

  bool run_with_samples_of_steps() {
    StepSamples samples(*w.samples);
    for (long step = 0; steps.reached() < 1; ++step) {
      double from = steps.reached();
      if (!one_of(step)) return false;
      samples.add(from, steps.reached(), [&](std::size_t k, double s) {
        steps.at(s, at.data(), 0, q);
        take_sample(k);
        return true;
      });
    }
    return steps_to(1);
  }
};

BdfSteps::Options CvodesSegment::step_options() const {
  const MethodOptions& o = options.method_options;
  double unit = std::fabs(times.length);
  BdfSteps::Options out;
  out.highest_order = std::min(whole(o.max_order, 5), 5);
  out.max_error_failures = whole(o.max_error_failures, out.max_error_failures);
  out.max_convergence_failures = whole(o.max_convergence_failures, out.max_convergence_failures);
  out.initial_step = o.initial_step / unit;
  out.max_step = o.max_step / unit;
  out.min_step = o.min_step / unit;
  if (o.nonlinear_coefficient > 0) out.nonlinear_coefficient = o.nonlinear_coefficient;
  return out;
}

struct CvodesSegment::Walk final : StepByStep {
  CvodesSegment& w;
  long taken = 0;
  bool records = false;
  std::optional<ReducedModel::Anchored> anchored;  // while it is under way

  explicit Walk(CvodesSegment& segment) : w(segment) {}
  Block& block() const { return *w.values_; }

  bool begin(std::span<const double> x) override {
    anchored.reset();
    if (!w.find_anchor(x)) return false;
    anchored.emplace(w.model, w.anchor_);
    taken = 0;
    records = w.records;
    w.has_record_ = w.keeps_record_ = false;
    if (records) w.begin_record();
    w.peak_.assign(w.n_x, 0);
    if (!w.values_) w.values_ = std::make_shared<Block>(w, 0);
    block().begin(x, {});
    return true;
  }

  bool step() override { return taken++ < w.options.max_steps && block().one_step(); }
  bool has_room() const override { return w.keeps_record_ == records; }
  double reached() const override { return block().steps.reached(); }

  void at(double s, std::span<double> x, std::span<double> q) const override {
    block().steps.at(s, x.data(), 0, x.size());
    block().steps.at(s, q.data(), block().q, q.size());
  }

  bool algebraics(double s, std::span<const double> x, std::span<double> z) override {
    if (!w.point_.move_to(s, x)) return false;
    std::copy(w.model.z().begin(), w.model.z().end(), z.begin());
    return true;
  }

  void end(double s) override {
    anchored.reset();
    w.has_record_ = std::exchange(w.keeps_record_, false);
    if (w.has_record_) w.record_.stretch(1 / s);
  }
};

StepByStep* CvodesSegment::step_by_step() {
  if (!n_x || !steps_are_ours() || (records && !keeps_steps())) return nullptr;
  if (!walk_) walk_ = std::make_shared<Walk>(*this);
  return walk_.get();
}

// `d` has no columns where values alone are asked for.
bool CvodesSegment::run_in_a_block(std::shared_ptr<Block>& block, std::span<double> x, std::span<double> integrals,
                                   Segment::Directions& d) {
  std::size_t m = static_cast<std::size_t>(d.x.cols());
  if (!block || block->m != m) block = std::make_shared<Block>(*this, m);
  block->begin(x, d.x);
  if (!block->run()) return false;
  std::copy_n(block->at.begin(), n_x, x.begin());
  if (m) d.x = block->sensitivities();
  const double* q = block->steps.y() + block->q;
  for (std::size_t i = 0; i < n_q; ++i) integrals[i] += q[i];
  if (m && n_q) d.q += ConstByRows(q + n_q, static_cast<Index>(n_q), static_cast<Index>(m));
  return std::all_of(x.begin(), x.end(), [](double v) { return std::isfinite(v); }) && d.x.allFinite() && d.q.allFinite();
}

}  // namespace bolza::integrate
