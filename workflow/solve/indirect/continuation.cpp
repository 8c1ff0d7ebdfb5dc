// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/indirect/continuation.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/numbers.h"

namespace bolza::workflow {
namespace {

constexpr std::size_t most_points = 400;
constexpr double first_step = 0.02, largest_step = 0.25, smallest_step = 1e-6;  ///< of the unknowns' sizes
constexpr double grows = 1.5, shrinks = 0.5;
constexpr int quick = 4, slow = 9;  ///< steps of Newton's method
constexpr double straight = 0.95;   ///< cosine of the angle between two secants

bool number_of(std::string_view text, double& value) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  return status == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

/// a + factor·(a − b), where the two have the same form.
void extrapolate(std::vector<double>& a, const std::vector<double>& b, double factor) {
  if (a.size() != b.size()) return;
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += factor * (a[i] - b[i]);
}

abi::Solution extrapolated(const abi::Solution& a, const abi::Solution& b, double factor) {
  abi::Solution out = a;
  extrapolate(out.parameters, b.parameters, factor);
  for (std::size_t p = 0; p < out.phases.size(); ++p) {
    abi::PhaseSolution &to = out.phases[p], from = b.phases[p];
    if (to.trajectories.time.size() != from.trajectories.time.size()) continue;
    to.start_time += factor * (to.start_time - from.start_time);
    to.final_time += factor * (to.final_time - from.final_time);
    extrapolate(to.trajectories.time, from.trajectories.time, factor);
    for (auto rows : {&abi::Trajectories::x, &abi::Trajectories::z, &abi::Trajectories::u})
      for (std::size_t i = 0; i < (to.trajectories.*rows).size(); ++i)
        extrapolate((to.trajectories.*rows)[i], (from.trajectories.*rows)[i], factor);
  }
  return out;
}

/// A point of the branch: its solution, and the unknowns of the curve there.
struct CurvePoint {
  abi::Solution solution;
  std::vector<double> unknowns;
};

class Follower {
 public:
  Follower(BoundaryProblem& problem, const Continuation& continuation, const SolveConditions& solve,
           const std::function<PointOnBranch(const abi::Solution&)>& look)
      : problem_(problem),
        names_(problem.text.curve),
        continuation_(continuation),
        solve_(solve),
        look_(look),
        abi_(problem.model->abi()),
        parameters_(abi_.parameters, abi_.parameters + abi_.n_parameters) {
    abi_.parameters = parameters_.data();
    out_.branch.parameter = continuation.parameter;
  }

  FollowedBranch follow() {
    CurvePoint first;
    if (!correct_to_value(problem_.start, continuation_.from, first)) {
      out_.last = std::move(first.solution);
      out_.branch.ended = "the first point was not solved";
      return std::move(out_);
    }
    if (!accept(std::move(first), BranchPoint::Kind::point)) return finish();
    size_ = sizes();
    while (go_on()) continue;
    return finish();
  }

 private:
  double parameter(const CurvePoint& point) const { return point.unknowns[names_.continued]; }
  double range() const { return std::fabs(continuation_.to - continuation_.from); }
  const CurvePoint& last() const { return points_.back(); }

  FollowedBranch finish() {
    if (!points_.empty()) out_.last = points_.back().solution;
    return std::move(out_);
  }

  // ---------------------------------------------------------------- one point

  void set(const std::string& name, double value) {
    std::string identifier = driver::identifier_of(name);
    for (bolza_variable& v : parameters_) {
      if (v.name != identifier) continue;
      v.fixed = 1;
      v.start = v.min = v.max = v.guess = value;
    }
  }

  bool solve_from(const abi::Solution& guess, CurvePoint& point) {
    abi::Solution start = guess;
    for (std::size_t k = 0; k < parameters_.size() && k < start.parameters.size(); ++k)
      if (parameters_[k].fixed) start.parameters[k] = parameters_[k].start;
    point.solution = solve_(abi_, start);
    if (!abi::is_solution(point.solution.status)) return false;
    point.unknowns = unknowns_of(point.solution);
    return true;
  }

  bool correct_to_value(const abi::Solution& guess, double value, CurvePoint& point) {
    for (std::size_t i = 0; i < names_.unknowns.size(); ++i) {
      set(names_.weights[i], i == names_.continued ? 1 : 0);
      set(names_.centres[i], 0);
    }
    set(names_.step, value);
    return solve_from(guess, point);
  }

  /// To the plane that is `step` away from a centre along a direction, both in units of sizes.
  bool correct_along(const abi::Solution& guess, const std::vector<double>& centre, const std::vector<double>& direction,
                     double step, CurvePoint& point) {
    for (std::size_t i = 0; i < centre.size(); ++i) {
      set(names_.weights[i], direction[i] / size_[i]);
      set(names_.centres[i], centre[i]);
    }
    set(names_.step, step);
    return solve_from(guess, point);
  }

  /// Values at the start of the first arc, parameters and times.
  std::vector<double> unknowns_of(const abi::Solution& solution) const {
    NamedValues first = values_of_arc(problem_, solution, 0);
    std::vector<double> out;
    for (const std::string& name : names_.unknowns) out.push_back(unknown_of(solution, first, name));
    return out;
  }

  double unknown_of(const abi::Solution& solution, const NamedValues& first, std::string name) const {
    for (std::size_t k = 0; k < parameters_.size(); ++k)
      if (parameters_[k].name == name) return solution.parameters[k];
    const std::string& prefix = problem_.text.arcs[0].prefix;
    if (name.starts_with(prefix)) name = name.substr(prefix.size());
    if (std::size_t open = name.rfind('('); open != name.npos) name = name.substr(0, open);
    for (const auto& [plain, values] : first)
      if (driver::identifier_of(plain) == name && !values.empty()) return values.front();
    return 0;
  }

  // ---------------------------------------------------------------- sizes and directions

  /// What a step is measured in: the parameter by its interval, the others by the largest that they were, all of these
  /// together as much as the parameter.
  std::vector<double> sizes() const {
    std::vector<double> size(last().unknowns.size(), 0);
    double largest = 0;
    for (const CurvePoint& point : points_)
      for (std::size_t i = 0; i < size.size(); ++i) {
        size[i] = std::max(size[i], std::fabs(point.unknowns[i]));
        if (i != names_.continued) largest = std::max(largest, size[i]);
      }
    double share = std::sqrt(static_cast<double>(std::max<std::size_t>(1, size.size() - 1)));
    constexpr double least = 1e-3;  // of the largest: what is less moves no step
    for (double& s : size) s = std::max({s, least * largest, 1e-12}) * share;
    size[names_.continued] = range();
    return size;
  }

  std::vector<double> secant(const CurvePoint& a, const CurvePoint& b) const {
    std::vector<double> out;
    double length = 0;
    for (std::size_t i = 0; i < size_.size(); ++i) {
      out.push_back((b.unknowns[i] - a.unknowns[i]) / size_[i]);
      length += out.back() * out.back();
    }
    length = std::sqrt(length);
    for (double& component : out) component /= length > 0 ? length : 1;
    return out;
  }

  double distance(const CurvePoint& a, const CurvePoint& b) const {
    double sum = 0;
    for (std::size_t i = 0; i < size_.size(); ++i) sum += std::pow((b.unknowns[i] - a.unknowns[i]) / size_[i], 2);
    return std::sqrt(sum);
  }

  static double dot(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  }

  // ---------------------------------------------------------------- steps

  bool accept(CurvePoint point, BranchPoint::Kind kind) {
    PointOnBranch what = look_(point.solution);
    if (!what.contradiction.empty()) {
      out_.branch.ended = "at " + continuation_.parameter + " = " + shown(parameter(point), 6) + ": " + what.contradiction;
      return false;
    }
    out_.branch.points.push_back({parameter(point), what.objective, what.norm, kind});
    points_.push_back(std::move(point));
    if (points_.size() > 3) points_.erase(points_.begin());
    return true;
  }

  /// One step; false: the branch has ended.
  bool go_on() {
    if (out_.branch.points.size() >= most_points) return end("after " + std::to_string(most_points) + " points");
    CurvePoint next;
    if (!take_step(next)) {
      step_ *= shrinks;
      return step_ >= smallest_step ||
             end("steps became too small at " + continuation_.parameter + " = " + shown(parameter(last()), 8));
    }
    if (points_.size() > 1 && !is_straight(next) && step_ > 10 * smallest_step) {
      step_ *= shrinks;
      return true;
    }
    double beyond = leaves(parameter(next));
    if (!std::isnan(beyond)) return end_at(beyond, next);
    bool turned = points_.size() > 1 &&
                  (parameter(next) - parameter(last())) * (parameter(last()) - parameter(points_[points_.size() - 2])) < 0;
    if (turned && !add_fold(next)) return false;
    int steps = next.solution.statistics.iterations;
    if (!accept(std::move(next), BranchPoint::Kind::point)) return false;
    size_ = sizes();
    if (steps <= quick) step_ = std::min(step_ * grows, largest_step);
    if (steps >= slow) step_ *= shrinks;
    return true;
  }

  bool end(std::string why) {
    out_.branch.ended = std::move(why);
    return false;
  }

  bool take_step(CurvePoint& next) {
    if (points_.size() == 1) {
      double towards = continuation_.to > continuation_.from ? 1 : -1;
      return correct_to_value(last().solution, parameter(last()) + towards * step_ * range(), next);
    }
    const CurvePoint& before = points_[points_.size() - 2];
    double length = distance(before, last());
    return correct_along(extrapolated(last().solution, before.solution, step_ / length), last().unknowns,
                         secant(before, last()), step_, next);
  }

  bool is_straight(const CurvePoint& next) const {
    return dot(secant(points_[points_.size() - 2], last()), secant(last(), next)) > straight;
  }

  /// The end of the interval that a value is beyond; NaN: none.
  double leaves(double value) const {
    double low = std::min(continuation_.from, continuation_.to), high = std::max(continuation_.from, continuation_.to);
    return value < low ? low : value > high ? high : std::nan("");
  }

  bool end_at(double value, const CurvePoint& beyond) {
    double share = (value - parameter(last())) / (parameter(beyond) - parameter(last()));
    CurvePoint at;
    if (!correct_to_value(extrapolated(last().solution, beyond.solution, -share), value, at))
      return end("the point at " + continuation_.parameter + " = " + shown(value, 6) + " was not solved");
    accept(std::move(at), BranchPoint::Kind::point);
    return false;
  }

  /// The extreme value of the parameter near the last point: the vertex of a parabola through three points whose distances
  /// are measured along one secant, solved for; the best of the points stays in the middle, until the vertex is there.
  bool add_fold(const CurvePoint& next) {
    constexpr int most = 20;
    constexpr double settled = 1e-11, known = 1e-8;  // of the interval
    CurvePoint a = points_[points_.size() - 2], b = last(), c = next;
    std::vector<double> direction = secant(a, c), centre = b.unknowns;
    auto along = [&](const CurvePoint& point) {
      double sum = 0;
      for (std::size_t i = 0; i < centre.size(); ++i) sum += direction[i] * (point.unknowns[i] - centre[i]) / size_[i];
      return sum;
    };
    double sense = parameter(b) > parameter(a) ? 1 : -1;
    double gain = INFINITY;
    for (int round = 0; round < most && std::fabs(gain) > settled * range(); ++round) {
      double sa = along(a), sb = along(b), sc = along(c),
             vertex = vertex_of(sa, parameter(a), sb, parameter(b), sc, parameter(c));
      if (!(vertex > sa && vertex < sc)) break;
      const CurvePoint& other = vertex < sb ? a : c;
      double so = vertex < sb ? sa : sc;
      CurvePoint at;
      if (!correct_along(extrapolated(b.solution, other.solution, (vertex - sb) / (sb - so)), centre, direction, vertex, at))
        break;
      gain = sense * (parameter(at) - parameter(b));
      bool before = vertex < sb;
      if (gain > 0) {
        (before ? c : a) = std::move(b);
        b = std::move(at);
      } else {
        (before ? a : c) = std::move(at);
      }
    }
    if (std::fabs(gain) > known * range()) return true;  // the branch goes on; the fold is between two points of the table
    return accept(std::move(b), BranchPoint::Kind::fold);
  }

  static double vertex_of(double a, double fa, double b, double fb, double c, double fc) {
    double p = (b - a) * (fb - fc), q = (b - c) * (fb - fa);
    return b - 0.5 * ((b - a) * p - (b - c) * q) / (p - q);
  }

  BoundaryProblem& problem_;
  const passes::CurveNames& names_;
  const Continuation& continuation_;
  const SolveConditions& solve_;
  const std::function<PointOnBranch(const abi::Solution&)>& look_;
  bolza_problem abi_;
  std::vector<bolza_variable> parameters_;  // of `abi_`
  std::vector<CurvePoint> points_;          // the last ones, three at most
  std::vector<double> size_;                // [unknowns]
  double step_ = first_step;
  FollowedBranch out_;
};

}  // namespace

std::optional<Continuation> read_continuation(const std::string& text) {
  std::size_t equal = text.find('='), dots = text.find("..");
  if (equal == text.npos || dots == text.npos || dots < equal) return {};
  Continuation out{.parameter = text.substr(0, equal)};
  while (!out.parameter.empty() && out.parameter.back() == ' ') out.parameter.pop_back();
  std::string_view rest(text);
  bool read = number_of(rest.substr(equal + 1, dots - equal - 1), out.from) && number_of(rest.substr(dots + 2), out.to);
  if (!read || out.parameter.empty() || out.from == out.to) return {};
  return out;
}

std::string as_free_parameter(const Continuation& c) {
  return c.parameter + "(free = true, min = " + exact_text(std::min(c.from, c.to)) +
         ", max = " + exact_text(std::max(c.from, c.to)) + ", initialGuess = " + exact_text(c.from) + ")";
}

FollowedBranch follow_branch(BoundaryProblem& problem, const Continuation& continuation, const SolveConditions& solve,
                             const std::function<PointOnBranch(const abi::Solution&)>& look) {
  return Follower(problem, continuation, solve, look).follow();
}

}  // namespace bolza::workflow
