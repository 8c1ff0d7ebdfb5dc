// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "compiler/instance/instance.h"

/// Modifications on their way to the elements they are for.
namespace bolza::instance {

/// One argument of a modification, as seen by the class whose elements its name part `part` speaks of.
struct Mod {
  const ast::Argument* argument = nullptr;
  std::uint32_t part = 0;
  Scope scope;
  std::vector<ArrayLevel> levels;
  bool each = false;
  bool final_ = false;
  bool from_outside = false;      ///< written at a component, not at an extends clause or a short class
  bool parallel = false;          ///< from another way to the same base: neither stronger nor weaker
  bool class_attribute = false;   ///< from `optimization C(objective = …)`: never for an ordinary component
  std::string_view name() const;  ///< of the element it is about at this level
  Span span() const;
  bool redeclares() const {
    return argument->kind == ast::ArgumentKind::redeclaration || argument->kind == ast::ArgumentKind::replaceable;
  }
};

/// Outermost (strongest) first. Mods are added after the others, and keep the names they are about.
class Environment : public std::vector<Mod> {
 public:
  using std::vector<Mod>::vector;
  /// Positions of all that are about the name. Cost: those, and once what was added since the last call.
  std::span<const std::uint32_t> about(std::string_view name) const;

 private:
  struct Index {
    std::unordered_map<std::string_view, std::vector<std::uint32_t>> positions;
    std::size_t done = 0;
    Index() = default;
    Index(const Index&) {}  // a copy is made to be added to, and looked into by few names
    Index& operator=(const Index&) {
      positions.clear();
      done = 0;
      return *this;
    }
  };
  mutable Index index_;
};

/// A value that an element was given.
struct GivenValue {
  ScopedExpr value;
  bool breaks = false;
  std::size_t order = 0;  ///< position among the mods that hit; smaller is further out
};

/// What an environment says about one element.
struct Selection {
  Environment mods;                ///< all that speak of the element or its inside, `part` still at the element
  std::vector<GivenValue> values;  ///< outermost first
  std::vector<const Mod*> hits;
  std::vector<const Mod*> redeclarations;  ///< those of the hits that redeclare it, outermost first
};

/// The arguments of a modification as mods, at the end of `out`.
/// @param levels     array dimensions between the scope's instance and the container of the modified elements, the container
/// last
/// @param container  whether the last level is the container itself, so that `each` takes it away
void enter(const ast::Modification* modification, const Scope& scope, const std::vector<ArrayLevel>& levels, bool container,
           bool final_, bool from_outside, Environment& out);

/// All that is said about the element `name`. A redeclaration of a component counts with the modification it carries; one of
/// a class without (there it is a step of the type chain).
/// @param class_attribute  the element is a class attribute, else mods from class attribute lists are passed over
Selection select(const Environment& environment, std::string_view name, bool class_attribute);

/// What the selection says about the inside of the element, which is a container with the given own level (count 0: a
/// scalar).
void inside(const Selection& selection, ArrayLevel own, Environment& out);

/// The name that a redeclaration is about.
std::string_view redeclared_name(const ast::Argument& argument);
/// The modification of an argument: its own, or that of the component it declares; null when there is none.
const ast::Modification* modification_of(const ast::Argument& argument);

/// E211 where one list gives a value twice; checks nested lists too.
bool check_single_modification(const ast::Modification* modification, Diagnostics& diagnostics);

}  // namespace bolza::instance
