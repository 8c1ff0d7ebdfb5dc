// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "runtime/nlp/solve.h"
#include "runtime/transcribe/shooting/rounds_internal.h"
#include "runtime/transcribe/status.h"

namespace bolza::transcribe {
namespace {

constexpr int most_rounds = 12;
constexpr int moving_rounds = 4;      // later samples stay where they are, so that rounds come to an end
constexpr double close_sample = 0.2;  // of an interval: a maximum that close to a sample moves it

/// A mesh point as a fraction of the horizon; the same on every mesh that has it.
double place_of(const ShootingPhase& phase, std::size_t node) {
  const SegmentPlace &first = phase.times.front(), &last = phase.times.back();
  double length = last.begin + last.length - first.begin;
  double time = node < phase.N() ? phase.times[node].begin : last.begin + last.length;
  return length > 0 ? std::round((time - first.begin) / length * 1e9) * 1e-9 : static_cast<double>(node);
}

/// Adds the maxima to the samples of their phases; one that lies close to a sample takes its place while samples move.
void add_samples(const PathMaxima& maxima, const abi::Solution& solution, bool move,
                 std::vector<std::vector<double>>& samples) {
  samples.resize(solution.phases.size());
  for (const PathMaximum& maximum : maxima.above) {
    std::vector<double>& list = samples[maximum.phase];
    const std::vector<double>& mesh = solution.phases[maximum.phase].mesh;
    double room = close_sample * (mesh[maximum.segment + 1] - mesh[maximum.segment]);
    auto near = std::ranges::find_if(list, [&](double s) { return std::fabs(s - maximum.fraction) < room; });
    if (near != list.end() && move) *near = maximum.fraction;
    else list.push_back(maximum.fraction);
  }
  for (std::vector<double>& list : samples) {
    std::ranges::sort(list);
    list.erase(std::unique(list.begin(), list.end(), [](double a, double b) { return b - a < 1e-6; }), list.end());
  }
}

}  // namespace

std::vector<RoundMemory::Key> RoundMemory::keys_of_variables(const ShootingNodes& nodes) {
  std::vector<Key> keys(nodes.nlp.n());
  for (std::size_t v = 0; v < nodes.problem.n_parameters; ++v) keys[v] = {0, 0, static_cast<double>(v), 0, 0};
  for (const ShootingPhase& phase : nodes.phases) {
    auto number = static_cast<double>(phase.number);
    for (std::size_t k = 0; k <= phase.N(); ++k)
      for (std::size_t i = 0; phase.first_state[k] != no_variable && i < phase.model->n_x; ++i)
        keys[phase.x_at(k, i)] = {1, number, static_cast<double>(i), 0, place_of(phase, k)};
    for (std::size_t i = 0; i < phase.n_given; ++i)
      for (std::size_t k = 0; k < phase.grid_variable[i].size(); ++k)
        keys[phase.grid_variable[i][k]] = {2, number, static_cast<double>(i), 0, place_of(phase, phase.grid[i][k])};
    std::size_t n_delays = phase.model->n_u - phase.n_given, of_segment = phase.sides() * n_delays;
    for (std::size_t c = 0; c < phase.delayed_value.size(); ++c)
      keys[phase.delayed_value[c]] = {4, number, static_cast<double>(c % n_delays),
                                      static_cast<double>(c % of_segment / n_delays), place_of(phase, c / of_segment)};
    for (std::size_t j = 0; j < phase.integral_variable.size(); ++j)
      if (std::size_t v = phase.integral_variable[j]; v != no_variable) keys[v] = {3, number, static_cast<double>(j), 0, 0};
  }
  return keys;
}

std::vector<RoundMemory::Key> RoundMemory::keys_of_rows(const ShootingNodes& nodes) {
  std::vector<Key> keys;
  std::size_t lengths = 0;
  for (const ShootingRow& row : nodes.rows) {
    auto kind = static_cast<double>(row.kind);
    if (row.kind == ShootingRow::Kind::point) keys.push_back({kind, 0, static_cast<double>(row.point_row), 0, 0});
    else if (row.kind == ShootingRow::Kind::length) keys.push_back({kind, 0, static_cast<double>(lengths++), 0, 0});
    else {
      const NodeFunction& f = row.function;
      keys.push_back({kind + 10 * static_cast<double>(f.what), static_cast<double>(f.site.phase),
                      static_cast<double>(f.index), static_cast<double>(f.site.end ? 1 : row.place),
                      place_of(nodes.phases[f.site.phase], f.site.node())});
    }
  }
  return keys;
}

void RoundMemory::keep(const ShootingNodes& nodes, const nlp::Iterate& it) {
  variables_.clear();
  rows_.clear();
  std::size_t n = nodes.nlp.n();
  if (it.w.size() != n || it.z_lower.size() != n || it.z_upper.size() != n || it.lambda.size() != nodes.nlp.m()) return;
  std::vector<Key> variables = keys_of_variables(nodes), rows = keys_of_rows(nodes);
  for (std::size_t v = 0; v < n; ++v) variables_[variables[v]] = {it.w[v], it.z_lower[v], it.z_upper[v]};
  for (std::size_t r = 0; r < rows.size(); ++r) rows_[rows[r]] = it.lambda[r];
}

nlp::Iterate RoundMemory::recall(const ShootingNodes& nodes) const {
  nlp::Iterate it{nodes.nlp.start, std::vector<double>(nodes.nlp.m()), std::vector<double>(nodes.nlp.n()),
                  std::vector<double>(nodes.nlp.n())};
  std::vector<Key> variables = keys_of_variables(nodes), rows = keys_of_rows(nodes);
  for (std::size_t v = 0; v < variables.size(); ++v)
    if (auto at = variables_.find(variables[v]); at != variables_.end()) {
      it.w[v] = at->second.w;
      it.z_lower[v] = at->second.z_lower;
      it.z_upper[v] = at->second.z_upper;
    }
  for (std::size_t r = 0; r < rows.size(); ++r) {
    bool defect = nodes.rows[r].kind == ShootingRow::Kind::defect;
    auto at = defect ? rows_.lower_bound(rows[r]) : rows_.find(rows[r]);
    bool same = at != rows_.end() && std::equal(rows[r].begin(), rows[r].begin() + 4, at->first.begin());
    if (same) it.lambda[r] = at->second;
  }
  return it;
}

void look_between(const ShootingOptions& shooting, ShootingNodes& nodes, const ShootingWriter& writer,
                  const nlp::Iterate& iterate, Round& round) {
  if (shooting.path_constraints == PathConstraints::sampled || !abi::is_solution(round.solution.status)) return;
  round.maxima = path_maxima(nodes, writer, iterate.w, shooting.path_tolerance);
}

nlp::EngineOptions engine_of(const nlp::EngineOptions& options, const Accuracy& accuracy, const RoundMemory& memory) {
  nlp::EngineOptions engine = options;
  engine.warm_start = !memory.empty();
  if (accuracy.tol > 0) engine.tol = accuracy.tol;
  if (accuracy.barrier > 0) engine.barrier = accuracy.barrier;
  if (accuracy.passing) engine.relative_gap = 0;
  return engine;
}

Round passed(const nlp::Report& report, std::size_t simulations) {
  Round round;
  round.solution.status = status_of(report.status);
  round.solution.statistics.iterations = report.iterations;
  round.simulations = simulations;
  return round;
}

namespace {

/// Rounds of looser integration, each solved to ten times its tolerance. The barrier with which the next begins.
double loosen(const ShootingOptions& shooting, double tol, const abi::Solution* guess, const SolveRound& solve,
              RoundMemory& memory, int& iterations) {
  double barrier = 0;
  for (double rtol : {1e-4, 1e-7}) {
    if (rtol < 9 * integration_tolerance(shooting, tol)) break;
    ShootingOptions loose = shooting;
    loose.rtol = rtol;
    loose.fixed_step *= rtol > 1e-5 ? 4 : 2;
    Round round = solve(loose, {std::max(tol, 10 * rtol), barrier, true}, guess, memory);
    iterations += round.solution.statistics.iterations;
    if (!abi::is_solution(round.solution.status)) {
      memory = {};
      return 0;
    }
    barrier = std::max(tol, rtol);
  }
  return barrier;
}

abi::Solution solve_rounds(const ShootingOptions& shooting, double tol, const abi::Solution* guess,
                           const SolveRound& solve) {
  RoundMemory memory;
  int loose = 0;
  double barrier = shooting.tighten ? loosen(shooting, tol, guess, solve, memory, loose) : 0;
  Round best = solve(shooting, {.barrier = barrier}, guess, memory);
  if (shooting.tighten) best.solution.log.push_back({loose_iterations_log, static_cast<double>(loose)});
  if (shooting.path_constraints == PathConstraints::sampled || !abi::is_solution(best.solution.status)) {
    best.solution.statistics.iterations += loose;
    return std::move(best.solution);
  }
  ShootingOptions with = shooting;
  int rounds = 1, iterations = loose + best.solution.statistics.iterations;
  std::size_t samples = 0;
  while (rounds < most_rounds && best.maxima.known && !best.maxima.above.empty()) {
    add_samples(best.maxima, best.solution, rounds <= moving_rounds, with.samples);
    Round next = solve(with, {}, &best.solution, memory);
    ++rounds;
    iterations += next.solution.statistics.iterations;
    if (next.solution.status == abi::SolveStatus::interrupted || next.solution.status == abi::SolveStatus::time_limit)
      best.solution.status = next.solution.status;
    if (!abi::is_solution(next.solution.status) || !next.maxima.known) break;
    best = std::move(next);
    samples = 0;
    for (const std::vector<double>& list : with.samples) samples += list.size();
  }
  best.solution.statistics.iterations = iterations;
  if (shooting.tighten && rounds > 1) best.solution.log.push_back({loose_iterations_log, static_cast<double>(loose)});
  best.solution.log.push_back({path_samples_log, static_cast<double>(samples)});
  best.solution.log.push_back({path_rounds_log, static_cast<double>(rounds)});
  if (best.maxima.known) best.solution.log.push_back({path_violation_log, best.maxima.largest});
  return std::move(best.solution);
}

}  // namespace

abi::Solution solve_in_rounds(const ShootingOptions& shooting, double tol, const abi::Solution* guess,
                              const SolveRound& solve_round) {
  std::size_t simulations = 0;
  auto solve = [&](const ShootingOptions& with, const Accuracy& accuracy, const abi::Solution* from, RoundMemory& kept) {
    Round round = solve_round(with, accuracy, from, kept);
    simulations += round.simulations;
    return round;
  };
  abi::Solution solution = solve_rounds(shooting, tol, guess, solve);
  if (simulations > 0) solution.log.push_back({simulations_log, static_cast<double>(simulations)});
  return solution;
}

}  // namespace bolza::transcribe
