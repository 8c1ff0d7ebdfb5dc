// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/collocation/bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "runtime/transcribe/collocation/guess.h"
#include "runtime/transcribe/collocation/measured_sizes.h"
#include "runtime/transcribe/integers.h"
#include "runtime/transcribe/plan/path_equalities.h"

namespace bolza::transcribe {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void give_variables(Transcription& t) {
  nlp::Nlp& nlp = t.nlp;
  std::size_t n = t.plan.numbering.n;
  nlp.lower.assign(n, -infinity);
  nlp.upper.assign(n, infinity);
  nlp.scale.assign(n, 1);
  nlp.start.assign(n, 0);
  nlp.role.resize(n);
  nlp.interval.resize(n);
  std::vector<std::int32_t> first_interval{0};
  for (const PhaseLayout& phase : t.phases)
    first_interval.push_back(first_interval.back() + static_cast<std::int32_t>(phase.N));
  for (const VariableBlock& block : t.plan.numbering.variables) {
    const bolza_variable* v = block.role == nlp::VariableRole::point_value ? nullptr : variable_of(t, block);
    for (std::size_t i = 0; i < block.count; ++i) {
      std::size_t k = block.first + i;
      nlp.role[k] = block.role;
      nlp.interval[k] = nlp::global;
      if (block.interval != nlp::global && block.phase >= 0) {
        std::size_t phase = static_cast<std::size_t>(block.phase), N = t.phases[phase].N;
        std::size_t interval = static_cast<std::size_t>(block.interval) + i;
        nlp.interval[k] = first_interval[phase] + static_cast<std::int32_t>(N == 0 ? 0 : std::min(interval, N - 1));
      }
      if (v) {
        nlp.lower[k] = v->min;
        nlp.upper[k] = v->max;
      }
    }
    if (v && v->fixed && block.quantity == QuantityKind::parameter)
      nlp.lower[block.first] = nlp.upper[block.first] = v->start;
    if (v && v->fixed && block.role == nlp::VariableRole::mesh_state && !t.problem->is_static)
      nlp.lower[block.first] = nlp.upper[block.first] = v->start;
    if (block.role == nlp::VariableRole::integral) nlp.lower[block.first] = nlp.upper[block.first] = 0;
  }
}

/// Which variables take whole numbers only: controls, one value per interval, and free parameters.
void give_integers(Transcription& t) {
  nlp::Nlp& nlp = t.nlp;
  std::int32_t controls = 0;
  std::vector<std::vector<std::int32_t>> sequences(t.phases.size());
  for (std::size_t p = 0; p < t.phases.size(); ++p)
    sequences[p].assign(t.problem->models[t.problem->phases[p].model]->n_u, nlp::global);
  for (const VariableBlock& block : t.plan.numbering.variables) {
    bool control = block.role == nlp::VariableRole::control && block.quantity == QuantityKind::control;
    bool parameter = block.role == nlp::VariableRole::parameter;
    const bolza_variable* v = control || parameter ? variable_of(t, block) : nullptr;
    if (!v || !is_whole(*v) || v->fixed) continue;
    bool sequence = control && !t.problem->is_static;
    for (std::size_t i = 0; i < block.count && !sequence; ++i) make_whole(nlp, block.first + i);
    if (!sequence) continue;
    auto phase = static_cast<std::size_t>(block.phase);
    sequences[phase][static_cast<std::size_t>(block.index)] = controls;
    for (std::size_t i = 0; i < block.count; ++i)
      make_whole(nlp, block.first + i, controls, share_of_horizon(t.phases[phase].mesh, i, t.horizons[phase]));
    ++controls;
  }
  for (std::size_t p = 0; p < sequences.size(); ++p)
    add_switching(nlp, *t.problem->models[t.problem->phases[p].model], sequences[p], t.horizons[p].tf - t.horizons[p].t0);
}

void give_rows(Transcription& t) {
  nlp::Nlp& nlp = t.nlp;
  std::size_t m = t.plan.numbering.m;
  nlp.row_lower.assign(m, 0);
  nlp.row_upper.assign(m, 0);
  nlp.row_scale.assign(m, 1);
  nlp.linear.assign(m, 0);
  nlp.row_role.resize(m);
  nlp.row_interval.resize(m);
  std::int32_t phase_first = 0, phase = 0;
  for (const RowBlock& block : t.plan.numbering.rows) {
    for (; phase < block.phase; ++phase)
      phase_first += static_cast<std::int32_t>(t.phases[static_cast<std::size_t>(phase)].N);
    const bolza_row* row =
        block.role == nlp::RowRole::path || block.role == nlp::RowRole::point ? row_of(t, block) : nullptr;
    for (std::size_t i = 0; i < block.count; ++i) {
      nlp.row_role[block.first + i] = block.role;
      nlp.row_interval[block.first + i] =
          block.interval == nlp::global ? nlp::global : phase_first + block.interval + static_cast<std::int32_t>(i);
      if (row) {
        nlp.row_lower[block.first + i] = row->lower;
        nlp.row_upper[block.first + i] = row->upper;
      }
    }
  }
  for (auto [row, value] : t.delay_offsets) nlp.row_lower[row] = nlp.row_upper[row] = value;
}

/// Whether a path constraint involves nothing but controls and parameters.
bool only_controls(const bolza_model& model, std::size_t g) {
  const bolza_function& f = *model.residuals;
  std::size_t first_delayed = 1 + model.n_x + model.n_z + model.n_u - delays_of(model);
  for (std::size_t e = 0; e < f.jac_nnz; ++e) {
    auto column = static_cast<std::size_t>(f.jac_col[e]);
    if (static_cast<std::size_t>(f.jac_row[e]) != model.n_z + g) continue;
    if (column < 1 + model.n_x + model.n_z || (column >= first_delayed && column < f.n_point)) return false;
  }
  return true;
}

/// Whether an equality at an extra point asks for more than the values of the interval can give: its controls are
/// extrapolated from points where the equality determines them, or are those of the interval; states at the end of an
/// interval follow from those inside. At the start an equality of states alone is one of the initial values.
bool repeats_equality(const Transcription& t, const PhaseLayout& phase, const ExtraPoint& extra, std::size_t g,
                      bool one_value) {
  const bolza_model& m = *phase.model;
  if (!is_equality(m, g) || m.n_u == delays_of(m)) return false;
  if (one_value) return depends_on_controls(m, g) || (!extra.at_start && t.scheme.c.back() > 0);
  std::size_t equalities = 0;
  for (std::size_t k = 0; k < m.n_g; ++k) equalities += is_equality(m, k) && depends_on_controls(m, k);
  return depends_on_controls(m, g) && equalities >= m.n_u - delays_of(m);  // else a control is left to fulfil it
}

/// Where the control is one value per interval, a constraint of controls alone holds at an extra point when it holds next to
/// it: a second row would make the multipliers ambiguous.
void drop_repeated_rows(Transcription& t) {
  if (has_whole_controls(*t.problem))  // fixed ones would leave more equations than unknowns
    for (const PhaseLayout& phase : t.phases)
      for (std::size_t g = 0; g < phase.model->n_g && phase.N > 0; ++g)
        for (std::size_t j = 1; j < phase.row_stages && phase.path_weight[g].empty() && only_controls(*phase.model, g); ++j)
          for (std::size_t i = 0; i < phase.N; ++i) {
            std::size_t row = phase.path[g * phase.row_stages + j] + i;
            t.nlp.row_lower[row] = -infinity;
            t.nlp.row_upper[row] = infinity;
          }
  auto one_value = [&](const PhaseLayout& phase) { return phase.control_constant || t.scheme.points == 1; };
  for (const PhaseLayout& phase : t.phases)
    for (const ExtraPoint& extra : phase.extra)
      for (std::size_t g = 0; g < extra.path.size() && phase.N > 0; ++g)
        if (!phase.ends_shared && repeats_equality(t, phase, extra, g, one_value(phase))) {
          t.nlp.row_lower[extra.path[g]] = -infinity;
          t.nlp.row_upper[extra.path[g]] = infinity;
        }
  for (const PhaseLayout& phase : t.phases)
    for (const ExtraPoint& extra : phase.extra)
      for (std::size_t g = 0; g < extra.path.size() && phase.N > 0; ++g)
        if (one_value(phase) && !phase.ends_shared && only_controls(*phase.model, g)) {
          t.nlp.row_lower[extra.path[g]] = -infinity;
          t.nlp.row_upper[extra.path[g]] = infinity;
        }
}

void remark_bound(Transcription& t, std::size_t parameter, double bound, bool lower, bool by_fixed_time) {
  if (!by_fixed_time) return;
  const bolza_variable& v = t.problem->parameters[parameter];
  abi::Finding remark;
  remark.kind = abi::Finding::Kind::at_bound;
  remark.name = v.name ? v.name : "";
  if (v.source.file) remark.file = v.source.file;
  remark.line = v.source.line;
  remark.column = v.source.column;
  remark.time = std::numeric_limits<double>::quiet_NaN();
  remark.bound = bound;
  remark.text = lower ? "must not become smaller than this: a value is asked for at a fixed time"
                      : "must not become larger than this: a value is asked for at a fixed time";
  t.remarks.push_back(std::move(remark));
}

/// start·t0 + final·tf + constant >= 0 as a bound of the one time that is free.
void bound_time(Transcription& t, std::size_t parameter, double slope, double rest, bool by_fixed_time) {
  if (slope == 0) return;
  double bound = -rest / slope;
  double& lower = t.nlp.lower[parameter];
  double& upper = t.nlp.upper[parameter];
  if (slope > 0 && bound > lower) {
    lower = std::min(bound, upper);
    remark_bound(t, parameter, bound, true, by_fixed_time);
  }
  if (slope < 0 && bound < upper) {
    upper = std::max(bound, lower);
    remark_bound(t, parameter, bound, false, by_fixed_time);
  }
}

/// Rows for the segments of phases whose t0 and tf are both free; returned with their lower bounds.
std::vector<std::pair<std::size_t, double>> keep_segments_positive(Transcription& t) {
  std::vector<std::pair<std::size_t, double>> rows;
  for (std::size_t p = 0; p < t.phases.size() && !t.problem->is_static; ++p) {
    const bolza_phase& phase = t.problem->phases[p];
    auto first = static_cast<std::size_t>(phase.parameter[0]), last = static_cast<std::size_t>(phase.parameter[1]);
    const Horizon& h = t.horizons[p];
    bool broken = t.phases[p].mesh.segment.size() > 1;
    for (const AffineTime& s : t.phases[p].mesh.segment) {
      if (h.start_free && h.final_free) {
        std::size_t row =
            t.plan.numbering.add(RowBlock{0, 1, nlp::RowRole::horizon, static_cast<std::int32_t>(p), 0, 0, nlp::global});
        if (s.start != 0) t.plan.constants.push_back({row, first, 1, s.start, none, s.start});
        if (s.final != 0) t.plan.constants.push_back({row, last, 1, s.final, none, s.final});
        rows.emplace_back(row, -s.constant);
      } else if (h.final_free) {
        bound_time(t, last, s.final, s.start * h.t0 + s.constant, broken);
      } else if (h.start_free) {
        bound_time(t, first, s.start, s.final * h.tf + s.constant, broken);
      }
    }
  }
  return rows;
}

}  // namespace

const bolza_variable* variable_of(const Transcription& t, const VariableBlock& block) {
  auto index = static_cast<std::size_t>(block.index);
  if (block.quantity == QuantityKind::parameter) return &t.problem->parameters[index];
  const bolza_model& m = *t.problem->models[t.problem->phases[block.phase].model];
  switch (block.quantity) {
    case QuantityKind::state:
    case QuantityKind::rate:
      return &m.x[index];
    case QuantityKind::algebraic:
      return &m.z[index];
    case QuantityKind::control:
      return &m.u[index];
    case QuantityKind::integral:
    case QuantityKind::parameter:
      return nullptr;
  }
  return nullptr;
}

const bolza_row* row_of(const Transcription& t, const RowBlock& block) {
  auto index = static_cast<std::size_t>(block.index);
  if (block.role == nlp::RowRole::point) return t.problem->point->rows ? &t.problem->point->rows[1 + index] : nullptr;
  if (block.phase < 0) return nullptr;
  const bolza_model& m = *t.problem->models[t.problem->phases[block.phase].model];
  auto of = [](const bolza_function* f, std::size_t row) { return f && f->rows ? &f->rows[row] : nullptr; };
  switch (block.role) {
    case nlp::RowRole::defect:
    case nlp::RowRole::continuity:
      return of(m.rates, index);
    case nlp::RowRole::algebraic:
      return of(m.residuals, index);
    case nlp::RowRole::path:
      return of(m.residuals, m.n_z + index);
    case nlp::RowRole::initial:
      return of(m.initial, index);
    case nlp::RowRole::integral:
      return of(m.rates, m.n_x + index);
    case nlp::RowRole::point:
    case nlp::RowRole::extra_point:
    case nlp::RowRole::point_value:
    case nlp::RowRole::horizon:
      return nullptr;
  }
  return nullptr;
}

bool has_constant_derivatives(const Transcription& t, const RowBlock& block) {
  bool in_phase = block.phase >= 0;
  bool path = block.role == nlp::RowRole::path && in_phase, defect = block.role == nlp::RowRole::defect && in_phase;
  if (!path && !defect && block.role != nlp::RowRole::point) return false;
  if (defect && t.problem->is_static) return false;
  const Horizon* horizon = defect ? &t.horizons[static_cast<std::size_t>(block.phase)] : nullptr;
  if (horizon && (horizon->start_free || horizon->final_free)) return false;  // lengths of intervals are factors
  const bolza_model* m = in_phase ? t.problem->models[t.problem->phases[block.phase].model] : nullptr;
  const bolza_function& f = path ? *m->residuals : defect ? *m->rates : *t.problem->point;
  std::size_t row = (path ? m->n_z : defect ? 0 : 1) + static_cast<std::size_t>(block.index);
  for (std::size_t e = 0; e < f.jac_nnz; ++e)
    if (static_cast<std::size_t>(f.jac_row[e]) == row && !(f.jac_constant && f.jac_constant[e])) return false;
  return true;
}

void add_bounds(Transcription& t) {
  give_variables(t);
  give_integers(t);
  auto segments = keep_segments_positive(t);
  give_rows(t);
  drop_repeated_rows(t);
  for (const auto& [row, lower] : segments) {
    t.nlp.row_lower[row] = lower;
    t.nlp.row_upper[row] = infinity;
  }
}

}  // namespace bolza::transcribe
