// SPDX-License-Identifier: Apache-2.0
// Initial equations that say no more than that a state begins at a parameter: the engine sees one variable and no row.
#include <algorithm>
#include <cmath>

#include "runtime/transcribe/shooting/nodes_internal.h"

namespace bolza::transcribe {
namespace {

/// Whether all derivatives of a row are constant.
bool is_constant(const bolza_function& f, std::size_t row) {
  for (std::size_t k = 0; k < f.jac_nnz; ++k)
    if (static_cast<std::size_t>(f.jac_row[k]) == row && !(f.jac_constant && f.jac_constant[k])) return false;
  return true;
}

/// The two entries of a row, of a state and of a parameter, or none.
struct Pair {
  std::int32_t state = nlp::global, parameter = nlp::global;
  double by_state = 0, by_parameter = 0;
};

Pair pair_of(const nlp::Nlp& nlp, const double* jacobian, std::size_t row) {
  Pair pair;
  for (std::size_t k = 0; k < nlp.jacobian.size(); ++k) {
    if (static_cast<std::size_t>(nlp.jacobian.row[k]) != row || jacobian[k] == 0) continue;
    std::int32_t v = nlp.jacobian.col[k];
    nlp::VariableRole role = nlp.role[static_cast<std::size_t>(v)];
    bool is_state = role == nlp::VariableRole::mesh_state && pair.state == nlp::global;
    bool is_parameter = role == nlp::VariableRole::parameter && pair.parameter == nlp::global;
    if (!is_state && !is_parameter) return {};
    (is_state ? pair.state : pair.parameter) = v;
    (is_state ? pair.by_state : pair.by_parameter) = jacobian[k];
  }
  return pair;
}

}  // namespace

void ShootingNodes::find_equal_states(const double* jacobian, const double* values) {
  for (std::size_t r = 0; r < nlp.m(); ++r) {
    const ShootingRow& row = rows[r];
    if (nlp.row_role[r] != nlp::RowRole::initial || row.kind != ShootingRow::Kind::node) continue;
    if (!is_constant(*phases[row.function.site.phase].model->initial, row.function.index)) continue;
    Pair pair = pair_of(nlp, jacobian, r);
    if (pair.state == nlp::global || pair.parameter == nlp::global || pair.by_state != -pair.by_parameter) continue;
    auto v = static_cast<std::size_t>(pair.state), of = static_cast<std::size_t>(pair.parameter);
    double size = std::max(std::abs(nlp.start[v]), std::abs(nlp.start[of]));
    double offset = values[r] - pair.by_state * (nlp.start[v] - nlp.start[of]);
    bool taken = std::any_of(nlp.equal.begin(), nlp.equal.end(), [&](const auto& e) { return e.variable == pair.state; });
    if (taken || nlp.lower[of] == nlp.upper[of] || std::abs(offset) > 1e-14 * std::abs(pair.by_state) * size) continue;
    nlp.lower[of] = std::max(nlp.lower[of], nlp.lower[v]);
    nlp.upper[of] = std::min(nlp.upper[of], nlp.upper[v]);
    nlp.start[of] = std::clamp(nlp.start[of], nlp.lower[of], std::max(nlp.lower[of], nlp.upper[of]));
    nlp.start[v] = nlp.start[of];
    nlp.equal.push_back({pair.state, pair.parameter, static_cast<std::int32_t>(r)});
  }
}

}  // namespace bolza::transcribe
