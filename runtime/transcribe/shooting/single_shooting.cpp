// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/shooting/single_shooting.h"

#include <cmath>
#include <memory>
#include <optional>

#include "base/clock.h"
#include "runtime/nlp/solve.h"
#include "runtime/transcribe/shooting/accuracy.h"
#include "runtime/transcribe/shooting/carried_multipliers.h"
#include "runtime/transcribe/shooting/collocation_start.h"
#include "runtime/transcribe/shooting/growth_findings.h"
#include "runtime/transcribe/shooting/lifted.h"
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

constexpr double told = 1e-7;  ///< error of a state, of its size, with which it is told how errors grow

ShootingWriter writer_of(Shooting& shooting, const nlp::Report& report) {
  return {"single_shooting",
          [&](ShootingPhase& phase, integrate::SimulateOptions by) {
            return simulated(shooting, phase, report.iterate.w, std::move(by));
          },
          [&](std::size_t phase, std::span<const double> lambda, std::span<const double> samples) {
            return shooting.costates(phase, lambda, samples);
          }};
}

/// What is asked for.
struct Asked {
  bolza_problem& problem;
  const TranscribeOptions& options;
  const ShootingOptions& choice;
  const abi::Solution* guess;
};

/// Why the integration over the horizon says nothing, or nothing.
std::optional<abi::Finding> objection_to(const Growth& growth, const Asked& asked, Shooting& at) {
  std::optional<abi::Finding> why = unstable(growth, at.rtol);
  if (!why) return {};
  ShootingOptions implicit = asked.choice;
  implicit.integrator.clear();
  implicit.fixed_step = 0;
  implicit.method_options = {};
  auto by_steps = stiff(at.nodes(), at, problems_of<Shooting>(asked.problem, asked.options, implicit, asked.guess));
  return by_steps ? by_steps : why;
}

/// What was solved, lifted or not, as a solution with its trajectories.
Round written(Shooting& shooting, const Asked& asked, nlp::Report& report, const Growth& growth, double accuracy) {
  ShootingWriter writer = writer_of(shooting, report);
  double rtol = shooting.nodes().rtol;
  Round round;
  round.solution = shooting_solution(shooting.nodes(), shooting, report, writer);
  if (std::optional<abi::Finding> why = objection_to(growth, asked, shooting)) {
    round.solution.status = abi::SolveStatus::failed;
    round.solution.findings.assign(1, *std::move(why));
  }
  if (accuracy > 0) round.solution.log.push_back({integration_accuracy_log, accuracy});
  if (growth.known && growth.factor * rtol > told) round.solution.log.push_back({growth_log, growth.factor});
  look_between(asked.choice, shooting.nodes(), writer, report.iterate, round);
  return round;
}

Round solve_single_lifted(bolza_problem& problem, const TranscribeOptions& options, const ShootingOptions& choice,
                          const Accuracy& accuracy, const abi::Solution* guess, RoundMemory& memory) {
  LiftedReport lifted = solve_lifted(problem, options, choice, accuracy, guess, memory);
  if (!lifted.objection.empty()) return {refused_shooting("single shooting", lifted.objection), {}};
  if (accuracy.passing) return passed(lifted.report, lifted.simulations);
  ShootingOptions with = choice;
  with.rtol = lifted.rtol;
  Shooting shooting(problem, options, with, guess);
  Round round = written(shooting, {problem, options, with, guess}, lifted.report, lifted.growth, lifted.accuracy);
  round.simulations += lifted.simulations;
  return round;
}

/// What the first integration says of the whole.
Growth growth_at_start(Shooting& shooting) {
  shooting.move_to(shooting.nlp.start);
  return shooting.constraints() ? growth_of_errors(shooting.nodes()) : Growth{};
}

Round solve_single_as_it_is(bolza_problem& problem, const TranscribeOptions& options, const ShootingOptions& choice,
                            const Accuracy& accuracy, const abi::Solution* guess, RoundMemory& memory) {
  Asked asked{problem, options, choice, guess};
  MakeProblem make = problems_of<Shooting>(problem, options, choice, guess);
  ShootingProblem at = make(choice.rtol);
  auto shooting = [&]() -> Shooting& { return static_cast<Shooting&>(*at.functions); };
  if (!shooting().objection().empty()) return {refused_shooting("single shooting", shooting().objection()), {}};
  if (std::string why = at.nodes->objection_to_squares(options.nlp); !why.empty())
    return {refused_shooting("single shooting", why), {}};
  Growth growth = growth_at_start(shooting());
  if (unstable(growth, at.nodes->rtol)) {
    nlp::Report none{.iterate = {.w = at.nodes->nlp.start}};
    return written(shooting(), asked, none, growth, 0);
  }
  nlp::EngineOptions engine = engine_of(options.nlp, accuracy, memory);
  nlp::Iterate start;
  if (engine.warm_start) start = memory.recall(*at.nodes);
  else if (options.nlp.warm_start && guess) start = carried_multipliers(*at.nodes, *at.functions, *guess, engine);
  engine.warm_start = !start.w.empty();
  if (!engine.warm_start && (engine.engine == "ipopt" || engine.engine == "barrier" || engine.engine == "bonmin"))
    set_barrier(engine);
  if (choice.fixed_step == 0) engine.noise = at.nodes->rtol;
  GrowthWatch watch(make, at, GrowthWatch::Form::classical);
  const nlp::Iterate* from = engine.warm_start ? &start : nullptr;
  AccurateReport found = solve_accurately(make, at, watch.watched(engine), from, choice.rtol == 0);
  watch.name_end(found.report);
  if (watch.found()) growth = *watch.found();
  if (nlp::is_solution(found.report.status)) memory.keep(*at.nodes, found.report.iterate);
  if (accuracy.passing) return passed(found.report, at.nodes->simulations);
  Round round = written(shooting(), asked, found.report, growth, found.accuracy);
  if (watch.creeps() && !nlp::is_solution(found.report.status)) round.solution.findings.assign(1, creeping(growth));
  if (const Shooting::Quadrature& by = shooting().quadrature(); by.points > 0) {
    round.solution.log.push_back({quadrature_points_log, static_cast<double>(by.points)});
    round.solution.log.push_back({quadrature_error_log, by.error});
  }
  return round;
}

Round solve_single_once(bolza_problem& problem, const TranscribeOptions& options, const ShootingOptions& choice,
                        const Accuracy& accuracy, const abi::Solution* guess, RoundMemory& memory) {
  auto solve = choice.lift ? solve_single_lifted : solve_single_as_it_is;
  return solve(problem, options, choice, accuracy, guess, memory);
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
  options.tell(solution);
  return solution;
}

}  // namespace bolza::transcribe
