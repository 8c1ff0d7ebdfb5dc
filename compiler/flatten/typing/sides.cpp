// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/typing/sides_internal.h"

#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/typing/typer_internal.h"

namespace bolza::flatten {

namespace {

/// Whether a field is a parameter of a record that is none: its value stands in its declaration, not in equations.
bool is_parameter_of_variable(const Node& record, std::string_view field) {
  const Instance* of = record.instance->child(field);
  return of != nullptr && of->variability <= instance::Variability::parameter &&
         record.instance->variability > instance::Variability::parameter;
}

}  // namespace

Outcome<Done> sides_of(Typer& typer, const Node* left, const Node* right, Span span, std::vector<Sides>& out) {
  if (left->kind == NodeKind::array && left->basic == Basic::record && left->dims == right->dims) {
    for (std::size_t k = 0; k < left->children.size(); ++k)
      if (auto done = sides_of(typer, left->children[k], row_of(typer.nodes(), right, k), span, out); !done) return done;
    return Done{};
  }
  if (left->basic == Basic::record || right->basic == Basic::record) {
    if (left->basic != right->basic || left->dims != right->dims)
      return typer.model.diagnostics.error(types_differ, span, {type_text(*left), type_text(*right)});
    for (const Instance* field : left->instance->children) {
      auto a = typer.member(left, field->name, span), b = a ? typer.member(right, field->name, span) : a;
      if (!b) return b.failure();
      if (is_parameter_of_variable(*left, field->name) || is_parameter_of_variable(*right, field->name)) continue;
      if (auto done = sides_of(typer, a, b, span, out); !done) return done;
    }
    return Done{};
  }
  if (left->basic == Basic::string && right->basic == Basic::string)
    return typer.model.diagnostics.error(unsupported, span, {"a String that changes while the model runs"});
  bool numbers = is_numeric(left->basic) && is_numeric(right->basic);
  if (!numbers && (left->basic != right->basic || left->basic == Basic::string))
    return typer.model.diagnostics.error(types_differ, span, {type_text(*left), type_text(*right)});
  if (left->dims != right->dims)
    return typer.model.diagnostics.error(sizes_differ, span, {"equation", dims_text(left->dims), dims_text(right->dims)});
  out.push_back({left, right});
  return Done{};
}

}  // namespace bolza::flatten
