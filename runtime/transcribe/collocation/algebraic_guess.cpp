// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/collocation/algebraic_guess.h"

#include <algorithm>
#include <cmath>
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

constexpr double open_loop = 1e-3;  ///< of a row of initial equations, relative to the sizes of what is in it

/// Whether initial equations of what is no parameter are far from holding.
bool contradicts_start(ModelAt& at, const ModelAt::Point& point) {
  const bolza_function* initial = at.part(ModelAt::Part::initial);
  if (initial == nullptr || initial->n_rows == 0) return false;
  std::vector<double> rows(initial->n_rows);
  if (!at.value(ModelAt::Part::initial, point, rows)) return true;
  return std::ranges::any_of(rows, [](double r) { return std::fabs(r) > open_loop; });
}

void start_consistently(Transcription& t, const PhaseLayout& phase) {
  const bolza_model& m = *phase.model;
  Guessed guess = guessed_at_start(t, phase);
  double t0 = t.horizons[static_cast<std::size_t>(phase.number)].t0;
  ModelAt at(*t.problem, m, nonlinear::shared_of(*t.problem, static_cast<std::size_t>(phase.number), t.nlp.start));
  ModelAt::Point start{t0, guess.x.data(), guess.z.data(), guess.u.data()};
  std::vector<double> rows(at.part(ModelAt::Part::residuals)->n_rows);
  bool has_values = at.value(ModelAt::Part::residuals, start, rows), opens = contradicts_start(at, start);
  if (has_values && !opens) return;
  nonlinear::InitialPoint point = nonlinear::initialise(at, t0, guess.u, guess.x, guess.z, {.holds_states = !opens});
  if (!point.converged()) return;
  for (const VariableBlock& block : t.plan.numbering.variables) {
    bool is_state = block.quantity == QuantityKind::state && opens && block.role != nlp::VariableRole::integral;
    auto index = static_cast<std::size_t>(block.index);
    if (block.phase != phase.number || !(is_state || block.quantity == QuantityKind::algebraic)) continue;
    if (index >= (is_state ? point.x : point.z).size()) continue;
    double value = is_state ? point.x[index] : point.z[index];
    for (std::size_t k = block.first; k < block.first + block.count; ++k)
      t.nlp.start[k] = std::min(std::max(value, t.nlp.lower[k]), t.nlp.upper[k]);
  }
}

}  // namespace

void start_consistently(Transcription& t) {
  for (const PhaseLayout& phase : t.phases)
    if (phase.model->n_z > 0 && !t.problem->is_static) start_consistently(t, phase);
}

}  // namespace bolza::transcribe
