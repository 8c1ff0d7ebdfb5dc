// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/function_tables_internal.h"

#include <algorithm>

#include "base/expects.h"
#include "compiler/codegen/frame_internal.h"
#include "compiler/codegen/schedule_internal.h"
#include "compiler/codegen/series_rows_internal.h"

namespace bolza::codegen {

FunctionTables::FunctionTables(ir::Expressions& expressions, DerivativeTable& derivatives, const ir::Function& function,
                               std::string name, std::uint32_t n_global, bool batch, Patterns patterns)
    : expressions_(expressions),
      derivatives_(derivatives),
      name_(std::move(name)),
      n_global_(n_global),
      batch_(batch),
      groups_(prepare(expressions.dag, function, n_global)) {
  abi_.name = name_.c_str();
  abi_.n_point = function.n_point;
  abi_.n_shared = function.n_shared;
  abi_.n_global = n_global;
  abi_.n_rows = function.section.n_rows;
  if (patterns == Patterns::at_once) differentiate(2);
  if (patterns == Patterns::first_at_once) differentiate(1);
}

std::size_t FunctionTables::n_out(bolza_kind kind) const {
  switch (kind) {
    case BOLZA_VALUE:
    case BOLZA_JVP:
    case BOLZA_TAYLOR:
      return abi_.n_rows;
    case BOLZA_JACOBIAN:
    case BOLZA_TAYLOR_JACOBIAN:
      return abi_.n_rows + abi_.jac_nnz;
    case BOLZA_HESSIAN:
    case BOLZA_TAYLOR_HESSIAN:
      return abi_.hess_nnz + abi_.grad_nnz;
    case BOLZA_VJP:
      return abi_.grad_nnz;
    case BOLZA_TRACE:
    case BOLZA_KINDS:
      break;
  }
  return 0;
}

GroupOutputs FunctionTables::value_outputs(std::size_t g) const {
  const ir::Group& group = groups_[g].group;
  GroupOutputs outputs;
  outputs.values = group.roots;
  for (const std::vector<ir::RowId>& rows : group.rows) {
    std::vector<std::int32_t>& to = outputs.rows.emplace_back();
    for (ir::RowId row : rows) to.push_back(static_cast<std::int32_t>(row.value));
  }
  return outputs;
}

namespace {

/// A group of so many instances is evaluated several instances at a time when there is one point only.
constexpr std::uint32_t lanes_across_instances = 16;

bool is_series(bolza_kind kind) {
  return kind == BOLZA_TAYLOR || kind == BOLZA_TAYLOR_JACOBIAN || kind == BOLZA_TAYLOR_HESSIAN;
}

bool is_weighted(bolza_kind kind) { return kind == BOLZA_HESSIAN || kind == BOLZA_VJP || kind == BOLZA_TAYLOR_HESSIAN; }

bool has_calls(const ir::Dag& dag, const KernelShape& shape) {
  return !calls_of(dag, make_schedule(dag, shape.outputs, shape.slots)).empty();
}

int order_of(bolza_kind kind) {
  if (is_weighted(kind)) return 2;
  return kind == BOLZA_JACOBIAN || kind == BOLZA_TAYLOR_JACOBIAN ? 1 : 0;
}

void append(GroupOutputs& outputs, ir::ExprId value, const std::vector<std::int32_t>& entries, std::int32_t offset) {
  outputs.values.push_back(value);
  std::vector<std::int32_t>& rows = outputs.rows.emplace_back(entries);
  for (std::int32_t& row : rows) row += offset;
}

}  // namespace

GroupOutputs FunctionTables::jacobian_outputs(std::size_t g) const {
  GroupOutputs outputs = value_outputs(g);
  for (std::size_t k = 0; k < shape_derivatives_[g]->jacobian.size(); ++k)
    append(outputs, shape_derivatives_[g]->jacobian[k].value, jacobian_entry_[g][k], static_cast<std::int32_t>(abi_.n_rows));
  return outputs;
}

GroupOutputs FunctionTables::gradient_outputs(std::size_t g, std::int32_t offset) const {
  GroupOutputs outputs;
  for (std::size_t k = 0; k < shape_derivatives_[g]->gradient.size(); ++k)
    append(outputs, shape_derivatives_[g]->gradient[k].value, gradient_entry_[g][k], offset);
  return outputs;
}

GroupOutputs FunctionTables::hessian_outputs(std::size_t g) const {
  GroupOutputs outputs;
  for (std::size_t k = 0; k < shape_derivatives_[g]->hessian.size(); ++k)
    append(outputs, shape_derivatives_[g]->hessian[k].value, hessian_entry_[g][k], 0);
  GroupOutputs gradient = gradient_outputs(g, static_cast<std::int32_t>(abi_.hess_nnz));
  for (std::size_t k = 0; k < gradient.values.size(); ++k) append(outputs, gradient.values[k], gradient.rows[k], 0);
  return outputs;
}

GroupOutputs FunctionTables::group_outputs(std::size_t g, bolza_kind kind) {
  switch (kind) {
    case BOLZA_VALUE:
    case BOLZA_TAYLOR:
      return value_outputs(g);
    case BOLZA_JACOBIAN:
    case BOLZA_TAYLOR_JACOBIAN:
      return jacobian_outputs(g);
    case BOLZA_HESSIAN:
    case BOLZA_TAYLOR_HESSIAN:
      return hessian_outputs(g);
    case BOLZA_VJP:
      return gradient_outputs(g, 0);
    case BOLZA_JVP: {
      GroupOutputs outputs = value_outputs(g);
      outputs.values = derivatives_.jvp(groups_[g].group.roots, groups_[g].by);
      return outputs;
    }
    case BOLZA_TRACE:
    case BOLZA_KINDS:
      break;
  }
  return {};
}

FunctionTables::Kind& FunctionTables::kind(bolza_kind which) {
  std::unique_ptr<Kind>& made = kinds_[which];
  if (made) return *made;
  differentiate(order_of(which));
  made = std::make_unique<Kind>();
  for (std::size_t g = 0; g < groups_.size(); ++g) made->outputs.push_back(group_outputs(g, which));
  made->assignment = assign(made->outputs, n_out(which));
  return *made;
}

const std::vector<GroupOutputs>& FunctionTables::outputs(bolza_kind which) { return kind(which).outputs; }

KernelShape FunctionTables::shape(std::size_t g, bolza_kind which) {
  KernelShape shape;
  shape.series = is_series(which);
  shape.outputs = kind(which).outputs[g].values;
  if (!shape.series) shape.outputs = use_reciprocals(expressions_.dag, shape.outputs, groups_[g].classes);
  shape.adds = kind(which).assignment.adds[g];
  shape.slots = groups_[g].classes;
  shape.n_point = which == BOLZA_JVP ? static_cast<std::uint32_t>(abi_.n_point) : 0;
  shape.scalar = !batch_ || shape.series;
  return shape;
}

/// The code of a shape for a call with a single point.
KernelShape FunctionTables::at_one_point(KernelShape shape, std::size_t g, bolza_kind which) const {
  bool many = groups_[g].group.n >= lanes_across_instances && (which == BOLZA_VALUE || which == BOLZA_JACOBIAN);
  if (many && !has_calls(expressions_.dag, shape)) shape.across_instances = true;
  else {
    shape.scalar = true;
    shape.solo = groups_[g].group.n == 1;
  }
  return shape;
}

std::vector<KernelShape> FunctionTables::shapes(bolza_kind which) {
  std::vector<KernelShape> shapes;
  for (std::size_t g = 0; g < groups_.size(); ++g) shapes.push_back(shape(g, which));
  return shapes;
}

FunctionTables::GroupTables FunctionTables::group_tables(const PreparedGroup& prepared, const GroupOutputs& outputs,
                                                         bolza_kind which) const {
  const ir::Group& group = prepared.group;
  GroupTables tables;
  for (std::size_t k = 0; k < group.slots.size(); ++k) {
    std::uint32_t base = prepared.classes[k] == SlotClass::point ? 0 : static_cast<std::uint32_t>(abi_.n_point);
    for (std::size_t i = 0; i < group.n; ++i)
      tables.index.push_back(static_cast<std::int32_t>(group.slots[k][i].value - base));
  }
  tables.datum.resize(group.data.size() * group.n);
  double* datum = tables.datum.data();
  for (const ir::DataColumn& column : group.data) datum = column.copy_to(datum);
  for (const auto& rows : outputs.rows) tables.out_index.insert(tables.out_index.end(), rows.begin(), rows.end());
  if (!is_weighted(which)) return tables;
  for (const auto& rows : group.rows)
    for (ir::RowId row : rows) tables.weight_index.push_back(static_cast<std::int32_t>(row.value));
  return tables;
}

void FunctionTables::update_data(const ir::Function& function) {
  std::vector<PreparedGroup> fresh = prepare(expressions_.dag, function, n_global_);
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    groups_[g].group.data = std::move(fresh[g].group.data);
    for (const std::unique_ptr<Kind>& kind : kinds_) {
      if (!kind || kind->tables.empty()) continue;
      double* to = kind->tables[g].datum.data();
      for (const ir::DataColumn& column : groups_[g].group.data) to = column.copy_to(to);
    }
  }
}

void FunctionTables::fill_groups(Kind& made, bolza_kind which, std::uint32_t width) {
  made.tables.reserve(groups_.size());
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const GroupTables& tables = made.tables.emplace_back(group_tables(groups_[g], made.outputs[g], which));
    const ir::Group& group = groups_[g].group;
    const std::vector<std::uint8_t>& adds = made.assignment.adds[g];
    bolza_group row{};
    row.instances = group.n;
    row.slots = group.slots.size();
    row.data = group.data.size();
    row.outputs = made.outputs[g].values.size();
    row.roots = group.roots.size();
    row.index = tables.index.data();
    row.out_index = tables.out_index.data();
    row.datum = tables.datum.data();
    row.weight_index = tables.weight_index.empty() ? nullptr : tables.weight_index.data();
    row.adds = std::find(adds.begin(), adds.end(), 1) != adds.end();
    KernelShape own = shape(g, which);
    row.scratch = own.series ? series_rows(expressions_, own) : wanted_scratch(expressions_, own, width);
    made.groups.push_back(row);
  }
  const std::vector<std::int32_t>& zero = made.assignment.zero;
  made.filled = true;
  made.kernels = {n_out(which), made.groups.size(), made.groups.data(), zero.size(), zero.data()};
}

const bolza_kernels& FunctionTables::tables(bolza_kind which, std::uint32_t width) {
  Kind& made = kind(which);
  if (!made.filled) fill_groups(made, which, batch_ ? width : 1);
  return made.kernels;
}

bool FunctionTables::compile(KernelStore& store, bolza_kind which, Tier tier, Calls calls) {
  if (which == BOLZA_TRACE || which >= BOLZA_KINDS) return false;
  tables(which, store.machine().width);
  Kind& made = kind(which);
  std::vector<KernelShape> wanted = shapes(which);
  std::size_t n = wanted.size();
  if (is_series(which))
    for (const KernelShape& shape : wanted)
      if (has_calls(expressions_.dag, shape)) return false;               // a Program has no recurrence
  bool one_form = !batch_ || is_series(which) || which == BOLZA_HESSIAN;  // integrators use first derivatives
  bool many = one_form || calls != Calls::one, single = !one_form && calls != Calls::many;
  if (single)
    for (std::size_t g = 0; g < n; ++g) wanted.push_back(at_one_point(wanted[g], g, which));
  std::vector<bolza_kernel> kernels = store.get(expressions_, std::span(wanted).subspan(many ? 0 : n), tier);
  for (std::size_t g = 0; g < n; ++g) {
    made.groups[g].points = many ? kernels[g] : nullptr;
    made.groups[g].single = single ? kernels[kernels.size() - n + g] : !batch_ || is_series(which) ? kernels[g] : nullptr;
  }
  made.ready = true;
  abi_.kernels[which] = &made.kernels;
  return true;
}

}  // namespace bolza::codegen
