// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/stages.h"

#include <numeric>
#include <vector>

namespace bolza::nlp {

kkt::ChainShape stages_of(const Nlp& nlp, std::span<const std::int32_t> rows) {
  kkt::ChainShape shape;
  shape.n = nlp.n();
  shape.m = rows.size();
  shape.variable_stage = nlp.interval;
  for (VariableRole role : nlp.role) shape.is_free.push_back(role == VariableRole::control);
  for (std::int32_t row : rows) {
    auto r = static_cast<std::size_t>(row);
    shape.row_stage.push_back(nlp.row_interval[r]);
    shape.is_soft.push_back(nlp.row_lower[r] != nlp.row_upper[r]);
  }
  return shape;
}

kkt::ChainShape chain_of(const Nlp& nlp, const Pattern& hessian) {
  std::vector<std::int32_t> rows(nlp.m());
  std::iota(rows.begin(), rows.end(), 0);
  kkt::ChainShape shape = stages_of(nlp, rows);
  shape.hessian = {hessian.row, hessian.col};
  shape.jacobian = {nlp.jacobian.row, nlp.jacobian.col};
  return shape;
}

}  // namespace bolza::nlp
