// SPDX-License-Identifier: Apache-2.0
// What the local variables of a function that is run begin with.
#include <algorithm>
#include <limits>

#include "base/expects.h"
#include "compiler/instance/build_internal.h"
#include "compiler/instance/library/codes.h"
#include "compiler/instance/values/evaluator_internal.h"
#include "compiler/syntax/print.h"

namespace bolza::instance {

Frame* Evaluator::frame_of(const Scope& scope) const {
  Frame* there = frame;
  while (there->around && scope.instance != there->function) there = there->around;
  return there;
}

Result<const Value*> Evaluator::local(const Instance& variable, Span span) {
  if (auto it = frame->locals.find(&variable); it != frame->locals.end()) return &it->second;
  if (++budget_.depth > EvaluationBudget::most_depth)
    return d_.error(codes::depends_on_itself, variable.span, {variable.name});
  auto value = first_value(variable, span);
  --budget_.depth;
  if (!value) return d_.already_reported();
  Value& place = frame->locals[&variable];
  place = std::move(*value);
  return &place;
}

/// A local that begins with what has no value yet, x - 2 with x to be assigned, has none either; reading it says so.
Result<Done> Evaluator::begin(const Instance& variable, Span span) {
  Diagnostics unheard;
  Evaluator trial(tree_, scope_of(*frame->function), unheard, budget_);
  trial.frame = frame;
  auto depth = budget_.depth;
  if (trial.local(variable, span)) return Done{};
  budget_.depth = depth;
  if (!unheard.all().empty() && unheard.all().back().code == &codes::undefined_result) return Done{};
  if (!local(variable, span)) return d_.already_reported();
  return Done{};
}

Result<std::vector<std::int64_t>> Evaluator::declared_sizes(const Instance& variable) {
  std::vector<std::int64_t> sizes;
  for (const Dimension& dimension : variable.dimensions) {
    sizes.push_back(dimension.size);
    if (dimension.size >= 0 || !dimension.expr) continue;
    Evaluator inside(tree_, dimension.scope, d_, budget_);
    inside.frame = frame_of(dimension.scope);
    auto n = inside.scalar(*dimension.expr, ValueKind::integer, "a size");
    if (!n) return d_.already_reported();
    if (n->number() != n->number())  // an argument of which only the dimensions are known
      return d_.error(codes::depends_on_variable, dimension.expr->span,
                      {syntax::print(*dimension.expr), "depends on a value that is not known"});
    sizes.back() = n->integer();
    if (n->integer() < 0) return d_.error(codes::bad_dimension, dimension.expr->span, {"`" + print(*n) + "`"});
  }
  return sizes;
}

Result<Value> Evaluator::first_value(const Instance& variable, Span span) {
  auto sizes = declared_sizes(variable);
  if (!sizes) return d_.already_reported();
  double elements = variable.type == Type::none ? 100.0 : 1.0;
  for (std::int64_t& size : *sizes) {
    if (size < 0 && !variable.binding) size = 0;
    elements *= static_cast<double>(size);
  }
  if (elements > 1e7) return d_.error(codes::too_long, variable.span, {variable.name, "10 million elements"});
  if (variable.binding) {
    auto value = declared_value(variable);
    if (!value) return value;
    for (std::size_t k = 0; k < std::min(sizes->size(), value->dimensions.size()); ++k) {
      if ((*sizes)[k] < 0 || (*sizes)[k] == value->dimensions[k]) continue;
      return d_.error(
          codes::size_mismatch, variable.binding.span,
          {"the value of `" + path_of(variable) + "`", dimensions_text(value->dimensions), dimensions_text(*sizes)});
    }
    return fitted(std::move(*value), variable, variable.binding.span);
  }
  if (variable.type == Type::none) return first_record(variable, *sizes, span);
  bool is_number = variable.type == Type::real && variable.rank() == 0;  // of arrays some elements may never be set
  double unset = is_number ? std::numeric_limits<double>::quiet_NaN() : variable.type == Type::enumeration ? 1.0 : 0.0;
  Value out = filled(kind_of(variable.type), std::move(*sizes), unset);
  out.definition = variable.enumeration;
  return out;
}

/// The value that a declaration or a modification gives: the part of it for this element of the records around.
Result<Value> Evaluator::declared_value(const Instance& variable) {
  const ScopedExpr& given = variable.binding;
  Frame* there = frame_of(given.scope);
  Evaluator inside(tree_, given.scope, d_, budget_);
  inside.frame = there;
  if (given.levels.empty()) return inside.value(*given.expr);
  auto known = there->modifications.find(given.expr);
  if (known == there->modifications.end()) {
    auto value = inside.value(*given.expr);
    if (!value) return value;
    known = there->modifications.emplace(given.expr, std::move(*value)).first;
  }
  const Value& all = known->second;
  std::vector<std::int64_t> which;
  for (const ArrayLevel& level : given.levels) {
    const Frame* record = frame;
    while (record->around && record->function != level.instance) record = record->around;
    expects(record->function == level.instance, "an element of an array of records has its own frame");
    for (std::size_t d = 0; d < level.count; ++d) which.push_back(record->at.at(level.first + d));
  }
  bool inside_of_it = which.size() <= all.dimensions.size();
  for (std::size_t k = 0; inside_of_it && k < which.size(); ++k) inside_of_it = which[k] <= all.dimensions[k];
  if (inside_of_it) return element(all, which);
  return d_.error(codes::size_mismatch, given.span,
                  {"the value of `" + path_of(variable) + "`", dimensions_text(all.dimensions),
                   "one for each element of the array around"});
}

namespace {

/// Whether what a part of a record begins with is another thing for each element of the array.
bool differs_between(const Instance& array, const Instance& part) {
  for (const ArrayLevel& level : part.binding.levels)
    if (level.instance == &array) return true;
  return std::any_of(part.children.begin(), part.children.end(),
                     [&](const Instance* child) { return differs_between(array, *child); });
}

}  // namespace

/// A record whose fields begin with what declarations and modifications say; an array of such ones.
Result<Value> Evaluator::first_record(const Instance& variable, const std::vector<std::int64_t>& sizes, Span span) {
  std::int64_t count = 1;
  for (std::int64_t n : sizes) count *= n;
  bool differs = count > 1 && differs_between(variable, variable);
  std::vector<Value> elements;
  std::vector<std::int64_t> at(sizes.size(), 1);
  for (std::int64_t k = 0; k < (differs ? count : 1); ++k) {
    Frame fields{.function = &variable, .locals = {}, .around = frame, .at = at, .modifications = {}, .arguments = {}};
    Evaluator record(tree_, scope_of(variable), d_, budget_);
    record.frame = &fields;
    Value out{.kind = ValueKind::record, .definition = variable.definition};
    for (const Instance* child : variable.children) {
      auto v = record.local(*child, span);
      if (!v) return d_.already_reported();
      out.fields.emplace_back(std::string(child->name), **v);
    }
    if (!elements.empty() && !stackable(elements.front(), out))
      return d_.error(codes::size_mismatch, variable.span,
                      {"an element of `" + path_of(variable) + "`", "other ones", "those of the first one"});
    elements.push_back(std::move(out));
    for (std::size_t i = at.size(); i-- > 0;) {
      if (++at[i] <= sizes[i]) break;
      at[i] = 1;
    }
  }
  if (sizes.empty()) return std::move(elements.front());
  if (!differs) elements.resize(static_cast<std::size_t>(count), Value(elements.front()));
  return stack(std::move(elements), sizes);
}

}  // namespace bolza::instance
