// SPDX-License-Identifier: Apache-2.0
#include "compiler/instance/environment_internal.h"

#include <map>

#include "compiler/instance/library/codes.h"

namespace bolza::instance {

std::string_view redeclared_name(const ast::Argument& argument) {
  if (!argument.element) return {};
  if (argument.element->class_) return argument.element->class_->name;
  return argument.element->component ? argument.element->component->name : std::string_view{};
}

const ast::Modification* modification_of(const ast::Argument& argument) {
  if (argument.kind == ast::ArgumentKind::modification) return argument.modification;
  return argument.element && argument.element->component ? argument.element->component->modification : nullptr;
}

std::string_view Mod::name() const {
  if (argument->kind == ast::ArgumentKind::modification) return argument->name->parts[part].identifier;
  return redeclared_name(*argument);
}

Span Mod::span() const {
  return argument->kind == ast::ArgumentKind::modification ? argument->name->parts[part].span : argument->span;
}

void enter(const ast::Modification* modification, const Scope& scope, const std::vector<ArrayLevel>& levels, bool container,
           bool final_, bool from_outside, Environment& out) {
  if (!modification) return;
  for (const ast::Argument* argument : modification->arguments) {
    Mod mod{.argument = argument,
            .scope = scope,
            .levels = levels,
            .final_ = final_ || argument->final_,
            .from_outside = from_outside};
    if (argument->each) {
      mod.each = true;
      if (container) mod.levels.pop_back();
      else mod.levels.clear();  // `each` one level too deep, a common slip: it can only mean the arrays around
    }
    out.push_back(std::move(mod));
  }
}

namespace {

bool names_last_part(const Mod& mod) { return mod.redeclares() || mod.part + 1 == mod.argument->name->parts.size(); }

void add_value(const Mod& mod, std::size_t order, Selection& selection) {
  const ast::Modification* modification = modification_of(*mod.argument);
  if (!modification || (!modification->value && !modification->breaks)) return;
  GivenValue given{.breaks = modification->breaks, .order = order};
  given.value = {.expr = modification->value,
                 .scope = mod.scope,
                 .levels = mod.levels,
                 .each = mod.each,
                 .final_ = mod.final_,
                 .span = mod.argument->span};
  selection.values.push_back(std::move(given));
}

}  // namespace

std::span<const std::uint32_t> Environment::about(std::string_view name) const {
  if (index_.done > size()) index_ = {};
  for (; index_.done < size(); ++index_.done)
    index_.positions[(*this)[index_.done].name()].push_back(static_cast<std::uint32_t>(index_.done));
  auto found = index_.positions.find(name);
  return found == index_.positions.end() ? std::span<const std::uint32_t>() : found->second;
}

Selection select(const Environment& environment, std::string_view name, bool class_attribute) {
  constexpr std::size_t few = 32;  // are read through faster than an index is made
  Selection selection;
  auto consider = [&](std::size_t i) {
    const Mod& mod = environment[i];
    bool skip = (mod.class_attribute && !class_attribute) || mod.argument->kind == ast::ArgumentKind::break_component ||
                mod.argument->kind == ast::ArgumentKind::break_connect;
    if (skip || mod.name() != name) return;
    selection.hits.push_back(&mod);
    if (mod.redeclares()) selection.redeclarations.push_back(&mod);
    if (names_last_part(mod)) add_value(mod, i, selection);
    selection.mods.push_back(mod);
  };
  if (environment.size() <= few)
    for (std::size_t i = 0; i < environment.size(); ++i) consider(i);
  else
    for (std::uint32_t i : environment.about(name)) consider(i);
  return selection;
}

void inside(const Selection& selection, ArrayLevel own, Environment& out) {
  for (const Mod& mod : selection.mods) {
    std::vector<ArrayLevel> levels = mod.levels;
    if (own.count > 0) levels.push_back(own);
    if (names_last_part(mod)) {
      enter(modification_of(*mod.argument), mod.scope, levels, own.count > 0, mod.final_, true, out);
      continue;
    }
    out.push_back(mod);
    Mod& next = out.back();
    ++next.part;
    next.levels = std::move(levels);
    next.from_outside = true;
    next.class_attribute = false;
  }
}

namespace {

struct Given {
  std::map<std::string, Span> values;

  bool add(const ast::Modification* modification, const std::string& prefix, Diagnostics& d) {
    bool good = true;
    for (const ast::Argument* argument : modification->arguments) {
      std::string path = prefix;
      if (argument->kind == ast::ArgumentKind::modification) {
        for (const ast::NamePart& part : argument->name->parts) {
          path += (path.empty() ? "" : ".") + std::string(part.identifier);
          if (!part.subscripts.empty()) return refuse_element(*argument, prefix, path, d);
        }
        if (!argument->modification) continue;
        if (argument->modification->value) good = put(path, *argument, argument->name->span, d) && good;
        good = add(argument->modification, path, d) && good;
      } else if (argument->element) {
        good =
            put(path + (path.empty() ? "" : ".") + std::string(redeclared_name(*argument)), *argument, argument->span, d) &&
            good;
      }
    }
    return good;
  }

  /// The remedy names what is modified in the end: `tank.h` of `tank[2].h = 3`, and of `tank[2](h = 3)`.
  bool refuse_element(const ast::Argument& argument, const std::string& prefix, const std::string& array, Diagnostics& d) {
    std::string whole = prefix;
    for (const ast::NamePart& part : argument.name->parts)
      whole += (whole.empty() ? "" : ".") + std::string(part.identifier);
    const ast::Modification* inside = argument.modification;
    while (inside && !inside->value && inside->arguments.size() == 1 && inside->arguments[0]->name) {
      for (const ast::NamePart& part : inside->arguments[0]->name->parts) whole += "." + std::string(part.identifier);
      inside = inside->arguments[0]->modification;
    }
    d.error(codes::element_modified, argument.name->span, {array + "[…]"},
            {{{}, "all elements together: `" + whole + "` with an array of values"}});
    return false;
  }

  bool put(const std::string& path, const ast::Argument&, Span span, Diagnostics& d) {
    auto [it, fresh] = values.emplace(path, span);
    if (!fresh) d.error(codes::modified_twice, span, {path}, {{it->second, "first modified here"}});
    return fresh;
  }
};

}  // namespace

bool check_single_modification(const ast::Modification* modification, Diagnostics& diagnostics) {
  return !modification || modification->arguments.empty() || Given{}.add(modification, "", diagnostics);
}

}  // namespace bolza::instance
