// SPDX-License-Identifier: Apache-2.0
#include "compiler/instance/instance.h"

#include <algorithm>

#include "compiler/instance/store_internal.h"

namespace bolza::instance {

const Instance* Instance::child(std::string_view wanted) const {
  const Instance* class_attribute_of_that_name = nullptr;
  std::size_t n = children.size(), from = next_child < n ? next_child : 0;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t at = from + k < n ? from + k : from + k - n;
    const Instance* c = children[at];
    if (c->name != wanted) continue;
    if (c->class_attribute == ClassAttribute::none) {
      next_child = at;
      return c;
    }
    class_attribute_of_that_name = c;
  }
  return class_attribute_of_that_name;
}

const ScopedExpr* Instance::attribute(std::string_view wanted) const {
  for (const GivenAttribute& a : attributes) {
    if (a.name == wanted) return &a.value;
  }
  return nullptr;
}

bool is_functional_input(const Instance& instance) {
  return instance.type == Type::none && instance.class_kind == ast::ClassKind::function && instance.parent != nullptr &&
         instance.parent->class_kind == ast::ClassKind::function && instance.causality == ast::Causality::input;
}

std::string path_of(const Instance& instance) {
  if (!instance.parent)
    return instance.class_kind == ast::ClassKind::package && instance.definition ? full_name(*instance.definition) : "";
  std::string outer = path_of(*instance.parent);
  return outer.empty() ? std::string(instance.name) : outer + "." + std::string(instance.name);
}

Scope scope_of(const Instance& instance) { return {&instance, instance.definition}; }

std::vector<std::int64_t> all_dimensions(const Instance& instance) {
  std::vector<std::int64_t> out;
  if (instance.parent) out = all_dimensions(*instance.parent);
  for (const Dimension& d : instance.dimensions) out.push_back(d.size);
  return out;
}

const ast::Argument* find_argument(const ast::Modification* modification, std::string_view name) {
  if (!modification) return nullptr;
  std::string_view first = name.substr(0, name.find('.'));
  for (const ast::Argument* argument : modification->arguments) {
    if (argument->kind != ast::ArgumentKind::modification || !argument->name) continue;
    if (argument->name->parts.size() != 1 || argument->name->parts[0].identifier != first) continue;
    if (first.size() == name.size()) return argument;
    if (const ast::Argument* inner = find_argument(argument->modification, name.substr(first.size() + 1))) return inner;
  }
  return nullptr;
}

const ast::Expr* find_value(const ast::Modification* modification, std::string_view name) {
  const ast::Argument* argument = find_argument(modification, name);
  return argument && argument->modification ? argument->modification->value : nullptr;
}

bool annotated(const Instance& instance, std::string_view name) {
  if (!instance.declaration) return false;
  const ast::Expr* value = find_value(instance.declaration->comment.annotation, name);
  return value && value->kind == ast::ExprKind::boolean_literal && value->boolean;
}

InstanceTree::InstanceTree(Library& library) : store_(std::make_unique<Store>()) { store_->library = &library; }
InstanceTree::~InstanceTree() = default;
InstanceTree::InstanceTree(InstanceTree&&) noexcept = default;
InstanceTree& InstanceTree::operator=(InstanceTree&&) noexcept = default;

const Instance& InstanceTree::root() const { return *store_->root; }
Library& InstanceTree::library() const { return *store_->library; }

}  // namespace bolza::instance
