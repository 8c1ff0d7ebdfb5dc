// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/collocation/scales.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "runtime/nlp/scale.h"
#include "runtime/transcribe/collocation/bounds.h"
#include "runtime/transcribe/collocation/guess.h"
#include "runtime/transcribe/collocation/measured_sizes.h"

namespace bolza::transcribe {
namespace {

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

/// Start values below this are rounding compared with those of the other variables.
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

/// What is less than this part of a size is rounding, or what a tolerance has left.
constexpr double negligible = 1e-6;

/// What a point constraint of one variable alone says of its size.
struct EndValue {
  double* size;
  double value;  ///< the largest that its limits ask for; 0: nothing
  bool is_equality;
};

std::vector<EndValue> end_values(const Transcription& t, std::vector<PhaseSizes>& sizes) {
  std::vector<EndValue> found;
  for (const EndLimits& end : end_limits(t)) {
    double* size = size_in(sizes, *end.block);
    if (!size || variable_of(t, *end.block)->has_nominal) continue;
    EndValue of{size, 0, end.lower == end.upper};
    for (double limit : {end.lower, end.upper})
      if (std::isfinite(limit)) of.value = std::max(of.value, std::abs(limit));
    if (*size == 0 ? of.value > 0 : of.is_equality && of.value > much_larger * *size) found.push_back(of);
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
std::vector<PhaseSizes> sizes_of_phases(const Transcription& t, const abi::Solution* guess) {
  std::vector<PhaseSizes> sizes = known_sizes(t, guess);
  if (t.problem->is_static) return sizes;
  std::vector<EndValue> ends = end_values(t, sizes);
  for (const EndValue& end : ends)
    if (end.is_equality) *end.size = std::max(*end.size, end.value);
  std::vector<double> of_parameters = sizes.empty() ? std::vector<double>{} : sizes.front().p;
  for (PhaseSizes& of : sizes) {
    of.p = of_parameters;
    measure_sizes(t, static_cast<std::size_t>(&of - sizes.data()), of);
    of_parameters = of.p;
  }
  for (const EndValue& end : ends)
    if (!end.is_equality) *end.size = std::min(*end.size, end.value);
  return sizes;
}

/// A guess whose values are next to nothing compared with what the equations and bounds say has no sizes: it comes from a
/// solution where they cancel, as a relaxed one whose whole numbers will not.
void forget_rounding(const Transcription& t, std::vector<PhaseSizes>& sizes) {
  std::vector<PhaseSizes> said = sizes_of_phases(t, nullptr);
  auto larger = [](std::vector<double>& of_guess, const std::vector<double>& own) {
    for (std::size_t k = 0; k < of_guess.size(); ++k)
      if (of_guess[k] < negligible * own[k]) of_guess[k] = own[k];
  };
  for (std::size_t p = 0; p < sizes.size(); ++p) {
    larger(sizes[p].x, said[p].x);
    larger(sizes[p].z, said[p].z);
    larger(sizes[p].u, said[p].u);
  }
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
std::vector<double> near_start(const Transcription& t) {
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

/// Rows are divided by their largest derivative by the scaled variables, at the start or near it, or by their limit where
/// that is larger; defects by the scale of their state.
void scale_rows(Transcription& t) {
  nlp::Nlp& nlp = t.nlp;
  std::vector<double> largest(nlp.m(), 0);
  take_largest(nlp, near_start(t), largest);
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

/// What the objective changes by when every variable moves by its scale against it; NaN: it has no value.
double change_of_objective(const nlp::Nlp& nlp, const std::vector<double>& w) {
  nlp.functions->move_to(w);
  const double* gradient = nlp.functions->gradient();
  double change = gradient ? 0 : NAN;
  for (std::size_t k = 0; gradient && k < nlp.n(); ++k) change += std::abs(gradient[k]) * nlp.scale[k];
  return change;
}

/// An objective that is small wherever it is looked at is made ordinary: a tolerance of 1e-8 would be large for it.
double scale_of_small_objective(const Transcription& t, double change) {
  constexpr double small = 1e-4, ordinary = 10;
  const nlp::Nlp& nlp = t.nlp;
  double size = std::max(change, change_of_objective(nlp, near_start(t)));
  for (const std::vector<double>& w : {near_start(t), nlp.start}) {
    double f = 0;
    nlp.functions->move_to(w);
    if (!nlp.functions->objective(f)) return 1;
    size = std::max(size, std::abs(f));
  }
  return size > 0 && size < small ? size / ordinary : 1;
}

void scale_objective(Transcription& t) {
  double change = change_of_objective(t.nlp, t.nlp.start);
  if (std::isnan(change)) return;
  t.nlp.objective_scale = nlp::scale_of_objective(change);
  if (t.nlp.objective_scale == 1) t.nlp.objective_scale = scale_of_small_objective(t, change);
}

/// Whether a variable was divided by what is far from the largest value that it took; what is smaller yet is rounding.
bool is_far(double largest, double scale) {
  constexpr double far = 1e3;
  return largest > far * scale || (largest > negligible * scale && far * largest < scale);
}

}  // namespace

std::vector<EndLimits> end_limits(const Transcription& t) {
  const nlp::Nlp& nlp = t.nlp;
  nlp.functions->move_to(nlp.start);
  const double* g = nlp.functions->constraints();
  std::vector<double> rows(g ? g : nullptr, g ? g + nlp.m() : nullptr);
  const double* jacobian = nlp.functions->jacobian();
  if (rows.empty() || !jacobian) return {};
  std::vector<std::size_t> entries(nlp.m(), 0);
  for (std::int32_t r : nlp.jacobian.row) ++entries[static_cast<std::size_t>(r)];
  std::vector<EndLimits> found;
  for (std::size_t k = 0; k < nlp.jacobian.size(); ++k) {
    auto r = static_cast<std::size_t>(nlp.jacobian.row[k]), v = static_cast<std::size_t>(nlp.jacobian.col[k]);
    if (r < t.first_point_row || nlp.row_role[r] != nlp::RowRole::point || entries[r] != 1) continue;
    const VariableBlock& block = t.plan.numbering.variable(v);
    auto value = [&](double limit) { return nlp.start[v] + (limit - rows[r]) / jacobian[k]; };
    double lower = value(nlp.row_lower[r]), upper = value(nlp.row_upper[r]);
    found.push_back({&block, nlp.start[v], std::min(lower, upper), std::max(lower, upper)});
  }
  return found;
}

std::vector<PhaseSizes> known_sizes(const Transcription& t, const abi::Solution* guess) {
  double rounding = rounding_of(t);
  std::vector<PhaseSizes> sizes;
  for (const PhaseLayout& phase : t.phases)
    sizes.push_back({std::vector<double>(phase.model->n_x), std::vector<double>(phase.model->n_z),
                     std::vector<double>(phase.model->n_u),
                     t.problem->is_static ? std::vector<double>{} : sizes_of_parameters(t, rounding)});
  for (const VariableBlock& block : t.plan.numbering.variables) {
    double* size = block.role == nlp::VariableRole::point_value || block.role == nlp::VariableRole::integral
                       ? nullptr
                       : size_in(sizes, block);
    if (size) *size = std::max(*size, known_size(*variable_of(t, block), guess ? largest_start(t, block) : 0, rounding));
  }
  return sizes;
}

bool sizes_missed(const Transcription& t, const std::vector<double>& w) {
  std::map<std::tuple<std::int32_t, QuantityKind, std::int32_t>, std::pair<double, double>> ended;  // size → largest, scale
  for (const VariableBlock& block : t.plan.numbering.variables) {
    bool counts = block.role != nlp::VariableRole::point_value && block.role != nlp::VariableRole::integral &&
                  block.role != nlp::VariableRole::time && block.quantity != QuantityKind::rate;
    const bolza_variable* v = counts ? variable_of(t, block) : nullptr;
    if (!v || v->has_nominal || (block.quantity == QuantityKind::parameter && v->fixed)) continue;
    auto& [largest, scale] = ended[{block.phase, block.quantity, block.index}];
    largest = std::max(largest, given_size(*v));
    scale = t.nlp.scale[block.first];
    for (std::size_t i = 0; i < block.count; ++i) largest = std::max(largest, std::abs(w[block.first + i]));
  }
  return std::any_of(ended.begin(), ended.end(),
                     [](const auto& entry) { return is_far(entry.second.first, entry.second.second); });
}

void set_scales(Transcription& t, const abi::Solution* guess) {
  double rounding = rounding_of(t);
  std::vector<PhaseSizes> sizes = sizes_of_phases(t, guess);
  if (guess && !t.problem->is_static) forget_rounding(t, sizes);
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
  scale_objective(t);
}

}  // namespace bolza::transcribe
