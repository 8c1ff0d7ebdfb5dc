// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/typing/typer_internal.h"

#include <algorithm>
#include <cmath>

#include "base/expects.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/run_time_sizes_internal.h"
#include "compiler/flatten/nodes/space_internal.h"

namespace bolza::flatten {

using ir::Op;

Typed Typer::generate(const std::vector<std::int64_t>& sizes, Span span,
                      const std::function<const Node*(const std::vector<const Node*>&)>& make) {
  std::vector<AxisId> axes;
  std::vector<const Node*> at;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    axes.push_back(nodes().new_axis());
    at.push_back(nodes().axis(axes.back(), span));
  }
  if (auto good = check_sizes(sizes, span); !good) return good.failure();
  const Node* body = make(at);
  if (sizes.empty()) return body;
  return nodes().comprehension(body, axes, std::vector<const Node*>(sizes.size(), nullptr), sizes, span);
}

Outcome<Done> Typer::check_sizes(const std::vector<std::int64_t>& dims, Span span) {
  std::vector<std::int64_t> known = dims;
  std::erase_if(known, is_run_time_size);
  if (size_of(known) <= most_elements) return Done{};
  return wrong(too_many_elements, span, {"this array"});
}

const Node* Typer::size_node(std::int64_t size, Span span) {
  if (!is_run_time_size(size)) return nodes().number(static_cast<double>(size), Basic::integer, span);
  const Node* zero = nodes().number(0, Basic::integer, span);
  return nodes().apply(Op::max, {expression_of_size(nodes(), size), zero}, Basic::integer, span);
}

Outcome<Done> Typer::sized_now(const Node& array) {
  if (!has_run_time_size(array.dims)) return Done{};
  return wrong(not_known_at_compile_time, array.span, {"the size of this slice"});
}

Typed Typer::fill(const Node* value, std::vector<std::int64_t> dims, Span span) {
  if (dims.empty()) return value;
  if (auto good = check_sizes(dims, span); !good) return good.failure();
  if (value->kind == NodeKind::number) {
    Node node = *value;
    node.dims = std::move(dims);
    node.span = span;
    return nodes().add(std::move(node));
  }
  return generate(dims, span, [&](const auto&) { return value; });
}

Typed Typer::promote(const Node* node, std::size_t rank, Span span) {
  if (node->dims.size() >= rank) return node;
  if (auto sized = sized_now(*node); !sized) return sized.failure();
  std::vector<std::int64_t> dims = node->dims;
  dims.resize(rank, 1);
  return generate(dims, span, [&](const std::vector<const Node*>& at) {
    return nodes().index(node, {at.begin(), at.begin() + static_cast<std::ptrdiff_t>(node->dims.size())}, span);
  });
}

Typed Typer::reshape(const Node* node, std::vector<std::int64_t> dims, Span span) {
  if (auto sized = sized_now(*node); !sized) return sized.failure();
  if (node->kind == NodeKind::table) return nodes().table(node->numbers, std::move(dims), node->basic, span);
  return generate(dims, span, [&](const std::vector<const Node*>& at) {
    auto integer = [&](std::int64_t v) { return nodes().number(static_cast<double>(v), Basic::integer, span); };
    auto apply = [&](Op op, const Node* a, const Node* b) { return nodes().apply(op, {a, b}, Basic::integer, span); };
    const Node* position = integer(0);
    for (std::size_t d = 0; d < dims.size(); ++d)
      position = apply(Op::add, apply(Op::mul, position, integer(dims[d])), apply(Op::sub, at[d], integer(1)));
    std::vector<const Node*> subscripts(node->dims.size());
    for (std::size_t d = node->dims.size(); d-- > 0;) {
      subscripts[d] = apply(Op::add, apply(Op::mod, position, integer(node->dims[d])), integer(1));
      position = apply(Op::quotient, position, integer(node->dims[d]));
    }
    return nodes().index(node, subscripts, span);
  });
}

const Node* Typer::sum_of(const Node* array, Op op, Span span) {
  if (array->dims.empty()) return array;
  std::vector<AxisId> axes;
  std::vector<const Node*> at;
  for (std::size_t d = 0; d < array->dims.size(); ++d) {
    axes.push_back(nodes().new_axis());
    at.push_back(nodes().axis(axes.back(), span));
  }
  return nodes().reduce(op, nodes().index(array, at, span), axes, std::vector<const Node*>(axes.size(), nullptr),
                        array->dims, span);
}

Typed Typer::concatenate(std::int64_t dimension, const std::vector<const Node*>& given, Span span) {
  auto d = static_cast<std::size_t>(dimension - 1);
  std::vector<const Node*> parts;
  std::vector<std::int64_t> dims = given[0]->dims;
  if (d >= dims.size()) return wrong(too_few_dimensions, span, {"cat", std::to_string(dimension)});
  dims[d] = 0;
  for (const Node* part : given) {
    if (auto sized = sized_now(*part); !sized) return sized.failure();
    std::vector<std::int64_t> expected = dims;
    if (part->dims.size() == dims.size()) expected[d] = part->dims[d];
    if (part->dims != expected)
      return wrong(sizes_differ, part->span, {"concatenation", dims_text(given[0]->dims), dims_text(part->dims)});
    if (part->dims[d] > 0) parts.push_back(part);
  }
  if (parts.empty()) return given[0];
  if (d == 0) {  // rows one below the other: an array constructor keeps literals together
    std::vector<const Node*> rows;
    for (const Node* part : parts)
      for (std::int64_t r = 1; r <= part->dims[0] && part->kind == NodeKind::table; ++r) {
        auto width = static_cast<std::ptrdiff_t>(size_of(part->dims) / part->dims[0]);
        std::vector<double> row(part->numbers.begin() + (r - 1) * width, part->numbers.begin() + r * width);
        rows.push_back(nodes().table(std::move(row), {part->dims.begin() + 1, part->dims.end()}, part->basic, part->span));
      }
    std::int64_t all = 0;
    for (const Node* part : parts) all += part->dims[0];
    if (static_cast<std::int64_t>(rows.size()) == all) return nodes().array(rows, span);
  }
  for (const Node* part : parts) dims[d] += part->dims[d];
  return generate(dims, span, [&](const std::vector<const Node*>& at) {
    auto integer = [&](std::int64_t v) { return nodes().number(static_cast<double>(v), Basic::integer, span); };
    std::int64_t before = dims[d];
    const Node* value = nullptr;
    for (std::size_t k = parts.size(); k-- > 0;) {
      std::int64_t after = before;  // positions before + 1 … after belong to part k
      before -= parts[k]->dims[d];
      std::vector<const Node*> inside = at;
      if (before > 0) inside[d] = nodes().apply(Op::sub, {at[d], integer(before)}, Basic::integer, span);
      const Node* part = nodes().index(parts[k], inside, span);
      const Node* here = nodes().apply(Op::less_equal, {at[d], integer(after)}, Basic::boolean, span);
      value = value ? nodes().choose(NodeKind::choice, here, part, value, span) : part;
    }
    return value;
  });
}

Typed Typer::array(const ast::Expr& expr) {
  if (expr.operands.empty()) return nodes().table({}, {0}, Basic::real, expr.span);
  std::vector<const Node*> elements;
  std::optional<Failure> mistake;
  for (const ast::Expr* operand : expr.operands) {
    auto element = expression(*operand);
    if (!element && !element.failure().reported()) return element;
    if (!element) mistake = element.failure();
    if (mistake) continue;
    if (auto sized = sized_now(*element); !sized) return sized.failure();
    elements.push_back(element);
    if ((elements[0]->basic == Basic::record) != (element->basic == Basic::record))
      return wrong(types_differ, operand->span, {type_text(*elements[0]), type_text(*element)});
    if (elements[0]->dims != element->dims)
      return wrong(sizes_differ, operand->span,
                   {"array constructor", dims_text(elements[0]->dims), dims_text(element->dims)});
  }
  if (mistake) return *mistake;
  return nodes().array(std::move(elements), expr.span);
}

Typed Typer::matrix(const ast::Expr& expr) {
  std::vector<const Node*> rows;
  for (const auto& row : expr.rows) {
    std::vector<const Node*> parts;
    bool scalars = true;
    for (const ast::Expr* entry : row) {
      auto part = expression(*entry);
      if (!part) return part;
      parts.push_back(part);
      scalars &= part->dims.empty();
    }
    if (scalars) {
      rows.push_back(nodes().array({nodes().array(parts, expr.span)}, expr.span));
      continue;
    }
    std::size_t rank = 2;
    for (const Node* part : parts) rank = std::max(rank, part->dims.size());
    for (const Node*& part : parts) {
      auto promoted = promote(part, rank, expr.span);
      if (!promoted) return promoted;
      part = promoted;
    }
    auto joined = parts.size() == 1 ? Typed(parts[0]) : concatenate(2, parts, expr.span);
    if (!joined) return joined;
    rows.push_back(joined);
  }
  if (rows.size() == 1) return rows[0];
  bool single_rows = std::all_of(rows.begin(), rows.end(),
                                 [&](const Node* r) { return r->kind == NodeKind::array && r->dims == rows[0]->dims; });
  if (!single_rows) return concatenate(1, rows, expr.span);
  std::vector<const Node*> entries;
  for (const Node* row : rows) entries.push_back(row->children[0]);
  return nodes().array(entries, expr.span);
}

namespace {

/// An expression as a base, null for none, plus a number.
struct Shifted {
  const Node* base = nullptr;
  double by = 0;
};

Shifted shifted(const Node& node) {
  if (node.kind == NodeKind::number) return {nullptr, node.value};
  bool sum = node.kind == NodeKind::apply && (node.op == Op::add || node.op == Op::sub) && node.children.size() == 2;
  if (!sum) return {&node, 0};
  Shifted a = shifted(*node.children[0]), b = shifted(*node.children[1]);
  double sign = node.op == Op::sub ? -1 : 1;
  if (b.base == nullptr) return {a.base, a.by + sign * b.by};
  if (a.base == nullptr && node.op == Op::add) return {b.base, a.by + b.by};
  return {&node, 0};
}

}  // namespace

/// i + 1 : i + 3 with an iterator of a loop, or a variable of a function: three numbers whatever i is.
std::optional<std::int64_t> Typer::count_along(const Node& start, const Node& step, const Node& stop) const {
  if (!in_statements || step.kind != NodeKind::number || step.value == 0) return {};
  Shifted first = shifted(start), last = shifted(stop);
  if (first.base == nullptr || last.base == nullptr) return {};
  bool iterator = first.base->kind == NodeKind::axis && work.space.find(first.base->axes[0]) == nullptr;
  bool same = iterator ? last.base->kind == NodeKind::axis && last.base->axes == first.base->axes
                       : frame != nullptr && first.base->kind == NodeKind::variable && same_place(*first.base, *last.base);
  if (!same) return {};
  return static_cast<std::int64_t>(std::max(0.0, std::floor((last.by - first.by) / step.value + 1e-10) + 1));
}

namespace {

/// Whether an expression can be computed among the statements around it as often as it is needed.
bool computed_in_statements(const Node& node) {
  if (node.kind == NodeKind::call) return false;
  auto good = [](const Node* part) { return part == nullptr || computed_in_statements(*part); };
  return std::all_of(node.children.begin(), node.children.end(), good) &&
         std::all_of(node.subscripts.begin(), node.subscripts.end(), good);
}

}  // namespace

/// The size of a range in a statement whose ends only the run tells; nothing where they are known.
std::optional<std::int64_t> Typer::count_at_run_time(const Node& start, const Node& step, const Node& stop) {
  bool steps = step.kind == NodeKind::number && std::abs(step.value) == 1;
  bool integers = start.basic == Basic::integer && stop.basic == Basic::integer;
  if (!in_statements || !steps || !integers || !computed_in_statements(start) || !computed_in_statements(stop)) return {};
  Diagnostics before = model.diagnostics;
  auto first = value_now(start);
  auto last = first ? value_now(stop) : first;
  if (last || !last.failure().reported()) return {};
  model.diagnostics = std::move(before);
  const Node *low = step.value > 0 ? &start : &stop, *high = step.value > 0 ? &stop : &start;
  auto apply = [&](Op op, const Node* a, const Node* b) { return nodes().apply(op, {a, b}, Basic::integer, stop.span); };
  const Node* one = nodes().number(1, Basic::integer, stop.span);
  return run_time_size(nodes(), apply(Op::add, apply(Op::sub, high, low), one));
}

Typed Typer::range(const ast::Expr& expr) {
  std::vector<const Node*> ends_of;
  for (const ast::Expr* operand : expr.operands) {
    auto end = expression(*operand);
    if (!end) return end;
    if (!end->dims.empty()) return wrong(expected_type, operand->span, {"a scalar", type_text(*end)});
    ends_of.push_back(end);
  }
  const Node *start = ends_of.front(), *stop = ends_of.back();
  const Node* step = ends_of.size() == 3 ? ends_of[1] : nodes().number(1, Basic::integer, expr.span);
  if (auto n = count_along(*start, *step, *stop)) return counted_from(*start, *step, *n, expr.span);
  if (auto n = count_at_run_time(*start, *step, *stop)) return counted_from(*start, *step, *n, expr.span);
  auto first = value_now(*start), last = first ? value_now(*stop) : first, by = last ? value_now(*step) : last;
  if (!by) return by.failure();
  std::vector<double> counts(work.space.n);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if ((*by)[i] == 0) return wrong(step_is_zero, expr.span);
    counts[i] = std::max(0.0, std::floor(((*last)[i] - (*first)[i]) / (*by)[i] + 1e-10) + 1);
  }
  auto count = work.uniform(Known(std::move(counts)));
  if (!count) return count.failure();
  bool integers = start->basic == Basic::integer && step->basic == Basic::integer;
  Basic basic = integers                                                               ? Basic::integer
                : start->basic == Basic::enumeration || start->basic == Basic::boolean ? start->basic
                                                                                       : Basic::real;
  if (!(*count <= static_cast<double>(most_elements))) return wrong(too_many_elements, expr.span, {"this range"});
  if (*count == 0) return nodes().table({}, {0}, basic, expr.span);
  if (first->is_uniform() && by->is_uniform()) {
    std::vector<double> numbers;
    for (double k = 0; k < *count; ++k) numbers.push_back(first->uniform() + k * by->uniform());
    auto size = static_cast<std::int64_t>(numbers.size());
    Node table = *nodes().table(std::move(numbers), {size}, basic, expr.span);
    table.definition = start->definition;
    return nodes().add(std::move(table));
  }
  return counted_from(*start, *step, static_cast<std::int64_t>(*count), expr.span);
}

/// start, start + step, …
Typed Typer::counted_from(const Node& start, const Node& step, std::int64_t n, Span span) {
  Basic basic = start.basic == Basic::integer && step.basic == Basic::integer ? Basic::integer : Basic::real;
  return generate({n}, span, [&](const std::vector<const Node*>& at) {
    const Node* k = nodes().apply(Op::sub, {at[0], nodes().number(1, Basic::integer, span)}, Basic::integer, span);
    return nodes().apply(Op::add, {&start, nodes().apply(Op::mul, {k, &step}, basic, span)}, basic, span);
  });
}

}  // namespace bolza::flatten
