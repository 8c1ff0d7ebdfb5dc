// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "compiler/instance/build_internal.h"
#include "compiler/instance/library/codes.h"
#include "compiler/instance/names/class_lookup_internal.h"
#include "compiler/instance/names/redeclare_internal.h"
#include "compiler/syntax/print.h"

/// Which class a name stands for in one instance: the original, what replaces it, or what extends it there.
namespace bolza::instance {

using Store = InstanceTree::Store;

namespace {

/// The definition of a class that a redeclaration writes: that of the library when it stands in a class, else a new one.
Result<const Definition*> definition_of(Store& store, const Mod& mod, Diagnostics& d) {
  const ast::Class& cls = *mod.argument->element->class_;
  const Definition* in = mod.scope.lexical;
  auto key = std::pair(&cls, in);
  if (auto it = store.redeclared.find(key); it != store.redeclared.end()) return it->second;
  const Definition* found = nullptr;
  if (in) {
    auto own = store.library->member(*in, cls.name, d);
    if (!own) return own;
    if (*own && (*own)->ast == &cls) found = *own;
  }
  if (!found) {
    store.definitions.push_back({&cls, in, cls.name_span.file, in && in->from_library});
    found = &store.definitions.back();
  }
  store.redeclared.emplace(key, found);
  return found;
}

bool is_class_extends(const Mod& mod) {
  return mod.redeclares() && mod.argument->element->class_ &&
         mod.argument->element->class_->form == ast::ClassForm::extending;
}

/// E261 where `model extends X` is about a class of another kind.
bool check_extended_kind(const Store& store, const Mod& by, const Definition& below, Diagnostics& d) {
  const ast::Class& derived = *by.argument->element->class_;
  const ast::Class& base = *real_class(store, below).ast;
  if (may_extend(derived.kind, base.kind)) return true;
  d.error(codes::extends_other_kind, derived.name_span,
          {syntax::spelling(derived.kind), derived.name, syntax::spelling(base.kind)}, {{base.name_span, "declared here"}});
  return false;
}

/// The class of one name in one instance, in layers: a redeclaration hides what is weaker, one that is a class extends
/// inherits it instead.
class Layers {
 public:
  Layers(InstanceTree& tree, const Instance& enclosing, const Definition& original, const Selection& selection,
         Diagnostics& d)
      : tree_(tree),
        store_(tree.store()),
        enclosing_(enclosing),
        original_(original),
        mods_(selection.mods),
        d_(d) {}

  /// What the modifications from `first` on make of the original.
  Result<Resolved> from(std::size_t first);

 private:
  Result<Resolved> replaced(const Mod& by);
  void enter_weaker(const Mod* by, std::size_t next, Environment& out);
  Resolved with(Resolved cls, ConfiguredClass configured);

  InstanceTree& tree_;
  Store& store_;
  const Instance& enclosing_;
  const Definition& original_;
  const Environment& mods_;
  Diagnostics& d_;
};

/// A class with modifications as a proxy.
Resolved Layers::with(Resolved cls, ConfiguredClass configured) {
  if (configured.stronger.empty() && configured.weaker.empty()) return cls;
  configured.definition = cls.definition;
  store_.definitions.push_back(*cls.definition);
  cls.definition = &store_.definitions.back();
  store_.configured.emplace(cls.definition, std::move(configured));
  return cls;
}

Result<Resolved> Layers::replaced(const Mod& by) {
  auto replacement = definition_of(store_, by, d_);
  if (!replacement) return d_.already_reported();
  const Instance* around = by.scope.instance;
  if (!around) {
    auto found = instance_around(tree_, by.scope.lexical, d_);
    if (!found) return d_.already_reported();
    around = *found;
  }
  return Resolved{.kind = ResolvedKind::class_, .definition = *replacement, .enclosing = around};
}

/// The arguments of a modification of the class, written beside it.
void enter_here(const ast::Modification* modification, const Scope& scope, Environment& out) {
  enter(modification, scope, {}, false, false, false, out);
}

/// What is said of a class that is not extended: by weaker modifications, constraining clauses and the original.
void Layers::enter_weaker(const Mod* by, std::size_t next, Environment& out) {
  Selection plain;
  for (std::size_t i = next; i < mods_.size(); ++i)
    if (!mods_[i].redeclares()) plain.mods.push_back(mods_[i]);
  inside(plain, {}, out);
  for (std::size_t i = by ? next - 1 : next; i < mods_.size(); ++i) {
    if (!mods_[i].redeclares()) continue;
    if (const auto* c = constraint_of(*mods_[i].argument)) enter_here(c->modification, mods_[i].scope, out);
  }
  Scope scope{&enclosing_, original_.parent};
  if (const ast::ConstrainedBy* c = original_.ast->constrained_by) enter_here(c->modification, scope, out);
  else if (by) enter_here(original_.ast->modification, scope, out);
}

Result<Resolved> Layers::from(std::size_t first) {
  std::size_t at = first;
  Selection plain;
  for (; at < mods_.size() && !mods_[at].redeclares(); ++at) plain.mods.push_back(mods_[at]);
  const Mod* by = at < mods_.size() ? &mods_[at] : nullptr;
  auto result =
      by ? replaced(*by)
         : Result<Resolved>(Resolved{.kind = ResolvedKind::class_, .definition = &original_, .enclosing = &enclosing_});
  if (!result) return result;
  ConfiguredClass configured;
  inside(plain, {}, configured.stronger);
  if (by && is_class_extends(*by)) {
    auto below = from(at + 1);
    if (!below) return below;
    if (!check_extended_kind(store_, *by, *below->definition, d_)) return d_.already_reported();
    store_.extended_classes.insert_or_assign({result->definition, result->enclosing}, *below);
    if (const auto* c = constraint_of(*by->argument)) enter_here(c->modification, by->scope, configured.weaker);
  } else {
    enter_weaker(by, at + 1, configured.weaker);
  }
  return with(std::move(*result), std::move(configured));
}

/// E262 where a class extends is about a class that is final; E212 for other modifications of it.
bool check_not_final(const Selection& selection, const Definition& original, Diagnostics& d) {
  if (selection.hits.empty()) return true;
  auto refuse = [&](const Mod& stronger, Span final_at) {
    const Code& code = is_class_extends(stronger) ? codes::extends_final_class : codes::final_modified;
    d.error(code, stronger.argument->span, {original.name()}, {{final_at, "declared final here"}});
    return false;
  };
  for (std::size_t i = 1; i < selection.hits.size(); ++i)
    if (selection.hits[i]->final_ && !selection.hits[i]->parallel && is_class_extends(*selection.hits[i - 1]))
      return refuse(*selection.hits[i - 1], selection.hits[i]->argument->span);
  if (original.ast->prefixes.final_) return refuse(*selection.hits.back(), original.ast->name_span);
  return check_final(selection, original.name(), d);
}

/// What modifications of `enclosing` are about the class, as far as they can be.
Result<Selection> selection_of(const Store& store, const ClassEntry& entry, Diagnostics& d) {
  const Definition& original = *entry.definition;
  Selection selection = select(*entry.environment, original.name(), false);
  auto of_component = [](const Mod& mod) { return mod.redeclares() && !mod.argument->element->class_; };
  std::erase_if(selection.redeclarations, [&](const Mod* mod) { return of_component(*mod); });
  std::erase_if(selection.mods, of_component);
  if (!check_not_final(selection, original, d)) return d.already_reported();
  if (!check_replaceable(store, selection, original.name(), original.ast->prefixes.replaceable, original.ast->name_span, d))
    return d.already_reported();
  if (original.ast->prefixes.protected_ && !selection.hits.empty() && selection.hits[0]->from_outside)
    return d.error(codes::protected_modified, selection.hits[0]->argument->span,
                   {original.name(), full_name(*original.parent)}, {{original.ast->name_span, "declared here"}});
  return selection;
}

/// Whether the class fits what was promised of it.
bool keeps_promises(InstanceTree& tree, const Instance& enclosing, const Definition& original, const Selection& selection,
                    const Resolved& cls, Diagnostics& d) {
  const ast::ConstrainedBy* constraint = original.ast->constrained_by;
  const Mod* by = selection.redeclarations.empty() ? nullptr : selection.redeclarations[0];
  std::vector<Promise> all = promises(selection, constraint, {&enclosing, original.parent});
  if (!by && all.empty()) return true;
  Span at = by ? by->argument->span : original.ast->name_span;
  auto type = resolve_class(tree, *cls.definition, cls.enclosing, at, d);
  if (!type || !keeps_all(tree, *type, &real_class(tree.store(), *cls.definition), all, original.name(), at, d))
    return false;
  if (!by || constraint) return true;
  auto promised = resolve_class(tree, original, &enclosing, at, d);
  return keeps_promise(tree, *type, promised, original.name(), at, original.ast->name_span, d);
}

}  // namespace

Result<bool> is_configured(InstanceTree& tree, const Definition& definition, Diagnostics& d) {
  Store& store = tree.store();
  if (store.configured.contains(&definition)) return true;
  if (auto it = store.is_configured.find(&definition); it != store.is_configured.end()) return it->second;
  store.is_configured[&definition] = false;  // while it is being found out: cycles of classes end
  const ast::Class& cls = *definition.ast;
  auto says = [](const ast::Modification* modification) { return modification && !modification->arguments.empty(); };
  bool answer = says(cls.modification) || cls.prefixes.redeclare || cls.prefixes.replaceable;
  for (const ast::Element* element : cls.elements) {
    if (element->kind == ast::ElementKind::class_) {
      const ast::Class& inner = *element->class_;
      answer |= inner.prefixes.redeclare || inner.prefixes.replaceable || inner.form == ast::ClassForm::extending;
    }
    answer |= element->kind == ast::ElementKind::component && element->component->prefixes.redeclare;
    answer |= element->kind == ast::ElementKind::extends && says(element->extends->modification);
  }
  if (!answer) {
    auto bases = bases_of(store, definition, d);
    if (!bases) return d.already_reported();
    for (const Base& base : *bases) {
      if (!base.definition || answer) continue;
      auto inner = is_configured(tree, *base.definition, d);
      if (!inner) return inner;
      answer = *inner;
    }
  }
  return store.is_configured[&definition] = answer;
}

Result<const Instance*> instance_around(InstanceTree& tree, const Definition* text, Diagnostics& d) {
  if (!text) return static_cast<const Instance*>(nullptr);
  Store& store = tree.store();
  if (auto it = store.around_texts.find(text); it != store.around_texts.end()) return it->second;
  auto outer = instance_around(tree, text->parent, d);
  if (!outer) return outer;
  auto configured = is_configured(tree, *text, d);
  if (!configured) return d.already_reported();
  auto predefined = is_predefined_type(store, *text, d);
  if (!predefined) return d.already_reported();
  const Instance* instance = *predefined ? *outer : nullptr;
  if (!*predefined && (*outer || *configured)) {
    auto package = package_of(tree, *text, *outer, d);
    if (!package) return package;
    instance = *package;
  }
  return store.around_texts[text] = instance;
}

Result<Resolved> class_in(InstanceTree& tree, const Instance* enclosing, const Definition& found, Diagnostics& d) {
  Store& store = tree.store();
  if (!enclosing) {
    auto around = instance_around(tree, found.parent, d);
    if (!around) return d.already_reported();
    enclosing = *around;
  }
  Resolved plain{.kind = ResolvedKind::class_, .definition = &found, .enclosing = enclosing};
  if (!enclosing) return plain;
  if (!expand(tree, *enclosing, d)) return d.already_reported();
  NameIn key{enclosing, found.name()};
  auto entry = store.class_entries.find(key);
  if (entry == store.class_entries.end()) return plain;
  if (auto known = store.effective_classes.find(key); known != store.effective_classes.end()) {
    return Resolved{.kind = ResolvedKind::class_, .definition = known->second.first, .enclosing = known->second.second};
  }
  const Definition& original = *entry->second.definition;
  auto selection = selection_of(store, entry->second, d);
  if (!selection) return d.already_reported();
  auto result = Layers(tree, *enclosing, original, *selection, d).from(0);
  if (!result) return result;
  store.effective_classes.emplace(key, std::pair(result->definition, result->enclosing));
  if (!keeps_promises(tree, *enclosing, original, *selection, *result, d)) return d.already_reported();
  return result;
}

Result<Resolved> extended_class(InstanceTree& tree, const Definition& definition, const Instance* enclosing,
                                Diagnostics& d) {
  Store& store = tree.store();
  auto found = store.extended_classes.find({&definition, enclosing});
  if (found == store.extended_classes.end() && enclosing) {
    if (!class_in(tree, enclosing, definition, d)) return d.already_reported();
    found = store.extended_classes.find({&definition, enclosing});
  }
  if (found != store.extended_classes.end()) return found->second;
  const ast::Class& cls = *definition.ast;
  std::string where = definition.parent ? "`" + full_name(*definition.parent) + "`" : "the top level";
  return d.error(codes::extends_not_inherited, cls.name_span, {cls.name, where});
}

Result<Resolved> member_class(InstanceTree& tree, const Resolved& outer, std::string_view name, Diagnostics& d) {
  Store& store = tree.store();
  const Definition* in = outer.definition;
  const Instance* holder = nullptr;
  auto predefined = is_predefined_type(store, *in, d);
  auto configured = is_configured(tree, *in, d);
  if (!predefined || !configured) return d.already_reported();
  if (!*predefined && (*configured || outer.enclosing)) {
    auto package = package_of(tree, *in, outer.enclosing, d);
    if (!package) return d.already_reported();
    in = (*package)->definition;
    holder = (*package)->is_configured ? *package : nullptr;
  }
  auto member = class_member(store, *in, name, d);
  if (!member) return d.already_reported();
  if (!*member) return Resolved{.kind = ResolvedKind::class_};
  return class_in(tree, holder, **member, d);
}

}  // namespace bolza::instance
