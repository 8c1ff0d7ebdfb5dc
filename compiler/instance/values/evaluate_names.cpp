// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "compiler/instance/build_internal.h"
#include "compiler/instance/library/codes.h"
#include "compiler/instance/values/evaluator_internal.h"
#include "compiler/syntax/print.h"

/// Values of names: iterators, local variables of functions, constants and parameters.
namespace bolza::instance {

using Store = InstanceTree::Store;

namespace {

std::size_t count_dimensions(const Instance* instance) {
  std::size_t count = 0;
  for (; instance; instance = instance->parent) count += instance->rank();
  return count;
}

std::vector<std::int64_t> own_dimensions(const Instance& instance) {
  std::vector<std::int64_t> out;
  for (const Dimension& dimension : instance.dimensions) out.push_back(dimension.size);
  return out;
}

/// Calls `visit` with every index tuple of the given dimensions, last fastest; stops at false.
template <class Visit>
bool each_index(std::span<const std::int64_t> dimensions, Visit visit) {
  std::int64_t count = 1;
  for (std::int64_t n : dimensions) count *= n;
  std::vector<std::int64_t> at(dimensions.size(), 1);
  for (std::int64_t k = 0; k < count; ++k) {
    if (!visit(at)) return false;
    for (std::size_t i = at.size(); i-- > 0;) {
      if (++at[i] <= dimensions[i]) break;
      at[i] = 1;
    }
  }
  return true;
}

/// The element at `at`, where a 0 asks for what all elements along that dimension have in common; empty when they differ.
std::optional<Value> common_element(const Value& array, std::span<const std::int64_t> at) {
  std::vector<std::int64_t> open;
  for (std::size_t k = 0; k < at.size(); ++k) {
    if (at[k] == 0) open.push_back(array.dimensions[k]);
  }
  if (open.empty()) return element(array, at);
  if (std::find(open.begin(), open.end(), 0) != open.end()) {
    Value none = filled(array.kind == ValueKind::record ? ValueKind::real : array.kind,
                        {array.dimensions.begin() + static_cast<std::ptrdiff_t>(at.size()), array.dimensions.end()});
    none.definition = array.definition;
    return none;
  }
  std::optional<Value> common;
  bool same = each_index(open, [&](const std::vector<std::int64_t>& chosen) {
    std::vector<std::int64_t> full(at.begin(), at.end());
    std::size_t next = 0;
    for (std::int64_t& i : full) {
      if (i == 0) i = chosen[next++];
    }
    Value v = element(array, full);
    if (!common) common = v;
    return equal(*common, v);
  });
  if (!same) return std::nullopt;
  return common;
}

bool in_range(const Value& array, std::span<const std::int64_t> at) {
  if (array.dimensions.size() < at.size()) return false;
  for (std::size_t k = 0; k < at.size(); ++k) {
    if (at[k] > array.dimensions[k]) return false;
  }
  return true;
}

}  // namespace

Result<Value> Evaluator::rest_of(const Value& from, ast::List<ast::NamePart> parts, const ast::NamePart& first) {
  Value at;
  if (!first.subscripts.empty()) {
    auto chosen = selectors(first.subscripts, from.dimensions, first.identifier);
    if (!chosen) return d_.already_reported();
    at = select_part(from, *chosen);
  } else {
    at = from;
  }
  for (const ast::NamePart& part : parts) {
    const Value* field = at.field(part.identifier);
    if (!field) return d_.error(codes::unknown_name, part.span, {part.identifier, "a value of type " + type_name(at)});
    std::size_t outer = at.dimensions.size();
    Value next = *field;
    if (!part.subscripts.empty()) {
      std::span<const std::int64_t> own = std::span(next.dimensions).subspan(outer);
      auto chosen = selectors(part.subscripts, own, part.identifier);
      if (!chosen) return d_.already_reported();
      std::vector<Selector> all;
      for (std::size_t k = 0; k < outer; ++k) {
        Selector& whole = all.emplace_back();
        for (std::int64_t i = 1; i <= next.dimensions[k]; ++i) whole.indices.push_back(i);
      }
      all.insert(all.end(), chosen->begin(), chosen->end());
      next = select_part(next, all);
    }
    at = std::move(next);
  }
  return at;
}

Result<Value> Evaluator::name(const ast::Expr& expr) {
  const ast::Reference& reference = *expr.reference;
  if (!reference.global) {
    for (std::size_t i = iterators.size(); i-- > 0;) {
      if (iterators[i].name == reference.parts[0].identifier) {
        return rest_of(iterators[i].value, reference.parts.subspan(1), reference.parts[0]);
      }
    }
  }
  auto resolved = lookup(tree_, scope_, reference, d_);
  if (!resolved) return d_.already_reported();
  std::string text = syntax::print(reference);
  switch (resolved->kind) {
    case ResolvedKind::component: {
      if (goes_through_nonuniform(*resolved)) {
        auto led = elements_in(*resolved);
        return led ? gathered(*led, expr.span) : d_.already_reported();
      }
      const Instance& first = *resolved->path[0].instance;
      if (frame && first.parent == frame->function) {
        if (frame->arguments.contains(&first)) return part(expr, {});
        auto v = local(first, expr.span);
        if (!v) return d_.already_reported();
        return rest_of(**v, reference.parts.subspan(1), reference.parts[0]);
      }
      return path(*resolved, expr.span);
    }
    case ResolvedKind::enumeration_literal:
      return enumeration_value(*resolved->definition, resolved->literal);
    case ResolvedKind::time:
      return d_.error(codes::depends_on_variable, expr.span, {text, "changes with time"});
    case ResolvedKind::class_:
    case ResolvedKind::builtin_type:
    case ResolvedKind::builtin_function:
      return d_.error(codes::depends_on_variable, expr.span, {text, "is a class, not a value"});
  }
  return d_.error(codes::not_supported, expr.span, {text});
}

Result<Value> Evaluator::path(const Resolved& resolved, Span span) {
  if (resolved.removed) {
    return d_.error(codes::depends_on_variable, span,
                    {path_of(resolved.component()), "belongs to a conditional component that is not there"});
  }
  std::vector<std::int64_t> prefix(count_dimensions(resolved.path[0].instance->parent), 0);
  for (std::size_t i = 0; i < std::min(prefix.size(), indices.size()); ++i) prefix[i] = indices[i];
  // the components before the last: which of their elements are meant
  std::vector<Selector> chosen;
  std::vector<std::int64_t> counts, result_dimensions;
  for (std::size_t p = 0; p + 1 < resolved.path.size(); ++p) {
    const Instance& instance = *resolved.path[p].instance;
    auto sized = decide_dimensions(tree_, instance, d_);
    if (!sized) return d_.already_reported();
    std::vector<std::int64_t> own = own_dimensions(instance);
    auto some = selectors(resolved.path[p].subscripts, own, instance.name);
    if (!some) return d_.already_reported();
    for (std::size_t k = 0; k < own.size(); ++k) {
      if (k >= some->size()) {
        Selector& whole = some->emplace_back();
        for (std::int64_t i = 1; i <= own[k]; ++i) whole.indices.push_back(i);
      }
      counts.push_back(static_cast<std::int64_t>((*some)[k].indices.size()));
      if (!(*some)[k].scalar) result_dimensions.push_back(counts.back());
      chosen.push_back(std::move((*some)[k]));
    }
  }
  const PathPart& last = resolved.path.back();
  std::vector<Value> elements;
  std::optional<Reported> failure;
  each_index(counts, [&](const std::vector<std::int64_t>& at) {
    std::vector<std::int64_t> full = prefix;
    for (std::size_t k = 0; k < at.size(); ++k) full.push_back(chosen[k].indices[static_cast<std::size_t>(at[k] - 1)]);
    auto v = component(*last.instance, full, span);
    auto some = v ? selectors(last.subscripts, (*v)->dimensions, last.instance->name)
                  : Result<std::vector<Selector>>(d_.already_reported());
    if (!some) {
      failure = d_.already_reported();
      return false;
    }
    elements.push_back(select_part(**v, *some));
    return true;
  });
  if (failure) return *failure;
  if (result_dimensions.empty() && elements.size() == 1) return std::move(elements[0]);
  return stack(std::move(elements), result_dimensions);
}

/// Whether it is a field of a record that is an input of a function, or of one that a constructor makes: what it is declared
/// with holds where the call gives nothing else only.
static bool comes_with_call(const Instance& c) {
  if (c.variability == Variability::constant || c.is_final || !c.parent) return false;
  const Instance* top = &c;
  while (top->parent->parent) top = top->parent;
  ast::ClassKind kind = top->parent->class_kind;
  bool in_input = kind == ast::ClassKind::function && top->causality == ast::Causality::input && top != &c;
  return in_input || kind == ast::ClassKind::record;
}

/// Whether a String is what it is declared with: those of models do not change, those of functions may.
static bool keeps_text(const Instance& c) {
  const Instance* top = &c;
  while (top->parent && top->parent->parent) top = top->parent;
  const Instance* function = top->parent;
  if (!function || function->class_kind != ast::ClassKind::function) return true;
  return top->causality != ast::Causality::input && keeps_declared_value(*function, c);
}

Result<const Value*> Evaluator::component(const Instance& c, std::span<const std::int64_t> at, Span used_at) {
  Store& store = tree_.store();
  std::vector<std::int64_t> full(count_dimensions(c.parent), 0);
  for (std::size_t i = 0; i < std::min(full.size(), at.size()); ++i) full[i] = at[i];
  auto key = std::pair<const void*, std::vector<std::int64_t>>(&c, full);
  if (auto it = store.values.find(key); it != store.values.end()) return &it->second;
  if (budget_.depth >= EvaluationBudget::deep && full.empty()) evaluate_ahead(c);
  if (comes_with_call(c)) {
    return d_.error(codes::depends_on_variable, used_at, {path_of(c), "is what the call says"}, {{c.span, "declared here"}});
  }
  if (std::find(store.evaluating.begin(), store.evaluating.end(), &c) != store.evaluating.end()) {
    std::vector<Note> notes;
    for (const Instance* on_the_way : store.evaluating) {
      if (on_the_way != &c && on_the_way->span)
        notes.push_back({on_the_way->span, "by way of `" + path_of(*on_the_way) + "`"});
    }
    return d_.error(codes::depends_on_itself, c.span ? c.span : used_at, {path_of(c)}, std::move(notes));
  }
  auto sized = decide_dimensions(tree_, c, d_);
  if (!sized) return d_.already_reported();
  if (c.is_nonuniform) return all_elements(c, std::move(key), used_at);
  store.evaluating.push_back(&c);
  auto value = c.type == Type::none ? record_component(c, full, used_at) : predefined_component(c, full, used_at);
  store.evaluating.pop_back();
  if (!value) return d_.already_reported();
  return &store.values.emplace(std::move(key), std::move(*value)).first->second;
}

Result<bool> Evaluator::is_free(const Instance& c) {
  for (std::string_view name : {"free", "fixed"}) {
    const ScopedExpr* given = c.attribute(name);
    if (!given) continue;
    auto value = try_evaluate(tree_, *given);
    bool expected = name == "free";
    if (!value || value->kind != ValueKind::boolean) continue;
    for (double b : value->numbers) {
      if ((b != 0.0) == expected) return true;
    }
  }
  return false;
}

Result<Value> Evaluator::predefined_component(const Instance& c, std::span<const std::int64_t> at, Span used_at) {
  std::string text = path_of(c);
  bool changes = c.type == Type::string && !keeps_text(c);
  bool is_text = c.type == Type::string && c.binding;
  if (changes || (c.variability > Variability::parameter && !is_text)) {
    return d_.error(codes::depends_on_variable, used_at, {text, "is a variable"}, {{c.span, "declared here"}});
  }
  auto free = is_free(c);
  if (free && *free) return d_.error(codes::free_parameter, used_at, {text}, {{c.span, "declared here"}});
  if (c.binding) return given(c.binding, c, at, used_at);
  switch (c.class_attribute) {
    case ClassAttribute::start_time:
      return real_value(0.0);
    case ClassAttribute::final_time:
      return real_value(1.0);
    case ClassAttribute::static_:
      return boolean_value(false);
    case ClassAttribute::none:
    case ClassAttribute::objective:
    case ClassAttribute::objective_integrand:
      break;
  }
  const ScopedExpr* start = c.variability == Variability::parameter ? c.attribute("start") : nullptr;
  if (!start) return d_.error(codes::no_value, used_at, {text}, {{c.span, "declared here"}});
  d_.warning(codes::start_as_value, c.span, {text});
  auto value = evaluate(tree_, *start, d_);
  if (!value) return value;
  std::vector<std::int64_t> own = own_dimensions(c);
  if (value->scalar() && !own.empty()) {
    std::int64_t count = 1;
    for (std::int64_t n : own) count *= n;
    return fitted(stack(std::vector<Value>(static_cast<std::size_t>(count), *value), own), c, start->span);
  }
  return fitted(std::move(*value), c, start->span);
}

Result<Value> Evaluator::record_component(const Instance& c, std::span<const std::int64_t> at, Span used_at) {
  if (c.binding) return given(c.binding, c, at, used_at);
  if (c.class_kind == ast::ClassKind::model || c.class_kind == ast::ClassKind::block) {
    return d_.error(codes::depends_on_variable, used_at, {path_of(c), "is a component with equations, not a value"});
  }
  auto expanded = expand(tree_, c, d_);
  if (!expanded) return d_.already_reported();
  std::vector<std::int64_t> own = own_dimensions(c);
  std::vector<Value> elements;
  std::optional<Reported> failure;
  each_index(own, [&](const std::vector<std::int64_t>& mine) {
    std::vector<std::int64_t> full(at.begin(), at.end());
    full.insert(full.end(), mine.begin(), mine.end());
    Value record{.kind = ValueKind::record, .definition = c.definition};
    for (const Instance* child : c.children) {
      auto array = tree_.store().array_of.find(child);
      if (array != tree_.store().array_of.end()) {  // the elements of one array are one field
        if (child != array->second->elements.front()) continue;
        child = array->second;
      }
      auto v = component(*child, full, used_at);
      if (!v) {
        failure = d_.already_reported();
        return false;
      }
      record.fields.emplace_back(std::string(child->name), **v);
    }
    elements.push_back(std::move(record));
    return true;
  });
  if (failure) return *failure;
  if (own.empty()) return std::move(elements[0]);
  return stack(std::move(elements), own);
}

/// Notes the arrays between whose elements a value differs: they may be taken apart.
void Evaluator::note_differing(const Value& all, std::span<const std::int64_t> which, const ScopedExpr& g) {
  std::vector<const Instance*> owners;
  for (const ArrayLevel& level : g.levels) owners.insert(owners.end(), level.count, level.instance);
  if (g.whole) owners.insert(owners.end(), g.whole->rank(), g.whole);
  Store& store = tree_.store();
  store.last_differing.clear();
  for (std::size_t k = 0; k < std::min(which.size(), owners.size()); ++k) {
    if (which[k] != 0) continue;
    std::vector<std::int64_t> others;  // the elements along the other open dimensions, one after the other
    for (std::size_t j = 0; j < which.size(); ++j)
      if (which[j] == 0 && j != k) others.push_back(all.dimensions[j]);
    bool same = each_index(others, [&](const std::vector<std::int64_t>& chosen) {
      std::vector<std::int64_t> here(which.begin(), which.end());
      std::size_t next = 0;
      for (std::size_t j = 0; j < here.size(); ++j)
        if (here[j] == 0 && j != k) here[j] = chosen[next++];
      return common_element(all, here).has_value();
    });
    if (!same) store.last_differing.insert(key_of(*owners[k]));
  }
  if (&d_ == store.told) store.found_nonuniform.insert(store.last_differing.begin(), store.last_differing.end());
}

Result<Value> Evaluator::given(const ScopedExpr& g, const Instance& target, std::span<const std::int64_t> at, Span used_at) {
  Store& store = tree_.store();
  const ScopedExpr& origin = g.whole ? g.whole->binding : g;
  if (g.whole && !store.values.contains({&origin, {}}))
    if (auto field = part_of_given(g, target)) return fitted(std::move(*field), target, g.span);
  std::vector<std::int64_t> prefix(count_dimensions(g.scope.instance), 0);
  for (std::size_t i = 0; i < std::min(prefix.size(), at.size()); ++i) prefix[i] = at[i];
  auto key = std::pair<const void*, std::vector<std::int64_t>>(&origin, prefix);
  if (!store.values.contains(key)) {
    Evaluator there(tree_, g.scope, d_, budget_);
    there.indices = prefix;
    auto v = there.value(*g.expr);
    if (!v) note_ragged(tree_, g, target, d_);
    if (!v) return v;
    store.values.emplace(key, std::move(*v));
  }
  const Value& all = store.values.at(key);
  std::vector<std::int64_t> which;
  auto take = [&](const Instance& instance, std::size_t first, std::size_t count) {
    std::size_t from = count_dimensions(instance.parent) + first;
    for (std::size_t k = 0; k < count; ++k) which.push_back(from + k < at.size() ? at[from + k] : 0);
  };
  for (const ArrayLevel& level : g.levels) take(*level.instance, level.first, level.count);
  if (g.whole) take(*g.whole, 0, g.whole->rank());
  if (g.each && all.dimensions.size() == target.rank()) which.clear();
  if (!in_range(all, which)) {
    std::vector<std::int64_t> needed;
    for (const ArrayLevel& level : g.levels) {
      for (std::uint32_t k = 0; k < level.count; ++k) needed.push_back(level.instance->dimensions[level.first + k].size);
    }
    for (const Dimension& dimension : target.dimensions) needed.push_back(dimension.size);
    return d_.error(codes::size_mismatch, g.span,
                    {"the value of `" + path_of(target) + "`", dimensions_text(all.dimensions), dimensions_text(needed)});
  }
  std::optional<Value> value = common_element(all, which);
  if (!value) {
    note_differing(all, which, g);
    return d_.error(codes::differs_between_elements, used_at, {path_of(target)}, {{g.span, "given here"}});
  }
  if (g.whole) {
    std::vector<const Instance*> way;
    for (const Instance* i = &target; i != g.whole; i = i->parent) way.push_back(i);
    for (std::size_t i = way.size(); i-- > 0;) {
      const Value* field = value->field(way[i]->name);
      if (!field) return d_.error(codes::unknown_name, g.span, {way[i]->name, "a value of type " + type_name(*value)});
      Value next = *field;
      if (i > 0 && way[i]->rank() > 0) {
        which.clear();
        take(*way[i], 0, way[i]->rank());
        if (!in_range(next, which))
          return d_.error(codes::size_mismatch, g.span,
                          {"`" + path_of(*way[i]) + "`", dimensions_text(next.dimensions), "others"});
        std::optional<Value> chosen = common_element(next, which);
        if (!chosen) return d_.error(codes::differs_between_elements, used_at, {path_of(target)}, {{g.span, "given here"}});
        next = std::move(*chosen);
      }
      value = std::move(next);
    }
  }
  return fitted(std::move(*value), target, g.span);
}

bool Evaluator::fits_record(const Value& value, const Instance& target) {
  if (value.kind != ValueKind::record || !expand(tree_, target, d_)) return false;
  for (const Instance* child : target.children) {
    const Value* field = value.field(child->name);
    if (!field || field->dimensions.size() != value.dimensions.size() + child->rank()) return false;
  }
  return true;
}

Result<Value> Evaluator::fitted(Value value, const Instance& target, Span at) {
  std::vector<std::int64_t> own = own_dimensions(target);
  bool sizes = own.size() == value.dimensions.size();
  for (std::size_t k = 0; sizes && k < own.size(); ++k) sizes = own[k] < 0 || own[k] == value.dimensions[k];
  if (!sizes) {
    return d_.error(codes::size_mismatch, at,
                    {"the value of `" + path_of(target) + "`", dimensions_text(value.dimensions), dimensions_text(own)});
  }
  auto is = [&](ValueKind kind) { return value.kind == kind || (value.size() == 0 && value.kind != ValueKind::record); };
  bool kinds = true;
  ValueKind wanted = value.kind;
  switch (target.type) {
    case Type::none:
      kinds = fits_record(value, target);
      break;
    case Type::real:
      kinds = is(wanted = ValueKind::real) || is(ValueKind::integer);
      break;
    case Type::integer:
      kinds = is(wanted = ValueKind::integer);
      break;
    case Type::boolean:
    case Type::clock:
      kinds = is(wanted = ValueKind::boolean);
      break;
    case Type::string:
      kinds = is(wanted = ValueKind::string);
      break;
    case Type::enumeration:
      kinds = is(wanted = ValueKind::enumeration);
      break;
  }
  if (!kinds)
    return d_.error(codes::type_mismatch, at,
                    {describe(target) + " `" + path_of(target) + "`", "a value of type " + type_name(value)});
  value.kind = wanted;
  return value;
}

}  // namespace bolza::instance
