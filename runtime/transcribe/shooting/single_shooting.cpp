#include "runtime/transcribe/shooting/single_shooting.h"

#include <chrono>

#include "runtime/nlp/solve.h"
#include "runtime/transcribe/integers.h"
#include "runtime/transcribe/shooting/shooting_internal.h"
#include "runtime/transcribe/shooting/solution_internal.h"

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

}  // namespace

abi::Solution solve_single_shooting(bolza_problem& problem, const TranscribeOptions& options, const ShootingOptions& choice,
                                    const abi::Solution* guess) {
  auto begin = std::chrono::steady_clock::now();
  Shooting shooting(problem, options, choice, guess);
  if (!shooting.objection().empty()) return refused_shooting("single shooting", shooting.objection());
  nlp::EngineOptions engine = options.nlp;
  if (engine.engine == "ipopt" || engine.engine == "bonmin") set_barrier(engine);
  engine.warm_start = false;
  nlp::Report report = nlp::solve(shooting.nlp, engine, nullptr);
  abi::Solution solution =
      shooting_solution(shooting.nodes(), shooting, report,
                        {"single_shooting",
                         [&](ShootingPhase& phase, integrate::SimulateOptions by) {
                           return simulated(shooting, phase, report.iterate.w, std::move(by));
                         },
                         [&](std::size_t phase, std::span<const double> lambda, std::span<const double> samples) {
                           return shooting.costates(phase, lambda, samples);
                         }});
  solution.statistics.seconds_total = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return solution;
}

}  // namespace bolza::transcribe
