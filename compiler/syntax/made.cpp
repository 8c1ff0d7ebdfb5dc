// SPDX-License-Identifier: Apache-2.0
#include "compiler/syntax/made.h"

#include <algorithm>

namespace bolza::syntax {

using ast::Expr;
using ast::ExprKind;

Expr& Maker::make(ExprKind kind) {
  Expr e;
  e.kind = kind;
  e.span = span_;
  return copy(e);
}

std::string_view Maker::keep(const std::string& text) {
  ast::List<char> kept = list(std::vector<char>(text.begin(), text.end()));
  return {kept.data(), kept.size()};
}

const Expr* Maker::integer(std::int64_t value) {
  Expr& e = make(ExprKind::integer_literal);
  e.integer = value;
  e.number = static_cast<double>(value);
  e.text = keep(std::to_string(value));
  return &e;
}

const Expr* Maker::real(double value) {
  Expr& e = make(ExprKind::real_literal);
  e.number = value;
  e.text = keep(std::to_string(value));
  return &e;
}

const Expr* Maker::name(std::string_view identifier) {
  ast::Reference reference;
  reference.parts = list(std::vector{ast::NamePart{identifier, span_, {}}});
  reference.span = span_;
  return name(copy(reference));
}

const Expr* Maker::name(const ast::Reference& reference) {
  Expr& e = make(ExprKind::name);
  e.reference = &reference;
  return &e;
}

const Expr* Maker::call(std::string_view function, const std::vector<const Expr*>& given) {
  Expr& e = make(ExprKind::call);
  ast::Reference reference;
  reference.span = span_;
  reference.global = function.starts_with('.');
  std::vector<ast::NamePart> parts;
  for (std::size_t begin = reference.global ? 1 : 0; begin <= function.size();) {
    std::size_t end = std::min(function.find('.', begin), function.size());
    parts.push_back({function.substr(begin, end - begin), span_, {}});
    begin = end + 1;
  }
  reference.parts = list(parts);
  e.reference = &copy(reference);
  ast::Arguments arguments;
  arguments.positional = list(given);
  arguments.span = span_;
  e.arguments = &copy(arguments);
  return &e;
}

const Expr* Maker::chain(ast::Operator op, const Expr* a, const Expr* b) {
  bool additive = op == ast::Operator::add || op == ast::Operator::subtract;
  Expr& e = make(additive ? ExprKind::additive : ExprKind::multiplicative);
  e.operands = list(std::vector{a, b});
  e.operators = list(std::vector{op});
  return &e;
}

const Expr* Maker::negate(const Expr* a) {
  Expr& e = make(ExprKind::unary);
  e.op = ast::Operator::subtract;
  e.operands = list(std::vector{a});
  return &e;
}

const Expr* Maker::square(const Expr* a) {
  Expr& e = make(ExprKind::power);
  e.op = ast::Operator::power;
  e.operands = list(std::vector{a, integer(2)});
  return &e;
}

const Expr* Maker::relation(ast::Operator op, const Expr* a, const Expr* b) {
  Expr& e = make(ExprKind::relation);
  e.op = op;
  e.operands = list(std::vector{a, b});
  return &e;
}

const Expr* Maker::choose(const Expr* condition, const Expr* yes, const Expr* no) {
  Expr& e = make(ExprKind::if_);
  e.operands = list(std::vector{condition, yes, no});
  return &e;
}

const Expr* Maker::range(const Expr* first, const Expr* last) {
  Expr& e = make(ExprKind::range);
  e.operands = list(std::vector{first, last});
  return &e;
}

const Expr* Maker::comprehension(const Expr* body, std::string_view iterator, const Expr* over) {
  Expr& e = make(ExprKind::comprehension);
  e.operands = list(std::vector{body});
  e.iterators = list(std::vector{ast::Iterator{iterator, span_, over}});
  return &e;
}

const Expr* Maker::subscripted(const Expr* base, const std::vector<ast::Subscript>& subscripts) {
  Expr& e = make(ExprKind::subscripted);
  e.operands = list(std::vector{base});
  e.subscripts = list(subscripts);
  return &e;
}

const ast::Reference* Maker::with_subscripts(const ast::Reference& reference,
                                             const std::vector<ast::Subscript>& subscripts) {
  std::vector<ast::NamePart> parts(reference.parts.begin(), reference.parts.end());
  parts.back().subscripts = list(subscripts);
  ast::Reference& made = copy(reference);
  made.parts = list(parts);
  return &made;
}

const ast::Reference* Maker::member(const ast::Reference& reference, std::string_view identifier) {
  std::vector<ast::NamePart> parts(reference.parts.begin(), reference.parts.end());
  parts.push_back({identifier, reference.span, {}});
  ast::Reference& made = copy(reference);
  made.parts = list(parts);
  return &made;
}

const ast::Reference* Maker::sibling(const ast::Reference& reference, std::string_view identifier) {
  std::vector<ast::NamePart> parts(reference.parts.begin(), reference.parts.end());
  parts.back() = {identifier, parts.back().span, {}};
  ast::Reference& made = copy(reference);
  made.parts = list(parts);
  return &made;
}

// ---------------------------------------------------------------- rewriting

namespace {

class Rewriter {
 public:
  Rewriter(Maker& maker, const Replace& replace) : maker_(maker), replace_(replace) {}

  const Expr* operator()(const Expr& e) {
    bool is_iterator = e.kind == ExprKind::name && !e.reference->global && bound(e.reference->parts[0].identifier);
    if (!is_iterator)
      if (const Expr* other = replace_(e)) return other;
    std::size_t outer = bound_.size();
    for (const ast::Iterator& i : e.iterators) bound_.push_back(i.name);
    if (e.arguments)
      for (const ast::Iterator& i : e.arguments->iterators) bound_.push_back(i.name);
    Expr made = e;
    bool any = inside(e, made);
    bound_.resize(outer);
    return any ? &maker_.copy(made) : &e;
  }

 private:
  bool bound(std::string_view name) const { return std::ranges::find(bound_, name) != bound_.end(); }

  bool inside(const Expr& e, Expr& made) {
    bool any = expressions(e.operands, made.operands);
    std::vector<ast::List<const Expr*>> rows(e.rows.begin(), e.rows.end());
    bool any_row = false;
    for (ast::List<const Expr*>& row : rows) any_row |= expressions(row, row);
    if (any_row) made.rows = maker_.list(rows);
    any |= any_row;
    any |= iterators(e.iterators, made.iterators);
    any |= subscripts(e.subscripts, made.subscripts);
    if (e.reference) any |= reference(*e.reference, made.reference);
    if (e.arguments) any |= arguments(*e.arguments, made.arguments);
    return any;
  }

  bool expressions(ast::List<const Expr*> from, ast::List<const Expr*>& to) {
    std::vector<const Expr*> all(from.begin(), from.end());
    bool any = false;
    for (const Expr*& e : all) any |= exchange(e);
    if (any) to = maker_.list(all);
    return any;
  }

  bool exchange(const Expr*& e) {
    if (e == nullptr) return false;
    const Expr* other = (*this)(*e);
    bool changed = other != e;
    e = other;
    return changed;
  }

  bool iterators(ast::List<ast::Iterator> from, ast::List<ast::Iterator>& to) {
    std::vector<ast::Iterator> all(from.begin(), from.end());
    bool any = false;
    for (ast::Iterator& i : all) any |= exchange(i.range);
    if (any) to = maker_.list(all);
    return any;
  }

  bool subscripts(ast::List<ast::Subscript> from, ast::List<ast::Subscript>& to) {
    std::vector<ast::Subscript> all(from.begin(), from.end());
    bool any = false;
    for (ast::Subscript& s : all) any |= exchange(s.index);
    if (any) to = maker_.list(all);
    return any;
  }

  bool reference(const ast::Reference& from, const ast::Reference*& to) {
    std::vector<ast::NamePart> parts(from.parts.begin(), from.parts.end());
    bool any = false;
    for (ast::NamePart& part : parts) any |= subscripts(part.subscripts, part.subscripts);
    if (!any) return false;
    ast::Reference& made = maker_.copy(from);
    made.parts = maker_.list(parts);
    to = &made;
    return true;
  }

  bool arguments(const ast::Arguments& from, const ast::Arguments*& to) {
    ast::Arguments made = from;
    bool any = expressions(from.positional, made.positional);
    std::vector<ast::NamedArgument> named(from.named.begin(), from.named.end());
    bool any_named = false;
    for (ast::NamedArgument& n : named) any_named |= exchange(n.value);
    if (any_named) made.named = maker_.list(named);
    any |= any_named;
    any |= iterators(from.iterators, made.iterators);
    if (any) to = &maker_.copy(made);
    return any;
  }

  Maker& maker_;
  const Replace& replace_;
  std::vector<std::string_view> bound_;
};

}  // namespace

const Expr* rewritten(Maker& maker, const Expr& expr, const Replace& replace) { return Rewriter(maker, replace)(expr); }

void visit(const Expr& expr, const std::function<bool(const Expr&)>& goes_on) {
  if (!goes_on(expr)) return;
  auto inside = [&](const Expr* e) {
    if (e != nullptr) visit(*e, goes_on);
  };
  for (const Expr* e : expr.operands) inside(e);
  for (const auto& row : expr.rows)
    for (const Expr* e : row) inside(e);
  for (const ast::Iterator& i : expr.iterators) inside(i.range);
  for (const ast::Subscript& s : expr.subscripts) inside(s.index);
  if (expr.reference)
    for (const ast::NamePart& part : expr.reference->parts)
      for (const ast::Subscript& s : part.subscripts) inside(s.index);
  if (!expr.arguments) return;
  for (const Expr* e : expr.arguments->positional) inside(e);
  for (const ast::NamedArgument& n : expr.arguments->named) inside(n.value);
  for (const ast::Iterator& i : expr.arguments->iterators) inside(i.range);
}

}  // namespace bolza::syntax
