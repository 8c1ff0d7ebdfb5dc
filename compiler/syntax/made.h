// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <initializer_list>
#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/syntax/ast.h"

namespace bolza::syntax {

/// Makes expressions that nobody wrote, in an arena that outlives them. Their place is the one given: where the text stands
/// that they are made for.
class Maker {
 public:
  Maker(std::pmr::memory_resource& arena, Span span) : arena_(&arena), span_(span) {}

  const ast::Expr* integer(std::int64_t value);
  const ast::Expr* real(double value);
  const ast::Expr* name(std::string_view identifier);
  const ast::Expr* name(const ast::Reference& reference);
  /// `f(arguments…)` with a name of one or more parts, `.A.f` where it begins with a dot.
  const ast::Expr* call(std::string_view function, const std::vector<const ast::Expr*>& arguments);
  const ast::Expr* add(const ast::Expr* a, const ast::Expr* b) { return chain(ast::Operator::add, a, b); }
  const ast::Expr* subtract(const ast::Expr* a, const ast::Expr* b) { return chain(ast::Operator::subtract, a, b); }
  const ast::Expr* multiply(const ast::Expr* a, const ast::Expr* b) { return chain(ast::Operator::multiply, a, b); }
  const ast::Expr* divide(const ast::Expr* a, const ast::Expr* b) { return chain(ast::Operator::divide, a, b); }
  const ast::Expr* scaled(double factor, const ast::Expr* a) { return factor == 1 ? a : multiply(real(factor), a); }
  const ast::Expr* negate(const ast::Expr* a);
  const ast::Expr* square(const ast::Expr* a);
  const ast::Expr* relation(ast::Operator op, const ast::Expr* a, const ast::Expr* b);
  const ast::Expr* choose(const ast::Expr* condition, const ast::Expr* yes, const ast::Expr* no);
  const ast::Expr* range(const ast::Expr* first, const ast::Expr* last);
  const ast::Expr* comprehension(const ast::Expr* body, std::string_view iterator, const ast::Expr* range);
  const ast::Expr* subscripted(const ast::Expr* base, const std::vector<ast::Subscript>& subscripts);
  /// The reference with subscripts at its last part, in place of its own.
  const ast::Reference* with_subscripts(const ast::Reference& reference, const std::vector<ast::Subscript>& subscripts);
  /// `a.b` from `a`.
  const ast::Reference* member(const ast::Reference& reference, std::string_view identifier);
  /// `a.c` from `a.b`, without subscripts at the last part.
  const ast::Reference* sibling(const ast::Reference& reference, std::string_view identifier);
  std::string_view keep(const std::string& text);

  template <class T>
  T& copy(const T& of) {
    return *std::pmr::polymorphic_allocator<>(arena_).new_object<T>(of);
  }
  template <class T>
  ast::List<T> list(const std::vector<T>& items) {
    if (items.empty()) return {};
    T* all = std::pmr::polymorphic_allocator<>(arena_).allocate_object<T>(items.size());
    std::uninitialized_copy(items.begin(), items.end(), all);
    return {all, items.size()};
  }

 private:
  ast::Expr& make(ast::ExprKind kind);
  const ast::Expr* chain(ast::Operator op, const ast::Expr* a, const ast::Expr* b);

  std::pmr::memory_resource* arena_;
  Span span_;
};

/// Gives what an expression is replaced by; null leaves it, and goes on inside of it.
using Replace = std::function<const ast::Expr*(const ast::Expr&)>;

/// An expression with parts replaced; names of iterators of its own are not asked for. What does not change is not copied.
/// Cost: linear in the length of the text.
const ast::Expr* rewritten(Maker& maker, const ast::Expr& expr, const Replace& replace);

/// Calls `visit` for the expression and all that it is made of, outermost first, as long as it answers that it goes on
/// inside.
void visit(const ast::Expr& expr, const std::function<bool(const ast::Expr&)>& goes_on);

}  // namespace bolza::syntax
