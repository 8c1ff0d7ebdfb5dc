// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/problem_tables_internal.h"

namespace bolza::codegen {
namespace {

bool same_column(const ir::Column& a, const ir::Column& b, std::uint32_t n) { return ir::same_entries(a, b, n); }

/// Same shapes on the same variables: only data may differ. Root ids are of two expression DAGs and are compared by
/// skeleton.
bool same_structure(const ir::Expressions& a_all, const ir::Function& a, const ir::Expressions& b_all,
                    const ir::Function& b) {
  if (a.n_point != b.n_point || a.n_shared != b.n_shared || a.section.n_rows != b.section.n_rows) return false;
  if (a.section.groups.size() != b.section.groups.size()) return false;
  for (std::size_t g = 0; g < a.section.groups.size(); ++g) {
    const ir::Group &one = a.section.groups[g], &other = b.section.groups[g];
    if (one.n != other.n || one.rows != other.rows || one.roots.size() != other.roots.size()) return false;
    if (one.slots.size() != other.slots.size() || one.data.size() != other.data.size()) return false;
    for (std::size_t k = 0; k < one.slots.size(); ++k)
      if (!same_column(one.slots[k], other.slots[k], one.n)) return false;
    auto skeleton = [](const ir::Expressions& all, const ir::Group& group) {
      KernelShape shape;
      shape.outputs = group.roots;
      shape.adds.assign(group.roots.size(), 0);
      shape.slots.assign(group.slots.size(), SlotClass::point);
      std::string text;
      append_skeleton(text, all, shape);
      return text;
    };
    if (skeleton(a_all, one) != skeleton(b_all, other)) return false;
  }
  return true;
}

bool same_events(const ir::Problem& a, const ir::Problem& b, const ir::Expressions& a_all, const ir::Expressions& b_all) {
  const ir::EventPart &one = *a.hybrid, &other = *b.hybrid;
  if (one.samples.size() != other.samples.size() || one.reinit_states != other.reinit_states ||
      one.initial_targets != other.initial_targets || one.assertions.size() != other.assertions.size() ||
      one.discrete.size() != other.discrete.size())
    return false;
  for (std::size_t k = 0; k < one.discrete.size(); ++k)
    if (one.discrete[k].variable != other.discrete[k].variable || one.discrete[k].time_only != other.discrete[k].time_only)
      return false;
  for (ir::Function ir::EventPart::* f : ir::hybrid_functions())
    if (!same_structure(a_all, one.*f, b_all, other.*f)) return false;
  return true;
}

bool same_structure(const ir::Problem& a, const ir::Problem& b, const ir::Expressions& a_all, const ir::Expressions& b_all) {
  if (a.x != b.x || a.z != b.z || a.u != b.u || a.shared != b.shared || a.n_global != b.n_global) return false;
  if (a.n_q != b.n_q || a.n_g != b.n_g || a.n_k != b.n_k || a.n_r != b.n_r) return false;
  if (a.places.size() != b.places.size() || a.values.size() != b.values.size() || a.sources.size() != b.sources.size())
    return false;
  for (std::size_t k = 0; k < a.values.size(); ++k)
    if (a.values[k].place != b.values[k].place || a.values[k].quantity != b.values[k].quantity ||
        a.values[k].index != b.values[k].index)
      return false;
  for (ir::Function ir::Problem::* f : {&ir::Problem::rates, &ir::Problem::residuals, &ir::Problem::initial,
                                        &ir::Problem::outputs, &ir::Problem::integrand_residuals, &ir::Problem::point})
    if (!same_structure(a_all, a.*f, b_all, b.*f)) return false;
  if (a.hybrid.has_value() != b.hybrid.has_value()) return false;
  if (a.hybrid && !same_events(a, b, a_all, b_all)) return false;
  if (a.models.size() != b.models.size()) return false;
  for (std::size_t k = 0; k < a.models.size(); ++k)
    if (a.phases[k].parameter != b.phases[k].parameter || !same_structure(a.models[k], b.models[k], a_all, b_all))
      return false;
  return true;
}

void take_numbers(ir::Problem& own, const ir::Problem& fresh) {
  own.x_numbers = fresh.x_numbers;
  own.z_numbers = fresh.z_numbers;
  own.u_numbers = fresh.u_numbers;
  own.shared_numbers = fresh.shared_numbers;
  own.shared_values = fresh.shared_values;
  own.places = fresh.places;
  for (std::size_t k = 0; k < own.sources.size(); ++k) {
    own.sources[k].sign = fresh.sources[k].sign;
    own.sources[k].offset = fresh.sources[k].offset;
  }
  auto sides = [](std::vector<ir::RowInfo>& to, const std::vector<ir::RowInfo>& from) {
    for (std::size_t k = 0; k < to.size() && k < from.size(); ++k) {
      to[k].lower = from[k].lower;
      to[k].upper = from[k].upper;
    }
  };
  sides(own.residual_rows, fresh.residual_rows);
  sides(own.initial_rows, fresh.initial_rows);
  sides(own.point_rows, fresh.point_rows);
  if (own.hybrid)
    for (std::size_t k = 0; k < own.hybrid->samples.size(); ++k) own.hybrid->samples[k] = fresh.hybrid->samples[k];
}

}  // namespace

void ProblemTables::update_data(const bolza_function* function, ir::Function& own, const ir::Function& fresh) {
  for (std::size_t g = 0; g < own.section.groups.size(); ++g) own.section.groups[g].data = fresh.section.groups[g].data;
  if (function) find(function)->update_data(own);
}

void ProblemTables::update_data(ModelTables& tables, ir::Problem& own, const ir::Problem& fresh) {
  const bolza_model& m = tables.abi();
  update_data(m.rates, own.rates, fresh.rates);
  update_data(m.residuals, own.residuals, fresh.residuals);
  update_data(m.initial, own.initial, fresh.initial);
  update_data(m.outputs, own.outputs, fresh.outputs);
  update_data(m.integrand_residuals, own.integrand_residuals, fresh.integrand_residuals);
  update_data(nullptr, own.guesses, fresh.guesses);
  std::vector<ir::Function ir::EventPart::*> events = ir::hybrid_functions();
  for (std::size_t k = 0; tables.hybrid() && k < events.size(); ++k)
    update_data(tables.hybrid()->function(k), (*own.hybrid).*events[k], (*fresh.hybrid).*events[k]);
}

bool ProblemTables::update_values(const ir::Problem& fresh) {
  if (!same_structure(problem_, fresh, problem_.flat.expressions, fresh.flat.expressions)) return false;
  take_numbers(problem_, fresh);
  for (std::size_t k = 0; k < problem_.models.size(); ++k) take_numbers(problem_.models[k], fresh.models[k]);
  set_numbers();
  for (std::size_t k = 0; k < n_models(); ++k)
    update_data(*models_[k], model(k), fresh.models.empty() ? fresh : fresh.models[k]);
  update_data(abi_.point, problem_.point, fresh.point);
  return true;
}

}  // namespace bolza::codegen
