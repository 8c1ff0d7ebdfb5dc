#include "runtime/transcribe/shooting/multiple_shooting.h"

#include "base/clock.h"
#include "runtime/nlp/solve.h"
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
    const SegmentPlace& t = phase.times[k];
    double end = k + 1 == runs ? times.back() : t.begin + t.length;
    options.start = t.begin, options.final = end;
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
  MultipleShooting shooting(problem, options, choice, guess);
  if (!shooting.objection().empty()) return {refused_shooting("multiple shooting", shooting.objection()), {}};
  ShootingNodes& nodes = shooting.nodes();
  if (std::string why = nodes.objection_to_squares(options.nlp); !why.empty())
    return {refused_shooting("multiple shooting", why), {}};
  nlp::EngineOptions engine = engine_of(options.nlp, accuracy, memory);
  nlp::Iterate start;
  if (engine.warm_start) start = memory.recall(nodes);
  nlp::Report report = nlp::solve(nodes.nlp, engine, engine.warm_start ? &start : nullptr);
  if (accuracy.passing) return passed(nodes, report, memory);
  ShootingWriter writer{
      "multiple_shooting",
      [&](ShootingPhase& phase, integrate::SimulateOptions by) { return simulated(nodes, phase, std::move(by)); },
      [&](std::size_t phase, std::span<const double> lambda, std::span<const double> samples) {
        return shooting.costates(phase, lambda, samples);
      }};
  Round round;
  round.solution = shooting_solution(nodes, shooting, report, writer);
  look_between(choice, nodes, writer, report.iterate, round, memory);
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
  return solution;
}

}  // namespace bolza::transcribe
