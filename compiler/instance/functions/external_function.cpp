// SPDX-License-Identifier: Apache-2.0
#include "compiler/instance/functions/external_function.h"

#include <algorithm>

#include "compiler/foreign/library_functions.h"
#include "compiler/foreign/shared_library.h"
#include "compiler/instance/evaluate.h"
#include "compiler/instance/library/codes.h"
#include "compiler/instance/library/folders_internal.h"
#include "compiler/instance/library/refusal_internal.h"
#include "compiler/instance/names/class_lookup_internal.h"

namespace bolza::instance {
namespace {

Reported refuse_foreign(const TrustRules& trust, const Instance& function, const std::string& what, Span used_at,
                        Diagnostics& d) {
  return refuse_untrusted(trust, full_name(*function.definition), what, used_at, d);
}

const Instance* component_named(const Instance& function, const ast::Expr& expr) {
  bool plain = expr.kind == ast::ExprKind::name && expr.reference->simple() && expr.reference->parts[0].subscripts.empty();
  return plain ? function.child(expr.reference->parts[0].identifier) : nullptr;
}

bool is_port(const Instance& child) {
  return child.causality == ast::Causality::input || child.causality == ast::Causality::output;
}

/// The texts of an annotation of the clause or the function: one, or a list.
std::vector<std::string> texts(InstanceTree& tree, const Instance& function, const char* name) {
  std::vector<const ast::Modification*> annotations{function.external->annotation};
  for (const ClassAnnotation& of_class : function.annotations) annotations.push_back(of_class.annotation);
  for (const ast::Modification* annotation : annotations) {
    const ast::Expr* value = annotation ? find_value(annotation, name) : nullptr;
    auto known = value ? try_evaluate(tree, *value, scope_of(function)) : std::nullopt;
    if (known && known->kind == ValueKind::string) return known->strings;
  }
  return {};
}

/// Those that the annotation names, else `below` the folders of the function and of its package, then these folders.
std::vector<std::string> directories(InstanceTree& tree, const Instance& function, const char* annotation,
                                     const std::string& below) {
  std::vector<std::string> result;
  for (const std::string& uri : texts(tree, function, annotation)) result.push_back(file_of(uri, tree.library()));
  if (function.definition == nullptr) return result;
  const Definition* top = function.definition;
  while (top->parent) top = top->parent;
  for (const Definition* at : {function.definition, top}) {
    std::string folder = folder_of(std::string(tree.sources().path(at->source)));
    result.push_back(folder + below);
    result.push_back(folder);
  }
  return result;
}

/// The C text of the function. `ModelicaUtilities.h` is found next to the C sources of the package Modelica.
foreign::CText text_of(InstanceTree& tree, const Instance& function) {
  foreign::CText out;
  for (const std::string& text : texts(tree, function, "Include")) out.text += text + "\n";
  if (out.text.empty()) return out;
  out.include_directories = directories(tree, function, "IncludeDirectory", "/Resources/Include");
  out.include_directories.push_back(file_of("modelica://Modelica/Resources/C-Sources", tree.library()));
  return out;
}

}  // namespace

ExternalClause clause_of(const Instance& function) {
  const ast::External& written = *function.external;
  ExternalClause clause;
  clause.function = written.function.empty() ? std::string(function.name) : std::string(written.function);
  clause.fortran = written.language.starts_with("FORTRAN");
  if (written.called) {
    if (written.output) clause.result = component_named(function, *written.output);
    for (const ast::Expr* e : written.arguments) clause.arguments.push_back({component_named(function, *e), e, 0});
    return clause;
  }
  auto is_output = [](const Instance* child) { return child->causality == ast::Causality::output; };
  bool one = std::count_if(function.children.begin(), function.children.end(), is_output) == 1;
  for (const Instance* child : function.children) {
    if (!is_port(*child)) continue;
    if (one && is_output(child) && child->rank() == 0) {
      clause.result = child;
      continue;
    }
    clause.arguments.push_back({child, nullptr, 0});
    for (std::size_t k = 1; k <= child->rank(); ++k) clause.arguments.push_back({child, nullptr, k});
  }
  return clause;
}

namespace {

foreign::FoundSymbol look_for(InstanceTree& tree, const Instance& function, const ExternalClause& clause,
                              const std::string& symbol, foreign::SearchPlaces& places) {
  places = {texts(tree, function, "Library"), directories(tree, function, "LibraryDirectory", "/Resources/Library"), {}};
  for (std::string& library : places.libraries) {
    std::string below = library.ends_with(".a") ? library.substr(0, library.size() - 2) : library;
    library = below.starts_with("lib") && library != below ? below.substr(3) : below;
  }
  if (!clause.fortran) places.text = text_of(tree, function);
  return foreign::find_symbol(symbol, places);
}

Reported not_found(const foreign::FoundSymbol& found, const foreign::SearchPlaces& places, const Instance& function,
                   const ExternalClause& clause, const std::string& symbol, Span used_at, Diagnostics& d) {
  std::vector<Note> notes{{function.external->span, "declared external here"}};
  for (const std::string& refused : found.refused) notes.push_back({{}, refused});
  if (!found.tried.empty())
    notes.push_back({{}, "looked for " + found.tried.front() + (found.tried.size() > 1 ? " and the like" : "")});
  std::string library = places.libraries.empty() ? clause.function : places.libraries.front();
  if (!found.not_compiled.empty()) notes.push_back({{}, "the C text in `Include` is of no help: " + found.not_compiled});
  else
    notes.push_back({{},
                     "make a shared library `lib" + library +
                         ".so`, put it next to the model or into Resources/Library, and name it by "
                         "`annotation(Library = \"" +
                         library + "\")`"});
  return d.error(codes::external_not_found, used_at, {symbol}, std::move(notes));
}

}  // namespace

Result<Done> find_external(InstanceTree& tree, const Instance& function, const ExternalClause& clause, Needed needed,
                           Span used_at, Diagnostics& d, foreign::CFunction& c) {
  std::string symbol = clause.function;
  if (clause.fortran) {
    std::transform(symbol.begin(), symbol.end(), symbol.begin(), [](unsigned char letter) { return std::tolower(letter); });
    symbol += "_";
  }
  const TrustRules& trust = tree.library().trust();
  const foreign::NativeFunction* native = foreign::native_function(symbol);
  auto source = tree.sources().path(function.definition->source);
  bool trusted = trust.runs_code_of(source);
  bool only_native = !trusted || (native && native->effect != foreign::NativeEffect::nothing && !trust.runs_all());
  if (native && only_native) {
    c.address = native->address;
    c.native = native;
    return Done{};
  }
  if (!trust.runs() && needed == Needed::at_run_time) return Done{};
  if (!trusted) return refuse_foreign(trust, function, "it is foreign code of `" + std::string(source) + "`", used_at, d);
  foreign::SearchPlaces places;
  auto known = tree.store().foreign_symbols.find({&function, symbol});
  bool is_new = known == tree.store().foreign_symbols.end();
  foreign::FoundSymbol found = is_new ? look_for(tree, function, clause, symbol, places) : known->second;
  if (is_new && found.address) tree.store().foreign_symbols[{&function, symbol}] = found;
  if (native && (!found.address || found.of_process)) {
    c.address = native->address;
    c.native = native;
    return Done{};
  }
  if (!found.address) return not_found(found, places, function, clause, symbol, used_at, d);
  if ((found.of_process || foreign::is_system_function(symbol)) && !trust.runs_all())
    return refuse_foreign(trust, function, "`" + symbol + "` works on the system, for a model", used_at, d);
  c.address = found.address;
  return Done{};
}

Result<Done> permit_effects(InstanceTree& tree, const Instance& function, const foreign::CFunction& c, Span used_at,
                            Diagnostics& d) {
  if (!c.native || c.native->effect == foreign::NativeEffect::nothing) return Done{};
  const TrustRules& trust = tree.library().trust();
  auto text = [&](std::size_t k) { return k < c.arguments.size() ? c.arguments[k].text : std::string(); };
  if (c.native->effect == foreign::NativeEffect::prints && text(1).empty()) return Done{};
  if (c.native->effect == foreign::NativeEffect::reads)
    return trust.may_read(text(0), TrustRules::Contents::numbers)
               ? Result<Done>(Done{})
               : refuse_foreign(trust, function, "it reads `" + text(0) + "` for a model", used_at, d);
  if (trust.runs_all()) return Done{};
  return refuse_foreign(trust, function, "it works on files and the system, for a model", used_at, d);
}

namespace {

/// The class, its bases at any depth, and the classes around it.
std::vector<const Definition*> classes_about(InstanceTree& tree) {
  std::vector<const Definition*> found{tree.root().definition};
  Diagnostics quiet;
  for (std::size_t k = 0; k < found.size(); ++k) {
    auto bases = bases_of(tree.store(), *found[k], quiet);
    for (const Base& base : bases ? *bases : std::vector<Base>{})
      if (base.definition && std::find(found.begin(), found.end(), base.definition) == found.end())
        found.push_back(base.definition);
  }
  for (const Definition* around = tree.root().definition->parent; around; around = around->parent) found.push_back(around);
  return found;
}

}  // namespace

Result<void*> function_in_text(InstanceTree& tree, const std::string& symbol, Span used_at, Diagnostics& d) {
  for (const Definition* definition : classes_about(tree))
    for (const ast::Element* element : definition->ast->elements) {
      const ast::Class* cls = element->class_;
      if (!cls || !cls->external || !find_value(cls->external->annotation, "Include")) continue;
      Diagnostics quiet;
      auto member = class_member(tree.store(), *definition, cls->name, quiet);
      auto function = member && *member ? instance_of(tree, **member, nullptr, {}, quiet) : Result<const Instance*>(nullptr);
      if (!function || !*function) continue;
      std::vector<std::string> written = texts(tree, **function, "Include");
      bool mentions = std::any_of(written.begin(), written.end(),
                                  [&](const std::string& text) { return text.find(symbol) != std::string::npos; });
      if (!mentions) continue;
      ExternalClause clause = clause_of(**function);
      clause.function = symbol;
      foreign::CFunction found;
      if (find_external(tree, **function, clause, Needed::now, used_at, quiet, found)) return found.address;
      if (quiet.all().back().code != &codes::foreign_refused) continue;
      return refuse_foreign(tree.library().trust(), **function, "its C text is foreign code", used_at, d);
    }
  return static_cast<void*>(nullptr);
}

foreign::CType c_type(const Instance& component) {
  switch (component.type) {
    case Type::real:
      return foreign::CType::real;
    case Type::integer:
    case Type::enumeration:
      return foreign::CType::integer;
    case Type::boolean:
      return foreign::CType::boolean;
    case Type::string:
      return foreign::CType::text;
    case Type::clock:
    case Type::none:
      break;
  }
  if (component.external_object) return foreign::CType::object;
  return component.class_kind == ast::ClassKind::record ? foreign::CType::record : foreign::CType::none;
}

std::optional<foreign::CStruct> struct_of(const Instance& record) {
  foreign::CStruct layout;
  for (const Instance* member : record.children) {
    if (member->rank() > 0 || member->variability == Variability::constant) return {};
    foreign::CType type = c_type(*member);
    if (type == foreign::CType::record) {
      auto inner = struct_of(*member);
      if (!inner) return {};
      layout.add(*inner);
    } else if (type == foreign::CType::real || type == foreign::CType::integer || type == foreign::CType::boolean) {
      layout.add(type);
    } else {
      return {};
    }
  }
  layout.finish();
  return layout;
}

}  // namespace bolza::instance
