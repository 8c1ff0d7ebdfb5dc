// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/branch_and_bound.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "base/clock.h"
#include "runtime/nlp/solve.h"
#include "runtime/nlp/sum_up.h"

namespace bolza::nlp {
namespace {

constexpr double whole = 1e-5;             ///< a value this near to a whole number is taken for one
constexpr int iterations_of_a_node = 500;  ///< of the engine
constexpr double barrier_of_a_node = 1e-3;
constexpr double unbounded = std::numeric_limits<double>::infinity();

/// A relaxed problem to be solved: bounds of the whole-number variables, and where it comes from.
struct Node {
  std::vector<double> lower, upper;  ///< [whole-number variables]
  double bound = -unbounded;         ///< of the problem it was made from
  int depth = 0;
  std::shared_ptr<const Iterate> from;
  std::size_t branched = 0;  ///< which variable was cut to make it, in which direction, how far from its value
  bool up = false;
  double distance = 0;  ///< 0: the first problem
};

/// What cutting a variable has cost so far, per unit of its distance to the whole number.
struct PseudoCost {
  double sum[2] = {0, 0};
  int count[2] = {0, 0};
};

class Search {
 public:
  Search(const Nlp& nlp, const EngineOptions& options) : nlp_(nlp), relaxed_(relaxed(nlp)), options_(options) {
    for (std::size_t v = 0; v < nlp.integer.size(); ++v)
      if (nlp.integer[v]) variables_.push_back(v);
    costs_.resize(variables_.size());
    options_.integers = IntegerMethod::relax;
  }

  Report run(const Iterate* start) {
    Node first;
    for (std::size_t v : variables_) {
      first.lower.push_back(std::ceil(nlp_.lower[v] - 1e-9));
      first.upper.push_back(std::floor(nlp_.upper[v] + 1e-9));
    }
    if (empty(first)) return nothing_between();
    Report root = solve_first(first, start);
    if (!is_solution(root.status)) return with_numbers(std::move(root));
    relaxed_objective_ = root.objective;
    look_into(first, root);
    while (auto node = next()) {
      if (closed(node->bound)) {
        pruned_ = std::min(pruned_, node->bound);
        continue;
      }
      if (limit_reached()) {
        put_back(*std::move(node));
        break;
      }
      Report report = solve_node(*node);
      if (is_stop(report.status)) {
        put_back(*std::move(node));
        stopped_ = report.status;
        break;
      }
      look_into(*node, report);
    }
    return outcome(std::move(root));
  }

 private:
  static bool empty(const Node& node) {
    for (std::size_t k = 0; k < node.lower.size(); ++k)
      if (node.lower[k] > node.upper[k]) return true;
    return false;
  }
  Report nothing_between() {
    Report report;
    report.status = Status::infeasible;
    report.message = "there is no whole number between the bounds of a variable that takes no others";
    report.iterate.w = nlp_.start;
    return with_numbers(std::move(report));
  }

  // ------------------------------------------------------------ relaxed problems

  EngineOptions options_now() const {
    EngineOptions options = options_;
    options.relative_gap = 0;
    options.look_nearby = false;
    options.wants_proof = false;
    options.max_iterations = std::min(options.max_iterations, iterations_of_a_node);
    return options;
  }

  Report count(Report report) {
    iterations_ += report.iterations;
    seconds_evaluation_ += report.seconds_evaluation;
    return report;
  }

  void set_bounds(const Node& node) {
    for (std::size_t k = 0; k < variables_.size(); ++k) {
      relaxed_.lower[variables_[k]] = node.lower[k];
      relaxed_.upper[variables_[k]] = node.upper[k];
    }
  }

  Report solve_first(const Node& node, const Iterate* start) {
    set_bounds(node);
    EngineOptions options = options_now();
    options.max_iterations = options_.max_iterations;
    ++nodes_;
    return count(solve(relaxed_, options, start));
  }

  /// From the iterate before, and where that does not succeed from where everything began.
  Report solve_node(const Node& node) {
    set_bounds(node);
    ++nodes_;
    Iterate from = *node.from;
    for (std::size_t v : variables_) from.w[v] = std::clamp(from.w[v], relaxed_.lower[v], relaxed_.upper[v]);
    EngineOptions options = options_now();
    options.warm_start = true;
    options.barrier = barrier_of_a_node;
    Report report = count(solve(relaxed_, options, &from));
    if (is_solution(report.status) || is_stop(report.status)) return report;
    options = options_now();
    options.warm_start = false;
    options.barrier = 0;
    return count(solve(relaxed_, options, nullptr));
  }

  static bool is_stop(Status status) { return status == Status::interrupted || status == Status::time_limit; }

  bool limit_reached() {
    if (options_.budget.over()) stopped_ = Status::time_limit;
    else if (options_.budget.interrupted()) stopped_ = Status::interrupted;
    else if (nodes_ >= options_.max_nodes) stopped_ = Status::iteration_limit;
    return stopped_.has_value();
  }

  // ------------------------------------------------------------ the tree

  std::optional<Node> next() {
    if (dive_) {
      std::optional<Node> node = std::move(dive_);
      dive_.reset();
      return node;
    }
    if (open_.empty()) return std::nullopt;
    auto best = open_.begin();
    Node node = std::move(best->second);
    open_.erase(best);
    return node;
  }
  void put_back(Node node) { open_.emplace(std::pair(node.bound, made_++), std::move(node)); }

  /// Whether nothing below this bound would be an improvement.
  bool closed(double bound) const {
    if (!best_) return false;
    return bound >= best_->objective - std::max(options_.integer_gap * std::abs(best_->objective), 10 * options_.tol);
  }

  void look_into(const Node& node, const Report& report) {
    if (report.status == Status::infeasible) return;
    if (!is_solution(report.status)) {
      unsolved_ = std::min(unsolved_, node.bound);
      return;
    }
    double bound = std::max(node.bound, report.objective - std::max(0.0, report.gap));
    learn(node, report.objective);
    if (closed(bound)) {
      pruned_ = std::min(pruned_, bound);
      return;
    }
    std::vector<std::size_t> open = fractional(report.iterate.w);
    if (open.empty()) {
      offer(report.iterate);
      pruned_ = std::min(pruned_, bound);
      return;
    }
    if (!best_ || node.depth % 4 == 0) {
      Iterate rounded = report.iterate;
      rounded.w = sum_up(relaxed_with_integers(), report.iterate.w).w;
      offer(rounded);
    }
    branch(node, report, bound, chosen(open, report.iterate.w));
  }

  /// The problem with the bounds of the node at hand.
  Nlp relaxed_with_integers() const {
    Nlp nlp = nlp_;
    nlp.lower = relaxed_.lower;
    nlp.upper = relaxed_.upper;
    return nlp;
  }

  std::vector<std::size_t> fractional(const std::vector<double>& w) const {
    std::vector<std::size_t> list;
    for (std::size_t k = 0; k < variables_.size(); ++k)
      if (std::abs(w[variables_[k]] - std::round(w[variables_[k]])) > whole) list.push_back(k);
    return list;
  }

  void branch(const Node& node, const Report& report, double bound, std::size_t k) {
    double value = report.iterate.w[variables_[k]], below = std::floor(value);
    auto from = std::make_shared<const Iterate>(report.iterate);
    Node down{node.lower, node.upper, bound, node.depth + 1, from, k, false, value - below};
    Node up = down;
    down.upper[k] = below;
    up.lower[k] = below + 1;
    up.up = true;
    up.distance = below + 1 - value;
    bool up_first = up.distance < down.distance;
    dive_ = up_first ? std::move(up) : down;
    put_back(up_first ? std::move(down) : std::move(up));
  }

  // ------------------------------------------------------------ which variable

  void learn(const Node& node, double objective) {
    if (node.distance <= 0) return;
    PseudoCost& cost = costs_[node.branched];
    cost.sum[node.up] += std::max(0.0, objective - node.bound) / node.distance;
    ++cost.count[node.up];
    all_.sum[node.up] += std::max(0.0, objective - node.bound) / node.distance;
    ++all_.count[node.up];
  }
  double unit_cost(std::size_t k, bool up) const {
    if (costs_[k].count[up] > 0) return costs_[k].sum[up] / costs_[k].count[up];
    return all_.count[up] > 0 ? all_.sum[up] / all_.count[up] : 1;
  }
  std::size_t chosen(const std::vector<std::size_t>& open, const std::vector<double>& w) const {
    std::size_t best = open.front();
    double most = -1;
    for (std::size_t k : open) {
      double part = w[variables_[k]] - std::floor(w[variables_[k]]);
      double score = std::max(unit_cost(k, false) * part, 1e-8) * std::max(unit_cost(k, true) * (1 - part), 1e-8);
      if (score > most) {
        most = score;
        best = k;
      }
    }
    return best;
  }

  // ------------------------------------------------------------ points in whole numbers

  void offer(const Iterate& point) {
    std::vector<double> key;
    for (std::size_t v : variables_) key.push_back(std::round(point.w[v]));
    if (!tried_.insert(std::move(key)).second) return;
    EngineOptions options = options_now();
    options.barrier = barrier_of_a_node;
    Report report = count(solve_fixed(nlp_, options, point));
    if (is_solution(report.status) && (!best_ || report.objective < best_->objective)) best_ = std::move(report);
  }

  // ------------------------------------------------------------ the end

  double bound() const {
    double least = std::min(pruned_, unsolved_);
    if (!open_.empty()) least = std::min(least, open_.begin()->first.first);
    if (best_) least = std::min(least, best_->objective);
    return least;
  }

  Report with_numbers(Report report) {
    IntegerReport& told = report.integers;
    told.any = true;
    told.found = best_.has_value();
    told.method = "branch and bound on " + options_.engine;
    told.relaxed = relaxed_objective_;
    told.bound = best_ || !open_.empty() ? bound() : relaxed_objective_;
    told.gap = best_ ? best_->objective - told.bound : unbounded;
    told.nodes = nodes_;
    report.iterations = iterations_;
    report.seconds_evaluation = seconds_evaluation_;
    report.seconds = seconds_since(began_);
    return report;
  }

  Report outcome(Report root) {
    Report report = with_numbers(best_ ? *best_ : std::move(root));
    std::string limit;
    if (stopped_ == Status::time_limit) limit = "the time limit";
    if (stopped_ == Status::interrupted) limit = "an interrupt";
    if (stopped_ == Status::iteration_limit) limit = "the limit of " + std::to_string(options_.max_nodes) + " nodes";
    if (limit.empty() && best_ && !closed(unsolved_)) limit = "a relaxed problem that was not solved";
    report.integers.stopped = limit;
    if (best_) {
      report.status = is_stop(stopped_.value_or(Status::solved)) ? *stopped_ : best_->status;
      report.message = limit.empty() ? "solved" : limit + " ended the search";
    } else if (stopped_) {
      report.status = *stopped_;
      report.message = limit + " was reached before whole numbers were found";
    } else {
      bool all_infeasible = std::isinf(unsolved_);
      report.status = all_infeasible ? Status::infeasible : Status::failed;
      report.message = all_infeasible ? "no whole numbers satisfy the constraints"
                                      : "no whole numbers were found; some relaxed problems were not solved";
    }
    return report;
  }

  const Nlp& nlp_;
  Nlp relaxed_;
  EngineOptions options_;
  std::vector<std::size_t> variables_;
  Clock::time_point began_ = Clock::now();
  std::map<std::pair<double, std::size_t>, Node> open_;  ///< by bound, then by age
  std::size_t made_ = 0;
  std::optional<Node> dive_;
  std::vector<PseudoCost> costs_;
  PseudoCost all_;
  std::optional<Report> best_;
  std::set<std::vector<double>> tried_;
  std::optional<Status> stopped_;
  double relaxed_objective_ = std::nan("");
  double pruned_ = unbounded, unsolved_ = unbounded;  ///< lowest bounds of problems that were given up, by reason
  int nodes_ = 0, iterations_ = 0;
  double seconds_evaluation_ = 0;
};

}  // namespace

Nlp relaxed(const Nlp& nlp) {
  Nlp out = nlp;
  out.integer.clear();
  out.sequence.clear();
  out.length.clear();
  out.switching.clear();
  return out;
}

Report solve_fixed(const Nlp& nlp, const EngineOptions& given, const Iterate& point) {
  Nlp fixed = relaxed(nlp);
  Iterate from = point;
  for (std::size_t v = 0; v < nlp.integer.size(); ++v)
    if (nlp.integer[v])
      fixed.lower[v] = fixed.upper[v] = fixed.start[v] = from.w[v] = std::round(point.w[v]) + 0.0;  // not -0
  EngineOptions options = given;
  options.integers = IntegerMethod::relax;
  options.warm_start = from.lambda.size() == nlp.m() && from.z_lower.size() == nlp.n();
  Report report = solve(fixed, options, &from);
  if (is_solution(report.status) || report.status == Status::interrupted || report.status == Status::time_limit)
    return report;
  options.warm_start = false;
  options.barrier = 0;
  Report cold = solve(fixed, options, &from);
  cold.iterations += report.iterations;
  cold.seconds_evaluation += report.seconds_evaluation;
  return cold;
}

Report branch_and_bound(const Nlp& nlp, const EngineOptions& options, const Iterate* start) {
  return Search(nlp, options).run(start);
}

Report round_and_solve(const Nlp& nlp, const EngineOptions& options, const Iterate* start) {
  EngineOptions continuous = options;
  continuous.integers = IntegerMethod::relax;
  Report first = solve(relaxed(nlp), continuous, start);
  first.integers = {.any = true, .method = "sum-up rounding", .relaxed = first.objective, .bound = first.objective};
  if (!is_solution(first.status)) return first;
  RoundedPoint rounded = sum_up(nlp, first.iterate.w);
  Iterate point = first.iterate;
  point.w = rounded.w;
  continuous.barrier = barrier_of_a_node;
  Report report = solve_fixed(nlp, continuous, point);
  report.integers = first.integers;
  report.integers.found = is_solution(report.status);
  report.integers.gap = report.integers.found ? report.objective - first.objective : unbounded;
  report.integers.nodes = 1;
  report.integers.deviation = rounded.deviation;
  report.integers.deviation_bound = rounded.deviation_bound;
  report.iterations += first.iterations;
  report.seconds_evaluation += first.seconds_evaluation;
  report.seconds += first.seconds;
  if (report.status == Status::infeasible)
    report.message = "the rounded values leave no point that satisfies the constraints";
  return report;
}

}  // namespace bolza::nlp
