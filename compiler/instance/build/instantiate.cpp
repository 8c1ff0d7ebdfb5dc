// SPDX-License-Identifier: Apache-2.0
#include "compiler/instance/build/instantiate.h"

#include <set>

#include "compiler/instance/build_internal.h"
#include "compiler/instance/library/codes.h"
#include "compiler/instance/names/class_lookup_internal.h"
#include "compiler/instance/names/redeclare_internal.h"
#include "compiler/syntax/parse.h"
#include "compiler/syntax/print.h"

namespace bolza::instance {

using Store = InstanceTree::Store;

namespace {

/// "k=2", "a.b(start=3)" as the modification of a short class, read by the parser for everything else.
Result<const ast::Modification*> parse_modifications(Library& library, std::span<const std::string> modifications,
                                                     Diagnostics& d) {
  if (modifications.empty()) return static_cast<const ast::Modification*>(nullptr);
  std::string text;  // a line for each, and after them the words that make a modification of it
  syntax::Arrangement arrangement;
  auto take = [&](std::size_t begin) {
    arrangement.parts.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(text.size())});
  };
  for (const std::string& one : modifications) text += (text.empty() ? "" : "\n") + one;
  arrangement.own_end = static_cast<std::uint32_t>(text.size());
  auto add = [&](const char* words) {
    std::size_t begin = text.size() + 1;
    text += std::string("\n") + words;
    take(begin);
  };
  add("model set = set(");
  std::uint32_t begin = 0;
  for (const std::string& one : modifications) {
    if (begin > 0) add(",");
    auto end = static_cast<std::uint32_t>(begin + one.size());
    arrangement.parts.push_back({begin, end});
    begin = end + 1;
  }
  add(");");
  auto added = library.add_aside(settings_source, std::move(text), d, &arrangement);
  if (!added) return d.already_reported();
  return (*added)->modification;
}

/// The text of the outputs with after it, on lines of their own, the words that make a class of it, and the order in which
/// they make sense: a state for each integral and a constraint for each expression.
class OutputClass {
 public:
  explicit OutputClass(const Outputs& outputs) : text_(outputs.text) {
    arrangement_.own_end = static_cast<std::uint32_t>(text_.size());
    add("optimization of");
    std::size_t n = 0;
    for_each_integral(outputs, [&](const auto&) { add("Real " + state(n++) + "(start = 0, fixed = true);"); });
    if (n) add("equation");
    n = 0;
    for_each_integral(outputs, [&](const Outputs::Integral& i) {
      add("der(" + state(n++) + ") =");
      take(i.inner_begin, i.inner_end);
      add(";");
    });
    add("constraint");
    n = 0;
    for (const Outputs::Part& part : outputs.parts) {
      std::uint32_t from = part.begin;
      for (const Outputs::Integral& i : part.integrals) {
        take(from, i.begin);
        take(i.inner_begin - 1, i.inner_begin);  // with the parentheses that are there
        add(state(n++) + "(finalTime)");
        from = i.end - 1;
      }
      take(from, part.end);
      add(part.at_end ? "(finalTime) = 0;" : "= 0;");
    }
    add("end of;");
  }
  std::string& text() { return text_; }
  const syntax::Arrangement& arrangement() const { return arrangement_; }

 private:
  template <class Take>
  static void for_each_integral(const Outputs& outputs, Take&& take) {
    for (const Outputs::Part& part : outputs.parts)
      for (const Outputs::Integral& i : part.integrals) take(i);
  }
  static std::string state(std::size_t n) { return Outputs::integral_state + std::to_string(n + 1) + "'"; }
  void take(std::uint32_t begin, std::uint32_t end) { arrangement_.parts.push_back({begin, end}); }
  void add(const std::string& words) {
    auto begin = static_cast<std::uint32_t>(text_.size() + 1);
    text_ += '\n' + words;
    take(begin, static_cast<std::uint32_t>(text_.size()));
  }

  std::string text_;
  syntax::Arrangement arrangement_;
};

/// As if they stood in the root's class.
Result<Done> add_outputs(InstanceTree& tree, Instance& root, const Outputs& outputs, Diagnostics& d) {
  if (outputs.parts.empty()) return Done{};
  OutputClass made(outputs);
  auto added = tree.store().library->add_aside("--of", std::move(made.text()), d, &made.arrangement());
  if (!added) return d.already_reported();
  Scope scope{&root, root.definition};
  static const Environment nothing;
  for (const ast::Element* element : (*added)->elements) {
    if (element->component) {
      auto child = make_child(tree, root, {element->component, root.definition, &nothing}, d);
      if (!child) return d.already_reported();
      add_child(tree.store(), root, **child);
    }
  }
  for (const auto& section : (*added)->equations)
    for (const ast::Equation* equation : section.items) root.equations.push_back({equation, scope});
  for (const auto& section : (*added)->constraints)
    for (const ast::Constraint* constraint : section.items) root.final_constraints.push_back({constraint, scope});
  return Done{};
}

bool can_be_root(ast::ClassKind kind) {
  switch (kind) {
    case ast::ClassKind::class_:
    case ast::ClassKind::model:
    case ast::ClassKind::block:
    case ast::ClassKind::optimization:
      return true;
    case ast::ClassKind::record:
    case ast::ClassKind::connector:
    case ast::ClassKind::type:
    case ast::ClassKind::package:
    case ast::ClassKind::function:
    case ast::ClassKind::operator_:
    case ast::ClassKind::operator_record:
    case ast::ClassKind::operator_function:
      return false;
  }
  return false;
}

}  // namespace

namespace {

/// @param nonuniform  arrays that are taken apart; those that have to be, too, are added where it fails for that
Result<InstanceTree> instantiate_once(Library& library, std::string_view name, std::span<const std::string> modifications,
                                      const Outputs& outputs, std::set<std::string>& nonuniform, Diagnostics& d) {
  std::size_t errors_before = d.errors();
  auto definition = library.find(name, d);
  if (!definition) return d.already_reported();
  auto set = parse_modifications(library, modifications, d);
  if (!set) return d.already_reported();
  const ast::Class& cls = *(*definition)->ast;
  if (builtin_type(cls.name) != Type::none) return d.error(codes::reserved_name, cls.name_span, {cls.name});
  if (!can_be_root(cls.kind)) return d.error(codes::wrong_kind, cls.name_span, {syntax::spelling(cls.kind), "the model"});
  if (cls.partial) return d.error(codes::partial_class, cls.name_span, {full_name(**definition)});
  InstanceTree tree(library);
  Store& store = tree.store();
  store.nonuniform = nonuniform;
  store.told = &d;
  auto effective = class_in(tree, nullptr, **definition, d);
  if (!effective) return d.already_reported();
  auto chain = resolve_class(tree, *effective->definition, effective->enclosing, {}, d);
  if (!chain) return d.already_reported();
  if (!chain->definition || chain->type != Type::none)
    return d.error(codes::wrong_kind, cls.name_span, {"type", "the model"});
  Instance& root = store.make();
  store.root = &root;
  root.name = (*definition)->name();
  root.definition = chain->definition;
  root.enclosing = chain->enclosing;
  root.class_kind = chain->kind;
  root.span = cls.name_span;
  Environment environment;
  enter(*set, {&root, root.definition}, {}, false, false, false, environment);
  check_single_modification(*set, d);
  enter_aliases(*chain, {&root}, 0, environment);
  store.pending.emplace(&root, std::move(environment));
  bool good =
      expand(tree, root, d) && add_outputs(tree, root, outputs, d) && complete(tree, root, d) && fields_agree(tree, root, d);
  store.told = nullptr;
  if (good && d.errors() == errors_before) return tree;
  nonuniform.merge(store.found_nonuniform);
  return d.already_reported();
}

}  // namespace

Result<InstanceTree> instantiate(Library& library, std::string_view name, std::span<const std::string> modifications,
                                 Diagnostics& d, const Outputs& outputs) {
  std::set<std::string> nonuniform;
  for (;;) {
    Diagnostics before = d;
    std::size_t known = nonuniform.size();
    auto tree = instantiate_once(library, name, modifications, outputs, nonuniform, d);
    if (tree || nonuniform.size() == known) return tree;
    d = std::move(before);
  }
}

const Instance* component_in(InstanceTree& tree, const Instance& parent, std::string_view name) {
  Diagnostics quiet;
  auto child = child_of(tree, parent, name, quiet);
  return child ? *child : nullptr;
}

Result<std::span<const Instance* const>> elements_of(InstanceTree& tree, const Instance& array, Diagnostics& d) {
  if (!make_elements(tree, array, d)) return d.already_reported();
  for (const Instance* element : array.elements)
    if (!complete(tree, *element, d)) return d.already_reported();
  return std::span<const Instance* const>(array.elements);
}

Result<Done> complete_constant(InstanceTree& tree, const Instance& constant, Diagnostics& d) {
  const Instance* top = &constant;
  while (top->parent && top->parent->parent) top = top->parent;
  if (!top->parent || top->parent->class_kind != ast::ClassKind::package) return Done{};
  if (!tree.store().completed.insert(top).second) return Done{};
  if (decide_dimensions(tree, *top, d) && complete(tree, *top, d)) return Done{};
  tree.store().completed.erase(top);
  return d.already_reported();
}

namespace {

/// Whether arrays of the function were found that have to be taken apart, which are noted then.
bool more_nonuniform(Store& store, const Instance& function) {
  std::string prefix = key_of(function);
  bool more = false;
  for (auto at = store.found_nonuniform.begin(); at != store.found_nonuniform.end();) {
    bool own = at->starts_with(prefix);
    if (own) more = store.nonuniform.insert(*at).second || more;
    at = own ? store.found_nonuniform.erase(at) : std::next(at);
  }
  return more;
}

}  // namespace

Result<const Instance*> instance_of(InstanceTree& tree, const Definition& definition, const Instance* enclosing,
                                    Span used_at, Diagnostics& d) {
  Store& store = tree.store();
  auto key = std::pair(&definition, enclosing);
  if (auto it = store.functions.find(key); it != store.functions.end()) return it->second;
  std::size_t errors_before = d.errors();
  auto chain = resolve_class(tree, definition, enclosing, used_at, d);
  if (!chain) return d.already_reported();
  bool callable = chain->definition && chain->type == Type::none;
  if (callable) {
    ast::ClassKind kind = chain->definition->ast->kind;
    callable = kind == ast::ClassKind::function || kind == ast::ClassKind::operator_function ||
               kind == ast::ClassKind::record || kind == ast::ClassKind::operator_record;
  }
  if (!callable) {
    return d.error(codes::wrong_kind, used_at, {syntax::spelling(definition.ast->kind), "a function"},
                   {{definition.ast->name_span, "declared here"}});
  }
  if (definition.ast->partial) {
    return d.error(codes::partial_class, used_at, {full_name(definition)}, {{definition.ast->name_span, "declared here"}});
  }
  Instance& function = store.make();
  function.name = definition.name();
  function.definition = chain->definition;
  function.enclosing = chain->enclosing;
  bool record = chain->definition->ast->kind == ast::ClassKind::record ||
                chain->definition->ast->kind == ast::ClassKind::operator_record;
  function.class_kind = record ? ast::ClassKind::record : ast::ClassKind::function;
  function.span = definition.ast->name_span;
  Environment environment;
  enter_aliases(*chain, {&function}, 0, environment);
  store.pending.emplace(&function, std::move(environment));
  store.functions.emplace(key, &function);
  Diagnostics before = d;
  bool good = complete(tree, function, d);
  if (more_nonuniform(store, function)) {
    store.functions.erase(key);
    d = std::move(before);
    return instance_of(tree, definition, enclosing, used_at, d);
  }
  good = good && fields_agree(tree, function, d) && d.errors() == errors_before;
  if (!good) {
    store.functions.erase(key);
    return d.already_reported();
  }
  return &function;
}

}  // namespace bolza::instance
