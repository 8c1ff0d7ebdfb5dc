// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/collocation/algebraic_guess.h"

#include <algorithm>
#include <vector>

#include "runtime/nonlinear/initialise.h"

namespace bolza::transcribe {
namespace {

using nonlinear::ModelAt;

/// The first value of each quantity of a phase.
struct Guessed {
  std::vector<double> x, z, u;
};

Guessed guessed_at_start(const Transcription& t, const PhaseLayout& phase) {
  const bolza_model& m = *phase.model;
  Guessed values{std::vector<double>(m.n_x), std::vector<double>(m.n_z), std::vector<double>(m.n_u)};
  for (const VariableBlock& block : t.plan.numbering.variables) {
    if (block.phase != phase.number || block.interval != 0 || block.role == nlp::VariableRole::integral) continue;
    std::vector<double>* of = block.quantity == QuantityKind::state       ? &values.x
                              : block.quantity == QuantityKind::algebraic ? &values.z
                              : block.quantity == QuantityKind::control   ? &values.u
                                                                          : nullptr;
    auto k = static_cast<std::size_t>(block.index);
    if (of && k < of->size()) (*of)[k] = t.nlp.start[block.first];
  }
  return values;
}

void start_algebraics_of(Transcription& t, const PhaseLayout& phase) {
  const bolza_model& m = *phase.model;
  Guessed guess = guessed_at_start(t, phase);
  double t0 = t.horizons[static_cast<std::size_t>(phase.number)].t0;
  ModelAt at(*t.problem, m, nonlinear::shared_of(*t.problem, static_cast<std::size_t>(phase.number), t.nlp.start));
  std::vector<double> rows(at.part(ModelAt::Part::residuals)->n_rows);
  if (at.value(ModelAt::Part::residuals, {t0, guess.x.data(), guess.z.data(), guess.u.data()}, rows)) return;
  nonlinear::InitialPoint point = nonlinear::initialise(at, t0, guess.u, guess.x, guess.z, {.holds_states = true});
  if (!point.converged()) return;
  for (const VariableBlock& block : t.plan.numbering.variables) {
    if (block.phase != phase.number || block.quantity != QuantityKind::algebraic) continue;
    double value = point.z[static_cast<std::size_t>(block.index)];
    for (std::size_t k = block.first; k < block.first + block.count; ++k)
      t.nlp.start[k] = std::min(std::max(value, t.nlp.lower[k]), t.nlp.upper[k]);
  }
}

}  // namespace

void start_algebraics(Transcription& t) {
  for (const PhaseLayout& phase : t.phases)
    if (phase.model->n_z > 0 && !t.problem->is_static) start_algebraics_of(t, phase);
}

}  // namespace bolza::transcribe
