// SPDX-License-Identifier: Apache-2.0
// Values of names that lead through nonuniform arrays.
#include <algorithm>

#include "compiler/instance/build_internal.h"
#include "compiler/instance/library/codes.h"
#include "compiler/instance/values/evaluator_internal.h"

namespace bolza::instance {
namespace {

/// The same way from the element on: components of the same names.
Result<std::vector<PathPart>> way_through(InstanceTree& tree, const std::vector<PathPart>& path, std::size_t k,
                                          const Instance& element, Diagnostics& d) {
  std::vector<PathPart> way(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(k));
  way.push_back({&element, {}});
  for (std::size_t p = k + 1; p < path.size(); ++p) {
    auto child = child_of(tree, *way.back().instance, path[p].instance->name, d);
    if (!child || !*child) return d.already_reported();
    way.push_back({*child, path[p].subscripts});
  }
  return way;
}

}  // namespace

Result<std::vector<Resolved>> Evaluator::through_elements(const Resolved& resolved, std::size_t k,
                                                          const std::vector<Selector>& chosen) {
  std::vector<Resolved> ways;
  const Instance& array = *resolved.path[k].instance;
  std::vector<std::size_t> places{0};
  for (std::size_t i = 0; i < array.rank(); ++i) {
    auto n = static_cast<std::size_t>(array.dimensions[i].size);
    std::vector<std::size_t> next;
    for (std::size_t place : places) {
      if (i < chosen.size())
        for (std::int64_t index : chosen[i].indices) next.push_back(place * n + static_cast<std::size_t>(index - 1));
      else
        for (std::size_t index = 0; index < n; ++index) next.push_back(place * n + index);
    }
    places = std::move(next);
  }
  for (std::size_t place : places) {
    auto way = way_through(tree_, resolved.path, k, *array.elements[place], d_);
    if (!way) return d_.already_reported();
    ways.push_back(resolved);
    ways.back().path = std::move(*way);
  }
  return ways;
}

Result<Led> Evaluator::elements_in(const Resolved& resolved) {
  Led led{.ways = {resolved}};
  for (std::size_t k = 0; k < resolved.path.size(); ++k) {
    if (!led.ways.front().path[k].instance->is_nonuniform || resolved.removed) continue;
    std::vector<Resolved> next;
    for (const Resolved& way : led.ways) {
      const Instance& array = *way.path[k].instance;
      if (!make_elements(tree_, array, d_)) return d_.already_reported();
      std::vector<std::int64_t> sizes;
      for (const Dimension& dimension : array.dimensions) sizes.push_back(dimension.size);
      auto chosen = selectors(way.path[k].subscripts, sizes, array.name);
      auto ways = chosen ? through_elements(way, k, *chosen) : Result<std::vector<Resolved>>(d_.already_reported());
      if (!ways) return d_.already_reported();
      for (std::size_t i = 0; &way == &led.ways.front() && i < sizes.size(); ++i) {
        if (i >= chosen->size()) led.dimensions.push_back(sizes[i]);
        else if (!(*chosen)[i].scalar) led.dimensions.push_back(static_cast<std::int64_t>((*chosen)[i].indices.size()));
      }
      next.insert(next.end(), ways->begin(), ways->end());
    }
    led.ways = std::move(next);
    if (led.ways.empty()) return led;
  }
  return led;
}

bool goes_through_nonuniform(const Resolved& resolved) {
  return std::any_of(resolved.path.begin(), resolved.path.end(),
                     [](const PathPart& p) { return p.instance->is_nonuniform; });
}

std::vector<ast::NamePart> parts_of(const Resolved& resolved, Span span) {
  std::vector<ast::NamePart> parts;
  for (const PathPart& step : resolved.path)
    parts.push_back({.identifier = step.instance->name, .span = span, .subscripts = step.subscripts});
  return parts;
}

Result<Value> Evaluator::gathered(const Led& led, Span span) {
  std::vector<Value> values;
  for (const Resolved& way : led.ways) {
    const Instance& first = *way.path[0].instance;
    bool is_local = frame && first.parent == frame->function;
    auto whole = is_local ? local(first, span) : Result<const Value*>(nullptr);
    if (!whole) return d_.already_reported();
    std::vector<ast::NamePart> parts = parts_of(way, span);
    auto value = is_local ? rest_of(**whole, std::span(parts).subspan(1), parts[0]) : path(way, span);
    if (!value) return value;
    if (!values.empty() && !stackable(values.front(), *value))
      return d_.error(codes::ragged_array, span, {way.path.back().instance->name});
    values.push_back(std::move(*value));
  }
  if (led.dimensions.empty() && values.size() == 1) return std::move(values.front());
  return stack(std::move(values), led.dimensions);
}

Result<const Value*> Evaluator::all_elements(const Instance& array, Key key, Span used_at) {
  if (!make_elements(tree_, array, d_)) return d_.already_reported();
  std::vector<Value> values;
  for (const Instance* element : array.elements) {
    auto value = component(*element, key.second, used_at);
    if (!value) return value;
    if (!values.empty() && !stackable(values.front(), **value))
      return d_.error(codes::ragged_array, used_at, {path_of(array)});
    values.push_back(**value);
  }
  std::vector<std::int64_t> sizes;
  for (const Dimension& dimension : array.dimensions) sizes.push_back(dimension.size);
  return &tree_.store().values.emplace(std::move(key), stack(std::move(values), sizes)).first->second;
}

}  // namespace bolza::instance
