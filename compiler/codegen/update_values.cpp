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

bool same_events(const ir::Problem& a, const ir::Problem& b) {
  const ir::EventPart &one = *a.hybrid, &other = *b.hybrid;
  if (one.samples.size() != other.samples.size() || one.reinit_states != other.reinit_states ||
      one.initial_targets != other.initial_targets || one.assertions.size() != other.assertions.size() ||
      one.discrete.size() != other.discrete.size())
    return false;
  for (std::size_t k = 0; k < one.discrete.size(); ++k)
    if (one.discrete[k].variable != other.discrete[k].variable || one.discrete[k].time_only != other.discrete[k].time_only)
      return false;
  for (ir::Function ir::EventPart::* f : ir::hybrid_functions())
    if (!same_structure(a.flat.expressions, one.*f, b.flat.expressions, other.*f)) return false;
  return true;
}

bool same_structure(const ir::Problem& a, const ir::Problem& b) {
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
    if (!same_structure(a.flat.expressions, a.*f, b.flat.expressions, b.*f)) return false;
  if (a.hybrid.has_value() != b.hybrid.has_value()) return false;
  return !a.hybrid || same_events(a, b);
}

}  // namespace

bool ProblemTables::update_values(const ir::Problem& fresh) {
  if (!same_structure(problem_, fresh)) return false;
  problem_.x_numbers = fresh.x_numbers, problem_.z_numbers = fresh.z_numbers, problem_.u_numbers = fresh.u_numbers;
  problem_.shared_numbers = fresh.shared_numbers, problem_.shared_values = fresh.shared_values;
  problem_.places = fresh.places;
  for (std::size_t k = 0; k < problem_.sources.size(); ++k)
    problem_.sources[k].sign = fresh.sources[k].sign, problem_.sources[k].offset = fresh.sources[k].offset;
  auto sides = [](std::vector<ir::RowInfo>& own, const std::vector<ir::RowInfo>& other) {
    for (std::size_t k = 0; k < own.size() && k < other.size(); ++k)
      own[k].lower = other[k].lower, own[k].upper = other[k].upper;
  };
  sides(problem_.residual_rows, fresh.residual_rows);
  sides(problem_.initial_rows, fresh.initial_rows);
  sides(problem_.point_rows, fresh.point_rows);
  if (problem_.hybrid)
    for (std::size_t k = 0; k < problem_.hybrid->samples.size(); ++k) problem_.hybrid->samples[k] = fresh.hybrid->samples[k];
  fill_numbers();
  fill_sides();
  auto data = [&](const bolza_function* function, ir::Function& own, const ir::Function& other) {
    for (std::size_t g = 0; g < own.section.groups.size(); ++g) own.section.groups[g].data = other.section.groups[g].data;
    if (function) find(function)->update_data(own);
  };
  data(model_.rates, problem_.rates, fresh.rates);
  data(model_.residuals, problem_.residuals, fresh.residuals);
  data(model_.initial, problem_.initial, fresh.initial);
  data(model_.outputs, problem_.outputs, fresh.outputs);
  data(model_.integrand_residuals, problem_.integrand_residuals, fresh.integrand_residuals);
  data(abi_.point, problem_.point, fresh.point);
  data(nullptr, problem_.guesses, fresh.guesses);
  std::vector<ir::Function ir::EventPart::*> events = ir::hybrid_functions();
  for (std::size_t k = 0; hybrid_ && k < events.size(); ++k)
    data(hybrid_->function(k), (*problem_.hybrid).*events[k], (*fresh.hybrid).*events[k]);
  return true;
}

}  // namespace bolza::codegen
