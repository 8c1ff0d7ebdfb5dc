// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <map>
#include <memory_resource>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "compiler/foreign/shared_library.h"
#include "compiler/instance/environment_internal.h"
#include "compiler/instance/lookup.h"
#include "compiler/instance/value.h"

namespace bolza::instance {

/// A base of a class: an `extends` clause, or what a short class stands for.
struct Base {
  const ast::Extends* extends = nullptr;  ///< null for a short class
  const Definition* definition = nullptr;
  Type builtin = Type::none;
};

/// A class that an instance is made of: its own and all it extends.
struct InstanceBase {
  const Definition* definition = nullptr;
  const Instance* enclosing = nullptr;
  std::int32_t derived = -1;  ///< index of the class that extends it; -1 for the instance's own class
};

/// A declaration that makes a child, with what its class was modified by.
struct Entry {
  const ast::Component* component = nullptr;
  const Definition* lexical = nullptr;
  const Environment* environment = nullptr;
  bool protected_ = false;  ///< through a protected extends clause
};

struct NameIn {
  const void* place = nullptr;
  std::string_view name;
  friend bool operator==(const NameIn&, const NameIn&) = default;
};
struct NameInHash {
  std::size_t operator()(const NameIn& k) const noexcept {
    return std::hash<const void*>{}(k.place) * 31 + std::hash<std::string_view>{}(k.name);
  }
};

/// A class declared in the text of an instance, with what that text's class was modified by.
struct ClassEntry {
  const Definition* definition = nullptr;
  const Environment* environment = nullptr;
};

/// A class with modifications from the instance that has it. Its proxy is a Definition of its own with the same text.
struct ConfiguredClass {
  const Definition* definition = nullptr;  ///< never a proxy
  Environment stronger, weaker;            ///< than the modification that `definition` carries itself as a short class
};

/// What a first name means to a class that has no instance.
struct Named {
  const Definition* definition = nullptr;  ///< a class
  Type builtin = Type::none;
  const Definition* constant_of = nullptr;  ///< a constant: the package that has or inherits it
  std::string_view constant;                ///< its name there
  std::int64_t literal = 0;                 ///< the constant is this literal of the enumeration `constant_of`, from 1
  explicit operator bool() const { return definition || builtin != Type::none || constant_of; }
};

struct InstanceTree::Store {
  Library* library = nullptr;
  Instance* root = nullptr;
  bool explains_missing_base = false;                   ///< see lookup_failure.cpp
  std::size_t suggestions = 0;                          ///< how often "did you mean" was asked for
  std::unordered_set<const Definition*> has_all_bases;  ///< no base is missing: asked for names that are not found
  std::unordered_set<const Instance*> evaluated_ahead;  ///< begun by evaluate_ahead.cpp
  std::deque<Instance> instances;
  std::deque<Environment> environments;

  // classes
  std::unordered_map<const Definition*, std::vector<Base>> bases;
  std::unordered_set<const Definition*> bases_in_progress;
  std::unordered_map<NameIn, const Definition*, NameInHash> class_members;
  std::unordered_map<NameIn, Named, NameInHash> simple_names;
  std::unordered_map<const Definition*, std::unordered_map<std::string_view, const ast::Component*>> components;
  std::unordered_map<const Definition*, std::vector<const ast::Import*>> imports;
  std::unordered_map<const Definition*, std::unordered_map<std::string_view, const ast::Import*>>
      imported_names;  ///< the first import that offers each, but for those of all names of a package
  std::unordered_map<const Definition*, bool> is_predefined_type;
  std::unordered_set<const ast::Modification*> checked;
  std::unordered_set<const ast::Class*> texts_checked;
  std::deque<Definition> definitions;   ///< of redeclarations, and proxies
  std::deque<ast::Argument> arguments;  ///< redeclarations that stand in the text of a class
  std::deque<ast::Element> elements;
  std::map<std::pair<const ast::Class*, const Definition*>, const Definition*>
      redeclared;                                                     ///< by text and class it stands in
  std::unordered_map<const Definition*, ConfiguredClass> configured;  ///< by proxy
  std::unordered_map<const Definition*, bool> is_configured;
  std::unordered_map<const Definition*, const Instance*> around_texts;  ///< see `instance_around`
  std::map<std::pair<const Definition*, const Instance*>, Resolved>
      extended_classes;  ///< of a class extends in an instance: what it extends there

  // instances
  std::unordered_map<const Instance*, Environment> pending;  ///< not expanded yet
  std::unordered_map<const Instance*, std::vector<InstanceBase>> instance_bases;
  std::unordered_map<const Instance*, std::map<std::string_view, Entry>> package_entries;
  std::unordered_map<NameIn, const Instance*, NameInHash> child_index;
  std::unordered_map<NameIn, const Instance*, NameInHash>
      inner_index;  ///< `inner outer` components, which the child index does not lead to
  std::unordered_map<NameIn, ClassEntry, NameInHash> class_entries;
  std::unordered_map<NameIn, std::pair<const Definition*, const Instance*>, NameInHash> effective_classes;
  std::map<std::pair<const Definition*, const Instance*>, const Instance*> packages;
  std::map<std::pair<const Definition*, const Instance*>, const Instance*> functions;
  std::unordered_set<const Instance*> conditions_decided, sizing, deciding;
  std::unordered_set<const Instance*> completed;  ///< constants of packages
  // nonuniform arrays, see nonuniform_arrays.cpp
  std::set<std::string> nonuniform;                               ///< by root and path
  std::set<std::string> found_nonuniform, last_differing;         ///< those that were found meanwhile
  const Diagnostics* told = nullptr;                              ///< where what is found is reported, and not tried only
  std::unordered_map<const Instance*, Entry> nonuniform_entries;  ///< what makes their elements
  std::unordered_map<const Instance*, const Instance*> array_of;  ///< by element
  std::deque<std::string> element_names;
  std::pmr::monotonic_buffer_resource arena;           ///< of expressions that are made
  std::unordered_set<const Definition*> told_partial;  ///< packages, see lookup.cpp
  std::unordered_set<const Instance*> broken;          ///< reported already, no type
  std::vector<std::pair<const Instance*, ScopedExpr>>
      given_twice;  ///< fields with a value alongside that of the whole record

  // values
  std::map<std::pair<const void*, std::vector<std::int64_t>>, Value> values;
  std::vector<const Instance*> evaluating;
  std::map<std::pair<const Instance*, std::string>, foreign::FoundSymbol>
      foreign_symbols;  ///< of external functions: a function is looked for once, and called often

  Instance& make();
  /// Instances are const to everyone but the few functions that build them.
  static Instance& edit(const Instance& instance) { return const_cast<Instance&>(instance); }
};

}  // namespace bolza::instance
