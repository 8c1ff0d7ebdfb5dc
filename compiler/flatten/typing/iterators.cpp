// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/typing/iterators_internal.h"

#include <algorithm>

#include "base/expects.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/run_time_sizes_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/flatten/typing/nonuniform_arrays_internal.h"
#include "compiler/flatten/typing/typer_internal.h"

namespace bolza::flatten {

using ir::Op;

namespace {

/// Looks for `a[…, name, …]` in an expression, to learn what an iterator without range runs over.
class SubscriptSearch {
 public:
  explicit SubscriptSearch(std::string_view name) : name_(name) {}

  void expression(const ast::Expr& expr) {
    if (expr.reference) reference(*expr.reference);
    for (const ast::Expr* operand : expr.operands)
      if (operand) expression(*operand);
    for (const auto& row : expr.rows)
      for (const ast::Expr* entry : row) expression(*entry);
    if (expr.arguments)
      for (const ast::Expr* argument : expr.arguments->positional) expression(*argument);
  }

  /// The subscripts that are just the name.
  struct Use {
    const ast::Reference* reference = nullptr;
    std::size_t part = 0, dimension = 0;
    Span span;
  };
  std::vector<Use> uses;

 private:
  void reference(const ast::Reference& reference) {
    for (std::size_t p = 0; p < reference.parts.size(); ++p)
      for (std::size_t d = 0; d < reference.parts[p].subscripts.size(); ++d) {
        const ast::Expr* index = reference.parts[p].subscripts[d].index;
        if (index == nullptr) continue;
        bool is_name = index->kind == ast::ExprKind::name && index->reference->simple() &&
                       index->reference->parts[0].identifier == name_;
        if (is_name) uses.push_back({&reference, p, d, index->span});
        else expression(*index);
      }
  }

  std::string_view name_;
};

}  // namespace

bool mentions_as_subscript(const ast::Expr& expr, std::string_view name) {
  SubscriptSearch search(name);
  search.expression(expr);
  return !search.uses.empty();
}

/// The dimension whose subscript is the iterator.
Outcome<Typer::ImpliedRange> Typer::implied_range(const ast::Iterator& iterator, const Subscripted& body) {
  SubscriptSearch search(iterator.name);
  for (const ast::Expr* expr : body) search.expression(*expr);
  ImpliedRange range;
  for (const SubscriptSearch::Use& use : search.uses) {
    auto resolved = instance::lookup(model.tree, scope, *use.reference, model.diagnostics);
    if (!resolved) return reported();
    bool is_component = resolved->kind == instance::ResolvedKind::component && !resolved->removed;
    if (auto k = is_component ? first_nonuniform(*resolved) : std::nullopt; k && *k < use.part) {
      auto one = one_way(*resolved, use.span);
      if (!one) return one.failure();
      *resolved = std::move(*one);
    }
    bool is_array = is_component && use.dimension < resolved->path[use.part].instance->rank();
    if (!is_array) continue;
    const Instance* array = resolved->path[use.part].instance;
    const instance::Dimension& here = array->dimensions[use.dimension];
    std::int64_t own = here.size;
    if (frame && frame->dims.contains(array)) own = frame->dims.at(array)[use.dimension];
    if (range.over == nullptr) range = {&here, own};
    if (own != range.size || here.index != range.over->index)
      return wrong(ranges_differ, use.span, {iterator.name, std::to_string(range.size), std::to_string(own)});
  }
  if (range.over == nullptr) return wrong(range_not_implied, iterator.span, {iterator.name});
  return range;
}

Typed Typer::range_of(const ast::Iterator& iterator, const Subscripted& body) {
  auto up_to = [&](std::int64_t size, Basic basic, double first, const instance::Definition* definition) {
    std::vector<double> numbers;
    for (std::int64_t k = 0; k < size; ++k) numbers.push_back(first + static_cast<double>(k));
    Node table = *nodes().table(std::move(numbers), {size}, basic, iterator.span);
    table.definition = definition;
    return nodes().add(std::move(table));
  };
  if (iterator.range == nullptr) {
    auto implied = implied_range(iterator, body);
    if (!implied) return implied.failure();
    auto [over, size] = *implied;
    if (over->index == instance::Type::boolean) return up_to(size, Basic::boolean, 0, nullptr);
    if (over->index == instance::Type::enumeration) return up_to(size, Basic::enumeration, 1, over->enumeration);
    return up_to(size, Basic::integer, 1, nullptr);
  }
  if (iterator.range->kind == ast::ExprKind::name) {
    const ast::Reference& reference = *iterator.range->reference;
    bool is_iterator = std::any_of(iterators.begin(), iterators.end(),
                                   [&](const auto& it) { return it.first == reference.parts[0].identifier; });
    if (!is_iterator) {
      auto resolved = instance::lookup(model.tree, scope, reference, model.diagnostics);
      if (!resolved) return reported();
      if (resolved->kind == instance::ResolvedKind::builtin_type && resolved->type == instance::Type::boolean)
        return up_to(2, Basic::boolean, 0, nullptr);
      if (resolved->kind == instance::ResolvedKind::class_ && resolved->definition->ast->form == ast::ClassForm::enumeration)
        return up_to(static_cast<std::int64_t>(instance::literals_of(*resolved->definition).size()), Basic::enumeration, 1,
                     resolved->definition);
    }
  }
  auto range = expression(*iterator.range);
  if (range && range->basic == Basic::string) return wrong(unsupported, iterator.range->span, {"a loop over Strings"});
  if (range && range->dims.size() != 1)
    return wrong(expected_type, iterator.range->span, {"a vector to run over", type_text(*range)});
  return range;
}

Outcome<Typer::Iterated> Typer::iterate(const ast::Expr& body, ast::List<ast::Iterator> given) {
  Iterated result;
  Space outer = work.space;
  std::size_t named = iterators.size();
  bool empty = false;
  Outcome<Done> ranges = Done{};
  for (std::size_t k = given.size(); k-- > 0 && ranges;) {  // the last iterator is the outermost dimension
    auto range = range_of(given[k], {&body});
    if (!range) {
      ranges = range.failure();
      break;
    }
    result.axes.push_back(nodes().new_axis());
    result.ranges.push_back(range);
    result.sizes.push_back(range->dims[0]);
    empty |= range->dims[0] == 0;
    Node axis = *nodes().axis(result.axes.back(), given[k].span, range->basic);
    axis.definition = range->definition;
    iterators.emplace_back(given[k].name, nodes().add(std::move(axis)));
  }
  for (std::size_t k = 0; k < result.axes.size() && ranges && !empty; ++k) {
    if (is_run_time_size(result.sizes[k])) continue;  // the loop that is written for it gives the values
    auto values = range_values(*result.ranges[k]);
    if (values) work.space = extend_each(work.space, result.axes[k], std::move(*values));
    else ranges = values.failure();
  }
  std::optional<Typed> made;
  if (ranges && !empty) made = expression(body);
  iterators.resize(named);
  work.space = std::move(outer);
  if (!ranges) return ranges.failure();
  if (made && *made) result.body = *made;
  if (!made || *made) return result;
  if (!made->failure().is(Again::How::split)) return made->failure();
  if (auto done = unroll(body, result, given); !done) return done.failure();
  return result;
}

Outcome<Done> Typer::unroll(const ast::Expr& body, Iterated& into, ast::List<ast::Iterator> given) {
  std::size_t named = iterators.size();
  if (has_run_time_size(into.sizes)) return wrong(not_known_at_compile_time, body.span, {"the number of terms"});
  for (std::int64_t t = 0; t < size_of(into.sizes); ++t) {
    std::vector<std::int64_t> at = indices_at(into.sizes, t);
    for (std::size_t k = 0; k < into.sizes.size(); ++k)
      iterators.emplace_back(given[given.size() - 1 - k].name, nodes().element(into.ranges[k], {at[k]}));
    auto element = expression(body);
    iterators.resize(named);
    if (!element) return element.failure();
    into.unrolled.push_back(element);
  }
  return Done{};
}

Typed Typer::comprehension(const ast::Expr& body, ast::List<ast::Iterator> given, Span span) {
  auto iterated = iterate(body, given);
  if (!iterated) return iterated.failure();
  if (iterated->body) return nodes().comprehension(iterated->body, iterated->axes, iterated->ranges, iterated->sizes, span);
  if (size_of(iterated->sizes) == 0) return nodes().table({}, iterated->sizes, Basic::real, span);
  std::vector<const Node*> elements = iterated->unrolled;
  for (std::size_t d = iterated->sizes.size(); d-- > 0;) {
    std::vector<const Node*> outer;
    auto width = static_cast<std::size_t>(iterated->sizes[d]);
    for (std::size_t k = 0; k < elements.size(); k += width) {
      std::vector<const Node*> part(elements.begin() + static_cast<std::ptrdiff_t>(k),
                                    elements.begin() + static_cast<std::ptrdiff_t>(k + width));
      for (const Node* e : part)
        if (auto same = check_same_dims(part[0], e, "comprehension", span); !same) return same.failure();
      outer.push_back(nodes().array(part, span));
    }
    elements = std::move(outer);
  }
  return elements[0];
}

Typed Typer::fold(std::string_view name, const Node* operand, Span span) {
  if (is_operator_record(*operand)) {
    if (auto sized = sized_now(*operand); !sized) return sized.failure();
    std::vector<const Node*> terms;
    for (std::int64_t e = 0; e < size_of(operand->dims); ++e)
      terms.push_back(nodes().element(operand, indices_at(operand->dims, e)));
    return folded_record(name, terms, *operand, span);
  }
  bool ordered = name == "min" || name == "max";
  if (!is_numeric(operand->basic) && !(ordered && operand->basic != Basic::record && operand->basic != Basic::string))
    return wrong(operand_type, operand->span, {name, "numeric", type_text(*operand)});
  if (name == "sum") return sum_of(operand, Op::add, span);
  if (name == "product") return sum_of(operand, Op::mul, span);
  return sum_of(operand, name == "min" ? Op::min : Op::max, span);
}

Typed Typer::reduction(std::string_view name, const ast::Expr& expr) {
  const ast::Expr& body = *expr.arguments->positional[0];
  bool squares = name == "sumsq";
  auto iterated = iterate(body, expr.arguments->iterators);
  if (!iterated) return iterated.failure();
  const Node* record = iterated->body ? iterated->body : iterated->unrolled.empty() ? nullptr : iterated->unrolled[0];
  if (record && is_operator_record(*record)) {
    auto all = comprehension(body, expr.arguments->iterators, expr.span);
    return all ? fold(name, all, expr.span) : all;
  }
  Op op = name == "product" ? Op::mul : name == "min" ? Op::min : name == "max" ? Op::max : Op::add;
  auto squared = [&](const Node* x) {
    return squares ? nodes().apply(Op::pow, {x, nodes().number(2, Basic::integer, expr.span)}, Basic::real, expr.span) : x;
  };
  if (iterated->body == nullptr && iterated->unrolled.empty())
    return nodes().number(op == Op::mul ? 1 : 0, Basic::integer, expr.span);
  if (iterated->body && iterated->body->dims.empty()) {
    if (!is_numeric(iterated->body->basic) && op != Op::min && op != Op::max)
      return wrong(operand_type, body.span, {name, "numeric", type_text(*iterated->body)});
    return nodes().reduce(op, squared(iterated->body), iterated->axes, iterated->ranges, iterated->sizes, expr.span);
  }
  if (iterated->body) {  // sum of arrays: element-wise
    if (op != Op::add) return wrong(operand_type, body.span, {name, "scalar", type_text(*iterated->body)});
    return generate(iterated->body->dims, expr.span, [&](const std::vector<const Node*>& at) {
      return nodes().reduce(op, squared(nodes().index(iterated->body, at, expr.span)), iterated->axes, iterated->ranges,
                            iterated->sizes, expr.span);
    });
  }
  const Node* result = nullptr;
  for (const Node* term : iterated->unrolled) {
    if (result)
      if (auto same = check_same_dims(result, term, "reduction", expr.span); !same) return same.failure();
    result = result ? nodes().apply(op, {result, squared(term)}, term->basic, expr.span) : squared(term);
  }
  return result;
}

}  // namespace bolza::flatten
