// What is computed while the model is translated: subscripts, sizes, ranges.
#include "compiler/flatten/typing/typer_internal.h"

#include "compiler/flatten/calls/structural_leaves_internal.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/lower_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"

namespace bolza::flatten {

std::optional<Known> Typer::known(const Node& node) {
  StructuralLeaves leaves(model, frame);
  Lowering lowering(nodes(), model.dag(), model.diagnostics, work, leaves);
  Scalar value = lowering.scalar(node);
  if (value.failed() || !value.is_known()) return {};
  return value.known;
}

std::optional<std::int64_t> Typer::known_integer(const Node* node) {
  if (node == nullptr) return {};
  if (!node->dims.empty() ||
      (node->basic != Basic::integer && node->basic != Basic::enumeration && node->basic != Basic::boolean)) {
    wrong(expected_type, node->span, {"a scalar Integer", type_text(*node)});
    return {};
  }
  auto value = known(*node);
  auto same = value ? work.uniform(*value).value() : std::nullopt;
  if (!same) return {};
  return static_cast<std::int64_t>(*same);
}

std::optional<std::vector<double>> Typer::range_values(const Node& range) {
  StructuralLeaves leaves(model, frame);
  Lowering lowering(nodes(), model.dag(), model.diagnostics, work, leaves);
  auto m = static_cast<std::size_t>(range.dims[0]);
  std::size_t n = work.space.n;
  if (!sizes_are_good({static_cast<std::int64_t>(n), range.dims[0]}, range.span)) return {};
  std::vector<double> values(n * m);
  for (std::size_t k = 0; k < m; ++k) {
    Scalar value = lowering.element(range, {static_cast<double>(k + 1)});
    if (value.failed() || !value.is_known()) return {};
    for (std::size_t i = 0; i < n; ++i) values[i * m + k] = value.known[i];
  }
  return values;
}

}  // namespace bolza::flatten
