// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <span>
#include <unordered_set>

#include "compiler/instance/build/identical_internal.h"
#include "compiler/instance/build/restrictions_internal.h"
#include "compiler/instance/build_internal.h"
#include "compiler/instance/library/codes.h"
#include "compiler/instance/names/class_lookup_internal.h"
#include "compiler/instance/names/redeclare_internal.h"
#include "compiler/syntax/other_languages.h"
#include "compiler/syntax/print.h"

namespace bolza::instance {

using Store = InstanceTree::Store;

Instance& Store::make() {
  instances.emplace_back();
  return instances.back();
}

std::string describe(const Instance& instance) {
  if (instance.type == Type::enumeration) return "enumeration `" + full_name(*instance.enumeration) + "`";
  if (instance.type != Type::none) return "`" + std::string(name_of(instance.type)) + "`";
  if (!instance.definition) return "`" + std::string(instance.name) + "`";
  return std::string(syntax::spelling(instance.definition->ast->kind)) + " `" + full_name(*instance.definition) + "`";
}

std::string_view name_of(Type type) {
  switch (type) {
    case Type::none:
      return "class";
    case Type::real:
      return "Real";
    case Type::integer:
      return "Integer";
    case Type::boolean:
      return "Boolean";
    case Type::string:
      return "String";
    case Type::clock:
      return "Clock";
    case Type::enumeration:
      return "enumeration";
  }
  return "";
}

namespace {

/// Mods that must find an element among the entries [first, last) or the classes of `definition`.
struct Claim {
  Environment mods;
  std::size_t first = 0, last = 0;
  const Definition* definition = nullptr;
  bool inherited = false;  ///< only what the bases of `definition` have counts
};

class Collector {
 public:
  Collector(InstanceTree& tree, Instance& instance, Diagnostics& d)
      : tree_(tree),
        store_(tree.store()),
        instance_(instance),
        d_(d),
        states_problem_(store_.root == &instance || instance.is_phase) {}

  /// Walks the class and its bases; fills equations, annotations, bases and the entries.
  void collect(const Definition& definition, const Instance* enclosing, std::int32_t derived, const Environment& environment,
               bool protected_);
  void claim(Claim claim) { claims_.push_back(std::move(claim)); }
  void check_claims();
  void check_duplicates();
  void check_redeclared_classes();

  std::vector<Entry>& entries() { return entries_; }
  const Environment& class_attributes() const { return class_attributes_; }
  bool has_class_attributes() const { return has_class_attributes_; }
  Environment& class_attributes() { return class_attributes_; }

 private:
  void extend(const Definition& from, std::int32_t index, const ast::Extends& extends, const Environment& environment,
              const Environment& redeclared, bool protected_);
  void extend_own_name(const Definition& from, const Instance* enclosing, std::int32_t index, const Environment& environment,
                       const Environment& redeclared);
  void extend_by(const TypeChain& chain, const ast::Modification* modification, const Scope& scope, std::int32_t index,
                 const Environment& environment, const Environment& redeclared, bool protected_ = false);
  Environment redeclarations_in(const ast::Class& cls, const Scope& scope);
  bool class_exists(const Claim& claim, std::string_view name);
  void check_inherited_class(const Definition& definition, const ast::Class& cls);
  bool base_stays(const Scope& scope, const ast::Reference& base);
  bool visibility_stays(const Claim& claim, const Mod& mod);
  void add_sections(const ast::Class& cls, const Scope& scope);
  void enter_class(const Definition& definition, const ast::Class& cls, const Environment& environment);
  void take_attributes(const Definition& definition, const Scope& scope);
  std::span<const Entry> entries_of(const Claim& claim) const;
  bool is_there(const Claim& claim, std::string_view name) const;
  std::unordered_set<std::string_view> names_in(const Claim& claim) const;
  void refuse(const Claim& claim, const Mod& mod);

  InstanceTree& tree_;
  Store& store_;
  Instance& instance_;
  Diagnostics& d_;
  bool states_problem_;  ///< the root, or a phase: has class attributes
  std::vector<Entry> entries_;
  std::vector<Claim> claims_;
  std::vector<const Definition*> chain_;
  Environment class_attributes_;
  std::vector<std::string_view> redeclared_;
  bool has_class_attributes_ = false;
};

constexpr std::array<std::string_view, 5> class_attribute_names{"objective", "objectiveIntegrand", "startTime", "finalTime",
                                                                "static"};

bool is_class_attribute(std::string_view name) {
  return std::find(class_attribute_names.begin(), class_attribute_names.end(), name) != class_attribute_names.end();
}

void Collector::add_sections(const ast::Class& cls, const Scope& scope) {
  for (const auto& section : cls.equations) {
    auto& list = section.initial ? instance_.initial_equations : instance_.equations;
    for (const ast::Equation* equation : section.items) list.push_back({equation, scope});
  }
  for (const auto& section : cls.algorithms) {
    (section.initial ? instance_.initial_algorithms : instance_.algorithms).push_back({&section, scope});
  }
  for (const auto& section : cls.constraints) {
    for (const ast::Constraint* constraint : section.items) instance_.constraints.push_back({constraint, scope});
  }
  if (cls.external && !instance_.external) instance_.external = cls.external;
}

void Collector::take_attributes(const Definition& definition, const Scope& scope) {
  const ast::Class& cls = *definition.ast;
  if (instance_.is_phase || (states_problem_ && cls.kind == ast::ClassKind::optimization)) has_class_attributes_ = true;
  if (!cls.attributes) return;
  if (!states_problem_) {
    if (instance_.declaration)
      d_.warning(codes::attributes_of_component, cls.attributes->span, {full_name(definition), instance_.name});
    return;
  }
  has_class_attributes_ = true;
  if (store_.checked.insert(cls.attributes).second) check_single_modification(cls.attributes, d_);
  Environment own;
  enter(cls.attributes, scope, {}, false, false, false, own);
  for (Mod& mod : own) mod.class_attribute = true;
  claim({own, 0, 0, nullptr});
  class_attributes_.insert(class_attributes_.end(), own.begin(), own.end());
}

void Collector::collect(const Definition& definition, const Instance* enclosing, std::int32_t derived,
                        const Environment& environment, bool protected_) {
  const ast::Class& cls = *definition.ast;
  if (std::find(chain_.begin(), chain_.end(), &definition) != chain_.end()) {
    d_.error(codes::inheritance_cycle, cls.name_span, {full_name(definition)});
    return;
  }
  if (chain_.size() > 150) {
    d_.error(codes::not_supported, cls.name_span, {"inheritance over more than 150 classes"});
    return;
  }
  constexpr std::size_t most_ways = 1000;  // `extends A; extends A;` at every level doubles them
  auto& bases = store_.instance_bases[&instance_];
  if (bases.size() >= most_ways) {
    d_.error(codes::not_supported, instance_.definition ? instance_.definition->ast->name_span : cls.name_span,
             {"inheritance along more than 1000 ways"});
    return;
  }
  auto same = [&](const InstanceBase& base) { return base.definition == &definition; };
  bool again =
      std::any_of(bases.begin(), bases.end(), same);  // along two ways: its elements merge below, the rest is there already
  chain_.push_back(&definition);
  auto index = static_cast<std::int32_t>(bases.size());
  bases.push_back({&definition, enclosing, derived});
  Scope scope{&instance_, &definition};
  if (cls.comment.annotation && !again) instance_.annotations.push_back({cls.comment.annotation, &definition, derived >= 0});
  take_attributes(definition, scope);
  if (store_.texts_checked.insert(&cls).second) check_text(definition, d_);
  Environment redeclared = redeclarations_in(cls, scope);
  std::size_t first = entries_.size();
  if (cls.form == ast::ClassForm::extending) extend_own_name(definition, enclosing, index, environment, redeclared);
  for (const ast::Element* element : cls.elements) {
    switch (element->kind) {
      case ast::ElementKind::component:
        if (!element->component->prefixes.redeclare)
          entries_.push_back({element->component, &definition, &environment, protected_});
        break;
      case ast::ElementKind::extends:
        extend(definition, index, *element->extends, environment, redeclared, protected_);
        break;
      case ast::ElementKind::objective:
        if (!again) instance_.objectives.push_back({element->objective, scope});
        break;
      case ast::ElementKind::class_:
        enter_class(definition, *element->class_, environment);
        break;
      case ast::ElementKind::import_:
        break;
    }
  }
  if (!redeclared.empty()) claim({std::move(redeclared), first, entries_.size(), &definition, true});
  if (!again) add_sections(cls, scope);
  chain_.pop_back();
}

/// Whether a class in the text of another takes the place of an inherited one.
bool takes_place(const ast::Class& cls) { return cls.prefixes.redeclare || cls.form == ast::ClassForm::extending; }

/// `redeclare T c;` in the text of a class is a modification of all that it extends.
Environment Collector::redeclarations_in(const ast::Class& cls, const Scope& scope) {
  Environment out;
  for (const ast::Element* element : cls.elements) {
    bool of_class = element->kind == ast::ElementKind::class_ && takes_place(*element->class_);
    bool of_component = element->kind == ast::ElementKind::component && element->component->prefixes.redeclare;
    if (!of_class && !of_component) continue;
    const ast::Prefixes& prefixes = of_class ? element->class_->prefixes : element->component->prefixes;
    ast::Argument& argument = store_.arguments.emplace_back();
    argument.kind = ast::ArgumentKind::redeclaration;
    argument.element = element;
    argument.span = of_class ? element->class_->name_span : element->component->name_span;
    argument.final_ = prefixes.final_;
    out.push_back({.argument = &argument, .scope = scope, .final_ = prefixes.final_});
  }
  return out;
}

/// A class of the name of an inherited one has to be the same; what else it shall be says `redeclare`.
void Collector::check_inherited_class(const Definition& definition, const ast::Class& cls) {
  auto bases = bases_of(store_, definition, d_);
  if (!bases) return;
  for (const Base& base : *bases) {
    auto other = base.definition ? class_member(store_, *base.definition, cls.name, d_) : Result<const Definition*>(nullptr);
    if (!other || !*other || (*other)->ast == &cls) continue;
    const Sources& sources = store_.library->sources();
    if (words_that_count(sources.text((*other)->ast->span)) == words_that_count(sources.text(cls.span))) continue;
    d_.error(codes::duplicate_element, cls.name_span, {cls.name, full_name(definition)},
             {{(*other)->ast->name_span, "inherited from here"}});
  }
}

void Collector::enter_class(const Definition& definition, const ast::Class& cls, const Environment& environment) {
  if (takes_place(cls)) return;
  if (cls.prefixes.outer) {
    d_.error(codes::not_supported, cls.name_span, {"the outer class `" + std::string(cls.name) + "`"});
    return;
  }
  check_inherited_class(definition, cls);
  auto member = store_.library->member(definition, cls.name, d_);
  if (member && *member) store_.class_entries.try_emplace({&instance_, cls.name}, ClassEntry{*member, &environment});
}

/// A class from which another inherits must not be replaced by a third. [MLS, 7.1.4].
bool Collector::base_stays(const Scope& scope, const ast::Reference& base) {
  auto found = lookup_base(tree_, scope, base, d_);
  if (!found || !found->definition) return true;
  const ast::Class& cls = *real_class(store_, *found->definition).ast;
  if (!cls.prefixes.replaceable) return true;
  d_.error(codes::replaceable_base, base.span, {syntax::print(base)}, {{cls.name_span, "declared replaceable here"}});
  return false;
}

void Collector::extend(const Definition& from, std::int32_t index, const ast::Extends& extends,
                       const Environment& environment, const Environment& redeclared, bool protected_) {
  Scope scope{&instance_, &from};
  auto chain = resolve_type(tree_, scope, *extends.type, true, d_);
  if (!chain) return;
  if (!chain->definition || chain->type != Type::none) {
    d_.error(codes::wrong_kind, extends.type->span, {"predefined type", "the base of a class with components or equations"});
    return;
  }
  if (!check_base(*from.ast, *chain, extends.type->span, d_)) return;
  if (!base_stays(scope, *extends.type)) return;
  extend_by(*chain, extends.modification, scope, index, environment, redeclared, protected_ || extends.protected_);
}

/// `model extends X(…)`: the X that the class around it inherits.
void Collector::extend_own_name(const Definition& from, const Instance* enclosing, std::int32_t index,
                                const Environment& environment, const Environment& redeclared) {
  auto below = extended_class(tree_, from, enclosing, d_);
  if (!below) return;
  auto chain = resolve_class(tree_, *below->definition, below->enclosing, from.ast->name_span, d_);
  if (!chain || !check_base(*from.ast, *chain, from.ast->name_span, d_)) return;
  extend_by(*chain, from.ast->modification, {&instance_, &from}, index, environment, redeclared);
}

void Collector::extend_by(const TypeChain& chain, const ast::Modification* modification, const Scope& scope,
                          std::int32_t index, const Environment& environment, const Environment& redeclared,
                          bool protected_) {
  if (modification && store_.checked.insert(modification).second) check_single_modification(modification, d_);
  Environment own;
  enter(modification, scope, {}, false, false, false, own);
  for (const Mod& mod : own) {
    if (mod.argument->kind == ast::ArgumentKind::modification && is_class_attribute(mod.name()))
      class_attributes_.push_back(mod);
  }
  Claim claimed{own, entries_.size(), 0, chain.definition};
  for (const AliasStep& step : chain.steps) enter_step(step, {}, false, false, own);
  Environment& passed = store_.environments.emplace_back(environment);
  passed.insert(passed.end(), redeclared.begin(), redeclared.end());
  passed.insert(passed.end(), own.begin(), own.end());
  collect(*chain.definition, chain.enclosing, index, passed, protected_);
  claimed.last = entries_.size();
  claim(std::move(claimed));
}

void Collector::check_duplicates() {
  std::map<std::string_view, std::size_t> first;
  std::vector<Entry> kept;
  for (const Entry& entry : entries_) {
    auto [it, fresh] = first.emplace(entry.component->name, kept.size());
    if (fresh) {
      kept.push_back(entry);
      continue;
    }
    Entry& earlier = kept[it->second];
    bool same = entry.component == earlier.component || is_identical(tree_, instance_, entry, earlier);
    bool in_one_text = entry.component != earlier.component && entry.lexical == earlier.lexical;
    if (same && in_one_text && !store_.library->options().strict)
      d_.warning(codes::repeated_element, entry.component->name_span,
                 {entry.component->name, full_name(*instance_.definition)},
                 {{earlier.component->name_span, "first declared here"}});
    else if (!same || in_one_text) {
      d_.error(codes::duplicate_element, entry.component->name_span,
               {entry.component->name, full_name(*instance_.definition)},
               {{earlier.component->name_span, "first declared here"}});
    } else if (entry.environment != earlier.environment) {
      Environment& both = store_.environments.emplace_back(*earlier.environment);
      for (const Mod& mod : *entry.environment) {
        auto there = [&](const Mod& m) { return m.argument == mod.argument && m.scope.instance == mod.scope.instance; };
        if (std::none_of(earlier.environment->begin(), earlier.environment->end(), there)) {
          both.push_back(mod);
          both.back().parallel = true;
        }
      }
      earlier.environment = &both;
    }
  }
  entries_ = std::move(kept);
}

/// What replaces a class fits also where nobody uses it.
void Collector::check_redeclared_classes() {
  for (std::string_view name : redeclared_) {
    auto entry = store_.class_entries.find({&instance_, name});
    if (entry != store_.class_entries.end()) (void)class_in(tree_, &instance_, *entry->second.definition, d_);
  }
}

std::span<const Entry> Collector::entries_of(const Claim& claim) const {
  std::size_t last = std::min(claim.last, entries_.size());
  return std::span(entries_).subspan(std::min(claim.first, last), last - std::min(claim.first, last));
}

/// Whether there is an element that a claim can be about.
bool Collector::is_there(const Claim& claim, std::string_view name) const {
  if (states_problem_ && has_class_attributes_ && is_class_attribute(name)) return true;
  return std::ranges::any_of(entries_of(claim), [&](const Entry& entry) { return entry.component->name == name; });
}

/// All of them.
std::unordered_set<std::string_view> Collector::names_in(const Claim& claim) const {
  std::unordered_set<std::string_view> names;
  for (const Entry& entry : entries_of(claim)) names.insert(entry.component->name);
  if (states_problem_ && has_class_attributes_) names.insert(class_attribute_names.begin(), class_attribute_names.end());
  return names;
}

void Collector::refuse(const Claim& claim, const Mod& mod) {
  if (mod.redeclares() && mod.argument->element->class_ &&
      mod.argument->element->class_->form == ast::ClassForm::extending) {
    d_.error(codes::extends_not_inherited, mod.argument->span, {mod.name(), "`" + full_name(*claim.definition) + "`"});
    return;
  }
  std::vector<std::string> candidates;
  for (std::size_t i = claim.first; i < std::min(claim.last, entries_.size()); ++i)
    candidates.emplace_back(entries_[i].component->name);
  if (states_problem_ && has_class_attributes_)
    candidates.insert(candidates.end(), class_attribute_names.begin(), class_attribute_names.end());
  const Definition* where = claim.definition ? claim.definition : instance_.definition;
  std::string of = std::string(syntax::spelling(where->ast->kind)) + " `" + full_name(*where) + "`";
  std::vector<Note> notes = mod.class_attribute ? syntax::note_on_name(mod.name(), candidates, syntax::WordPlace::attribute)
                                                : did_you_mean(mod.name(), candidates);
  if (mod.name() == "startTime" || mod.name() == "finalTime")
    notes.push_back({{}, "phases are components of the optimization class that is solved, and not of their classes"});
  d_.error(codes::no_such_element, mod.span(), {of, mod.class_attribute ? "class attribute" : "element", mod.name()},
           std::move(notes));
}

void Collector::check_claims() {
  constexpr std::size_t few = 8;  // modifiers, for which a walk over the elements is the shorter way
  for (const Claim& claim : claims_) {
    std::unordered_set<std::string_view> names =
        claim.mods.size() > few ? names_in(claim) : std::unordered_set<std::string_view>{};
    auto is_element = [&](std::string_view name) {
      return claim.mods.size() > few ? names.contains(name) : is_there(claim, name);
    };
    for (const Mod& mod : claim.mods) {
      const ast::Argument& argument = *mod.argument;
      if (argument.kind == ast::ArgumentKind::break_component || argument.kind == ast::ArgumentKind::break_connect) {
        d_.error(codes::not_supported, argument.span, {"`break` in an extends clause"});
        continue;
      }
      if (is_element(mod.name()) || class_exists(claim, mod.name())) {
        if (claim.inherited) (void)visibility_stays(claim, mod);
        if (mod.redeclares() && argument.element->class_) redeclared_.push_back(mod.name());
        continue;
      }
      refuse(claim, mod);
    }
  }
}

/// A public element is not redeclared in a protected section, and the other way round. [MLS, 7.3].
bool Collector::visibility_stays(const Claim& claim, const Mod& mod) {
  const ast::Element& by = *mod.argument->element;
  bool hidden = by.class_ ? by.class_->prefixes.protected_ : by.component->prefixes.protected_;
  std::optional<bool> was;
  Span declared;
  for (std::size_t i = claim.first; i < std::min(claim.last, entries_.size()) && by.component; ++i) {
    if (entries_[i].component->name != mod.name()) continue;
    was = entries_[i].component->prefixes.protected_ || entries_[i].protected_;
    declared = entries_[i].component->name_span;
  }
  auto bases = by.class_ ? bases_of(store_, *claim.definition, d_) : Result<std::vector<Base>>(std::vector<Base>{});
  for (const Base& base : bases ? *bases : std::vector<Base>{}) {
    auto cls = base.definition ? class_member(store_, *base.definition, mod.name(), d_) : Result<const Definition*>(nullptr);
    if (!cls || !*cls || was) continue;
    bool through_protected = base.extends && base.extends->protected_;
    was = (*cls)->ast->prefixes.protected_ || through_protected;
    declared = (*cls)->ast->name_span;
  }
  if (!was || *was == hidden) return true;
  d_.error(codes::not_redeclarable, mod.argument->span,
           {mod.name(), *was ? "it is protected, so its redeclaration has to be, too"
                             : "it is public, so its redeclaration has to be, too"},
           {{declared, "declared here"}});
  return false;
}

bool Collector::class_exists(const Claim& claim, std::string_view name) {
  const Definition* in = claim.definition ? claim.definition : instance_.definition;
  auto cls = claim.inherited ? inherited_class_member(store_, *in, name, d_) : class_member(store_, *in, name, d_);
  return !cls || *cls;
}

/// `s = "text"` for a String s: Strings do not change, so the equation is the value.
void take_string_equations(Store& store, Instance& instance) {
  std::erase_if(instance.equations, [&](const Scoped<ast::Equation>& equation) {
    const ast::Equation& e = *equation.node;
    bool named = e.kind == ast::EquationKind::equality && e.left->kind == ast::ExprKind::name &&
                 e.left->reference->simple() && e.left->reference->parts[0].subscripts.empty();
    auto child =
        named ? store.child_index.find({&instance, e.left->reference->parts[0].identifier}) : store.child_index.end();
    if (child == store.child_index.end()) return false;
    Instance& c = Store::edit(*child->second);
    if (c.type != Type::string || c.binding || c.parent != &instance) return false;
    c.binding = {.expr = e.right, .scope = equation.scope, .span = e.span};
    return true;
  });
}

}  // namespace

void add_child(InstanceTree::Store& store, Instance& parent, const Instance& child) {
  parent.children.push_back(&child);
  store.child_index.emplace(NameIn{&parent, child.name}, &child);
}

Result<Done> expand(InstanceTree& tree, const Instance& given, Diagnostics& d) {
  Store& store = tree.store();
  auto waiting = store.pending.find(&given);
  if (waiting == store.pending.end()) return Done{};
  Instance& instance = Store::edit(given);
  const Environment& environment = store.environments.emplace_back(std::move(waiting->second));
  store.pending.erase(waiting);
  Collector collector(tree, instance, d);
  if (store.root == &instance || instance.is_phase) {
    for (const Mod& mod : environment) {
      if (mod.argument->kind == ast::ArgumentKind::modification && is_class_attribute(mod.name()))
        collector.class_attributes().push_back(mod);
    }
  }
  collector.collect(*instance.definition, instance.enclosing, -1, environment, false);
  collector.claim({environment, 0, collector.entries().size(), instance.definition});
  collector.check_claims();
  collector.check_duplicates();
  if (instance.class_kind == ast::ClassKind::package && !instance.parent && &instance != store.root) {
    for (const Entry& entry : collector.entries()) store.package_entries[&instance].emplace(entry.component->name, entry);
    return Done{};
  }
  for (const Entry& entry : collector.entries()) {
    auto child = make_child(tree, instance, entry, d);
    if (child && *child) add_child(store, instance, **child);
  }
  take_string_equations(store, instance);
  collector.check_redeclared_classes();
  if (collector.has_class_attributes()) {
    std::size_t before = instance.children.size();
    make_class_attributes(tree, instance, collector.class_attributes(), d);
    for (std::size_t i = before; i < instance.children.size(); ++i) {
      store.child_index.emplace(NameIn{&instance, instance.children[i]->name}, instance.children[i]);
    }
  }
  return Done{};
}

Result<const Instance*> child_of(InstanceTree& tree, const Instance& instance, std::string_view name, Diagnostics& d) {
  Store& store = tree.store();
  auto expanded = expand(tree, instance, d);
  if (!expanded) return d.already_reported();
  if (auto it = store.child_index.find({&instance, name}); it != store.child_index.end()) return it->second;
  auto package = store.package_entries.find(&instance);
  if (package == store.package_entries.end()) return static_cast<const Instance*>(nullptr);
  auto entry = package->second.find(name);
  if (entry == package->second.end()) return static_cast<const Instance*>(nullptr);
  auto child = make_child(tree, Store::edit(instance), entry->second, d);
  if (!child) return child;
  if (*child) add_child(store, Store::edit(instance), **child);
  auto made = store.child_index.find({&instance, name});  // of an outer element: the inner one
  return made == store.child_index.end() ? child : made->second;
}

std::vector<std::string> child_names(InstanceTree& tree, const Instance& instance) {
  std::vector<std::string> names;
  for (const Instance* child : instance.children) names.emplace_back(child->name);
  auto package = tree.store().package_entries.find(&instance);
  if (package != tree.store().package_entries.end()) {
    for (const auto& [name, entry] : package->second) names.emplace_back(name);
  }
  return names;
}

Result<const Instance*> package_of(InstanceTree& tree, const Definition& definition, const Instance* enclosing,
                                   Diagnostics& d) {
  Store& store = tree.store();
  if (!enclosing) {
    auto around = instance_around(tree, definition.parent, d);
    if (!around) return around;
    enclosing = *around;
  }
  auto key = std::pair(&definition, enclosing);
  if (auto it = store.packages.find(key); it != store.packages.end()) return it->second;
  auto chain = resolve_class(tree, definition, enclosing, {}, d);
  if (!chain) return d.already_reported();
  if (!chain->definition || chain->type != Type::none) {
    return d.error(codes::not_a_class, definition.ast->name_span,
                   {definition.name(), "a predefined type without constants"});
  }
  Environment environment;
  Instance& package = store.make();
  enter_aliases(*chain, {&package}, 0, environment);
  if (environment.empty() && chain->definition != &definition) {  // another name of the same package
    auto same = package_of(tree, *chain->definition, chain->enclosing, d);
    if (same) store.packages.emplace(key, *same);
    return same;
  }
  package.name = definition.name();
  package.definition = chain->definition;
  package.enclosing = chain->enclosing;
  package.class_kind = ast::ClassKind::package;
  package.span = definition.ast->name_span;
  auto configured = is_configured(tree, definition, d);
  if (!configured) return d.already_reported();
  package.is_configured = *configured || package.enclosing;
  store.pending.emplace(&package, std::move(environment));
  store.packages.emplace(key, &package);
  return &package;
}

}  // namespace bolza::instance
