// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/several/front.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/clock.h"
#include "base/numbers.h"
#include "workflow/file_stem.h"
#include "workflow/solve/report/named_values.h"
#include "workflow/solve/report/report.h"
#include "workflow/solve/stages.h"

namespace bolza::workflow {
namespace {

constexpr double none = std::numeric_limits<double>::infinity();
constexpr double noise = 1e-6;        ///< of two solutions with the same tolerance, relative to the range of the front
constexpr double least_value = 1e-3;  ///< the slack of smaller values is that of this one

/// The solves of one command: they share its time and its files.
class Solver {
 public:
  Solver(const Model& base, const Objectives& objectives, const FrontRequest& front, const SolveRequest& request)
      : base_(base),
        objectives_(objectives),
        front_(front),
        request_(request) {
    request_.budget = within_max_time(request.budget, request.options);
  }

  /// False: there is no time, or it was interrupted, or the input is wrong.
  bool goes_on() const {
    bool wrong = out.model && !out.outcome;
    return !wrong && !request_.budget.ended();
  }

  /// Solves one point from a result file ("": from the usual guess) and keeps it as `file`.
  ObjectivePoint solve(const std::string& name, std::size_t minimised, const std::vector<double>& limits,
                       const std::string& from, const std::string& file) {
    auto began = Clock::now();
    ObjectivePoint point{
        .name = name, .values = std::vector<double>(objectives_.list.size(), std::nan("")), .limits = limits, .result = {}};
    out.model = std::make_unique<Model>();
    out.outcome.reset();
    if (!out.model->load(with_objective(base_, objectives_, minimised, limits))) return point;
    SolveRequest one = request_;
    one.init_from = from.empty() ? request_.init_from : from;
    one.output = file;
    if (one.progress)
      one.progress = [&](const Progress& p) {
        Progress named = p;
        named.stage = name + ", " + p.stage;
        request_.progress(named);
      };
    Result<SolveOutcome> found = workflow::solve(*out.model, one);
    if (!found) return point;
    out.outcome = *std::move(found);
    const SolveOutcome& outcome = *out.outcome;
    point.status = outcome.solution.status;
    point.warnings = outcome.warnings;
    point.iterations = outcome.solution.statistics.iterations;
    point.parameters = parameters_of(*out.model, outcome.solution);
    point.final = final_values(out.model->abi(), outcome.solution);
    if (point.solved()) point.result = outcome.result;
    for (std::size_t k = 0; k < point.values.size() && point.solved(); ++k)
      if (auto at = point.parameters.find(value_name(k)); at != point.parameters.end()) point.values[k] = at->second;
    point.seconds = seconds_since(began);
    return point;
  }

  /// Objectives one after the other; the last point has the result. `steps` gets every step.
  ObjectivePoint in_order(const std::vector<std::size_t>& order, const std::string& name, const std::string& file,
                          std::vector<ObjectivePoint>* steps) {
    std::vector<double> limits(objectives_.list.size(), none);
    ObjectivePoint point;
    int iterations = 0;
    double seconds = 0;
    for (std::size_t n = 0; n < order.size() && goes_on(); ++n) {
      std::size_t k = order[n];
      std::string step = steps ? std::to_string(n + 1) + ". " + objectives_.list[k].text : name;
      ObjectivePoint next = solve(step, k, limits, n > 0 ? point.result : "", file);
      iterations += next.iterations;
      seconds += next.seconds;
      point = std::move(next);
      if (steps) steps->push_back(point);
      if (!point.solved()) break;
      double value = point.values[k];
      limits[k] = value + front_.slack * std::max(std::abs(value), least_value);
    }
    point.iterations = iterations;
    point.seconds = seconds;
    return point;
  }

  ObjectivesOutcome out;

 private:
  const Model& base_;
  const Objectives& objectives_;
  const FrontRequest& front_;
  SolveRequest request_;  ///< its budget is that of all points
};

/// Of the objectives at the anchors.
struct Spread {
  std::vector<double> lowest, range;
};

Spread spread_of(const std::vector<ObjectivePoint>& anchors, std::size_t n) {
  Spread spread{std::vector<double>(n, none), std::vector<double>(n, 0)};
  for (std::size_t k = 0; k < n; ++k) {
    double highest = -none;
    for (const ObjectivePoint& point : anchors) {
      spread.lowest[k] = std::min(spread.lowest[k], point.values[k]);
      highest = std::max(highest, point.values[k]);
    }
    spread.range[k] = highest - spread.lowest[k];
  }
  return spread;
}

/// Whether the anchors are the same within twice the slack.
bool agree(const Spread& spread, double slack) {
  for (std::size_t k = 0; k < spread.range.size(); ++k)
    if (spread.range[k] > 2 * slack * std::max(std::abs(spread.lowest[k]), least_value)) return false;
  return true;
}

std::size_t power(std::size_t base, std::size_t exponent) {
  std::size_t out = 1;
  for (; exponent > 0; --exponent) out *= base;
  return out;
}

/// Limits of point number `number` of the grid over all objectives but the first. Every other line is walked backwards, so
/// that neighbours follow each other.
std::vector<double> limits_at(std::size_t number, std::size_t per_axis, const Spread& spread) {
  std::vector<double> limits(spread.range.size(), none);
  bool back = false;
  for (std::size_t k = limits.size() - 1; k >= 1; --k) {
    std::size_t line = power(per_axis, k - 1), step = number / line;
    number %= line;
    if (back) step = per_axis - 1 - step;
    back = back != (step % 2 == 1 && k > 1);
    limits[k] = spread.lowest[k] + spread.range[k] * (1 - static_cast<double>(step + 1) / static_cast<double>(per_axis + 1));
  }
  return limits;
}

/// Each objective first, then the others in their order; as many as there is time for.
std::vector<ObjectivePoint> anchors_of(Solver& solver, const Objectives& objectives, const std::string& stem) {
  std::vector<ObjectivePoint> points;
  for (std::size_t first = 0; first < objectives.list.size() && solver.goes_on(); ++first) {
    std::vector<std::size_t> order{first};
    for (std::size_t k = 0; k < objectives.list.size(); ++k)
      if (k != first) order.push_back(k);
    points.push_back(solver.in_order(order, "anchor " + objectives.list[first].text,
                                     stem + "-anchor-" + std::to_string(first + 1) + ".mat", nullptr));
  }
  return points;
}

/// No worse than another in all objectives, and better in one.
bool dominates(const ObjectivePoint& a, const ObjectivePoint& b, const std::vector<double>& ranges) {
  bool better = false;
  for (std::size_t k = 0; k < ranges.size(); ++k) {
    if (a.values[k] > b.values[k] + noise * ranges[k]) return false;
    better = better || a.values[k] < b.values[k] - noise * ranges[k];
  }
  return better;
}

/// Marks dominated points, and with two objectives the knee: farthest below the line between the anchors.
void judge(std::vector<ObjectivePoint>& points, const Spread& spread) {
  const std::vector<double>&lowest = spread.lowest, &ranges = spread.range;
  ObjectivePoint* knee = nullptr;
  double farthest = 0;
  for (ObjectivePoint& point : points) {
    if (!point.solved()) continue;
    point.dominated = std::any_of(points.begin(), points.end(), [&](const ObjectivePoint& other) {
      return other.solved() && dominates(other, point, ranges);
    });
    if (ranges.size() != 2 || point.dominated || ranges[0] <= 0 || ranges[1] <= 0) continue;
    double below = 1 - (point.values[0] - lowest[0]) / ranges[0] - (point.values[1] - lowest[1]) / ranges[1];
    if (below > farthest + noise) {
      farthest = below;
      knee = &point;
    }
  }
  if (knee) knee->knee = true;
}

}  // namespace

ObjectivesOutcome solve_in_order(const Model& base, const Objectives& objectives, const FrontRequest& front,
                                 const SolveRequest& request) {
  Solver solver(base, objectives, front, request);
  std::vector<std::size_t> order(objectives.list.size());
  std::iota(order.begin(), order.end(), 0u);
  std::string file = request.output.empty() ? file_stem(base.class_name) + ".mat" : request.output;
  std::vector<ObjectivePoint> points;
  solver.in_order(order, "", file, &points);
  solver.out.complete = points.size() == order.size();
  solver.out.points = std::move(points);
  return std::move(solver.out);
}

ObjectivesOutcome solve_front(const Model& base, const Objectives& objectives, const FrontRequest& front,
                              const SolveRequest& request) {
  Solver solver(base, objectives, front, request);
  std::size_t n = objectives.list.size();
  std::string stem = request.output.substr(0, request.output.rfind(".csv"));
  std::vector<ObjectivePoint> points = anchors_of(solver, objectives, stem);
  bool anchored = points.size() == n && std::all_of(points.begin(), points.end(), [](const auto& p) { return p.solved(); });
  if (anchored) {
    Spread spread = spread_of(points, n);
    solver.out.agree = agree(spread, front.slack);
    auto per_axis = static_cast<std::size_t>(front.points);
    std::size_t count = solver.out.agree ? 0 : power(per_axis, n - 1), done = 0;
    std::string from = points[0].result;
    for (; done < count && solver.goes_on(); ++done) {
      std::string number = std::to_string(done + 1);
      points.push_back(
          solver.solve("point " + number, 0, limits_at(done, per_axis, spread), from, stem + "-" + number + ".mat"));
      if (points.back().solved()) from = points.back().result;
    }
    if (!solver.out.agree) judge(points, spread);
    solver.out.complete = done == count && !request.budget.interrupted();
  }
  solver.out.points = std::move(points);
  return std::move(solver.out);
}

}  // namespace bolza::workflow
