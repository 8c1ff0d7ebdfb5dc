// SPDX-License-Identifier: Apache-2.0
// Names that lead through nonuniform arrays: whose elements are components of their own, as they differ in sizes.
#include "compiler/flatten/typing/nonuniform_arrays_internal.h"

#include <functional>

#include "base/expects.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/typing/typer_internal.h"
#include "compiler/instance/build/instantiate.h"
#include "compiler/instance/library/codes.h"

namespace bolza::flatten {
namespace {

/// The same way from an element on; `removed` where that is not there.
instance::Resolved through(Model& model, const instance::Resolved& resolved, std::size_t k, const Instance& element) {
  instance::Resolved way = resolved;
  way.path.resize(k);
  way.path.push_back({&element, {}});
  way.removed = element.removed;
  for (std::size_t p = k + 1; p < resolved.path.size() && !way.removed; ++p) {
    const Instance* child = instance::component_in(model.tree, *way.path.back().instance, resolved.path[p].instance->name);
    expects(child != nullptr, "the elements of an array have the same members");
    way.path.push_back({child, resolved.path[p].subscripts});
    way.removed = child->removed;
  }
  return way;
}

std::int64_t element_place(const Instance& array, const std::vector<std::int64_t>& at) {
  std::int64_t place = 0;
  for (std::size_t d = 0; d < at.size(); ++d) place = place * array.dimensions[d].size + at[d] - 1;
  return place;
}

}  // namespace

std::optional<std::size_t> first_nonuniform(const instance::Resolved& resolved) {
  for (std::size_t k = 0; k < resolved.path.size(); ++k)
    if (resolved.path[k].instance->is_nonuniform) return k;
  return {};
}

std::vector<const Instance*> meant_by(Model& model, const instance::Resolved& resolved) {
  auto k = first_nonuniform(resolved);
  if (!k) return {&resolved.component()};
  const instance::PathPart& part = resolved.path[*k];
  Diagnostics quiet;
  auto elements = instance::elements_of(model.tree, *part.instance, quiet);
  if (!elements) return {};
  std::vector<std::int64_t> at;
  for (const ast::Subscript& subscript : part.subscripts)
    if (subscript.index && subscript.index->kind == ast::ExprKind::integer_literal) at.push_back(subscript.index->integer);
  bool one = at.size() == part.instance->rank();
  std::vector<const Instance*> all;
  for (std::size_t e = 0; e < elements->size(); ++e) {
    if (one && static_cast<std::int64_t>(e) != element_place(*part.instance, at)) continue;
    instance::Resolved way = through(model, resolved, *k, *(*elements)[e]);
    if (way.removed) continue;
    std::vector<const Instance*> further = meant_by(model, way);
    all.insert(all.end(), further.begin(), further.end());
  }
  return all;
}

Outcome<std::vector<std::int64_t>> Typer::chosen_along(const Node* subscript, std::int64_t size, std::size_t d, Span span) {
  std::vector<std::int64_t> chosen;
  std::int64_t count = subscript == nullptr ? size : size_of(subscript->dims);
  for (std::int64_t e = 1; e <= count; ++e) {
    std::int64_t index = e;
    if (subscript != nullptr) {
      auto same = number_now(subscript->dims.empty() ? *subscript : *nodes().element(subscript, {e}));
      if (!same) return same.failure();
      index = static_cast<std::int64_t>(*same) + (subscript->basic == Basic::boolean ? 1 : 0);
    }
    if (index < 1 || index > size)
      return wrong(subscript_out_of_range, span, {std::to_string(index), std::to_string(d + 1), std::to_string(size)});
    chosen.push_back(index);
  }
  return chosen;
}

/// A place for each element that the subscripts choose, in an array where they are more than one.
Typed Typer::place_through(const instance::Resolved& resolved, std::size_t k, Span span) {
  const Instance& array = *resolved.path[k].instance;
  auto elements = instance::elements_of(model.tree, array, model.diagnostics);
  if (!elements) return reported();
  std::vector<std::int64_t> sizes;
  for (const instance::Dimension& dimension : array.dimensions) sizes.push_back(dimension.size);
  std::vector<const Node*> subscripts;
  if (auto done = subscript_nodes(sizes, resolved.path[k].subscripts, span, subscripts); !done) return done.failure();
  std::vector<std::vector<std::int64_t>> chosen;
  bool is_slice = false;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    auto along = chosen_along(subscripts[d], sizes[d], d, span);
    if (!along) return along.failure();
    if (along->empty()) return wrong(unsupported, span, {"no element of an array whose elements differ in their sizes"});
    is_slice = is_slice || subscripts[d] == nullptr || !subscripts[d]->dims.empty();
    chosen.push_back(std::move(*along));
  }
  for (std::size_t p = 0; is_slice && p < k; ++p)
    if (resolved.path[p].instance->rank() > resolved.path[p].subscripts.size())
      return wrong(unsupported, span, {"a slice of an array of arrays whose elements differ in their sizes"});
  std::vector<std::int64_t> at(sizes.size(), 1);
  std::function<Typed(std::size_t)> along = [&](std::size_t d) -> Typed {
    if (d == sizes.size()) {
      instance::Resolved way = through(model, resolved, k, *(*elements)[static_cast<std::size_t>(element_place(array, at))]);
      return place(way, span);
    }
    std::vector<const Node*> parts;
    for (std::int64_t index : chosen[d]) {
      at[d] = index;
      auto part = along(d + 1);
      if (!part) return part;
      parts.push_back(part);
      if (part->dims != parts[0]->dims)
        return wrong(instance::codes::ragged_array, span, {instance::path_of(resolved.component())});
    }
    bool keeps = subscripts[d] == nullptr || !subscripts[d]->dims.empty();
    return keeps ? nodes().array(std::move(parts), span) : parts[0];
  };
  return along(0);
}

Outcome<Ways> Typer::ways(const instance::Resolved& resolved, Span span) {
  auto k = first_nonuniform(resolved);
  if (!k) return Ways{{resolved}, {}};
  const instance::PathPart& part = resolved.path[*k];
  auto elements = instance::elements_of(model.tree, *part.instance, model.diagnostics);
  if (!elements) return reported();
  std::vector<std::int64_t> sizes;
  for (const instance::Dimension& dimension : part.instance->dimensions) sizes.push_back(dimension.size);
  std::vector<const Node*> subscripts;
  if (auto done = subscript_nodes(sizes, part.subscripts, span, subscripts); !done) return done.failure();
  Ways found;
  std::vector<std::vector<std::int64_t>> chosen;
  std::vector<std::int64_t> counts;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    auto along = chosen_along(subscripts[d], sizes[d], d, span);
    if (!along) return along.failure();
    counts.push_back(static_cast<std::int64_t>(along->size()));
    if (subscripts[d] == nullptr || !subscripts[d]->dims.empty()) found.dims.push_back(counts.back());
    chosen.push_back(std::move(*along));
  }
  for (std::size_t p = 0; !found.dims.empty() && p < *k; ++p)
    if (resolved.path[p].instance->rank() > resolved.path[p].subscripts.size())
      return wrong(unsupported, span, {"a slice of an array of arrays whose elements differ in their sizes"});
  std::optional<std::vector<std::int64_t>> inner;
  for (std::int64_t e = 0; e < size_of(counts); ++e) {
    std::vector<std::int64_t> at = indices_at(counts, e);
    for (std::size_t d = 0; d < at.size(); ++d) at[d] = chosen[d][static_cast<std::size_t>(at[d] - 1)];
    const Instance& element = *(*elements)[static_cast<std::size_t>(element_place(*part.instance, at))];
    auto further = ways(through(model, resolved, *k, element), span);
    if (!further) return further;
    if (inner && *inner != further->dims)
      return wrong(instance::codes::ragged_array, span, {instance::path_of(resolved.component())});
    inner = further->dims;
    found.all.insert(found.all.end(), further->all.begin(), further->all.end());
  }
  if (inner) found.dims.insert(found.dims.end(), inner->begin(), inner->end());
  return found;
}

Outcome<instance::Resolved> Typer::one_way(const instance::Resolved& resolved, Span span) {
  auto found = ways(resolved, span);
  if (!found) return found.failure();
  if (found->all.size() == 1) return found->all.front();
  return wrong(unsupported, span, {"a slice of an array whose elements differ in their sizes, here"});
}

}  // namespace bolza::flatten
