// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "compiler/instance/build/fields_internal.h"
#include "compiler/instance/build_internal.h"
#include "compiler/instance/library/codes.h"

namespace bolza::instance {

namespace {

using Names = std::span<const std::string_view>;

// alphabetical, as Instance::attributes promises
constexpr std::array<std::string_view, 13> of_real{"displayUnit", "fixed",     "free",     "initialGuess", "max",
                                                   "min",         "nominal",   "quantity", "selectable",   "start",
                                                   "stateSelect", "unbounded", "unit"};
constexpr std::array<std::string_view, 7> of_integer{"fixed", "free", "initialGuess", "max", "min", "quantity", "start"};
constexpr std::array<std::string_view, 4> of_boolean{"fixed", "free", "quantity", "start"};
constexpr std::array<std::string_view, 3> of_string{"fixed", "quantity", "start"};
constexpr std::array<std::string_view, 5> of_enumeration{"fixed", "max", "min", "quantity", "start"};

Names attribute_names(Type type) {
  switch (type) {
    case Type::real:
      return of_real;
    case Type::integer:
      return of_integer;
    case Type::boolean:
      return of_boolean;
    case Type::string:
      return of_string;
    case Type::enumeration:
      return of_enumeration;
    case Type::clock:
    case Type::none:
      return {};
  }
  return {};
}

bool refuse_modifier(const Instance& instance, const Mod& mod, Names names, Diagnostics& d) {
  if (mod.argument->kind != ast::ArgumentKind::modification) {
    d.error(codes::not_supported, mod.argument->span, {"redeclaration inside `" + path_of(instance) + "`"});
    return false;
  }
  std::vector<std::string> candidates(names.begin(), names.end());
  d.error(codes::no_such_element, mod.span(), {describe(instance), "attribute", mod.name()},
          did_you_mean(mod.name(), candidates));
  return false;
}

}  // namespace

bool set_attributes(InstanceTree& tree, Instance& instance, const Environment& environment, Diagnostics& d) {
  Names names = attribute_names(instance.type);
  bool good = true;
  for (const Mod& mod : environment) {
    if (instance.domain && mod.name() == "domain") continue;
    bool known = mod.argument->kind == ast::ArgumentKind::modification && mod.part + 1 == mod.argument->name->parts.size() &&
                 std::find(names.begin(), names.end(), mod.name()) != names.end();
    if (!known) good = refuse_modifier(instance, mod, names, d);
  }
  for (std::string_view name : names) {
    Selection selection = select(environment, name, false);
    if (selection.hits.empty()) continue;
    good = check_final(selection, path_of(instance) + "." + std::string(name), d) && good;
    if (selection.values.empty() || selection.values.front().breaks) continue;
    instance.attributes.push_back({name, of_element(tree, selection.values.front().value, {})});
  }
  if (instance.domain) spread_over_domain(tree, instance);
  return good;
}

namespace {

struct ClassAttributeRow {
  ClassAttribute attribute;
  std::string_view name;
  Type type;
  Variability variability;
};
constexpr std::array class_attribute_rows{
    ClassAttributeRow{ClassAttribute::objective, "objective", Type::real, Variability::continuous},
    ClassAttributeRow{ClassAttribute::objective_integrand, "objectiveIntegrand", Type::real, Variability::continuous},
    ClassAttributeRow{ClassAttribute::start_time, "startTime", Type::real, Variability::parameter},
    ClassAttributeRow{ClassAttribute::final_time, "finalTime", Type::real, Variability::parameter},
    ClassAttributeRow{ClassAttribute::static_, "static", Type::boolean, Variability::parameter},
};

}  // namespace

bool names_class_attribute(std::string_view name) {
  return std::ranges::any_of(class_attribute_rows, [&](const ClassAttributeRow& row) { return row.name == name; });
}

void make_class_attributes(InstanceTree& tree, Instance& root, const Environment& environment, Diagnostics& d) {
  for (const ClassAttributeRow& row : class_attribute_rows) {
    // an ordinary component of that name is what a plain modification speaks of
    bool hidden = root.child(row.name) != nullptr;
    Environment mine = environment;
    if (hidden) std::erase_if(mine, [](const Mod& mod) { return !mod.class_attribute; });
    Selection selection = select(mine, row.name, true);
    check_final(selection, row.name, d);
    Instance& c = tree.store().make();
    c.name = row.name;
    c.parent = &root;
    c.declared_in = root.definition;
    c.span = root.definition->ast->name_span;
    c.type = row.type;
    c.class_kind = ast::ClassKind::type;
    c.variability = row.variability;
    c.class_attribute = row.attribute;
    if (!selection.values.empty() && !selection.values.front().breaks) c.binding = selection.values.front().value;
    if (!selection.hits.empty()) c.span = selection.hits.front()->span();
    Environment attributes;
    inside(selection, {}, attributes);
    set_attributes(tree, c, attributes, d);
    root.children.push_back(&c);
  }
}

}  // namespace bolza::instance
