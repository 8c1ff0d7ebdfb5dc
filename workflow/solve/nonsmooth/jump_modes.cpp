// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/nonsmooth/jump_modes.h"

#include <algorithm>
#include <cmath>

#include "base/numbers.h"
#include "runtime/transcribe/checks/resimulate.h"
#include "workflow/codes.h"
#include "workflow/solve/method/solver.h"
#include "workflow/solve/nonsmooth/mode_sequence.h"

namespace bolza::workflow {
namespace {

constexpr double seconds_of_simulation = 60;

std::string first_error(const Model& model) {
  for (const Diagnostic& d : model.diagnostics.all())
    if (d.severity == Severity::error) return d.message + " [" + std::string(d.code->id) + "]";
  return "the settings do not fit";
}

std::unique_ptr<Model> loaded(const LoadRequest& request, std::string& trouble) {
  auto model = std::make_unique<Model>();
  if (model->load(request)) return model;
  trouble = first_error(*model);
  return nullptr;
}

/// The times at which a jump happens in the solution.
std::string times_of(std::uint32_t jump, const ir::ModeSequence& sequence, const std::vector<double>& times) {
  std::string text;
  for (std::size_t k = 0; k < sequence.jumps.size() && k < times.size(); ++k)
    if (std::ranges::any_of(sequence.jumps[k], [&](const auto& event) { return event.jump == jump; }))
      text += (text.empty() ? "" : ", ") + shown(times[k], 6);
  return text;
}

/// The largest difference of final states, relative to their sizes; NaN where they cannot be compared.
double final_deviation(const abi::Trajectories& a, const abi::Trajectories& b) {
  if (a.time.empty() || b.time.empty() || a.x.size() != b.x.size()) return std::nan("");
  double worst = 0;
  for (std::size_t i = 0; i < a.x.size(); ++i) {
    double size = 0;
    for (double x : b.x[i]) size = std::max(size, std::fabs(x));
    if (size > 0) worst = std::max(worst, std::fabs(a.x[i].back() - b.x[i].back()) / size);
  }
  return worst;
}

}  // namespace

JumpModes jump_modes(const LoadRequest& request, const Budget& budget, Model& refused) {
  JumpModes out;
  if (!driver::is_refused_for_events(refused.diagnostics)) return out;
  LoadRequest telling = request, with_events = request;
  telling.modes = ir::ModeSequence{};
  with_events.events = passes::Events::keep;
  std::string trouble;
  std::unique_ptr<Model> listed = loaded(telling, trouble);
  if (!listed || listed->problem.flat.mode_jumps.empty()) return out;
  auto fail = [&](const std::string& why) {
    refused.diagnostics.clear();
    refused.diagnostics.error(no_jump_modes, listed->problem.flat.mode_jumps[0].span, {listed->class_name, why});
    return JumpModes{};
  };
  out.simulated = loaded(with_events, trouble);
  if (!out.simulated) return fail(trouble);
  auto library = solver_library(out.simulated->diagnostics);
  if (!library || !out.simulated->compile({.calls = codegen::Calls::one})) return fail(first_error(*out.simulated));
  constexpr double middle = 0.5;
  abi::Solution start =
      (*library)->simulated_guess(out.simulated->abi(), budget.part(seconds_of_simulation), nullptr, nullptr, middle);
  if (start.phases.empty() || start.phases[0].trajectories.time.empty()) return fail("the guess could not be simulated");
  std::vector<result::ResultTable> tables = tables_of(*out.simulated, start);
  ModesOfTable modes = modes_of(*listed, tables);
  if (!modes.trouble.empty()) return fail(modes.trouble);
  for (const ir::ModeJump& jump : listed->problem.flat.mode_jumps) out.jumps.push_back(jump.state);
  LoadRequest in_pieces = request;
  in_pieces.modes = modes.sequence;
  std::unique_ptr<Model> pieces = loaded(in_pieces, trouble);
  if (!pieces) return fail(trouble);
  if (!pieces->compile({.calls = codegen::Calls::both})) return fail(first_error(*pieces));
  out.guess = guess_in_modes(*pieces, tables);
  out.pieces = std::move(pieces);
  return out;
}

void tell_jumps(const Model& pieces, JumpModes& modes, SolveOutcome& outcome) {
  const ir::ModeSequence& sequence = *pieces.request.modes;
  if (!abi::is_solution(outcome.solution.status)) return;
  std::vector<double> switches = switch_times(pieces, outcome.solution, *modes.simulated);
  for (std::uint32_t j = 0; j < modes.jumps.size(); ++j)
    if (std::string times = times_of(j, sequence, switches); !times.empty())
      outcome.relations.push_back("`reinit(" + modes.jumps[j] + ", …)` at " + times);
    else outcome.relations.push_back("`reinit(" + modes.jumps[j] + ", …)` nowhere");
  abi::Solution one = without_modes(pieces, outcome.solution, *modes.simulated);
  auto library = solver_library(modes.simulated->diagnostics);
  if (!library || one.phases.empty()) return;
  transcribe::Resimulation by = (*library)->resimulate(modes.simulated->abi(), one, 1e-10, {}, {});
  if (by.simulated.phases.empty() || !by.finished) {
    outcome.warnings.push_back(
        {WarningKind::not_simulated,
         "the model with its events could not be simulated with the optimal controls: " + by.message});
    return;
  }
  double deviation = final_deviation(by.simulated.phases[0].trajectories, outcome.solution.phases.back().trajectories);
  outcome.solution.log.push_back({"deviation of final states of a simulation with events", deviation});
}

}  // namespace bolza::workflow
