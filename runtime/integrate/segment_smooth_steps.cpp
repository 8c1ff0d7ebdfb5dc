// A segment on a multistep method whose steps are chosen by a smooth control of the error, and whose derivatives count how
// the steps' lengths move: terms (56)–(58) of seed 000, for steps of different lengths, attempts that were rejected
// included.
//
// Lengths are fractions of the segment. With an attempt h and its error e, the next attempt is r(e) h when e > 1, else the
// step is taken and the next one begins with R(e) h; near the end what is left is halved or taken. Backwards, for each
// attempt, h̄ = dJ/dh and s̄_k = dJ/d(place of node k):
//
//   ē = p̄ R'(e) h,   h̄ = p̄ R(e) + s̄_end + (J by the coefficients) (coefficients by h),   s̄_k += (…) (coefficients by s_k)
//
// p̄ that of the attempt that follows. Coefficients are rational in the lengths; their derivatives are differences of fourth
// order of formulas that are written again with nodes moved.
#include <algorithm>
#include <array>
#include <cmath>

#include "runtime/integrate/multistep.h"
#include "runtime/integrate/segment_steps_internal.h"

namespace bolza::integrate {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double first_share = 1e-3, safety = 0.9, slowest = 0.2, fastest = 5;

struct Attempt {
  enum class From : std::uint8_t { plan, half_of_rest, rest } from = From::plan;
  double length = 0;           // fraction
  double error = 0;            // NaN: it came to nothing, the next is half as long
  double next = 0, slope = 0;  // the factor for the attempt that follows, and its derivative by the error
};

struct Step {
  std::unique_ptr<MultistepScheme> scheme;  // at its begin
  StepTape::Slot first = 0;
  std::vector<VectorXd> live;
  std::vector<double> z;
  std::vector<Attempt> attempts;  // the last one was taken
};

class SmoothStepsSegment final : public StepsSegment {
 public:
  SmoothStepsSegment(ReducedModel& model, const SegmentOptions& options)
      : StepsSegment(model, options),
        steps_(model, [this](double t, const double*, const double*, std::span<double> u,
                             std::span<double> slope) { inputs_at(fraction_of(t), u, slope); }),
        tape_(steps_),
        dry_(steps_) {}

  bool forward(std::span<double> x, std::span<double> integrals) override;
  bool adjoint(std::span<double> lambda, std::span<double> out, std::span<const double> samples,
               std::vector<double>* at_samples) override;
  // One adjoint for each state and integral.
  bool tangent(std::span<double> x, std::span<double> integrals, Segment::Directions& along) override;

 private:
  struct Written {
    StepTape::Slot begin = 0, end = 0, error = 0;
    bool good = false;
  };
  Written write(const Step& step, double length, StepTape& tape, MultistepScheme& scheme);
  double norm(const Written& at, StepTape::Bars* bars, double weight);
  void control(Attempt& attempt, int order, bool rejected) const;
  bool back(std::size_t i, StepTape::Bars& later, std::span<double> out, double& by_length);
  bool add_lengths(const Step& step, double length, std::size_t node, const std::vector<StepTape::Coefficients>& by,
                   double& by_node);
  std::vector<StepTape::Coefficients> coefficients(const Step& step, double length, std::size_t node, double shift);

  StepModel steps_;
  StepTape tape_, dry_;
  std::vector<Step> taken_;
  std::vector<double> place_, by_place_;  // [steps + 1] of the ends of steps, the begin first
  double by_plan_ = 0;                    // dJ/d(length that the step behind planned for this one)
};

// The attempt on a tape of its own.
SmoothStepsSegment::Written SmoothStepsSegment::write(const Step& step, double length, StepTape& tape,
                                                      MultistepScheme& scheme) {
  scheme.begin(tape);
  Written out;
  out.begin = scheme.begin_state();
  out.end = scheme.write(tape, length * times.length).end.state;
  out.error = scheme.write_error(tape);
  out.good = tape.trouble() == StepTape::Trouble::none && tape[out.error].allFinite() && tape[out.end].allFinite();
  (void)step;
  return out;
}

// e; with `bars` the derivatives of weight e by the values it is made of.
double SmoothStepsSegment::norm(const Written& at, StepTape::Bars* bars, double weight) {
  const VectorXd &a = tape_[at.begin], &b = tape_[at.end], &error = tape_[at.error];
  std::size_t count = options.method_options.quadrature_error_control > 0 ? n_x + n_q : n_x;
  VectorXd size(error.size());
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Index k = static_cast<Index>(i);
    double nominal = i < n_x ? nonlinear::size_of(model.model().x[i]) : 1;
    double value = i < n_x ? std::max(std::fabs(a[k]), std::fabs(b[k])) : std::fabs(b[k]);
    size[k] = options.rtol * (nominal + value);
    sum += std::pow(error[k] / size[k], 2);
  }
  double e = std::sqrt(sum / static_cast<double>(std::max<std::size_t>(count, 1)));
  if (!bars || e == 0) return e;
  auto bar = [&](StepTape::Slot slot) -> VectorXd& {
    VectorXd& v = bars->by[slot - bars->first];
    if (v.size() == 0) v = VectorXd::Zero(error.size());
    return v;
  };
  for (std::size_t i = 0; i < count; ++i) {
    Index k = static_cast<Index>(i);
    double z = error[k] / size[k], by_z = weight * z / (static_cast<double>(count) * e), by_size = -by_z * z / size[k];
    bar(at.error)[k] += by_z / size[k];
    bool of_end = i >= n_x || std::fabs(b[k]) >= std::fabs(a[k]);
    double value = of_end ? b[k] : a[k];
    bar(of_end ? at.end : at.begin)[k] += by_size * options.rtol * (value > 0 ? 1 : value < 0 ? -1 : 0);
  }
  return e;
}

void SmoothStepsSegment::control(Attempt& attempt, int order, bool rejected) const {
  double power = -1.0 / (order + 1), factor = safety * std::pow(std::max(attempt.error, 1e-10), power);
  double most = attempt.error > 1 ? safety : rejected ? 1 : fastest;
  bool free = factor > slowest && factor < most && attempt.error > 1e-10;
  attempt.next = std::clamp(factor, slowest, most);
  attempt.slope = free ? power * factor / attempt.error : 0;
}

bool SmoothStepsSegment::forward(std::span<double> x, std::span<double> integrals) {
  taken_.clear(), place_.assign(1, 0.0);
  if (times.length == 0) return true;
  VectorXd y = VectorXd::Zero(static_cast<Index>(n_x + n_q));
  std::copy(x.begin(), x.end(), y.data());
  MethodOptions ramp = options.method_options;
  ramp.order_selection = "ramp";
  std::unique_ptr<MultistepScheme> scheme = options.method->multistep(ramp);
  scheme->restart({times.begin, 0}, times.length);
  Step next{nullptr, 0, {y}, {}, {}};
  double share = options.method_options.initial_step > 0 ? options.method_options.initial_step / times.length : first_share;
  double planned = share;
  for (long count = 0; place_.back() < 1; ++count) {
    if (count > options.max_steps) return false;
    Step step = std::move(next);
    step.scheme.reset(static_cast<MultistepScheme*>(scheme->clone().release()));
    step.z = model.z();
    for (bool taken = false; !taken;) {
      if (step.attempts.size() > 200 || !(planned > 1e-15)) return false;
      double rest = 1 - place_.back();
      Attempt attempt{Attempt::From::plan, planned};
      if (rest <= planned) attempt.from = Attempt::From::rest, attempt.length = rest;
      else if (rest < 2 * planned) attempt.from = Attempt::From::half_of_rest, attempt.length = 0.5 * rest;
      tape_.resume(step.first, step.live, times.begin, times.length, times.begin, times.length);
      model.start_from(step.z);
      scheme.reset(static_cast<MultistepScheme*>(step.scheme->clone().release()));
      Written at = write(step, attempt.length, tape_, *scheme);
      attempt.error = at.good ? norm(at, nullptr, 0) : std::nan("");
      if (at.good) control(attempt, scheme->error_order(), !step.attempts.empty());
      else attempt.next = 0.5;
      taken = at.good && attempt.error <= 1;
      planned = attempt.next * attempt.length;
      step.attempts.push_back(attempt);
      if (!taken) continue;
      scheme->accept(tape_);
      next.first = scheme->oldest(), next.live = tape_.live(scheme->oldest());
      y = tape_[at.end];
      place_.push_back(attempt.from == Attempt::From::rest ? 1 : place_.back() + attempt.length);
    }
    taken_.push_back(std::move(step));
  }
  std::copy_n(y.data(), n_x, x.begin());
  for (std::size_t k = 0; k < n_q; ++k) integrals[k] += y[static_cast<Index>(n_x + k)];
  return y.allFinite();
}

// The numbers of all operations with one node moved by `shift` seconds: 0 the end of the step, then its begin, …
std::vector<StepTape::Coefficients> SmoothStepsSegment::coefficients(const Step& step, double length, std::size_t node,
                                                                     double shift) {
  std::unique_ptr<MultistepScheme> scheme(static_cast<MultistepScheme*>(step.scheme->clone().release()));
  dry_.resume(step.first, step.live, times.begin, times.length, times.begin, times.length);
  dry_.only_write();
  if (node > 0) scheme->move_node(node - 1, shift);
  double moved = node == 0 ? shift : node == 1 ? -shift : 0;
  write(step, length + moved / times.length, dry_, *scheme);
  std::vector<StepTape::Coefficients> out;
  for (std::size_t k = 0; k < dry_.operations(); ++k) out.push_back(dry_.coefficients(k));
  return out;
}

// dJ by the place of a node, as a fraction.
bool SmoothStepsSegment::add_lengths(const Step& step, double length, std::size_t node,
                                     const std::vector<StepTape::Coefficients>& by, double& by_node) {
  double h = 1e-3 * length * times.length;
  for (auto [steps, factor] : {std::pair{-2.0, 1.0}, {-1.0, -8.0}, {1.0, 8.0}, {2.0, -1.0}}) {
    std::vector<StepTape::Coefficients> moved = coefficients(step, length, node, steps * h);
    if (moved.size() != by.size()) return false;
    double sum = 0;
    for (std::size_t k = 0; k < by.size(); ++k) {
      sum += by[k].place * moved[k].place + by[k].a * moved[k].a + by[k].b * moved[k].b;
      for (std::size_t i = 0; i < by[k].terms.size(); ++i) sum += by[k].terms[i] * moved[k].terms[i];
    }
    by_node += factor * sum / (12 * h) * times.length;
  }
  return std::isfinite(by_node);
}

// `later`: by what step i leaves live; becomes that by what it begins with.
bool SmoothStepsSegment::back(std::size_t i, StepTape::Bars& later, std::span<double> out, double& by_length) {
  Step& step = taken_[i];
  StepTape::Bars sum;
  double by_attempt = by_plan_;  // of the length planned by the attempt at hand for the one that follows
  for (std::size_t j = step.attempts.size(); j-- > 0;) {
    const Attempt& attempt = step.attempts[j];
    bool taken = j + 1 == step.attempts.size();
    double by_h = by_attempt * attempt.next;
    if (taken) by_h += by_place_[i + 1], by_place_[i] += by_place_[i + 1];
    double by_error = by_attempt * attempt.slope * attempt.length;
    if (!std::isnan(attempt.error) && (taken || by_error != 0)) {
      std::unique_ptr<MultistepScheme> scheme(static_cast<MultistepScheme*>(step.scheme->clone().release()));
      tape_.resume(step.first, step.live, times.begin, times.length, times.begin, times.length);
      model.start_from(step.z);
      Written at = write(step, attempt.length, tape_, *scheme);
      if (!at.good) return false;
      StepTape::Bars bars{step.first, std::vector<VectorXd>(tape_.live(step.first).size())};
      for (std::size_t k = 0; taken && k < later.by.size(); ++k) bars.by[later.first + k - step.first] = later.by[k];
      norm(at, &bars, by_error);
      std::vector<StepTape::Coefficients> by;
      for (std::size_t k = 0; k < tape_.operations(); ++k) by.push_back({0, 0, 0, {}});
      bool good = tape_.adjoint(
          steps_, bars, [&](const StepTape::PointGradient& p) { add_point(p.place, p.by, p.by_slope, out); }, by_length, {},
          [&](std::size_t op, const StepTape::Coefficients& own) { by[op] = own; });
      if (!good) return false;
      if (sum.by.empty()) sum = std::move(bars);
      else
        for (std::size_t k = 0; k < sum.by.size(); ++k) {
          if (bars.by[k].size() == 0) continue;
          if (sum.by[k].size() == 0) sum.by[k] = bars.by[k];
          else sum.by[k] += bars.by[k];
        }
      double by_end = 0;
      if (!add_lengths(step, attempt.length, 0, by, by_end)) return false;
      by_h += by_end, by_place_[i] += by_end;
      for (std::size_t k = 0; k < step.scheme->nodes(); ++k)
        if (!add_lengths(step, attempt.length, k + 1, by, by_place_[i - k])) return false;
    }
    by_attempt = 0;
    if (attempt.from == Attempt::From::plan) by_attempt = by_h;
    else by_place_[i] -= (attempt.from == Attempt::From::rest ? 1 : 0.5) * by_h;
  }
  by_plan_ = by_attempt;
  later = std::move(sum);
  return true;
}

bool SmoothStepsSegment::adjoint(std::span<double> lambda, std::span<double> out, std::span<const double> samples,
                                 std::vector<double>* at_samples) {
  SampledCostates keep(samples, at_samples);
  keep(1, lambda);
  if (taken_.empty()) return keep(-1, lambda), true;
  VectorXd y(static_cast<Index>(n_x + n_q));
  std::copy(lambda.begin(), lambda.end(), y.data());
  std::copy(weight.begin(), weight.end(), y.data() + n_x);
  by_place_.assign(place_.size(), 0), by_plan_ = 0;
  double by_length = 0;
  StepTape::Bars bars;
  for (std::size_t i = taken_.size(); i-- > 0;) {
    if (i + 1 == taken_.size()) {  // what the last step leaves live is its end
      std::unique_ptr<MultistepScheme> scheme(static_cast<MultistepScheme*>(taken_[i].scheme->clone().release()));
      dry_.resume(taken_[i].first, taken_[i].live, times.begin, times.length, times.begin, times.length);
      dry_.only_write();
      bars = {write(taken_[i], taken_[i].attempts.back().length, dry_, *scheme).end, {y}};
    }
    if (!back(i, bars, out, by_length)) return false;
    StepTape::Slot state = taken_[i].scheme->begin_state();
    if (const VectorXd& l = bars.by[state - bars.first]; l.size()) keep(place_[i], {l.data(), n_x});
  }
  out[length_input()] += by_length;
  if (double first = options.method_options.initial_step; first > 0)  // given in seconds
    out[length_input()] -= by_plan_ * first / (times.length * times.length);
  if (bars.by[0].size()) std::copy_n(bars.by[0].data(), n_x, lambda.begin());
  keep(-1, lambda);
  return std::all_of(lambda.begin(), lambda.end(), [](double v) { return std::isfinite(v); });
}

bool SmoothStepsSegment::tangent(std::span<double> x, std::span<double> integrals, Segment::Directions& along) {
  if (!forward(x, integrals)) return false;
  MatrixXd moved(along.x.rows(), along.x.cols());
  std::vector<double> kept = weight;
  bool good = true;
  for (std::size_t r = 0; r < n_x + n_q && good; ++r) {
    std::vector<double> lambda(n_x), gradient(inputs());
    weight.assign(n_q, 0);
    (r < n_x ? lambda[r] : weight[r - n_x]) = 1;
    good = adjoint(lambda, gradient, {}, nullptr);
    Eigen::RowVectorXd row = Eigen::Map<Eigen::RowVectorXd>(lambda.data(), along.x.rows()) * along.x +
                             Eigen::Map<Eigen::RowVectorXd>(gradient.data(), along.direct.rows()) * along.direct;
    if (r < n_x) moved.row(static_cast<Index>(r)) = row;
    else along.q.row(static_cast<Index>(r - n_x)) += row;
  }
  weight = kept;
  if (good) along.x = moved;
  return good;
}

}  // namespace

std::unique_ptr<Segment::Work> make_smooth_steps_segment(ReducedModel& model, const SegmentOptions& options) {
  return std::make_unique<SmoothStepsSegment>(model, options);
}

}  // namespace bolza::integrate
