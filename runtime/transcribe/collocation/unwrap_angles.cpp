// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/collocation/unwrap_angles.h"

#include <cmath>

#include "runtime/transcribe/collocation/guess.h"

namespace bolza::transcribe {
namespace {

constexpr double turn = 6.283185307179586;

/// The value moved by whole turns to the one nearest to `to` inside its bounds; itself where there is none.
double moved_near(double value, double to, double lower, double upper) {
  double moved = value + turn * std::round((to - value) / turn);
  if (moved < lower) moved += turn * std::ceil((lower - moved) / turn);
  if (moved > upper) moved -= turn * std::ceil((moved - upper) / turn);
  return moved >= lower && moved <= upper ? moved : value;
}

/// Unwraps one control of a phase in `w`; false: no value was moved.
bool unwrap(const Transcription& t, const PhaseLayout& phase, std::size_t control, std::vector<double>& w) {
  const nlp::Nlp& nlp = t.nlp;
  std::size_t stages = t.scheme.points, last = none;
  double before = 0;
  bool moved = false;
  for (std::size_t i = 0; i < phase.N; ++i)
    for (std::size_t j = 0; j < stages; ++j) {
      std::size_t v = phase.u[control * stages + j] + i;
      if (v == last) continue;  // one value per interval, or an end that two intervals share
      if (nlp.lower[v] == nlp.upper[v]) return false;
      double near = moved_near(w[v], last == none ? nlp.start[v] : before, nlp.lower[v], nlp.upper[v]);
      moved = moved || near != w[v];
      w[v] = before = near;
      last = v;
    }
  return moved;
}

struct NlpValues {
  double objective = 0;
  std::vector<double> rows;
  bool finite = false;
};

NlpValues nlp_values_at(const nlp::Nlp& nlp, const std::vector<double>& w) {
  NlpValues v;
  nlp.functions->move_to(w);
  const double* g = nlp.functions->constraints();
  if (g) v.rows.assign(g, g + nlp.m());
  v.finite = nlp.functions->objective(v.objective) && g;
  return v;
}

/// Whether both are the same but for rounding, extra points left out.
bool equal_but_for_rounding(const nlp::Nlp& nlp, const NlpValues& a, const NlpValues& b) {
  constexpr double rounding = 1e-7;
  if (!a.finite || !b.finite) return false;
  if (std::abs(a.objective - b.objective) > rounding * (std::abs(a.objective) + 1e-3)) return false;
  for (std::size_t r = 0; r < nlp.m(); ++r) {
    nlp::RowRole role = nlp.row_role[r];
    if (role == nlp::RowRole::extra_point || role == nlp::RowRole::point || role == nlp::RowRole::point_value) continue;
    if (std::abs(a.rows[r] - b.rows[r]) > rounding * std::max(nlp.row_scale[r], std::abs(a.rows[r]))) return false;
  }
  return true;
}

}  // namespace

bool unwrap_angles(Transcription& t, std::vector<double>& w) {
  bool any = false;
  for (const PhaseLayout& phase : t.phases)
    for (std::size_t c = 0; c + delays_of(*phase.model) < phase.model->n_u; ++c) {
      std::vector<double> turned = w;
      if (!unwrap(t, phase, c, turned)) continue;
      std::vector<double> guess = t.nlp.start;
      t.nlp.start = std::move(turned);
      fill_definitions(t);
      std::swap(t.nlp.start, guess);
      if (!equal_but_for_rounding(t.nlp, nlp_values_at(t.nlp, w), nlp_values_at(t.nlp, guess))) continue;
      w = std::move(guess);
      any = true;
    }
  return any;
}

}  // namespace bolza::transcribe
