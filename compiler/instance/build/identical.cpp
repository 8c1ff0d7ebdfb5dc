// SPDX-License-Identifier: Apache-2.0
#include "compiler/instance/build/identical_internal.h"

#include <algorithm>
#include <map>
#include <vector>

#include "compiler/syntax/print.h"

namespace bolza::instance {

namespace {

bool expr(const ast::Expr* a, const ast::Expr* b) { return a == b || (a && b && syntax::print(*a) == syntax::print(*b)); }

bool dimensions(ast::List<ast::Subscript> a, ast::List<ast::Subscript> b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](const auto& x, const auto& y) { return expr(x.index, y.index); });
}

/// What is said about an element and its inside: texts by path, the strongest of each.
class Said {
 public:
  void add(const ast::Modification* modification, const std::string& path) {
    if (!modification) return;
    if (modification->value) texts_.emplace(path, syntax::print(*modification->value));
    if (modification->breaks) texts_.emplace(path, "break");
    for (const ast::Argument* argument : modification->arguments) add(*argument, 0, path);
  }

  /// @param part  the first part of the argument's name that is not in `path`
  void add(const ast::Argument& argument, std::size_t part, std::string path) {
    if (argument.kind != ast::ArgumentKind::modification) {
      path += "." + std::string(redeclared_name(argument));
      redeclared_.push_back(argument.element);
    } else {
      for (; part < argument.name->parts.size(); ++part) path += "." + std::string(argument.name->parts[part].identifier);
    }
    if (argument.final_) texts_.emplace(path + " final", "");
    if (argument.each) texts_.emplace(path + " each", "");
    add(modification_of(argument), path);
  }

  friend bool operator==(const Said&, const Said&) = default;

 private:
  std::map<std::string, std::string> texts_;
  std::vector<const ast::Element*> redeclared_;  ///< the same only when it is the same text
};

bool contains(const Environment& environment, const Mod& mod) {
  return std::any_of(environment.begin(), environment.end(),
                     [&](const Mod& m) { return m.argument == mod.argument && m.scope.instance == mod.scope.instance; });
}

/// About the entry's element, without what the environment of the other entry says as well.
Said said_about(const Entry& entry, const Environment& other) {
  Said said;
  for (const Mod& mod : *entry.environment) {
    if (mod.name() != entry.component->name || contains(other, mod)) continue;
    if (mod.redeclares()) said.add(*mod.argument, 0, "");
    else said.add(*mod.argument, mod.part, "");
  }
  said.add(entry.component->modification, "." + std::string(entry.component->name));
  return said;
}

}  // namespace

bool is_identical(const Entry& one, const Entry& other) {
  const ast::Component &a = *one.component, &b = *other.component;
  return syntax::print(*a.type) == syntax::print(*b.type) && a.variability == b.variability && a.causality == b.causality &&
         a.connection == b.connection && a.prefixes.final_ == b.prefixes.final_ && expr(a.condition, b.condition) &&
         dimensions(a.dimensions, b.dimensions) && dimensions(a.type_dimensions, b.type_dimensions) &&
         said_about(one, *other.environment) == said_about(other, *one.environment);
}

}  // namespace bolza::instance
