// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/statements/function_leaves_internal.h"

#include <algorithm>

#include "base/expects.h"
#include "compiler/flatten/calls/lower_call_internal.h"
#include "compiler/flatten/calls/structural_leaves_internal.h"
#include "compiler/flatten/model/frame_internal.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/lower_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/run_time_sizes_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/flatten/statements/program_writer_internal.h"

namespace bolza::flatten {

using ir::ExprId;
using ir::Op;

Scalar FunctionLeaves::variable(Lowering& lowering, const Node& node, const Indices& given) {
  if (writer_.section && node.kind != NodeKind::variable) return of_section(lowering, node, given);
  Indices indices = given;
  if (writer_.section && node.instance != nullptr)
    indices.erase(indices.begin(),
                  indices.begin() + static_cast<std::ptrdiff_t>(writer_.section->outer_dimensions(*node.instance)));
  bool is_time = node.kind == NodeKind::variable && node.instance == nullptr;
  if (is_time && writer_.time_local) return model_.dag().slot(*writer_.time_local);
  if (is_time && writer_.section) return writer_.outside(node);
  if (node.kind != NodeKind::variable || is_time) return model_.diagnostics.error(not_in_function, node.span);
  if (!writer_.has(*node.instance)) {
    if (node.instance->variability == instance::Variability::constant) return constant(lowering, node, given);
    return model_.diagnostics.error(not_in_function, node.span);
  }
  const ProgramWriter::Storage& storage = writer_.storage_of(*node.instance);
  if (!storage.is_array) return model_.dag().slot(storage.id);
  Scalar at = position(lowering, storage.dims, indices);
  if (at.failed()) return at;
  return writer_.load(storage.id, lowering.expression(at), node.span);
}

Scalar FunctionLeaves::call(Lowering& lowering, const Node& node, const Indices& indices) {
  const Call& call = *node.call;
  Indices over(indices.begin(), indices.begin() + static_cast<std::ptrdiff_t>(call.dims.size()));
  Indices own(indices.begin() + static_cast<std::ptrdiff_t>(call.dims.size()), indices.end());
  Frame& callee = frame_of(model_, call.program);
  auto number = output_number(lowering, callee, node, own);
  if (!number && number.failure().is(Again::How::split)) return number.failure();
  bool keeps = call.dims.empty() && lowering.bindings().size() == writer_.loop_bindings;
  auto made = keeps ? writer_.call_outputs.find(&call) : writer_.call_outputs.end();
  std::vector<ExprId> outputs;
  if (made != writer_.call_outputs.end()) {
    outputs = made->second;
  } else {
    auto arguments = lower_arguments(model_, lowering, node, over);
    if (!arguments) return arguments.failure();
    ir::Statement s{ir::StatementKind::call, node.span};
    s.program = ir::ProgramId(std::size_t{call.program});
    for (const Scalar& argument : *arguments) s.arguments.push_back(lowering.expression(argument));
    if (callee.interpreted) writer_.tell_apart(s);
    for (std::uint32_t k = 0; k < callee.n_outputs; ++k) {
      s.targets.push_back(writer_.new_local(callee.function->name.data() ? std::string(callee.function->name) : "call"));
      outputs.push_back(model_.dag().slot(s.targets.back()));
    }
    writer_.push(std::move(s));
    if (keeps) writer_.call_outputs[&call] = outputs;
  }
  if (!number) return number.failure();
  if (*number) return outputs[**number];
  std::uint32_t array = writer_.new_array("result", outputs.size());  // an index that is only known at run time
  for (std::size_t k = 0; k < outputs.size(); ++k)
    writer_.store(array, model_.dag().number(static_cast<double>(k)), outputs[k], node.span);
  Scalar at = output_position(lowering, callee, node, own);
  return at.failed() ? at : Scalar(writer_.load(array, lowering.expression(at), node.span));
}

ExprId FunctionLeaves::datum(const Known& known) {
  expects(known.is_uniform(), "a function has one instance");
  return model_.dag().number(known.uniform());
}

Scalar FunctionLeaves::select(Lowering& lowering, const Node& node, const Indices& indices) {
  Scalar condition = lowering.scalar(*node.children[0]);
  if (condition.failed()) return condition;
  if (condition.is_known()) {
    const Node& value = *node.children[condition.known.uniform() != 0 ? 1 : 2];
    return lowering.element(value, value.dims.empty() ? Indices{} : indices);
  }
  std::array<ExprId, 2> values;
  std::array<std::uint32_t, 2> blocks{};
  std::uint32_t outside = writer_.block();
  for (std::size_t k = 0; k < 2; ++k) {
    const Node& child = *node.children[k + 1];
    blocks[k] = writer_.new_block();
    writer_.enter(blocks[k]);
    auto saved = writer_.call_outputs;
    writer_.reach(k == 0 ? condition.expr : model_.dag().make(Op::logical_not, condition.expr));
    Scalar value = lowering.element(child, child.dims.empty() ? Indices{} : indices);
    writer_.call_outputs = std::move(saved);
    if (!value.failed()) values[k] = lowering.expression(value);
    writer_.enter(outside);
    writer_.leave(node.span);
    if (value.failed()) return value;
  }
  if (writer_.empty(blocks[0]) && writer_.empty(blocks[1])) {
    if (blocks[1] + 1 == writer_.program.blocks.size()) writer_.program.blocks.resize(blocks[0]);
    return model_.dag().select(condition.expr, values[0], values[1]);
  }
  std::uint32_t result = writer_.new_local("if", scalar_type_of(node.basic));
  for (std::size_t k = 0; k < 2; ++k) {
    writer_.enter(blocks[k]);
    writer_.assign(result, values[k], node.span);
  }
  writer_.enter(outside);
  ir::Statement s{ir::StatementKind::branch, node.span};
  s.value = condition.expr;
  s.body = ir::BlockId(std::size_t{blocks[0]});
  s.otherwise = ir::BlockId(std::size_t{blocks[1]});
  writer_.push(std::move(s));
  return model_.dag().slot(result);
}

Scalar FunctionLeaves::long_sum(Lowering& lowering, const Node& node, const Indices&) {
  ir::Dag& dag = model_.dag();
  std::uint32_t sum = writer_.new_local("sum", scalar_type_of(node.basic));
  writer_.assign(sum, dag.number(Lowering::of_no_terms(node.op)), node.span);
  Outcome<Done> done = Done{};
  std::function<void(std::size_t)> nest = [&](std::size_t k) {
    if (k == node.axes.size()) {
      Scalar term = lowering.scalar(*node.children[0]);
      if (done && term.failed()) done = term.failure();
      if (done) writer_.assign(sum, dag.make(node.op, dag.slot(sum), lowering.expression(term)), node.span);
      return;
    }
    Scalar end = static_cast<double>(node.counts[k]);
    if (is_run_time_size(node.counts[k])) end = lowering.scalar(*expression_of_size(model_.nodes, node.counts[k]));
    if (end.failed()) {
      done = end.failure();
      return;
    }
    std::uint32_t i = writer_.new_local("i", ir::ScalarType::integer);
    writer_.loop(i, dag.one(), dag.one(), lowering.expression(end), node.span, [&] {
      const Node* range = node.children[k + 1];
      Scalar at = dag.slot(i);
      lowering.bind(node.axes[k], range ? lowering.element(*range, {at}) : at);
      nest(k + 1);
      lowering.unbind(1);
    });
  };
  nest(0);
  return done ? Scalar(dag.slot(sum)) : done.failure();
}

/// An element of a constant. In a section it must be the same in all instances of the component.
Scalar FunctionLeaves::constant(Lowering& lowering, const Node& node, const Indices& indices) {
  std::size_t outer = writer_.section ? writer_.section->outer_dimensions(*node.instance) : 0;
  std::vector<std::int64_t> dims(node.dims.begin() + static_cast<std::ptrdiff_t>(outer), node.dims.end());
  std::int64_t size = size_of(dims), n = size_of(node.dims) / std::max<std::int64_t>(size, 1);
  auto at_run_time = [](const Scalar& i) { return !i.failed() && !i.is_known(); };
  if (outer == 0 && std::none_of(indices.begin(), indices.end(), at_run_time))
    return known_value(model_, lowering, node, indices);
  std::vector<double> values;
  for (std::int64_t e = 0; e < size * n; ++e) {
    Indices at;
    for (std::int64_t i : indices_at(node.dims, e)) at.push_back(static_cast<double>(i));
    Scalar value = known_value(model_, lowering, node, at);
    if (value.failed()) return value;
    values.push_back(value.known.uniform());
    if (e < size || values[static_cast<std::size_t>(e % size)] == values.back()) continue;
    return model_.diagnostics.error(
        unsupported, node.span,
        {"an algorithm section that reads a constant that differs between the elements of an array"});
  }
  values.resize(static_cast<std::size_t>(size));
  Indices inside(indices.begin() + static_cast<std::ptrdiff_t>(outer), indices.end());
  if (dims.empty()) return Known(values[0]);
  return element_at_run_time(lowering, *model_.nodes.table(std::move(values), dims, node.basic, node.span), inside);
}

Scalar FunctionLeaves::element_at_run_time(Lowering& lowering, const Node& node, const Indices& indices) {
  std::uint32_t array = 0;
  if (node.kind == NodeKind::table) {
    array = writer_.literal_array(node);
  } else {
    std::int64_t size = size_of(node.dims);
    array = writer_.new_array("array", static_cast<std::size_t>(size), scalar_type_of(node.basic));
    for (std::int64_t e = 0; e < size; ++e) {
      Indices at;
      for (std::int64_t i : indices_at(node.dims, e)) at.push_back(static_cast<double>(i));
      Scalar value = lowering.element(node, at);
      if (value.failed()) return value;
      writer_.store(array, model_.dag().number(static_cast<double>(e)), lowering.expression(value), node.span);
    }
  }
  Scalar at = position(lowering, node.dims, indices);
  return at.failed() ? at : Scalar(writer_.load(array, lowering.expression(at), node.span));
}

}  // namespace bolza::flatten
