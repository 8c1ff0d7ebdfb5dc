// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/collocation/interval_multipliers.h"

#include <cmath>

namespace bolza::transcribe {
namespace {

/// Adds element i of a block to the interval it lies in, or to both where it is a mesh point.
template <class Block>
void add(const Block& block, std::size_t i, double value, std::vector<double>& to) {
  std::size_t interval = static_cast<std::size_t>(block.interval) + i;
  if (interval < to.size()) to[interval] += value;
  if (block.place == 0 && interval > 0 && interval - 1 < to.size()) to[interval - 1] += value;
  if (block.place == 1 && interval + 1 < to.size()) to[interval + 1] += value;
}

}  // namespace

std::vector<std::vector<double>> interval_multipliers(const Transcription& t, const PhaseLayout& phase,
                                                      const nlp::Iterate& iterate) {
  const nlp::Nlp& nlp = t.nlp;
  const bolza_model& m = *phase.model;
  if (iterate.lambda.size() != nlp.m() || iterate.z_lower.size() != nlp.n()) return {};
  std::vector<std::vector<double>> sums(m.n_x + m.n_z + m.n_g, std::vector<double>(phase.N, 0));
  for (const VariableBlock& block : t.plan.numbering.variables) {
    bool state = block.quantity == QuantityKind::state, algebraic = block.quantity == QuantityKind::algebraic;
    if (block.phase != phase.number || !(state || algebraic)) continue;
    std::vector<double>& row = sums[static_cast<std::size_t>(block.index) + (state ? 0 : m.n_x)];
    for (std::size_t i = 0; i < block.count; ++i) {
      std::size_t v = block.first + i;
      if (nlp.lower[v] < nlp.upper[v]) add(block, i, std::abs(iterate.z_upper[v] - iterate.z_lower[v]), row);
    }
  }
  for (const RowBlock& block : t.plan.numbering.rows)
    if (block.phase == phase.number && block.role == nlp::RowRole::path)
      for (std::size_t i = 0; i < block.count; ++i)
        add(block, i, std::abs(iterate.lambda[block.first + i]),
            sums[m.n_x + m.n_z + static_cast<std::size_t>(block.index)]);
  return sums;
}

}  // namespace bolza::transcribe
