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
  nlp.lower.assign(n, -infinity), nlp.upper.assign(n, infinity), nlp.scale.assign(n, 1), nlp.start.assign(n, 0);
  nlp.role.resize(n), nlp.interval.resize(n);
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
      if (v) nlp.lower[k] = v->min, nlp.upper[k] = v->max;
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
  nlp.row_lower.assign(m, 0), nlp.row_upper.assign(m, 0), nlp.row_scale.assign(m, 1), nlp.linear.assign(m, 0);
  nlp.row_role.resize(m), nlp.row_interval.resize(m);
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
      if (row) nlp.row_lower[block.first + i] = row->lower, nlp.row_upper[block.first + i] = row->upper;
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
  if (t.control_constant && has_whole_controls(*t.problem))  // fixed ones would leave more equations than unknowns
    for (const PhaseLayout& phase : t.phases)
      for (std::size_t g = 0; g < phase.model->n_g && phase.N > 0; ++g)
        for (std::size_t j = 1; j < phase.row_stages && phase.path_weight[g].empty() && only_controls(*phase.model, g); ++j)
          for (std::size_t i = 0; i < phase.N; ++i) {
            std::size_t row = phase.path[g * phase.row_stages + j] + i;
            t.nlp.row_lower[row] = -infinity, t.nlp.row_upper[row] = infinity;
          }
  bool one_value = t.control_constant || t.scheme.points == 1;
  for (const PhaseLayout& phase : t.phases)
    for (const ExtraPoint& extra : phase.extra)
      for (std::size_t g = 0; g < extra.path.size() && phase.N > 0; ++g)
        if (!phase.ends_shared && repeats_equality(t, phase, extra, g, one_value))
          t.nlp.row_lower[extra.path[g]] = -infinity, t.nlp.row_upper[extra.path[g]] = infinity;
  if (!one_value) return;
  for (const PhaseLayout& phase : t.phases)
    for (const ExtraPoint& extra : phase.extra)
      for (std::size_t g = 0; g < extra.path.size() && phase.N > 0; ++g)
        if (!phase.ends_shared && only_controls(*phase.model, g))
          t.nlp.row_lower[extra.path[g]] = -infinity, t.nlp.row_upper[extra.path[g]] = infinity;
}

void remark_bound(Transcription& t, std::size_t parameter, double bound, bool lower, bool by_fixed_time) {
  if (!by_fixed_time) return;
  const bolza_variable& v = t.problem->parameters[parameter];
  abi::Finding remark;
  remark.kind = abi::Finding::Kind::at_bound;
  remark.name = v.name ? v.name : "";
  if (v.source.file) remark.file = v.source.file;
  remark.line = v.source.line, remark.column = v.source.column;
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
  if (slope > 0 && bound > lower) lower = std::min(bound, upper), remark_bound(t, parameter, bound, true, by_fixed_time);
  if (slope < 0 && bound < upper) upper = std::max(bound, lower), remark_bound(t, parameter, bound, false, by_fixed_time);
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

double given_size(const bolza_variable& v) {
  double size = 0;
  if (v.has_start && std::isfinite(v.start)) size = std::max(size, std::abs(v.start));
  if (v.has_guess && std::isfinite(v.guess)) size = std::max(size, std::abs(v.guess));
  return size;
}

/// The size that bounds speak of: the larger of two, 0 where one is missing.
double bounded_size(const bolza_variable& v) {
  return std::isfinite(v.min) && std::isfinite(v.max) ? std::max(std::abs(v.min), std::abs(v.max)) : 0;
}

/// The nominal value; else the largest value known, or where there is none but zero the bounds, or what the equations say;
/// 1 where that is ordinary. Values below `rounding` are taken for zero.
double known_size(const bolza_variable& v, double largest_guess, double rounding) {
  if (v.has_nominal && v.nominal != 0 && std::isfinite(v.nominal)) return std::abs(v.nominal);
  double size = std::max(given_size(v), largest_guess);
  if (size <= rounding) size = bounded_size(v);
  return size > rounding && std::isfinite(size) ? size : 0;
}

/// What a variable is divided by: its size, 1 where that is not known. Times between 0.01 and 100 are taken as they are: a
/// bound of theirs says little of their size.
double typical(const bolza_variable& v, double size, bool is_time) {
  bool given = v.has_nominal && v.nominal != 0 && std::isfinite(v.nominal);
  bool ordinary = is_time && size >= 1e-2 && size <= 1e2;
  return given || (size > 0 && std::isfinite(size) && !ordinary) ? size : 1;
}

/// Start values below this are rounding beside those of the other variables.
double rounding_of(const Transcription& t) {
  double largest = 0;
  for (const VariableBlock& block : t.plan.numbering.variables)
    if (const bolza_variable* v = block.role == nlp::VariableRole::integral ? nullptr : variable_of(t, block))
      largest = std::max(largest, v->has_nominal ? std::abs(v->nominal) : given_size(*v));
  return std::isfinite(largest) ? 1e-13 * std::min(largest, 1.0) : 0;
}

double largest_start(const Transcription& t, const VariableBlock& block) {
  double largest = 0;
  for (std::size_t i = 0; i < block.count; ++i) largest = std::max(largest, std::abs(t.nlp.start[block.first + i]));
  return std::isfinite(largest) ? largest : 0;
}

/// Where the size of a block's variable is kept, null for those that are of no phase.
double* size_in(std::vector<PhaseSizes>& sizes, const VariableBlock& block) {
  if (block.phase < 0) return nullptr;
  PhaseSizes& of = sizes[static_cast<std::size_t>(block.phase)];
  auto k = static_cast<std::size_t>(block.index);
  if (block.quantity == QuantityKind::state) return k < of.x.size() ? &of.x[k] : nullptr;
  if (block.quantity == QuantityKind::algebraic) return k < of.z.size() ? &of.z[k] : nullptr;
  return block.quantity == QuantityKind::control && k < of.u.size() ? &of.u[k] : nullptr;
}

/// A state that has to become so many times as large as it starts has the size of its end.
constexpr double much_larger = 1e3;

/// What a point constraint of one state alone says of its size.
struct EndValue {
  double* size;
  double value;  ///< the largest that its limits ask for; 0: nothing
  bool is_equality;
};

std::vector<EndValue> end_values(const Transcription& t, std::vector<PhaseSizes>& sizes) {
  const nlp::Nlp& nlp = t.nlp;
  nlp.functions->move_to(nlp.start);
  const double* g = nlp.functions->constraints();
  std::vector<double> rows(g ? g : nullptr, g ? g + nlp.m() : nullptr);
  const double* jacobian = nlp.functions->jacobian();
  if (rows.empty() || !jacobian) return {};
  std::vector<std::size_t> entries(nlp.m(), 0);
  for (std::int32_t r : nlp.jacobian.row) ++entries[static_cast<std::size_t>(r)];
  std::vector<EndValue> found;
  for (std::size_t k = 0; k < nlp.jacobian.size(); ++k) {
    auto r = static_cast<std::size_t>(nlp.jacobian.row[k]), v = static_cast<std::size_t>(nlp.jacobian.col[k]);
    if (r < t.first_point_row || nlp.row_role[r] != nlp::RowRole::point || entries[r] != 1) continue;
    const VariableBlock& block = t.plan.numbering.variable(v);
    double* size = size_in(sizes, block);
    if (!size || variable_of(t, block)->has_nominal) continue;
    EndValue end{size, 0, nlp.row_lower[r] == nlp.row_upper[r]};
    for (double limit : {nlp.row_lower[r], nlp.row_upper[r]}) {
      double value = std::abs(nlp.start[v] + (limit - rows[r]) / jacobian[k]);
      if (std::isfinite(value)) end.value = std::max(end.value, value);
    }
    if (*size == 0 ? end.value > 0 : end.is_equality && end.value > much_larger * *size) found.push_back(end);
  }
  return found;
}

/// Sizes of free parameters: 0 where nobody said anything, so that the start is the usual one.
std::vector<double> sizes_of_parameters(const Transcription& t, double rounding) {
  const bolza_problem& problem = *t.problem;
  std::vector<double> sizes(problem.n_parameters, not_measured), usual = guessed_parameters(problem, nullptr);
  for (std::size_t k = 0; k < problem.n_parameters; ++k) {
    const bolza_variable& v = problem.parameters[k];
    if (v.fixed) continue;
    double start = t.nlp.start[k];
    sizes[k] = known_size(v, is_unguessed(v) && start == usual[k] ? 0 : std::abs(start), rounding);
  }
  for (std::size_t p = 0; p < problem.n_phases; ++p)
    for (std::int32_t time : {problem.phases[p].parameter[0], problem.phases[p].parameter[1]})
      sizes[static_cast<std::size_t>(time)] = not_measured;
  return sizes;
}

/// What is known of sizes, with what the equations say of the others: no more than what an inequality at an end allows.
std::vector<PhaseSizes> sizes_of_phases(const Transcription& t, const abi::Solution* guess, double rounding) {
  std::vector<PhaseSizes> sizes;
  for (const PhaseLayout& phase : t.phases)
    sizes.push_back({std::vector<double>(phase.model->n_x),
                     std::vector<double>(phase.model->n_z),
                     std::vector<double>(phase.model->n_u),
                     {}});
  for (const VariableBlock& block : t.plan.numbering.variables) {
    double* size = block.role == nlp::VariableRole::point_value || block.role == nlp::VariableRole::integral
                       ? nullptr
                       : size_in(sizes, block);
    if (size) *size = std::max(*size, known_size(*variable_of(t, block), guess ? largest_start(t, block) : 0, rounding));
  }
  if (t.problem->is_static) return sizes;
  std::vector<EndValue> ends = end_values(t, sizes);
  for (const EndValue& end : ends)
    if (end.is_equality) *end.size = std::max(*end.size, end.value);
  std::vector<double> of_parameters = sizes_of_parameters(t, rounding);
  for (PhaseSizes& of : sizes) {
    of.p = of_parameters;
    measure_sizes(t, static_cast<std::size_t>(&of - sizes.data()), of);
    of_parameters = of.p;
  }
  for (const EndValue& end : ends)
    if (!end.is_equality) *end.size = std::min(*end.size, end.value);
  return sizes;
}

/// A parameter that nobody said anything of starts at its measured size.
void start_at_sizes(Transcription& t, const std::vector<double>& sizes, double rounding) {
  bool any = false;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const bolza_variable& v = t.problem->parameters[k];
    if (sizes[k] <= 0 || v.min < 0 || !is_unguessed(v) || known_size(v, 0, rounding) > 0) continue;
    if (t.nlp.start[k] != guessed_parameters(*t.problem, nullptr)[k]) continue;
    t.nlp.start[k] = std::clamp(sizes[k], t.nlp.lower[k], t.nlp.upper[k]);
    any = true;
  }
  if (any) fill_definitions(t);
}

/// Bounds of a row that are finite say of its size, too: a limit of 1e-9 holds as well as one of 1.
double limit_of(const RowBlock& block, const nlp::Nlp& nlp) {
  double size = 0;
  for (const std::vector<double>* side : {&nlp.row_lower, &nlp.row_upper})
    if (double limit = std::abs((*side)[block.first]); std::isfinite(limit)) size = std::max(size, limit);
  return size;
}

/// The start moved by a part of the sizes: what is zero or flat at the start alone says little of a row.
std::vector<double> beside_start(const Transcription& t) {
  const nlp::Nlp& nlp = t.nlp;
  std::vector<double> w = nlp.start;
  std::size_t number = 0;
  for (const VariableBlock& block : t.plan.numbering.variables) {
    double part = 0.2 + 0.5 * std::fmod(0.6180339887 * static_cast<double>(++number), 1.0);
    for (std::size_t k = block.first; k < block.first + block.count; ++k)
      w[k] = std::min(std::max(w[k] + part * nlp.scale[k], nlp.lower[k]), nlp.upper[k]);
  }
  return w;
}

/// For every row the largest derivative by a scaled variable at w, where that is finite.
void take_largest(const nlp::Nlp& nlp, const std::vector<double>& w, std::vector<double>& largest) {
  nlp.functions->move_to(w);
  const double* jacobian = nlp.functions->jacobian();
  for (std::size_t k = 0; jacobian && k < nlp.jacobian.size(); ++k) {
    double entry = std::abs(jacobian[k]) * nlp.scale[static_cast<std::size_t>(nlp.jacobian.col[k])];
    double& most = largest[static_cast<std::size_t>(nlp.jacobian.row[k])];
    if (std::isfinite(entry)) most = std::max(most, entry);
  }
}

/// Rows are divided by their largest derivative by the scaled variables, at the start or beside it, or by their limit where
/// that is larger; defects by the scale of their state.
void scale_rows(Transcription& t) {
  nlp::Nlp& nlp = t.nlp;
  std::vector<double> largest(nlp.m(), 0);
  take_largest(nlp, beside_start(t), largest);
  take_largest(nlp, nlp.start, largest);
  for (const RowBlock& block : t.plan.numbering.rows) {
    if (block.count == 0) continue;
    bool of_state = block.role == nlp::RowRole::defect || block.role == nlp::RowRole::continuity;
    double size = 0;
    if (of_state && !t.problem->is_static) {
      const PhaseLayout& phase = t.phases[static_cast<std::size_t>(block.phase)];
      size = nlp.scale[phase.mesh_state(t.scheme, static_cast<std::size_t>(block.index))];
    } else if (!of_state) {
      // One scale for all intervals: evaluation takes it in without further cost.
      for (std::size_t i = 0; i < block.count; ++i) size = std::max(size, largest[block.first + i]);
      size = std::max(size, limit_of(block, nlp));
    }
    std::fill_n(nlp.row_scale.begin() + static_cast<std::ptrdiff_t>(block.first), block.count, size > 0 ? size : 1);
  }
}

/// What the objective changes by when every variable moves by its scale against it; where that is very large the objective
/// is made ordinary: a barrier parameter that suits the constraints would otherwise be nothing beside it.
void scale_objective(nlp::Nlp& nlp) {
  constexpr double large = 1000, ordinary = 10;
  const double* gradient = nlp.functions->gradient();
  if (!gradient) return;
  double change = 0;
  for (std::size_t k = 0; k < nlp.n(); ++k) change += std::abs(gradient[k]) * nlp.scale[k];
  if (std::isfinite(change) && change > large) nlp.objective_scale = change / ordinary;
}

/// Whether a variable was divided by what is far from the largest value that it took; what is smaller yet is rounding.
bool is_far(double largest, double scale) {
  constexpr double far = 1e3, rounding = 1e-6;
  return largest > far * scale || (largest > rounding * scale && far * largest < scale);
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
  for (const auto& [row, lower] : segments) t.nlp.row_lower[row] = lower, t.nlp.row_upper[row] = infinity;
}

bool sizes_missed(const Transcription& t, const std::vector<double>& w) {
  std::map<std::tuple<std::int32_t, QuantityKind, std::int32_t>, std::pair<double, double>> ended;  // size → largest, scale
  for (const VariableBlock& block : t.plan.numbering.variables) {
    bool counts = block.role != nlp::VariableRole::point_value && block.role != nlp::VariableRole::integral &&
                  block.role != nlp::VariableRole::time && block.quantity != QuantityKind::rate;
    const bolza_variable* v = counts ? variable_of(t, block) : nullptr;
    if (!v || v->has_nominal || (block.quantity == QuantityKind::parameter && v->fixed)) continue;
    auto& [largest, scale] = ended[{block.phase, block.quantity, block.index}];
    largest = std::max(largest, given_size(*v)), scale = t.nlp.scale[block.first];
    for (std::size_t i = 0; i < block.count; ++i) largest = std::max(largest, std::abs(w[block.first + i]));
  }
  return std::any_of(ended.begin(), ended.end(),
                     [](const auto& entry) { return is_far(entry.second.first, entry.second.second); });
}

void set_scales(Transcription& t, const abi::Solution* guess) {
  double rounding = rounding_of(t);
  std::vector<PhaseSizes> sizes = sizes_of_phases(t, guess, rounding);
  if (!sizes.empty() && !t.problem->is_static) start_at_sizes(t, sizes.back().p, rounding);
  for (const VariableBlock& block : t.plan.numbering.variables) {
    const bolza_variable* v = block.role == nlp::VariableRole::integral ? nullptr : variable_of(t, block);
    if (!v || block.quantity == QuantityKind::rate) continue;
    double* measured = size_in(sizes, block);
    bool parameter = block.quantity == QuantityKind::parameter && !sizes.empty() && !t.problem->is_static;
    if (parameter && sizes.back().p[static_cast<std::size_t>(block.index)] > 0)
      measured = &sizes.back().p[static_cast<std::size_t>(block.index)];
    double scale = typical(*v, measured ? *measured : known_size(*v, guess ? largest_start(t, block) : 0, rounding),
                           block.role == nlp::VariableRole::time);
    for (std::size_t i = 0; i < block.count; ++i) t.nlp.scale[block.first + i] = scale;
  }
  scale_rows(t);
  scale_objective(t.nlp);
}

}  // namespace bolza::transcribe
