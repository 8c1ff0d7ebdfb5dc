// SPDX-License-Identifier: Apache-2.0
#include "workflow/fit/carried_values.h"

#include <algorithm>
#include <span>

#include "runtime/abi/evaluate.h"
#include "workflow/codes.h"

namespace bolza::workflow {
namespace {

/// Column of the time, and the first of states, algebraic variables and inputs; of the parameters after the horizon's ends.
constexpr std::size_t time_column = 0, first_parameter = 2;

bool carries_reals(const bolza_hybrid& h) {
  std::span<const bolza_discrete> all(h.discrete, h.n_m);
  return std::any_of(all.begin(), all.end(),
                     [](const bolza_discrete& d) { return d.role == BOLZA_DISCRETE_VARIABLE && d.type == 0; });
}

bool has_state_events(const bolza_hybrid& h) {
  std::span<const bolza_discrete> all(h.discrete, h.n_m);
  return std::any_of(all.begin(), all.end(), [](const bolza_discrete& d) {
    return d.role != BOLZA_DISCRETE_VARIABLE && d.indicator >= 0 && !d.time_only;
  });
}

/// Does column `c` of the values at events stand for something that a fit moves?
bool is_moved(const bolza_function& update, std::size_t c, bool times_move) {
  if (c == time_column) return times_move;
  return c < update.n_point || c - update.n_point >= first_parameter;
}

}  // namespace

Result<Done> check_carried_values(Model& model, Diagnostics& diagnostics) {
  bolza_problem& problem = model.abi();
  const bolza_hybrid* h = problem.models[problem.phases[0].model]->hybrid;
  if (!h || !h->update || !carries_reals(*h)) return Done{};
  if (!abi::ensure(problem, *h->update, BOLZA_JACOBIAN)) return Done{};
  bool times_move = has_state_events(*h);
  for (std::size_t k = 0; k < h->update->jac_nnz; ++k) {
    const bolza_discrete& d = h->discrete[h->update->jac_row[k]];
    if (d.role != BOLZA_DISCRETE_VARIABLE || d.type != 0) continue;
    if (!is_moved(*h->update, static_cast<std::size_t>(h->update->jac_col[k]), times_move)) continue;
    std::string name = d.variable.name ? d.variable.name : "";
    return diagnostics.error(cannot_combine, {},
                             {"the Real discrete variable `" + name +
                              "` carries a value from event to event, through which there are no derivatives, and a fit "
                              "needs them; a state that `reinit` sets has them"},
                             {{{}, "`bolza fit --by none --evaluate` computes the likelihood alone"}});
  }
  return Done{};
}

}  // namespace bolza::workflow
