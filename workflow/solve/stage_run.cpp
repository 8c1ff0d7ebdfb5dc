// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/stage_run.h"

#include <algorithm>
#include <utility>

#include "compiler/driver/transformation.h"
#include "runtime/transcribe/status.h"
#include "workflow/nonfinite.h"
#include "workflow/solve/attempts/timed_guess.h"
#include "workflow/solve/checks/check_solution.h"
#include "workflow/solve/method/combinations.h"
#include "workflow/solve/method/integers.h"
#include "workflow/solve/method/shooting_settings.h"
#include "workflow/solve/method/solver.h"
#include "workflow/solve/outcome/choices.h"
#include "workflow/solve/outcome/piece_names.h"
#include "workflow/written.h"

namespace bolza::workflow {
namespace {

void relay(void* context, const nlp::EngineProgress& p) {
  const auto& to = *static_cast<ProgressRelay*>(context);
  to.request->progress({to.stage, p.iteration, p.objective, p.infeasibility, p.seconds});
}

void note(void* context, const abi::Solution& solution) {
  const auto& to = *static_cast<ProgressRelay*>(context);
  to.request->timing->solves.push_back(note_of(to.stage, solution));
}

/// Whether multipliers of one have a meaning for the other.
bool same_method(const abi::Solution& guess, const transcribe::TranscribeOptions& t) {
  return std::all_of(guess.phases.begin(), guess.phases.end(), [&](const abi::PhaseSolution& phase) {
    return phase.transcription == t.transcription && (t.points == 0 || phase.points == t.points) && phase.mesh.size() > 2;
  });
}

constexpr double barrier_near_an_optimum = 1e-9;  ///< of a problem that was solved before, or of its neighbour

/// The pieces of a horizon that was cut into modes share the intervals that it would have: what each is integrated costs,
/// and grids of controls are refined from there.
void share_intervals(const driver::Options& options, const Model& model, transcribe::TranscribeOptions& t) {
  constexpr std::size_t least = 10;
  bool shares = model.problem.flat.are_pieces && shooting_of(options) != Shooting::none && !options.has("mesh");
  std::size_t n = model.abi().n_phases;
  if (shares && n > 1) t.mesh = static_cast<std::uint32_t>(std::min<std::size_t>(t.mesh, std::max(least, t.mesh / n)));
}

/// What attempts may take that another problem may follow (smooth functions, modes): where intervals are integrated an
/// iteration costs as much as ten of collocation, and those that end well take few.
Effort effort_of(const driver::Options& options, Effort asked) {
  constexpr int most_integrated = 60;
  bool limited = asked.attempts != Attempts::all && shooting_of(options) != Shooting::none;
  if (limited) asked.most = asked.most > 0 ? std::min(asked.most, most_integrated) : most_integrated;
  return asked;
}

}  // namespace

Result<Done> StageRun::prepare() {
  auto read = integrator_options(options, library, model.diagnostics);
  if (!read) return model.diagnostics.already_reported();
  integrator = *std::move(read);
  if (times && !in_whole_numbers) features = times->before(library, transcribe_options(options));
  if (shooting_of(options) != Shooting::single || passes::form_named(options.text("form")) == passes::Form::explicit_rates ||
      model.is_implicit)
    return Done{};
  auto other = with_form(model, options.text("form"));
  if (!other) return model.diagnostics.already_reported();
  written = *std::move(other);
  return Done{};
}

bool StageRun::has_many_states() const {
  constexpr std::size_t many = 200;
  const bolza_problem& problem = model.abi();
  return shooting_of(options) == Shooting::single && !options.has("hessian") && takes_lbfgs(options.text("nlp")) &&
         std::any_of(problem.models, problem.models + problem.n_models, [](const bolza_model* m) { return m->n_x > many; });
}

transcribe::TranscribeOptions StageRun::transcription() {
  transcribe::TranscribeOptions t = transcribe_options(options);
  if (has_many_states()) t.nlp.hessian = nlp::Hessian::lbfgs;
  t.nlp.budget = budget;
  if (request.progress) {
    t.nlp.progress = relay;
    t.nlp.progress_context = &progress;
  }
  if (request.timing) {
    t.solved = note;
    t.solved_context = &progress;
  }
  t.explain = explain_nonfinite;
  t.explain_context = &model;
  share_intervals(options, model, t);
  if (file) take_mesh_of_file(t);
  if (t.phase_fractions.empty()) t.phase_fractions = features;
  return t;
}

void StageRun::take_mesh_of_file(transcribe::TranscribeOptions& t) const {
  if (options.has("mesh") || options.has("phase-mesh") || !same_method(*file, t)) return;
  t.mesh = 0;
  for (const abi::PhaseSolution& phase : file->phases) {
    t.phase_fractions.push_back(phase.mesh);
    t.mesh = std::max(t.mesh, static_cast<std::uint32_t>(phase.mesh.size() - 1));
  }
  if (options.has("control") || options.has("phase-control")) return;
  t.control_constant = file->phases[0].control_constant;
  for (std::size_t p = 1; p < file->phases.size(); ++p)
    t.phase_control.emplace_back(model.problem.phases[p].name, file->phases[p].control_constant);
}

void StageRun::announce(const transcribe::TranscribeOptions& t) {
  progress.stage = options.text("transcription") + " " + std::to_string(t.mesh);
}

void StageRun::announce_refinement(const transcribe::TranscribeOptions& t) {
  announce(t);
  progress.stage += ", solved; refining the mesh";
}

RetryOutcome StageRun::solve(const abi::Solution* guess) {
  transcribe::TranscribeOptions t = transcription();
  announce(t);
  return in_whole_numbers ? solve_in_whole_numbers(t, guess) : solve_continuous(t, guess);
}

RetryOutcome StageRun::solve_in_whole_numbers(transcribe::TranscribeOptions t, const abi::Solution* guess) {
  std::string stage = progress.stage;
  transcribe::TranscribeOptions relaxed = t;
  relaxed.nlp.integers = nlp::IntegerMethod::relax;
  progress.stage = stage + ", relaxed";
  RetryOutcome out = solve_continuous(relaxed, guess);
  if (!abi::is_solution(out.solution.status)) {
    out.solution.integers.any = true;
    return out;
  }
  progress.stage = stage + ", " + options.text("integers");
  t.nlp.warm_start = true;
  abi::Solution found = solve_by(t, &out.solution);
  out.iterations += found.statistics.iterations;
  if (out.tried.empty()) out.tried.emplace_back();
  out.solution = std::move(found);
  return out;
}

RetryOutcome StageRun::solve_continuous(transcribe::TranscribeOptions t, const abi::Solution* guess) {
  t.nlp.warm_start = guess && !guess->warm_start.rows.empty() && same_method(*guess, t);
  if (t.nlp.warm_start && file) t.nlp.barrier = barrier_near_an_optimum;
  if (handed && guess) start_with_multipliers(guess, t);
  bolza_problem& problem = model.abi();
  abi::Solution timed = timed_guess(model, library, chosen(options, "guess", guesses) == Guess::automatic);
  const abi::Solution* own = timed.phases.empty() ? nullptr : &timed;
  std::string stage = progress.stage;
  return solve_with_retries(
      {.problem = problem,
       .library = library,
       .options = t,
       .guess = chosen(options, "guess", guesses),
       .own = own,
       .seed = static_cast<std::uint32_t>(options.integer("seed")),
       .starts = options.integer("multi-start"),
       .one_start = options.has("multi-start") && options.integer("multi-start") == 0,
       .retry = options.flag("retry"),
       .effort = effort_of(options, effort),
       .failed = failed,
       .reduced = shooting_of(options) == Shooting::single && !shooting().lift,
       .integrated = shooting_of(options) != Shooting::none,
       .given = guess,
       .solve = [&](const transcribe::TranscribeOptions& how, const abi::Solution* from) { return solve_by(how, from); },
       .announce =
           [&](const std::string& what, bool solved) {
             std::string found = solved ? "solved; looking for other optima: " : "";
             progress.stage = what.empty() ? stage : stage + ", " + found + what;
           }});
}

abi::Solution StageRun::solve_once(const transcribe::TranscribeOptions& how, const abi::Solution& from) {
  announce_refinement(how);
  return solve_by(how, &from);
}

void StageRun::start_with_multipliers(const abi::Solution* guess, transcribe::TranscribeOptions& t) {
  bool costates = handed->costates && has_costates(model.abi(), *guess);
  if (!t.nlp.warm_start && !costates) handed->costates = handed->multipliers = handed->active_sets = false;
  else if (!t.nlp.warm_start) {
    t.nlp.warm_start = true;
    t.nlp.barrier = barrier_of_hand_over(*handed);
  }
}

bool StageRun::takes_lbfgs(const std::string& engine) const {
  const std::vector<TableRow> rows = library.engines();
  return std::any_of(rows.begin(), rows.end(), [&](const TableRow& row) { return row.name == engine && row.lbfgs; });
}

bool StageRun::has_controls() const {
  const bolza_problem& problem = model.abi();
  return std::any_of(problem.models, problem.models + problem.n_models, [](const bolza_model* m) { return m->n_u > 0; });
}

bool StageRun::takes_squares_of_integrals() const {
  const bolza_problem& problem = model.abi();
  return chosen(options, "hessian", hessians) == nlp::Hessian::gauss_newton &&
         std::any_of(problem.models, problem.models + problem.n_models,
                     [](const bolza_model* m) { return m->integrand_residuals != nullptr; });
}

transcribe::ShootingOptions StageRun::shooting() const {
  transcribe::ShootingOptions out = shooting_options(options, library);
  if (takes_squares_of_integrals() || has_many_states() || (!options.has("lift") && !has_controls())) out.lift = false;
  out.method_options = integrator;
  out.fixed_step = integrator.fixed_step;
  if (written) out.written = &written->abi();
  return out;
}

abi::Solution StageRun::solve_by(const transcribe::TranscribeOptions& how, const abi::Solution* guess) {
  bool rough = how.transcription == "implicit-euler";  // of an attempt: collocation, whatever the stage's method is
  bool single = shooting_of(options) == Shooting::single && !rough;
  if (!single && shooting_of(how.transcription) != Shooting::multiple) return library.solve(model.abi(), how, guess);
  abi::Solution solution = single ? library.solve_single_shooting(model.abi(), how, shooting(), guess)
                                  : library.solve_multiple_shooting(model.abi(), how, shooting(), guess);
  for (abi::Finding& finding : solution.findings) explain(finding, model);
  return solution;
}

}  // namespace bolza::workflow
