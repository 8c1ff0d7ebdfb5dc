// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/shooting/multiple_shooting.h"

#include "base/clock.h"
#include "runtime/nlp/solve.h"
#include "runtime/transcribe/linear_algebra.h"
#include "runtime/transcribe/shooting/accuracy.h"
#include "runtime/transcribe/shooting/carried_multipliers.h"
#include "runtime/transcribe/shooting/collocation_start.h"
#include "runtime/transcribe/shooting/multiple_internal.h"
#include "runtime/transcribe/shooting/rounds_internal.h"

namespace bolza::transcribe {
namespace {

// Every interval from the state at its start, so that nothing grows from one into the next; a model with events goes
// through all of them in one run, which knows its discrete values.
abi::Trajectories simulated(const ShootingNodes& nodes, ShootingPhase& phase, integrate::SimulateOptions options) {
  std::vector<double> times = std::move(options.output_times);
  abi::Trajectories all;
  bool whole = phase.model->hybrid != nullptr;
  std::size_t at = 0, runs = whole ? 1 : phase.N();
  for (std::size_t k = 0; k < runs; ++k) {
    double end = k + 1 == runs ? times.back() : phase.times[k + 1].begin;  // the very number that its output begins with
    options.start = phase.times[k].begin;
    options.final = end;
    options.x.assign(phase.node(k).begin(), phase.node(k).end());
    options.output_times.clear();
    while (at < times.size() && (times[at] < end || k + 1 == runs)) options.output_times.push_back(times[at++]);
    if (k + 1 < runs) options.output_times.push_back(end);
    abi::Trajectories part = integrate::simulate(nodes.problem, phase.number, options).trajectories;
    std::size_t first = k > 0 && phase.linear ? 1 : 0;  // what does not jump stands once
    auto append = [&](std::vector<double>& to, const std::vector<double>& from) {
      to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(std::min(first, from.size())), from.end());
    };
    append(all.time, part.time);
    for (auto rows : {&abi::Trajectories::x, &abi::Trajectories::z, &abi::Trajectories::u, &abi::Trajectories::rate,
                      &abi::Trajectories::discrete}) {
      (all.*rows).resize((part.*rows).size());
      for (std::size_t r = 0; r < (part.*rows).size(); ++r) append((all.*rows)[r], (part.*rows)[r]);
    }
  }
  all.integral = phase.q;
  return all;
}

Round solve_multiple_once(bolza_problem& problem, const TranscribeOptions& options, const ShootingOptions& choice,
                          const Accuracy& accuracy, const abi::Solution* guess, RoundMemory& memory) {
  MakeProblem make = problems_of<MultipleShooting>(problem, options, choice, guess);
  ShootingProblem at = make(choice.rtol);
  if (!at.nodes->objection().empty()) return {refused_shooting("multiple shooting", at.nodes->objection()), {}};
  if (std::string why = at.nodes->objection_to_squares(options.nlp); !why.empty())
    return {refused_shooting("multiple shooting", why), {}};
  nlp::EngineOptions engine = engine_of(options.nlp, accuracy, memory);
  if (choice.fixed_step == 0) engine.noise = at.nodes->rtol;
  nlp::Iterate start;
  if (engine.warm_start) start = memory.recall(*at.nodes);
  else if (options.nlp.warm_start && guess) start = carried_multipliers(*at.nodes, *at.functions, *guess, engine);
  engine.warm_start = !start.w.empty();
  AccurateReport found = solve_accurately(make, at, engine, engine.warm_start ? &start : nullptr, choice.rtol == 0);
  if (nlp::is_solution(found.report.status)) memory.keep(*at.nodes, found.report.iterate);
  if (accuracy.passing) return passed(found.report, at.nodes->simulations);
  auto& shooting = static_cast<MultipleShooting&>(*at.functions);
  ShootingNodes& nodes = *at.nodes;
  ShootingWriter writer{
      "multiple_shooting",
      [&](ShootingPhase& phase, integrate::SimulateOptions by) { return simulated(nodes, phase, std::move(by)); },
      [&](std::size_t phase, std::span<const double> lambda, std::span<const double> samples) {
        return shooting.costates(phase, lambda, samples);
      }};
  Round round;
  round.solution = shooting_solution(nodes, shooting, found.report, writer);
  log_linear_algebra(options.nlp, found.report, round.solution);
  if (found.accuracy > 0) round.solution.log.push_back({integration_accuracy_log, found.accuracy});
  look_between(choice, nodes, writer, found.report.iterate, round);
  round.simulations = nodes.simulations;
  return round;
}

}  // namespace

abi::Solution solve_multiple_shooting(bolza_problem& problem, const TranscribeOptions& options,
                                      const ShootingOptions& choice, const abi::Solution* guess) {
  auto begin = Clock::now();
  abi::Solution start = collocation_start(problem, options, guess);
  if (!start.phases.empty()) guess = &start;
  auto solve = [&](const ShootingOptions& with, const Accuracy& accuracy, const abi::Solution* from, RoundMemory& memory) {
    return solve_multiple_once(problem, options, with, accuracy, from, memory);
  };
  abi::Solution solution = solve_in_rounds(choice, options.nlp.tol, guess, solve);
  solution.statistics.seconds_total = seconds_since(begin);
  options.tell(solution);
  return solution;
}

}  // namespace bolza::transcribe
