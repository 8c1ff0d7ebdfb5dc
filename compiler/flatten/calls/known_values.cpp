// SPDX-License-Identifier: Apache-2.0
// What is computed while the model is translated: subscripts, sizes, ranges.
#include "compiler/flatten/typing/typer_internal.h"

#include <algorithm>

#include "compiler/flatten/calls/structural_leaves_internal.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/lower_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"

namespace bolza::flatten {

Outcome<std::optional<Known>> Typer::known(const Node& node) {
  StructuralLeaves leaves(model, frame);
  Lowering lowering(nodes(), model.dag(), model.diagnostics, work, leaves);
  Scalar value = lowering.scalar(node);
  if (value.failed()) return value.failure();
  return value.is_known() ? std::optional(value.known) : std::nullopt;
}

namespace {

/// Whether a value may differ between the turns of a loop.
bool follows_loop(const Node& node) {
  auto follows = [](const Node* part) { return part != nullptr && follows_loop(*part); };
  return node.kind == NodeKind::axis || std::any_of(node.children.begin(), node.children.end(), follows) ||
         std::any_of(node.subscripts.begin(), node.subscripts.end(), follows);
}

}  // namespace

Outcome<std::optional<bool>> Typer::settled(const Node& condition) {
  using Settled = std::optional<bool>;
  if (condition.kind == NodeKind::number) return Settled(condition.value != 0);
  if (!condition.dims.empty() || !is_structural(condition) || follows_loop(condition)) return Settled();
  auto value = known(condition);
  if (!value) return value.failure();
  return *value && (*value)->is_uniform() ? Settled((*value)->uniform() != 0) : Settled();
}

Outcome<Known> Typer::value_now(const Node& node) {
  StructuralLeaves leaves(model, frame);
  Lowering lowering(nodes(), model.dag(), model.diagnostics, work, leaves);
  Scalar value = lowering.scalar(node);
  if (value.failed()) return value.failure();
  if (!value.is_known()) return model.diagnostics.error(not_known_at_compile_time, node.span, {"the result of a call"});
  return value.known;
}

Outcome<double> Typer::number_now(const Node& node) {
  auto value = value_now(node);
  return value ? work.uniform(*value) : value.failure();
}

Outcome<std::int64_t> Typer::known_integer(const Typed& node) {
  if (!node) return node.failure();
  if (!node->dims.empty() ||
      (node->basic != Basic::integer && node->basic != Basic::enumeration && node->basic != Basic::boolean))
    return model.diagnostics.error(expected_type, node->span, {"a scalar Integer", type_text(*node)});
  auto same = number_now(*node);
  if (!same) return same.failure();
  return static_cast<std::int64_t>(*same);
}

Outcome<std::vector<double>> Typer::range_values(const Node& range) {
  StructuralLeaves leaves(model, frame);
  Lowering lowering(nodes(), model.dag(), model.diagnostics, work, leaves);
  auto m = static_cast<std::size_t>(range.dims[0]);
  std::size_t n = work.space.n;
  if (auto good = check_sizes({static_cast<std::int64_t>(n), range.dims[0]}, range.span); !good) return good.failure();
  std::vector<double> values(n * m);
  for (std::size_t k = 0; k < m; ++k) {
    Scalar value = lowering.element(range, {static_cast<double>(k + 1)});
    if (value.failed()) return value.failure();
    if (!value.is_known()) return model.diagnostics.error(not_known_at_compile_time, range.span, {"the result of a call"});
    for (std::size_t i = 0; i < n; ++i) values[i * m + k] = value.known[i];
  }
  return values;
}

}  // namespace bolza::flatten
