// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/workflow/solve/fake_solver.h"

#include <cmath>
#include <limits>

#include "base/numbers.h"

namespace bolza::workflow {
namespace {

FakeSolver& fake_of(const bolza_problem& problem) { return *static_cast<FakeSolver*>(problem.provider); }

abi::Solution fake_simulation(bolza_problem& problem, const Budget&, const abi::Solution* own, const abi::Solution*,
                              double place) {
  FakeSolver& fake = fake_of(problem);
  ++fake.simulations;
  if (!fake.simulates) {
    abi::Solution none;
    none.parameters = {0, 1};
    return none;
  }
  std::string name = "simulated";
  if (own && own->parameters.size() == 2) name += " to " + shown(own->parameters[1]);
  if (place != 0.5) name += " with controls at " + shown(place);
  return guess_named(name);
}

std::optional<transcribe::BetterControls> fake_controls(bolza_problem& problem, const abi::Solution&) {
  FakeSolver& fake = fake_of(problem);
  if (fake.better_controls.empty()) return {};
  transcribe::BetterControls next = fake.better_controls.front();
  fake.better_controls.pop_front();
  return next;
}

std::string guess_of(const abi::Solution* guess) {
  if (!guess) return "none";
  if (!guess->log.empty()) return guess->log[0].name;
  if (guess->parameters.size() == 2) return "end at " + shown(guess->parameters[1]);
  return "unknown";
}

}  // namespace

Rocket::Rocket() {
  control.min = -1, control.max = 1;
  times[0].fixed = 1, times[1].min = 0, times[1].max = std::numeric_limits<double>::infinity();
  times[1].name = "finalTime";
  control.name = "u";
  model.n_u = 1, model.u = &control;
  phase.parameter = of_phase;
  problem.n_models = problem.n_phases = 1, problem.n_parameters = 2;
  problem.models = const_cast<bolza_model* const*>(models), problem.phases = &phase, problem.parameters = times;
}

FakeSolver::FakeSolver() {
  rocket.problem.provider = this;
  library.natural_horizon = [](bolza_problem& problem) { return fake_of(problem).natural; };
  library.guessed_parameters = [](const bolza_problem&, const abi::Solution*) { return std::vector<double>{0, 1}; };
  library.data_guess = [](bolza_problem& problem) {
    return fake_of(problem).has_data ? guess_named("data") : abi::Solution{};
  };
  library.simulated_guess = fake_simulation;
  library.better_controls = fake_controls;
  library.is_convex = [](bolza_problem& problem, const std::vector<double>&) { return fake_of(problem).convex; };
}

RetryTask FakeSolver::task() {
  RetryTask out{.problem = rocket.problem, .library = library, .options = options, .integrated = integrated};
  std::shared_ptr<AskedSolve> next = std::make_shared<AskedSolve>();
  out.announce = [next](const std::string& what, bool solved) { next->what = what, next->bettering = solved; };
  out.solve = [this, next](const transcribe::TranscribeOptions& how, const abi::Solution* guess) {
    next->options = how, next->from = guess_of(guess);
    asked.push_back(*next);
    if (after_solve) after_solve();
    abi::Solution found = endings.front();
    if (endings.size() > 1) endings.pop_front();
    found.statistics.iterations = std::min(found.statistics.iterations, how.nlp.max_iterations);
    found.log.push_back({"attempt " + std::to_string(asked.size()), 0});
    return found;
  };
  return out;
}

RetryOutcome FakeSolver::climb() {
  RetryTask how = task();
  if (change) change(how);
  return solve_with_retries(how);
}

abi::Solution guess_named(const std::string& name) {
  abi::Solution guess;
  guess.parameters = {0, 1};
  guess.phases.resize(1);
  guess.log.push_back({name, 0});
  return guess;
}

abi::Solution ended(const Ending& how) {
  abi::Solution out;
  out.status = how.status, out.objective = how.objective;
  out.parameters = {0, 1};
  out.statistics.iterations = how.iterations, out.statistics.variables = 1000;
  out.phases.resize(1);
  out.phases[0].final_time = 1;
  return out;
}

void end_so(FakeSolver& fake, const std::vector<abi::SolveStatus>& statuses, int iterations) {
  fake.endings.clear();
  for (abi::SolveStatus status : statuses) fake.endings.push_back(ended({.status = status, .iterations = iterations}));
}

std::vector<std::string> names_of(const std::vector<AskedSolve>& asked) {
  std::vector<std::string> names;
  for (const AskedSolve& one : asked) names.push_back(one.what.empty() ? "as it is" : one.what);
  return names;
}

std::string told(const AskedSolve& one, const transcribe::TranscribeOptions& usual) {
  const transcribe::TranscribeOptions& o = one.options;
  std::string text = (one.what.empty() ? "as it is" : one.what) + ": from " + one.from;
  auto add = [&](const std::string& what) { text += ", " + what; };
  if (o.transcription != usual.transcription) add(o.transcription);
  if (o.mesh != usual.mesh) add(std::to_string(o.mesh) + " intervals");
  if (o.points != usual.points) add(std::to_string(o.points) + " points");
  if (o.control_constant != usual.control_constant) add("control constant");
  if (o.lines_to_end) add("lines");
  if (o.perturbation != 0) add("perturbed " + shown(o.perturbation) + " by seed " + std::to_string(o.seed));
  if (o.widened != 0) add("widened " + shown(o.widened));
  if (o.nlp.warm_start) add("with multipliers");
  if (o.nlp.tol != usual.nlp.tol) add("tol " + shown(o.nlp.tol));
  if (o.nlp.relative_gap != usual.nlp.relative_gap) add("relative gap " + shown(o.nlp.relative_gap));
  if (o.nlp.barrier != 0) add("barrier " + shown(o.nlp.barrier));
  for (std::size_t k = usual.nlp.engine_options.size(); k < o.nlp.engine_options.size(); ++k)
    add(o.nlp.engine_options[k].first + " " + o.nlp.engine_options[k].second);
  add("at most " + std::to_string(o.nlp.max_iterations));
  return text;
}

std::vector<std::string> told(const std::vector<AskedSolve>& asked, const transcribe::TranscribeOptions& usual) {
  std::vector<std::string> lines;
  for (const AskedSolve& one : asked) lines.push_back(told(one, usual));
  return lines;
}

}  // namespace bolza::workflow
