// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/calls/lower_call_internal.h"

#include <algorithm>

#include "base/expects.h"
#include "compiler/flatten/model/components_internal.h"
#include "compiler/flatten/model/frame_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/lower_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/flatten/typing/typer_internal.h"
#include "compiler/ir/interpret.h"

namespace bolza::flatten {

using ir::ExprId;

namespace {

/// Position from 0 of the first element of a leaf among the outputs.
std::int64_t first_output(const Frame& frame, const Instance& wanted) {
  if (frame.state != Frame::State::done) frame.first_outputs.clear();  // of what calls itself: sizes are not all known
  if (frame.first_outputs.empty()) {
    std::int64_t at = 0;
    for (const Instance* child : frame.function->children)
      for (const Instance* leaf : is_output(*child) ? leaves_of(*child) : std::vector<const Instance*>{}) {
        frame.first_outputs.emplace(leaf, at);
        if (leaf->type != instance::Type::string) at += size_of(dims_in(frame, *leaf));  // Programs have no strings
      }
  }
  auto found = frame.first_outputs.find(&wanted);
  expects(found != frame.first_outputs.end(), "an output of a call is one of its function");
  return found->second;
}

/// The function whose text is being translated; null when that is not a function's. Those it calls are done by then.
Frame* under_way(Model& model) {
  auto at = std::find_if(model.frames.rbegin(), model.frames.rend(),
                         [](const auto& frame) { return frame->state == Frame::State::under_way; });
  return at == model.frames.rend() ? nullptr : at->get();
}

/// Scalars of one argument, in the order of its leaves.
Outcome<Done> argument_scalars(Model& model, Lowering& lowering, const Node& value, const Instance& formal,
                               const Indices& over, std::vector<Scalar>& out) {
  if (value.kind == NodeKind::function) {
    for (std::size_t k = 0; k < value.given.size(); ++k)
      if (auto part = argument_scalars(model, lowering, *value.children[k], *value.given[k], {}, out); !part) return part;
    return Done{};
  }
  if (formal.type == instance::Type::none) {
    Work scratch;
    Typer typer(model, scratch, {}, under_way(model));
    for (const Instance* field : formal.children) {
      auto part = typer.member(&value, field->name, value.span);
      if (!part) return part.failure();
      if (auto done = argument_scalars(model, lowering, *part, *field, over, out); !done) return done;
    }
    return Done{};
  }
  if (formal.type == instance::Type::string) return Done{};  // Programs have no strings
  std::vector<std::int64_t> own(value.dims.begin() + static_cast<std::ptrdiff_t>(over.size()), value.dims.end());
  for (std::int64_t e = 0; e < size_of(own); ++e) {
    Indices at = over;
    for (std::int64_t i : indices_at(own, e)) at.push_back(static_cast<double>(i));
    out.push_back(lowering.element(value, at));
    if (out.back().failed()) return out.back().failure();
  }
  return Done{};
}

/// The output when all arguments are numbers, the same for every instance; empty when it cannot be computed so.
std::optional<double> computed(Model& model, const Call& call, const std::vector<Scalar>& arguments, std::uint32_t output) {
  std::vector<double> inputs;
  for (const Scalar& argument : arguments) {
    if (!argument.is_known() || !argument.known.is_uniform()) return {};
    inputs.push_back(argument.known.uniform());
  }
  Frame& frame = frame_of(model, call.program);
  if (frame.last_outputs.empty() || frame.last_inputs != inputs) {
    ir::Interpreter<double> interpreter(model.flat.expressions, 1'000'000);
    std::vector<double> outputs(frame.n_outputs);
    if (!interpreter.run(ir::ProgramId(std::size_t{call.program}), inputs, outputs)) return {};
    frame.last_inputs = std::move(inputs);
    frame.last_outputs = std::move(outputs);
  }
  return frame.last_outputs[output];
}

}  // namespace

Scalar output_position(Lowering& lowering, const Frame& frame, const Node& node, const Indices& own) {
  if (node.instance == nullptr) return 0.0;  // of a function without outputs: whether its assertions hold
  Scalar at = position(lowering, dims_in(frame, *node.instance), own);
  return lowering.apply(ir::Op::add, at, static_cast<double>(first_output(frame, *node.instance)));
}

Outcome<std::optional<std::uint32_t>> output_number(Lowering& lowering, const Frame& frame, const Node& node,
                                                    const Indices& own) {
  Scalar at = output_position(lowering, frame, node, own);
  if (at.failed()) return at.failure();
  if (!at.is_known()) return std::optional<std::uint32_t>();
  auto same = lowering.work.uniform(at.known);
  if (!same) return same.failure();
  return std::optional(static_cast<std::uint32_t>(*same));
}

Outcome<std::vector<Scalar>> lower_arguments(Model& model, Lowering& lowering, const Node& node,
                                             const Indices& vector_indices) {
  std::vector<Scalar> arguments;
  for (const Call::Argument& argument : node.call->arguments) {
    Indices over = argument.vectorised > 0 ? vector_indices : Indices{};
    auto done = argument_scalars(model, lowering, *argument.value, *argument.input, over, arguments);
    if (!done) return done.failure();
  }
  return arguments;
}

Scalar lower_call(Model& model, Lowering& lowering, const Node& node, const Indices& indices) {
  const Call& call = *node.call;
  auto split_at = indices.begin() + static_cast<std::ptrdiff_t>(call.dims.size());
  auto number = output_number(lowering, frame_of(model, call.program), node, Indices(split_at, indices.end()));
  if (!number) return number.failure();
  if (!*number) return lowering.diagnostics.error(not_known_at_compile_time, node.span, {"the subscript"});
  auto arguments = lower_arguments(model, lowering, node, Indices(indices.begin(), split_at));
  if (!arguments) return arguments.failure();
  if (auto value = computed(model, call, *arguments, **number)) return *value;
  bool all_known = std::all_of(arguments->begin(), arguments->end(), [](const Scalar& a) { return a.is_known(); });
  if (all_known)
    for (const Scalar& argument : *arguments)
      if (!argument.known.is_uniform() && &lowering.leaves() == &lowering.leaves().structural())
        return lowering.work.split_by(argument.known);
  std::vector<ExprId> operands;
  for (const Scalar& argument : *arguments) operands.push_back(lowering.expression(argument));
  return model.dag().output(model.dag().call(ir::ProgramId(std::size_t{call.program}), operands), **number);
}

}  // namespace bolza::flatten
