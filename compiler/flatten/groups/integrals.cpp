// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/groups/integrals_internal.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "compiler/flatten/model/auxiliaries_internal.h"
#include "compiler/ir/canonical.h"
#include "compiler/ir/print.h"

namespace bolza::flatten {
namespace {

using ir::ExprId;
using ir::Op;
using ir::VariableId;

constexpr std::size_t longest_name = 60;

/// Of a declared variable that varies, or its derivative.
std::optional<std::uint32_t> phase_of(const Model& model, VariableId id) {
  bool declared = (id.value & provisional::kind) == 0 || (id.value & provisional::kind) == provisional::derivative;
  if (!declared) return {};
  VariableId base(std::size_t{id.value & ~provisional::any});
  const ir::Variable& variable = ir::variable_of(model.flat, base);
  bool varies = variable.kind == ir::VariableKind::unknown || variable.kind == ir::VariableKind::input ||
                variable.kind == ir::VariableKind::discrete;
  if (!varies || !variable.first_phase) return {};
  return *variable.first_phase + (base.value - variable.first.value) / (variable.size / variable.n_phases);
}

std::set<std::uint32_t> phases_of(const Model& model, const ir::Term& term) {
  std::set<std::uint32_t> phases;
  for (VariableId id : term.slots)
    if (auto phase = phase_of(model, id)) phases.insert(*phase);
  return phases;
}

/// 0 = der(state) − integrand.
void equate_rate(Model& model, const ir::Term& integrand, std::uint32_t rate) {
  ir::Section& equations = model.flat.equations;
  ir::Group group;
  group.n = 1;
  for (VariableId id : integrand.slots) group.slots.push_back(ir::Column::affine(id, 0));
  for (double number : integrand.data) group.data.emplace_back(1, number);
  ExprId own = model.dag().slot(static_cast<std::uint32_t>(group.slots.size()));
  group.slots.push_back(ir::Column::affine(VariableId(std::size_t{rate}), 0));
  group.roots = {model.dag().sub(own, integrand.root)};
  group.rows = {{ir::RowId(std::size_t{equations.n_rows++})}};
  group.origins = {static_cast<std::uint32_t>(model.flat.origins.size())};
  model.flat.origins.push_back({integrand.span, {}});
  model.integrals.push_back({equations.groups.size(), integrand.root});
  equations.groups.push_back(std::move(group));
}

/// Provisional id of the state, made when there is none yet.
std::uint32_t state_of(Model& model, const ir::Term& integrand) {
  auto [at, is_new] = model.integral_of.emplace(key_of(std::span(&integrand, 1)), 0);
  if (!is_new) return at->second;
  AuxiliaryRun state{.size = 1, .span = integrand.span, .stem = "integral"};
  state.starts_at_zero = true;
  at->second = add_auxiliaries(model, state);
  AuxiliaryRun rate{.size = 1, .span = integrand.span, .stem = "integral", .kind = ir::VariableKind::derivative};
  rate.of = at->second;
  equate_rate(model, integrand, add_auxiliaries(model, rate));
  return at->second;
}

}  // namespace

std::vector<std::uint32_t> final_integrals(Model& model, const ir::ElementValues& integrands) {
  std::vector<std::uint32_t> ids;
  for (const ir::Term& given : integrands.terms) {
    ir::Term integrand = ir::canonical(model.dag(), given);
    std::set<std::uint32_t> phases = phases_of(model, integrand);
    VariableId end = phases.empty() ? VariableId(std::size_t{2}) : model.flat.phases[*phases.begin()].final_time;
    std::uint32_t slot = time_slot(model, {model.dag().slot(0), {end}, {}, integrand.span});
    ids.push_back(provisional::timed | timed_value(model, state_of(model, integrand), slot));
  }
  return ids;
}

bool names_no_phase(const Model& model, const ir::ElementValues& integrands) {
  return !model.flat.phases.empty() && std::any_of(integrands.terms.begin(), integrands.terms.end(),
                                                   [&](const ir::Term& term) { return phases_of(model, term).empty(); });
}

bool names_several_phases(const Model& model, const ir::ElementValues& integrands) {
  return std::any_of(integrands.terms.begin(), integrands.terms.end(),
                     [&](const ir::Term& term) { return phases_of(model, term).size() > 1; });
}

const Node* sum_of_integrals(Nodes& nodes, const Node& integral) {
  const Node& of = *integral.children[0];
  auto part = [&](std::size_t k) { return nodes.integral(of.children[k], integral.span); };
  if (of.kind == NodeKind::reduce && of.op == Op::add)
    return nodes.reduce(of.op, part(0), of.axes, {of.children.begin() + 1, of.children.end()}, of.counts, integral.span);
  if (of.kind != NodeKind::apply) return nullptr;
  if (of.op == Op::neg) return nodes.apply(of.op, {part(0)}, Basic::real, integral.span);
  if (of.op == Op::add || of.op == Op::sub) return nodes.apply(of.op, {part(0), part(1)}, Basic::real, integral.span);
  auto is_number = [&](std::size_t k) { return of.children[k]->level <= Level::parameter; };
  if (of.op == Op::mul && is_number(0)) return nodes.apply(of.op, {of.children[0], part(1)}, Basic::real, integral.span);
  if ((of.op == Op::mul || of.op == Op::div) && is_number(1))
    return nodes.apply(of.op, {part(0), of.children[1]}, Basic::real, integral.span);
  return nullptr;
}

void name_integrals(Model& model) {
  std::map<VariableId, std::string> names;
  std::map<std::string, int> count;
  for (const IntegralRow& row : model.integrals) {
    ir::Group group = model.flat.equations.groups[row.group];
    VariableId state = ir::variable_of(model.flat, group.slots.back()[0]).of;
    group.roots = {row.integrand};
    std::string name = "integral(" + ir::to_text(model.flat, group, 0, 0, {.limit = longest_name}) + ")";
    int number = ++count[name];  // long texts are cut, and may be alike
    names[state] = number == 1 ? name : name + std::to_string(number);
  }
  for (ir::Variable& variable : model.flat.variables) {
    auto named = names.find(variable.of ? variable.of : variable.first);
    if (named != names.end()) variable.name = {{named->second, 0}};
  }
}

}  // namespace bolza::flatten
