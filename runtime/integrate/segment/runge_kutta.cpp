// SPDX-License-Identifier: Apache-2.0
// A segment on a Runge–Kutta method: its error control chooses the steps, then the stages are solved to rounding, and
// derivatives are those of the numbers computed with the steps' lengths (as fractions of the segment) held. A record that
// grows too large is kept in checkpoints, between which the steps are taken again when they are wanted.
#include <algorithm>

#include "runtime/integrate/segment/steps_internal.h"
#include "runtime/integrate/steps/one_step.h"
#include "runtime/integrate/steps/runge_kutta_steps.h"
#include "runtime/linalg/dense_decompositions.h"
#include "runtime/linalg/lagrange.h"

namespace bolza::integrate {
namespace {

class RungeKuttaSegment final : public StepsSegment {
 public:
  RungeKuttaSegment(ReducedModel& model, const SegmentOptions& options)
      : StepsSegment(model, options),
        steps_(model.at(), options.method->runge_kutta(),
               [this](double t, std::span<double> u) { inputs_at(fraction_of(t), u, {}); }),
        checkpoints_(options.method_options) {}

  bool forward(std::span<double> x, std::span<double> integrals) override {
    if (times.length == 0) {
      has_steps_ = false;
      return true;
    }
    if (!has_steps_ || !(repeats || near_chosen(x))) return has_steps_ = choose(x, integrals);
    for (std::size_t k = 0; k < stretches(); ++k)
      if (!run(k, x, integrals, !whole_)) return false;
    return true;
  }

  bool adjoint(std::span<Backward> functionals, std::span<const double> samples) override {
    std::vector<SampledCostates> keep;
    for (Backward& b : functionals) keep.emplace_back(samples, b)(1);
    for (std::size_t stretch = has_steps_ ? stretches() : 0; stretch-- > 0;) {
      if (!load(stretch)) return false;
      for (std::size_t k = taken_.size(); k-- > 0;) {
        if (!steps_.linearise(taken_[k])) return false;
        for (std::size_t j = 0; j < functionals.size(); ++j) {
          Backward& b = functionals[j];
          double by_length = 0;
          if (!steps_.adjoint(taken_[k], b.lambda, b.weight, stages_, by_length)) return false;
          for (const auto& stage : stages_) add_point(fraction_of(stage.t), stage.by, {}, b.gradient);
          b.gradient[length_input()] += by_length * (fraction_[k + 1] - fraction_[k]);
          keep[j](fraction_[k]);
        }
      }
    }
    for (SampledCostates& rest : keep) rest(-1);
    return true;
  }

  bool tangent(std::span<double> x, std::span<double> integrals, Segment::Directions& along) override {
    RungeKuttaSteps::Directions d{along.x, along.q, {}, {}};
    if (!forward(x, integrals)) return false;
    for (std::size_t stretch = 0; has_steps_ && stretch < stretches(); ++stretch) {
      if (!load(stretch)) return false;
      for (std::size_t k = 0; k < taken_.size(); ++k) {
        direct(k, along.direct, d);
        if (!steps_.tangent(taken_[k], d)) return false;
      }
    }
    along.x = d.x;
    along.q = d.q;
    return d.x.allFinite() && d.q.allFinite();
  }

  bool has_second() const override { return model.has_second(); }
  bool second(std::span<const double> begin, const Segment::Directions& along, std::span<const double> lambda,
              const Eigen::MatrixXd& weight_dot, Eigen::MatrixXd& lambda_dot, Eigen::MatrixXd& gradient_dot) override {
    std::vector<double> x(begin.begin(), begin.end()), q(n_q), l(lambda.begin(), lambda.end());
    gradient_dot.setZero(static_cast<Eigen::Index>(inputs()), along.x.cols());
    if (!forward(x, q)) return false;
    if (!has_steps_) return true;
    RungeKuttaSteps::Directions d{along.x, Eigen::MatrixXd::Zero(along.q.rows(), along.q.cols()), {}, {}};
    std::vector<Eigen::MatrixXd> begins, states;  // how x moves at the start of stretches, of the steps of one
    auto move = [&](std::size_t stretch) {
      states.clear();
      for (std::size_t k = 0; k < taken_.size(); ++k) {
        states.push_back(d.x);
        direct(k, along.direct, d);
        if (k + 1 == taken_.size() && stretch + 1 == stretches()) break;  // where the end goes is not wanted
        if (!steps_.tangent(taken_[k], d)) return false;
      }
      return true;
    };
    for (std::size_t stretch = 0; stretch < stretches(); ++stretch) {
      begins.push_back(d.x);
      if (!load(stretch) || !move(stretch)) return false;
    }
    RungeKuttaSteps::Moved moved{lambda_dot, weight_dot, {}, {}};
    for (std::size_t stretch = stretches(); stretch-- > 0;) {
      d.x = begins[stretch];
      if (stretch + 1 < stretches() && (!load(stretch) || !move(stretch))) return false;
      for (std::size_t k = taken_.size(); k-- > 0;) {
        double by_length = 0;
        direct(k, along.direct, d);
        d.x = states[k];
        if (!steps_.second(taken_[k], l, weight, stages_, by_length, d, moved)) return false;
        for (std::size_t i = 0; i < stages_.size(); ++i)
          add_point_moves(fraction_of(stages_[i].t), {}, moved.by[i], {}, along.direct, gradient_dot);
        gradient_dot.row(static_cast<Eigen::Index>(length_input())) += moved.by_length * (fraction_[k + 1] - fraction_[k]);
      }
    }
    lambda_dot = moved.lambda;
    return gradient_dot.allFinite();
  }

 private:
  /// How what a step takes besides its state moves.
  void direct(std::size_t k, const Eigen::MatrixXd& along, RungeKuttaSteps::Directions& d) const {
    d.length = (fraction_[k + 1] - fraction_[k]) * along.row(static_cast<Eigen::Index>(length_input()));
    d.direct.clear();
    for (double c : steps_.form().c) d.direct.push_back(point_directions(fraction_of(taken_[k].t + c * taken_[k].h), along));
  }

  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  std::size_t stretches() const { return whole_ ? 1 : checkpoints_.count(); }
  std::size_t begin_of(std::size_t stretch) const { return whole_ ? 0 : checkpoints_.step(stretch); }
  std::size_t end_of(std::size_t stretch) const {
    return stretch + 1 < stretches() ? checkpoints_.step(stretch + 1) : shares_.size();
  }
  std::size_t bytes_of_step() const {
    return sizeof(RungeKuttaStep) + sizeof(double) * (1 + n_x + steps_.form().stages * (n_x + model.model().n_z)) + 96;
  }

  // ---- the steps are chosen

  bool choose(std::span<double> x, std::span<double> integrals) {
    taken_.clear();
    fraction_.assign(1, 0.0);
    shares_.clear();
    checkpoints_.clear();
    whole_ = !checkpoints_.wanted();
    loaded_ = none;
    std::vector<double> y(x.begin(), x.end()), q(n_q);
    auto took = [&](Integrator& integrator, double reached, bool last) {
      if (reached == times.begin) return true;
      steps_.begin_with(integrator.record()->factors);
      double share = integrator.record()->h / times.length, begin = fraction_.back(), end = last ? 1 : begin + share;
      RungeKuttaStep step = guess(*integrator.record());
      step.t = times.begin + begin * times.length;
      step.h = (end - begin) * times.length;
      if (checkpoints_.due(shares_.size()) && !checkpoint(begin, y, step)) return no_room();
      if (!steps_.advance(step, y, q)) return false;
      shares_.push_back({share});
      whole_ = whole_ && (taken_.size() + 1) * bytes_of_step() <= checkpoints_.allowance();
      if (!whole_) {
        taken_.clear();
        fraction_.clear();
      } else taken_.push_back(std::move(step));
      fraction_.push_back(end);
      return true;
    };
    if (!choose_steps({x.begin(), x.end()}, integrals.size(), took)) return false;
    if (whole_) checkpoints_.clear();
    std::copy(y.begin(), y.end(), x.begin());
    for (std::size_t k = 0; k < n_q; ++k) integrals[k] += q[k];
    return true;
  }

  /// The method's stages are the guesses of ours. K = A⁻¹ (X − x)/h: f at stages that are not exact is off by what they are
  /// times the stiffness, from where Newton's method finds other solutions.
  RungeKuttaStep guess(const StepRecord& record) const {
    const RungeKuttaForm& form = steps_.form();
    std::size_t s = form.stages;
    RungeKuttaStep step{0, 0, {}, std::vector<double>(s * n_x), record.stage_z};
    if (form.is_explicit) return step;
    using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    auto rows = static_cast<Eigen::Index>(s), columns = static_cast<Eigen::Index>(n_x);
    Rows increments = Eigen::Map<const Rows>(record.stage_x.data(), rows, columns);
    increments.rowwise() -= Eigen::Map<const Eigen::RowVectorXd>(record.begin.x.data(), columns);
    Eigen::Map<Rows>(step.K.data(), rows, columns) =
        linalg::solve(Eigen::Map<const Rows>(form.a.data(), rows, rows), increments) / record.h;
    return step;
  }

  bool checkpoint(double fraction, std::span<const double> x, const RungeKuttaStep& first) {
    return checkpoints_.add(shares_.size(), numbers_of(fraction, x, first));
  }

  std::vector<double> numbers_of(double fraction, std::span<const double> x, const RungeKuttaStep& first) const {
    std::vector<double> numbers{fraction};
    numbers.insert(numbers.end(), x.begin(), x.end());
    numbers.insert(numbers.end(), first.K.begin(), first.K.end());
    numbers.insert(numbers.end(), first.Z.begin(), first.Z.end());
    return numbers;
  }

  // ---- and repeated

  // Takes the steps of a stretch from x, which becomes its end. `anew`: they are not on record.
  bool run(std::size_t stretch, std::span<double> x, std::span<double> q, bool anew) {
    if (!anew) {
      for (std::size_t k = 0; k < taken_.size(); ++k) {
        place(k);
        if (!steps_.advance(taken_[k], x, q)) return false;
      }
      return true;
    }
    std::vector<double> numbers, begin(x.begin(), x.end());
    if (!checkpoints_.get(stretch, numbers)) return no_room();
    auto at = numbers.begin() + 1 + static_cast<std::ptrdiff_t>(n_x);
    auto behind_K = at + static_cast<std::ptrdiff_t>(steps_.form().stages * n_x);
    taken_.clear();
    fraction_.assign(1, numbers[0]);
    loaded_ = none;
    for (std::size_t i = begin_of(stretch); i < end_of(stretch); ++i) {
      bool last = i + 1 == shares_.size();
      fraction_.push_back(last ? 1 : fraction_.back() + shares_[i].length);
      taken_.push_back(taken_.empty() ? RungeKuttaStep{0, 0, {}, {at, behind_K}, {behind_K, numbers.end()}}
                                      : extrapolate(taken_.back(), fraction_.end()[-1] - fraction_.end()[-2]));
      place(taken_.size() - 1);
      if (!advance(taken_.back(), x, q)) return false;
    }
    loaded_ = stretch;
    return checkpoints_.set(stretch, numbers_of(fraction_[0], begin, taken_.front())) || no_room();
  }

  void place(std::size_t k) {
    taken_[k].t = times.begin + fraction_[k] * times.length;
    taken_[k].h = (fraction_[k + 1] - fraction_[k]) * times.length;
  }

  bool load(std::size_t stretch) {
    if (whole_ || loaded_ == stretch) return true;
    std::vector<double> numbers, q(n_q);
    if (!checkpoints_.get(stretch, numbers)) return no_room();
    return run(stretch, {numbers.data() + 1, n_x}, q, true);
  }

  // The polynomials through the stages of the step before; explicit methods need algebraics only.
  RungeKuttaStep extrapolate(const RungeKuttaStep& before, double share) const {
    RungeKuttaStep step{0, 0, {}, before.K, before.Z};
    const RungeKuttaForm& form = steps_.form();
    if (form.is_explicit) return step;
    double ratio = share * times.length / before.h;
    auto extend = [&](const std::vector<double>& from, std::vector<double>& to, std::size_t n) {
      for (std::size_t j = 0; j < form.stages; ++j) {
        std::vector<double> value = linalg::lagrange_values(form.c, 1 + form.c[j] * ratio);
        for (std::size_t k = 0; k < n; ++k) {
          to[j * n + k] = 0;
          for (std::size_t i = 0; i < form.stages; ++i) to[j * n + k] += value[i] * from[i * n + k];
        }
      }
    };
    extend(before.K, step.K, n_x);
    extend(before.Z, step.Z, model.model().n_z);
    return step;
  }

  // Where the extrapolated stages are not a good guess those of the end of the step before are tried.
  bool advance(RungeKuttaStep& step, std::span<double> x, std::span<double> q) {
    std::vector<double> begin(x.begin(), x.end());
    if (steps_.advance(step, x, q)) return true;
    if (taken_.size() < 2) return false;
    const RungeKuttaStep& before = taken_[taken_.size() - 2];
    auto repeat_last = [&](const std::vector<double>& from, std::vector<double>& to, std::size_t n) {
      std::size_t s = steps_.form().stages;
      for (std::size_t j = 0; j < s; ++j)
        for (std::size_t k = 0; k < n; ++k) to[j * n + k] = from[(s - 1) * n + k];
    };
    repeat_last(before.K, step.K, n_x);
    repeat_last(before.Z, step.Z, model.model().n_z);
    std::copy(begin.begin(), begin.end(), x.begin());
    return steps_.advance(step, x, q);
  }

  RungeKuttaSteps steps_;
  bool has_steps_ = false, whole_ = true;  // whole: all steps are on record
  StepLengths shares_;                     // of the segment
  Checkpoints checkpoints_;                // each: fraction, x, and K, Z of the step that follows
  std::vector<RungeKuttaStep> taken_;      // the steps of the stretch on record
  std::vector<double> fraction_;           // [steps + 1] of the ends of these
  std::size_t loaded_ = none;              // which that is
  std::vector<RungeKuttaSteps::StageGradient> stages_;
};

}  // namespace

std::unique_ptr<Segment::Work> make_runge_kutta_segment(ReducedModel& model, const SegmentOptions& options) {
  return std::make_unique<RungeKuttaSegment>(model, options);
}

}  // namespace bolza::integrate
