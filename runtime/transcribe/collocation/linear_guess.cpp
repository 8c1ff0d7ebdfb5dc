// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/collocation/linear_guess.h"

#include <cmath>

#include "runtime/transcribe/collocation/guess.h"

namespace bolza::transcribe {
namespace {

/// For every row its only entry, or none.
std::vector<std::size_t> single_entries(const nlp::Nlp& nlp) {
  constexpr std::size_t several = none - 1;
  std::vector<std::size_t> entry(nlp.m(), none);
  for (std::size_t k = 0; k < nlp.jacobian.size(); ++k) {
    std::size_t& e = entry[static_cast<std::size_t>(nlp.jacobian.row[k])];
    e = e == none ? k : several;
  }
  for (std::size_t& e : entry)
    if (e == several) e = none;
  return entry;
}

/// The state that variable v is at the end of a phase: phase and index, or nothing.
const VariableBlock* final_state(const Transcription& t, std::size_t v) {
  const VariableBlock& block = t.plan.numbering.variable(v);
  bool last = block.phase >= 0 && block.role == nlp::VariableRole::mesh_state && v + 1 == block.first + block.count;
  return last ? &block : nullptr;
}

}  // namespace

abi::Solution linear_guess(Transcription& t) {
  const nlp::Nlp& nlp = t.nlp;
  std::vector<Straight> lines;
  for (const PhaseLayout& phase : t.phases) {
    Straight line;
    const bolza_model& m = *phase.model;
    for (std::size_t a = 0; a < m.n_x && phase.N > 0; ++a) {
      std::size_t first = phase.mesh_state(t.scheme, a);
      line.x0.push_back(nlp.start[first]);
      line.x1.push_back(nlp.start[first + phase.N]);
      if (nlp.lower[first + phase.N] == nlp.upper[first + phase.N]) line.x1.back() = nlp.lower[first + phase.N];
    }
    lines.push_back(std::move(line));
  }
  nlp.functions->move_to(nlp.start);
  const double* g = nlp.functions->constraints();
  std::vector<double> rows(g ? g : nullptr, g ? g + nlp.m() : nullptr);
  const double* jacobian = nlp.functions->jacobian();
  if (!rows.empty() && jacobian) {
    std::vector<std::size_t> single = single_entries(nlp);
    for (std::size_t r = t.first_point_row; r < nlp.m(); ++r) {
      if (nlp.row_role[r] != nlp::RowRole::point || nlp.row_lower[r] != nlp.row_upper[r] || single[r] == none) continue;
      auto v = static_cast<std::size_t>(nlp.jacobian.col[single[r]]);
      double slope = jacobian[single[r]];
      const VariableBlock* state = final_state(t, v);
      double value = nlp.start[v] + (nlp.row_lower[r] - rows[r]) / slope;
      if (state && std::isfinite(value))
        lines[static_cast<std::size_t>(state->phase)].x1[static_cast<std::size_t>(state->index)] = value;
    }
  }
  abi::Solution guess = straight_guess(*t.problem, lines);
  for (std::size_t p = 0; p < guess.parameters.size(); ++p) guess.parameters[p] = nlp.start[p];
  return guess;
}

}  // namespace bolza::transcribe
