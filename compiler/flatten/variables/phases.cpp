// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/variables/phases_internal.h"

#include "compiler/flatten/nodes/codes.h"

namespace bolza::flatten {
namespace {

using instance::ClassAttribute;

const Instance* attribute_of(const Instance& problem, ClassAttribute which) {
  for (const Instance* child : problem.children)
    if (child->class_attribute == which) return child;
  return nullptr;
}

/// "lap[2]": element e of a component, row by row.
std::string name_of_element(const Instance& phase, std::uint32_t e) {
  std::string name(phase.name);
  if (phase.rank() == 0) return name;
  std::vector<std::int64_t> at(phase.rank());
  std::int64_t rest = e;
  for (std::size_t d = phase.rank(); d-- > 0;) {
    at[d] = rest % phase.dimensions[d].size + 1;
    rest /= phase.dimensions[d].size;
  }
  for (std::size_t d = 0; d < at.size(); ++d) name += (d == 0 ? "[" : ",") + std::to_string(at[d]);
  return name + "]";
}

class Horizons {
 public:
  explicit Horizons(Model& model) : model_(model) {}

  void run() {
    const Instance& root = model_.tree.root();
    refuse_outer_horizon(root);
    for (const Instance* child : root.children)
      if (!child->removed && model_.first_phase.contains(child)) complete(*child);
  }

 private:
  /// The class around has phases, and no time of its own.
  void refuse_outer_horizon(const Instance& root) {
    for (ClassAttribute which : {ClassAttribute::start_time, ClassAttribute::final_time, ClassAttribute::static_}) {
      const Instance* given = attribute_of(root, which);
      if (!given || (!given->binding && given->attributes.empty())) continue;
      Span at = given->binding ? given->binding.span : given->span;
      model_.diagnostics.error(horizon_of_phases, at, {given->name, model_.flat.name});
    }
  }

  ir::Variable& variable(const Instance& time) {
    return ir::variable_of(model_.flat, ir::VariableId(std::size_t{model_.first_id.at(&time)}));
  }

  void complete(const Instance& component) {
    const Instance *start = attribute_of(component, ClassAttribute::start_time),
                   *final = attribute_of(component, ClassAttribute::final_time);
    std::uint32_t first = model_.first_phase.at(&component), n = number_of_phases(component);
    if (is_static(component)) return;
    const ir::Variable& end = variable(*final);
    if (!final->binding && !end.free) {
      model_.diagnostics.error(phase_without_end, component.span, {model_.flat.phases[first].name});
      return;
    }
    for (std::uint32_t e = 0; e < n; ++e) {
      ir::Phase& phase = model_.flat.phases[first + e];
      phase.start_time = ir::VariableId(variable(*start).first.index() + e);
      phase.final_time = ir::VariableId(variable(*final).first.index() + e);
    }
    if (!start->binding && !variable(*start).free) follow(variable(*start), first, n);
  }

  /// Reports a phase without time.
  bool is_static(const Instance& component) {
    const Instance* given = attribute_of(component, ClassAttribute::static_);
    if (!given || !given->binding) return false;
    auto value = instance::evaluate(model_.tree, given->binding, model_.diagnostics);
    if (!value || value->numbers.empty() || value->numbers[0] == 0) return !value;
    model_.diagnostics.error(static_phase, given->binding.span,
                             {model_.flat.phases[model_.first_phase.at(&component)].name});
    return true;
  }

  /// Starts where the phase before ends.
  void follow(ir::Variable& start, std::uint32_t first, std::uint32_t n) {
    for (std::uint32_t e = 0; e < n; ++e) {
      ir::Term term{.span = start.span};
      if (first + e == 0) term.root = model_.dag().number(0);
      else {
        term.root = model_.dag().slot(0);
        term.slots = {model_.flat.phases[first + e - 1].final_time};
      }
      start.binding.terms.push_back(std::move(term));
    }
  }

  Model& model_;
};

}  // namespace

std::uint32_t number_of_phases(const Instance& phase) {
  std::uint32_t n = 1;
  for (const instance::Dimension& d : phase.dimensions) n *= static_cast<std::uint32_t>(d.size);
  return n;
}

void lay_out_phases(Model& model, const Instance& phase) {
  std::uint32_t n = number_of_phases(phase);
  if (n == 0 || phase.is_nonuniform) return;  // the elements of a nonuniform array come one by one
  model.first_phase.emplace(&phase, static_cast<std::uint32_t>(model.flat.phases.size()));
  for (std::uint32_t e = 0; e < n; ++e) {
    ir::Phase& made = model.flat.phases.emplace_back();
    made.name = name_of_element(phase, e);
    made.span = phase.span;
  }
}

void complete_horizons(Model& model) {
  if (!model.flat.phases.empty()) Horizons(model).run();
}

}  // namespace bolza::flatten
