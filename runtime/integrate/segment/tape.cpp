// SPDX-License-Identifier: Apache-2.0
// A segment on a method whose steps are written as operations: its error control chooses the steps, the tape repeats them
// and has their derivatives, the steps' lengths (as fractions of the segment) held. A record that grows too large is kept in
// checkpoints: the scheme writes the steps between two of them again when they are wanted.
#include <algorithm>
#include <cmath>
#include <map>

#include "runtime/integrate/segment/steps_internal.h"
#include "runtime/integrate/steps/one_step.h"
#include "runtime/integrate/steps/tape_method.h"

namespace bolza::integrate {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

class TapeSegment final : public StepsSegment {
 public:
  TapeSegment(ReducedModel& model, const SegmentOptions& options)
      : StepsSegment(model, options),
        steps_(model, [this](double t, const double*, const double*, std::span<double> u,
                             std::span<double> slope) { inputs_at(fraction_of(t), u, slope); }),
        tape_(steps_),
        checkpoints_(options.method_options) {}

  bool forward(std::span<double> x, std::span<double> integrals) override {
    if (times.length == 0) {
      has_steps_ = false;
      return true;
    }
    bool chosen = !has_steps_ || !(repeats || near_chosen(x));
    if (chosen && !(has_steps_ = choose(x, integrals.size()))) return false;
    VectorXd y = VectorXd::Zero(static_cast<Index>(n_x + n_q));
    std::copy(x.begin(), x.end(), y.data());
    if (whole_) {
      bool good = tape_.replay(steps_, times.begin, times.length, y);
      if (chosen && !(good && stays(y))) return stray();
      if (!good) return false;
    } else if (chosen) y = end_;
    else if (!repeat(y)) return false;
    std::copy_n(y.data(), n_x, x.begin());
    for (std::size_t k = 0; k < n_q; ++k) integrals[k] += y[static_cast<Index>(n_x + k)];
    return true;
  }

  bool adjoint(std::span<Backward> functionals, std::span<const double> samples) override {
    std::vector<SampledCostates> keep;
    for (Backward& b : functionals) keep.emplace_back(samples, b)(has_steps_ ? 1 : -1);
    if (!has_steps_) return true;
    std::vector<StepTape::Bars> bars(functionals.size());
    for (std::size_t k = stretches(); k-- > 0;) {
      if (!load(k)) return false;
      for (std::size_t j = 0; j < functionals.size(); ++j)
        if (!pull_back(k, functionals[j], bars[j], keep[j])) return false;
    }
    for (std::size_t j = 0; j < functionals.size(); ++j) {
      Backward& b = functionals[j];
      if (const VectorXd& y = bars[j].by[0]; y.size()) std::copy_n(y.data(), n_x, b.lambda.begin());
      else std::fill(b.lambda.begin(), b.lambda.end(), 0.0);
      keep[j](-1);
    }
    return true;
  }

  bool tangent(std::span<double> x, std::span<double> integrals, Segment::Directions& along) override {
    if (!forward(x, integrals)) return false;
    if (!has_steps_) return true;
    MatrixXd y(static_cast<Index>(n_x + n_q), along.x.cols());
    y << along.x, along.q;
    std::vector<MatrixXd> dots{y};
    for (std::size_t k = 0; k < stretches(); ++k) {
      if (!load(k)) return false;
      bool good = tape_.tangent(steps_, dots, along.direct.row(static_cast<Index>(length_input())), [&](double place) {
        return StepTape::PointDirections{point_directions(place, along.direct), slope_directions(place, along.direct)};
      });
      if (!good) return false;
      std::size_t kept = k + 1 == stretches() ? tape_.end() : left_;
      dots.erase(dots.begin(), dots.begin() + static_cast<std::ptrdiff_t>(kept - tape_.first()));
    }
    along.x = dots[0].topRows(static_cast<Index>(n_x));
    along.q = dots[0].bottomRows(static_cast<Index>(n_q));
    return dots[0].allFinite();
  }

  bool has_second() const override { return model.has_second(); }
  bool second(std::span<const double> begin, const Segment::Directions& along, std::span<const double> lambda,
              const MatrixXd& weight_dot, MatrixXd& lambda_dot, MatrixXd& gradient_dot) override {
    std::vector<double> x(begin.begin(), begin.end()), q(n_q);
    gradient_dot.setZero(static_cast<Index>(inputs()), along.x.cols());
    if (!forward(x, q)) return false;
    if (!has_steps_) return true;
    MatrixXd y(static_cast<Index>(n_x + n_q), along.x.cols());
    y << along.x, MatrixXd::Zero(static_cast<Index>(n_q), along.x.cols());
    Eigen::RowVectorXd length = along.direct.row(static_cast<Index>(length_input())), by_length = 0 * length;
    auto directions = [&](double place) {
      return StepTape::PointDirections{point_directions(place, along.direct), slope_directions(place, along.direct)};
    };
    std::vector<std::vector<MatrixXd>> begins{{y}};  // how each stretch's start moves
    std::vector<MatrixXd> dots;
    auto move = [&](std::size_t k) {
      return load(k) && (dots = begins[k], tape_.tangent(steps_, dots, length, directions));
    };
    for (std::size_t k = 0; k + 1 < stretches(); ++k) {
      if (!move(k)) return false;
      begins.emplace_back(dots.begin() + static_cast<std::ptrdiff_t>(left_ - tape_.first()), dots.end());
    }
    StepTape::Bars bars;
    std::vector<MatrixXd> moves(1);
    VectorXd psi(y.rows());
    std::copy(lambda.begin(), lambda.end(), psi.data());
    std::copy(weight.begin(), weight.end(), psi.data() + n_x);
    moves[0] = MatrixXd::Zero(y.rows(), y.cols());
    moves[0].topRows(lambda_dot.rows()) = lambda_dot;
    if (weight_dot.size()) moves[0].bottomRows(weight_dot.rows()) = weight_dot;
    for (std::size_t k = stretches(); k-- > 0;) {
      if (!move(k)) return false;
      if (k + 1 == stretches()) bars = {tape_.end(), {psi}};
      else bars.first = left_;
      bool good = tape_.second(
          steps_, dots, bars, moves, length, directions,
          [&](const StepTape::PointGradient& p, const StepTape::PointMoves& to) {
            add_point_moves(p.place, p.by_slope, to.by, to.by_slope, along.direct, gradient_dot);
          },
          by_length);
      if (!good) return false;
    }
    gradient_dot.row(static_cast<Index>(length_input())) += by_length;
    if (moves[0].size()) lambda_dot = moves[0].topRows(lambda_dot.rows());
    else lambda_dot.setZero();
    return gradient_dot.allFinite();
  }

 private:
  std::size_t stretches() const { return whole_ ? 1 : checkpoints_.count(); }

  // Over a stretch that is on the tape; the bars of the last one are what the functional begins with.
  bool pull_back(std::size_t stretch, Backward& b, StepTape::Bars& bars, SampledCostates& keep) {
    if (stretch + 1 == stretches()) {
      VectorXd y(static_cast<Index>(n_x + n_q));
      std::copy(b.lambda.begin(), b.lambda.end(), y.data());
      std::copy(b.weight.begin(), b.weight.end(), y.data() + n_x);
      bars = {tape_.end(), {y}};
    } else {
      bars.first = left_;
    }
    double by_length = 0;
    bool good = tape_.adjoint(
        steps_, bars, [&](const StepTape::PointGradient& p) { add_point(p.place, p.by, p.by_slope, b.gradient); }, by_length,
        [&](std::size_t step, const VectorXd& l) { keep(tape_.place_of_end(step), {l.data(), n_x}); });
    b.gradient[length_input()] += by_length;
    return good;
  }

  // ---- the steps are chosen

  bool choose(std::span<const double> x, std::size_t n_integrals) {
    lengths_.clear();
    checkpoints_.clear();
    schemes_.clear();
    whole_ = !checkpoints_.wanted();
    loaded_ = none;
    unit_begin_ = times.begin;
    unit_ = times.length;
    auto took = [&](Integrator& integrator, double reached, bool last) {
      StepTape& tape = *integrator.tape();
      if (reached > times.begin) lengths_.push_back({integrator.record()->h, integrator.scheme()->order()});
      whole_ = whole_ && tape.bytes() <= checkpoints_.allowance();
      tape.forgets = !whole_;
      if (last) end_ = tape[tape.end()];
      if (last && whole_) tape_ = std::move(tape);
      return last || !checkpoints_.due(lengths_.size()) || checkpoint(integrator) || no_room();
    };
    if (!choose_steps(x, n_integrals, took)) return false;
    if (whole_) {
      tape_.rescale(unit_begin_, unit_);
      schemes_.clear();
      checkpoints_.clear();
    }
    return true;
  }

  bool checkpoint(Integrator& integrator) {
    std::unique_ptr<StepScheme> scheme = integrator.scheme()->clone();
    if (lengths_.size() > 0) scheme->accept(*integrator.tape());
    std::vector<double> numbers = integrator.record()->end.z;
    add_values(integrator.tape()->live(scheme->oldest()), numbers);
    Begin& begin = schemes_[lengths_.size()];
    begin.first = scheme->oldest();
    begin.scheme = std::move(scheme);
    if (!checkpoints_.add(lengths_.size(), numbers)) return false;
    if (checkpoints_.count() < schemes_.size())
      std::erase_if(schemes_, [&](const auto& entry) { return !checkpoints_.has(entry.first); });
    return true;
  }

  static void add_values(const std::vector<VectorXd>& live, std::vector<double>& numbers) {
    for (const VectorXd& y : live) numbers.insert(numbers.end(), y.data(), y.data() + y.size());
  }

  // ---- and repeated

  /// Do repeated steps end where those that were chosen did? To rounding, unless errors grow from step to step: an explicit
  /// method beyond its bound of stability, whose error control damps them by the choice of the steps.
  bool stays(const VectorXd& y) const {
    double tol = std::max(1e3 * options.rtol, 1e-6);
    for (std::size_t i = 0; i < n_x; ++i) {
      Index k = static_cast<Index>(i);
      if (!(std::fabs(y[k] - end_[k]) <= tol * (nonlinear::size_of(model.model().x[i]) + std::fabs(end_[k])))) return false;
    }
    return true;
  }

  bool stray() {
    has_steps_ = false;
    model.at().note(
        "the steps of `" + std::string(options.method->name) +
            "`, repeated, leave the solution: the model is too stiff for them, and their derivatives explode; take an "
            "integrator for stiff models",
        times.begin);
    return false;
  }

  // All stretches from y on; the checkpoints are those of this run then.
  bool repeat(VectorXd& y) {
    std::vector<VectorXd> live{y};
    for (std::size_t k = 0; k < stretches(); ++k) {
      std::vector<double> numbers;
      if (!checkpoints_.get(k, numbers)) return no_room();
      if (k) numbers.assign(model.z().begin(), model.z().end());
      else numbers.resize(model.z().size());
      add_values(live, numbers);
      if (!checkpoints_.set(k, numbers)) return no_room();
      loaded_ = none;
      if (!load(k)) return false;
      live = tape_.live(left_);
    }
    y = tape_[tape_.end()];
    return y.allFinite();
  }

  // The operations and values of a stretch are on the tape.
  bool load(std::size_t k) {
    if (whole_ || loaded_ == k) return true;
    loaded_ = none;
    std::vector<double> numbers;
    if (!checkpoints_.get(k, numbers)) return no_room();
    auto from = numbers.begin() + static_cast<std::ptrdiff_t>(model.z().size());
    model.start_from({numbers.begin(), from});
    std::vector<VectorXd> live;
    for (; from != numbers.end(); from += static_cast<std::ptrdiff_t>(n_x + n_q))
      live.emplace_back(Eigen::Map<const VectorXd>(&*from, static_cast<Index>(n_x + n_q)));
    const Begin& begin = schemes_.at(checkpoints_.step(k));
    tape_.resume(begin.first, std::move(live), unit_begin_, unit_, times.begin, times.length);
    std::unique_ptr<StepScheme> scheme = begin.scheme->clone();
    std::size_t end = k + 1 < stretches() ? checkpoints_.step(k + 1) : lengths_.size();
    for (std::size_t i = checkpoints_.step(k); i < end; ++i) {
      StepLengths::Step step = lengths_[i];
      scheme->hold_order(step.order);
      scheme->begin(tape_);
      tape_.end_step(scheme->write(tape_, step.length).end);
      if (tape_.trouble() != StepTape::Trouble::none) return false;
      scheme->accept(tape_);
    }
    left_ = scheme->oldest();
    loaded_ = k;
    return true;
  }

  struct Begin {  // of a stretch
    std::unique_ptr<StepScheme> scheme;
    StepTape::Slot first = 0;
  };
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  StepModel steps_;
  StepTape tape_;
  bool has_steps_ = false, whole_ = true;  // whole: the tape has all steps
  StepLengths lengths_;
  Checkpoints checkpoints_;
  std::map<std::size_t, Begin> schemes_;  // by step
  std::size_t loaded_ = none;             // the stretch whose steps are on the tape
  StepTape::Slot left_ = 0;               // the first that it leaves live
  double unit_begin_ = 0, unit_ = 1;      // for which the steps were chosen
  VectorXd end_;                          // of the run that chose them
};

}  // namespace

std::unique_ptr<Segment::Work> make_tape_segment(ReducedModel& model, const SegmentOptions& options) {
  if (options.method_options.steps == "smooth" && options.method->multistep)
    return make_smooth_steps_segment(model, options);
  return std::make_unique<TapeSegment>(model, options);
}

}  // namespace bolza::integrate
