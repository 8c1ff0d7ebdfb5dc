// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tuple>

#include "compiler/syntax/ast.h"

/// The members of every struct of the tree as tuples of references, for what treats all of them alike. A binding names every
/// member: a struct that gets one more does not compile until it stands here, too.
namespace bolza::syntax::ast {

inline auto fields(const Subscript& s) {
  const auto& [index, span] = s;
  return std::tie(index, span);
}
inline auto fields(const NamePart& n) {
  const auto& [identifier, span, subscripts] = n;
  return std::tie(identifier, span, subscripts);
}
inline auto fields(const Reference& r) {
  const auto& [global, parts, span] = r;
  return std::tie(global, parts, span);
}
inline auto fields(const Iterator& i) {
  const auto& [name, span, range] = i;
  return std::tie(name, span, range);
}
inline auto fields(const NamedArgument& n) {
  const auto& [name, name_span, value] = n;
  return std::tie(name, name_span, value);
}
inline auto fields(const Arguments& a) {
  const auto& [positional, named, iterators, span] = a;
  return std::tie(positional, named, iterators, span);
}
inline auto fields(const Expr& e) {
  const auto& [kind, op, boolean, parenthesised, span, integer, number, text, operands, operators, rows, iterators,
               subscripts, reference, arguments] = e;
  return std::tie(kind, op, boolean, parenthesised, span, integer, number, text, operands, operators, rows, iterators,
                  subscripts, reference, arguments);
}
inline auto fields(const Comment& c) {
  const auto& [description, annotation] = c;
  return std::tie(description, annotation);
}
inline auto fields(const Argument& a) {
  const auto& [kind, each, final_, span, name, modification, description, element, first, second] = a;
  return std::tie(kind, each, final_, span, name, modification, description, element, first, second);
}
inline auto fields(const Modification& m) {
  const auto& [arguments, value, breaks, assigned, span] = m;
  return std::tie(arguments, value, breaks, assigned, span);
}
inline auto fields(const Prefixes& p) {
  const auto& [protected_, redeclare, final_, inner, outer, replaceable, each] = p;
  return std::tie(protected_, redeclare, final_, inner, outer, replaceable, each);
}
inline auto fields(const ConstrainedBy& c) {
  const auto& [type, modification, comment, span] = c;
  return std::tie(type, modification, comment, span);
}
inline auto fields(const Component& c) {
  const auto& [prefixes, connection, variability, causality, field, type, type_dimensions, name, name_span, dimensions,
               modification, condition, constrained_by, comment, span, clause] = c;
  return std::tie(prefixes, connection, variability, causality, field, type, type_dimensions, name, name_span, dimensions,
                  modification, condition, constrained_by, comment, span, clause);
}
inline auto fields(const Import& i) {
  const auto& [kind, name, alias, members, comment, span] = i;
  return std::tie(kind, name, alias, members, comment, span);
}
inline auto fields(const Extends& e) {
  const auto& [type, modification, annotation, protected_, span] = e;
  return std::tie(type, modification, annotation, protected_, span);
}
inline auto fields(const Objective& o) {
  const auto& [maximize, name, name_span, expression, comment, span] = o;
  return std::tie(maximize, name, name_span, expression, comment, span);
}
inline auto fields(const Element& e) {
  const auto& [kind, import_, extends, class_, component, objective, span] = e;
  return std::tie(kind, import_, extends, class_, component, objective, span);
}
template <class Item>
auto fields(const Branch<Item>& b) {
  const auto& [condition, body, span] = b;
  return std::tie(condition, body, span);
}
inline auto fields(const Equation& e) {
  const auto& [kind, left, right, branches, iterators, body, domain, comment, span] = e;
  return std::tie(kind, left, right, branches, iterators, body, domain, comment, span);
}
inline auto fields(const Statement& s) {
  const auto& [kind, target, value, branches, iterators, body, comment, span] = s;
  return std::tie(kind, target, value, branches, iterators, body, comment, span);
}
inline auto fields(const Constraint& c) {
  const auto& [kind, name, operands, relations, branches, iterators, body, domain, comment, span] = c;
  return std::tie(kind, name, operands, relations, branches, iterators, body, domain, comment, span);
}
template <class Item>
auto fields(const Section<Item>& s) {
  const auto& [initial, items, span] = s;
  return std::tie(initial, items, span);
}
inline auto fields(const External& x) {
  const auto& [language, output, function, arguments, called, annotation, span] = x;
  return std::tie(language, output, function, arguments, called, annotation, span);
}
inline auto fields(const EnumerationLiteral& l) {
  const auto& [name, span, comment] = l;
  return std::tie(name, span, comment);
}
inline auto fields(const Class& c) {
  const auto& [kind, form, name, name_span, span, prefixes, encapsulated, partial, expandable, pure, impure, comment,
               constrained_by, attributes, elements, equations, algorithms, constraints, external, base, base_causality,
               base_dimensions, modification, with_respect_to, literals, open_enumeration] = c;
  return std::tie(kind, form, name, name_span, span, prefixes, encapsulated, partial, expandable, pure, impure, comment,
                  constrained_by, attributes, elements, equations, algorithms, constraints, external, base, base_causality,
                  base_dimensions, modification, with_respect_to, literals, open_enumeration);
}

}  // namespace bolza::syntax::ast
