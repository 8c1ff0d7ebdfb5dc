// SPDX-License-Identifier: Apache-2.0
// Arrays of components whose elements differ in sizes or conditions. That they do is found while the tree is made, which is
// made once more then, with these arrays taken apart: for each element there is a component of its own.
#include <algorithm>

#include "compiler/instance/build_internal.h"
#include "compiler/instance/evaluate.h"
#include "compiler/instance/library/codes.h"

namespace bolza::instance {
namespace {

using Store = InstanceTree::Store;

/// More elements than this are not taken apart.
constexpr std::int64_t most_elements = 10'000;

template <class T>
const T* kept(Store& store, const T& value) {
  return new (store.arena.allocate(sizeof(T), alignof(T))) T(value);
}

/// Literals of one number, which stand for all elements where an array is expected.
bool is_scalar_literal(const ast::Expr& expr) {
  switch (expr.kind) {
    case ast::ExprKind::integer_literal:
    case ast::ExprKind::real_literal:
    case ast::ExprKind::string_literal:
    case ast::ExprKind::boolean_literal:
      return true;
    case ast::ExprKind::unary:
      return is_scalar_literal(*expr.operands[0]);
    default:
      return false;
  }
}

ast::Subscript literal(Store& store, std::int64_t index, Span span) {
  ast::Expr expr;
  expr.kind = ast::ExprKind::integer_literal;
  expr.integer = index;
  expr.number = static_cast<double>(index);
  expr.span = span;
  return {kept(store, expr), span};
}

/// expr[subscripts]; of an array that is written out, the entry itself.
const ast::Expr* part_of(Store& store, const ast::Expr* expr, std::vector<ast::Subscript> subscripts) {
  while (!subscripts.empty() && subscripts.back().whole()) subscripts.pop_back();
  while (!subscripts.empty() && !subscripts[0].whole() && expr->kind == ast::ExprKind::array) {
    auto k = static_cast<std::size_t>(subscripts[0].index->integer);
    if (k > expr->operands.size()) break;
    expr = expr->operands[k - 1];
    subscripts.erase(subscripts.begin());
  }
  if (subscripts.empty()) return expr;
  bool names_array = expr->kind == ast::ExprKind::name && expr->reference->simple();
  auto* list = static_cast<ast::Subscript*>(
      store.arena.allocate(subscripts.size() * sizeof(ast::Subscript), alignof(ast::Subscript)));
  std::uninitialized_copy(subscripts.begin(), subscripts.end(), list);
  if (names_array) {  // which may be one that is taken apart itself
    ast::NamePart part = expr->reference->parts[0];
    part.subscripts = {list, subscripts.size()};
    ast::Reference reference = *expr->reference;
    reference.parts = {kept(store, part), 1};
    ast::Expr made = *expr;
    made.reference = kept(store, reference);
    return kept(store, made);
  }
  auto* operand = static_cast<const ast::Expr**>(store.arena.allocate(sizeof(expr), alignof(const ast::Expr*)));
  *operand = expr;
  ast::Expr made;
  made.kind = ast::ExprKind::subscripted;
  made.span = expr->span;
  made.operands = {operand, 1};
  made.subscripts = {list, subscripts.size()};
  return kept(store, made);
}

}  // namespace

std::string key_of(const Instance& array) {
  const Instance* root = &array;
  while (root->parent) root = root->parent;
  std::string key = (root->definition ? full_name(*root->definition) : "") + ":";
  int inside = 0;  // indices of elements around it do not count: those of one array are alike
  for (char c : path_of(array)) {
    inside += c == '[';
    if (inside == 0) key += c;
    inside -= c == ']';
  }
  return key;
}

void note_ragged(InstanceTree& tree, const ScopedExpr& value, const Instance& target, const Diagnostics& d) {
  // the outermost array whose elements get parts of it
  const Instance& owner = !value.levels.empty() ? *value.levels.front().instance : value.whole ? *value.whole : target;
  if (owner.rank() == 0 || owner.type != Type::none || d.all().empty()) return;
  const Code* code = d.all().back().code;
  bool written_out = value.expr->kind == ast::ExprKind::array;
  bool mismatch = code == &codes::type_mismatch || code == &codes::size_mismatch;
  if (code != &codes::ragged_array && !(written_out && mismatch)) return;
  Store& store = tree.store();
  store.last_differing = {key_of(owner)};
  if (&d == store.told) store.found_nonuniform.insert(key_of(owner));
}

ScopedExpr of_element(InstanceTree& tree, ScopedExpr value, std::span<const std::int64_t> own) {
  Store& store = tree.store();
  if (!value.expr) return value;
  std::vector<ast::Subscript> subscripts;
  bool chosen = !own.empty();
  for (const ArrayLevel& level : value.levels) {
    chosen = chosen || !level.at.empty();
    for (std::size_t d = 0; d < level.count; ++d)
      subscripts.push_back(level.at.empty() ? ast::Subscript{nullptr, value.expr->span}
                                            : literal(store, level.at[d], value.expr->span));
  }
  if (!chosen) return value;
  for (std::int64_t index : own) subscripts.push_back(literal(store, index, value.expr->span));
  std::erase_if(value.levels, [](const ArrayLevel& level) { return !level.at.empty(); });
  if (!is_scalar_literal(*value.expr)) value.expr = part_of(store, value.expr, std::move(subscripts));
  return value;
}

Result<Done> make_elements(InstanceTree& tree, const Instance& array, Diagnostics& d) {
  Store& store = tree.store();
  if (!array.is_nonuniform || !array.elements.empty()) return Done{};
  if (!decide_dimensions(tree, array, d)) return d.already_reported();
  std::int64_t count = 1;
  std::vector<std::int64_t> sizes;
  for (const Dimension& dimension : array.dimensions) {
    sizes.push_back(dimension.size);
    count *= dimension.size;
  }
  bool known = std::all_of(sizes.begin(), sizes.end(), [](std::int64_t n) { return n >= 0; });
  if (!known) return d.error(codes::unknown_size, array.span, {path_of(array)});
  if (count > most_elements)
    return d.error(codes::too_long, array.span, {path_of(array), std::to_string(most_elements) + " different elements"});
  const Entry entry = store.nonuniform_entries.at(&array);
  std::vector<const Instance*> elements;
  std::vector<std::int64_t> at(sizes.size(), 1);
  for (std::int64_t k = 0; k < count; ++k) {
    std::string name(array.name);
    for (std::size_t i = 0; i < at.size(); ++i) name += (i ? "," : "[") + std::to_string(at[i]);
    ElementOf element{&array, at, store.element_names.emplace_back(name + "]")};
    auto made = make_element(tree, Store::edit(*array.parent), entry, element, d);
    if (!made) return d.already_reported();
    elements.push_back(*made);
    store.array_of.emplace(*made, &array);
    for (std::size_t i = at.size(); i-- > 0;) {
      if (++at[i] <= sizes[i]) break;
      at[i] = 1;
    }
  }
  Store::edit(array).elements = std::move(elements);
  return Done{};
}

}  // namespace bolza::instance
