#include "runtime/transcribe/shooting/single_shooting.h"

#include "base/clock.h"
#include "runtime/nlp/solve.h"
#include "runtime/transcribe/shooting/collocation_start.h"
#include "runtime/transcribe/shooting/rounds_internal.h"
#include "runtime/transcribe/shooting/shooting_internal.h"

namespace bolza::transcribe {
namespace {

// Few variables, many nonlinearities: a large barrier leads far away from a good guess. The user's own options come later
// and win.
void set_barrier(nlp::EngineOptions& engine) {
  auto& list = engine.engine_options;
  if (engine.hessian == nlp::Hessian::lbfgs) list.insert(list.begin(), {"mu_strategy", "monotone"});
  list.insert(list.begin(), {"mu_init", "1e-4"});
}

abi::Trajectories simulated(const Shooting& shooting, const ShootingPhase& phase, std::span<const double> w,
                            integrate::SimulateOptions options) {
  std::span<const double> x0 = w.subspan(phase.first_x0, phase.model->n_x);
  options.x.assign(x0.begin(), x0.end());
  return integrate::simulate(shooting.problem, phase.number, options).trajectories;
}

Round solve_single_once(bolza_problem& problem, const TranscribeOptions& options, const ShootingOptions& choice,
                        const Accuracy& accuracy, const abi::Solution* guess, RoundMemory& memory) {
  Shooting shooting(problem, options, choice, guess);
  if (!shooting.objection().empty()) return {refused_shooting("single shooting", shooting.objection()), {}};
  if (std::string why = shooting.nodes().objection_to_squares(options.nlp); !why.empty())
    return {refused_shooting("single shooting", why), {}};
  nlp::EngineOptions engine = engine_of(options.nlp, accuracy, memory);
  if (!engine.warm_start && (engine.engine == "ipopt" || engine.engine == "bonmin")) set_barrier(engine);
  nlp::Iterate start;
  if (engine.warm_start) start = memory.recall(shooting.nodes());
  nlp::Report report = nlp::solve(shooting.nlp, engine, engine.warm_start ? &start : nullptr);
  if (accuracy.passing) return passed(shooting.nodes(), report, memory);
  ShootingWriter writer{"single_shooting",
                        [&](ShootingPhase& phase, integrate::SimulateOptions by) {
                          return simulated(shooting, phase, report.iterate.w, std::move(by));
                        },
                        [&](std::size_t phase, std::span<const double> lambda, std::span<const double> samples) {
                          return shooting.costates(phase, lambda, samples);
                        }};
  Round round;
  round.solution = shooting_solution(shooting.nodes(), shooting, report, writer);
  if (const Shooting::Quadrature& by = shooting.quadrature(); by.points > 0) {
    round.solution.log.push_back({quadrature_points_log, static_cast<double>(by.points)});
    round.solution.log.push_back({quadrature_error_log, by.error});
  }
  look_between(choice, shooting.nodes(), writer, report.iterate, round, memory);
  return round;
}

}  // namespace

abi::Solution solve_single_shooting(bolza_problem& problem, const TranscribeOptions& options, const ShootingOptions& choice,
                                    const abi::Solution* guess) {
  auto begin = Clock::now();
  abi::Solution start = collocation_start(problem, options, guess);
  if (!start.phases.empty()) guess = &start;
  auto solve = [&](const ShootingOptions& with, const Accuracy& accuracy, const abi::Solution* from, RoundMemory& memory) {
    return solve_single_once(problem, options, with, accuracy, from, memory);
  };
  abi::Solution solution = solve_in_rounds(choice, options.nlp.tol, guess, solve);
  solution.statistics.seconds_total = seconds_since(begin);
  return solution;
}

}  // namespace bolza::transcribe
