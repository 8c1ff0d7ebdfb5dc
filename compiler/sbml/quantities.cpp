// SPDX-License-Identifier: Apache-2.0
#include <sbml/SBMLTypes.h>

#include <algorithm>

#include "compiler/sbml/codes.h"
#include "compiler/sbml/quantities_internal.h"

namespace bolza::sbml {
namespace {

class Collector {
 public:
  Collector(const Model& model, const Lines& lines, Diagnostics& diagnostics)
      : model_(model),
        lines_(lines),
        diagnostics_(diagnostics) {}

  Result<Quantities> run();

 private:
  Quantity& add(Quantity::Kind kind, const SBase& element, const std::string& id);
  void compartments();
  void species();
  void parameters();
  void stoichiometries();
  void mention_all();
  Result<Done> reactions();
  Result<Done> rules();
  Result<Done> events();
  Result<Done> algebraic_rules();
  bool give_to(std::size_t rule, const std::vector<std::set<std::string>>& unknowns, std::set<std::string>& tried,
               std::map<std::string, std::size_t>& owner) const;

  const Model& model_;
  const Lines& lines_;
  Diagnostics& diagnostics_;
  Quantities out_;
};

Quantity& Collector::add(Quantity::Kind kind, const SBase& element, const std::string& id) {
  out_.by_id[id] = out_.all.size();
  Quantity& q = out_.all.emplace_back();
  q.kind = kind;
  q.id = id;
  q.element = &element;
  return q;
}

void Collector::compartments() {
  for (unsigned k = 0; k < model_.getNumCompartments(); ++k) {
    const Compartment& c = *model_.getCompartment(k);
    Quantity& q = add(Quantity::Kind::compartment, c, c.getId());
    if (c.isSetSize() || c.getLevel() == 1) q.value = c.getSize();
    q.may_change = !c.getConstant();
  }
}

void Collector::species() {
  for (unsigned k = 0; k < model_.getNumSpecies(); ++k) {
    const Species& s = *model_.getSpecies(k);
    Quantity& q = add(Quantity::Kind::species, s, s.getId());
    q.species = &s;
    q.compartment = s.getCompartment();
    const Compartment* c = model_.getCompartment(s.getCompartment());
    bool point = c && c->isSetSpatialDimensions() && c->getSpatialDimensionsAsDouble() == 0;
    q.is_amount = s.getHasOnlySubstanceUnits() || point;
    q.value_is_amount = s.isSetInitialAmount();
    if (s.isSetInitialAmount()) q.value = s.getInitialAmount();
    else if (s.isSetInitialConcentration()) q.value = s.getInitialConcentration();
    q.may_change = !s.getConstant();
    q.conversion_factor = s.isSetConversionFactor()        ? s.getConversionFactor()
                          : model_.isSetConversionFactor() ? model_.getConversionFactor()
                                                           : "";
  }
}

void Collector::parameters() {
  for (unsigned k = 0; k < model_.getNumParameters(); ++k) {
    const Parameter& p = *model_.getParameter(k);
    Quantity& q = add(Quantity::Kind::parameter, p, p.getId());
    if (p.isSetValue()) q.value = p.getValue();
    q.may_change = !p.getConstant();
  }
}

/// Those with an identifier that something refers to.
void Collector::stoichiometries() {
  if (model_.getLevel() < 3) return;
  auto one = [&](const SpeciesReference& r) {
    if (!r.isSetId() || !out_.mentioned.contains(r.getId())) return;
    Quantity& q = add(Quantity::Kind::stoichiometry, r, r.getId());
    if (r.isSetStoichiometry()) q.value = r.getStoichiometry();
    q.may_change = !r.getConstant();
  };
  for (unsigned k = 0; k < model_.getNumReactions(); ++k) {
    const Reaction& reaction = *model_.getReaction(k);
    for (unsigned i = 0; i < reaction.getNumReactants(); ++i) one(*reaction.getReactant(i));
    for (unsigned i = 0; i < reaction.getNumProducts(); ++i) one(*reaction.getProduct(i));
  }
}

void Collector::mention_all() {
  std::set<std::string>& names = out_.mentioned;
  for (unsigned k = 0; k < model_.getNumReactions(); ++k)
    if (const KineticLaw* law = model_.getReaction(k)->getKineticLaw()) add_names(law->getMath(), names);
  for (unsigned k = 0; k < model_.getNumRules(); ++k) {
    add_names(model_.getRule(k)->getMath(), names);
    names.insert(model_.getRule(k)->getVariable());
  }
  for (unsigned k = 0; k < model_.getNumInitialAssignments(); ++k) {
    add_names(model_.getInitialAssignment(k)->getMath(), names);
    names.insert(model_.getInitialAssignment(k)->getSymbol());
  }
  for (unsigned k = 0; k < model_.getNumEvents(); ++k) {
    const Event& event = *model_.getEvent(k);
    if (event.isSetTrigger()) add_names(event.getTrigger()->getMath(), names);
    if (event.isSetDelay()) add_names(event.getDelay()->getMath(), names);
    if (event.isSetPriority()) add_names(event.getPriority()->getMath(), names);
    for (unsigned i = 0; i < event.getNumEventAssignments(); ++i) {
      add_names(event.getEventAssignment(i)->getMath(), names);
      names.insert(event.getEventAssignment(i)->getVariable());
    }
  }
}

Result<Done> Collector::reactions() {
  for (unsigned k = 0; k < model_.getNumReactions(); ++k) {
    const Reaction& reaction = *model_.getReaction(k);
    if (reaction.isSetFast() && reaction.getFast()) out_.fast.insert(reaction.getId());
    if (out_.fast.contains(reaction.getId()) && out_.mentioned.contains(reaction.getId()))
      return diagnostics_.error(not_supported, lines_.at(reaction),
                                {"reaction `" + reaction.getId() + "`", "it is fast, and a formula reads its rate"});
    auto one = [&](const SpeciesReference& r, bool consumed) {
      Quantity* q = out_.find(r.getSpecies());
      if (q && q->species && q->may_change && !q->species->getBoundaryCondition())
        q->contributions.push_back({reaction.getId(), consumed, &r});
    };
    for (unsigned i = 0; i < reaction.getNumReactants(); ++i) one(*reaction.getReactant(i), true);
    for (unsigned i = 0; i < reaction.getNumProducts(); ++i) one(*reaction.getProduct(i), false);
  }
  return Done{};
}

Result<Done> Collector::rules() {
  for (unsigned k = 0; k < model_.getNumRules(); ++k) {
    const Rule& rule = *model_.getRule(k);
    if (rule.isAlgebraic() || !rule.isSetMath()) continue;
    Quantity* q = out_.find(rule.getVariable());
    if (!q) return diagnostics_.error(unknown_symbol, lines_.at(rule), {rule.getVariable()});
    (rule.isRate() ? q->rate : q->assignment) = rule.getMath();
  }
  for (unsigned k = 0; k < model_.getNumInitialAssignments(); ++k) {
    const InitialAssignment& one = *model_.getInitialAssignment(k);
    if (!one.isSetMath()) continue;
    Quantity* q = out_.find(one.getSymbol());
    if (!q) return diagnostics_.error(unknown_symbol, lines_.at(one), {one.getSymbol()});
    q->initial = one.getMath();
  }
  return Done{};
}

Result<Done> Collector::events() {
  for (unsigned k = 0; k < model_.getNumEvents(); ++k) {
    const Event& event = *model_.getEvent(k);
    for (unsigned i = 0; i < event.getNumEventAssignments(); ++i) {
      const EventAssignment& one = *event.getEventAssignment(i);
      Quantity* q = out_.find(one.getVariable());
      if (!q) return diagnostics_.error(unknown_symbol, lines_.at(one), {one.getVariable()});
      if (one.isSetMath()) q->event_sets = true;
      if (one.isSetMath() && !out_.fast.empty())
        return diagnostics_.error(not_supported, lines_.at(one),
                                  {"reaction `" + *out_.fast.begin() + "`", "it is fast, and events set something"});
    }
  }
  return Done{};
}

/// An augmenting path of the bipartite matching of rules and unknowns.
bool Collector::give_to(std::size_t rule, const std::vector<std::set<std::string>>& unknowns, std::set<std::string>& tried,
                        std::map<std::string, std::size_t>& owner) const {
  for (const std::string& id : unknowns[rule]) {
    if (!tried.insert(id).second) continue;
    auto taken = owner.find(id);
    if (taken != owner.end() && !give_to(taken->second, unknowns, tried, owner)) continue;
    owner[id] = rule;
    return true;
  }
  return false;
}

/// Each algebraic rule determines something that nothing else does.
Result<Done> Collector::algebraic_rules() {
  std::vector<std::set<std::string>> unknowns;
  std::vector<const Rule*> rules;
  for (unsigned k = 0; k < model_.getNumRules(); ++k) {
    const Rule& rule = *model_.getRule(k);
    if (!rule.isAlgebraic() || !rule.isSetMath()) continue;
    std::set<std::string> names, before;
    add_names(rule.getMath(), names);
    while (names != before) {  // through assigned variables and rates of reactions
      before = names;
      for (const std::string& id : before) {
        if (const Quantity* q = out_.find(id)) add_names(q->assignment, names);
        const Reaction* r = model_.getReaction(id);
        if (r && r->isSetKineticLaw()) add_names(r->getKineticLaw()->getMath(), names);
      }
    }
    std::erase_if(names, [&](const std::string& id) {
      const Quantity* q = out_.find(id);
      return !q || !q->may_change || q->assignment || q->rate || !q->contributions.empty();
    });
    std::set<std::string> free = names;  // what events set is a state rather, where something else is left
    std::erase_if(free, [&](const std::string& id) { return out_.find(id)->event_sets; });
    unknowns.push_back(free.empty() ? std::move(names) : std::move(free));
    rules.push_back(&rule);
  }
  std::map<std::string, std::size_t> owner;
  for (std::size_t k = 0; k < rules.size(); ++k) {
    std::set<std::string> tried;
    if (!give_to(k, unknowns, tried, owner)) return diagnostics_.error(algebraic_rule, lines_.at(*rules[k]));
  }
  for (const auto& [id, rule] : owner) {
    out_.find(id)->is_algebraic = true;
    out_.find(id)->algebraic = rules[rule]->getMath();
  }
  return Done{};
}

Result<Quantities> Collector::run() {
  mention_all();
  compartments();
  species();
  parameters();
  stoichiometries();
  if (!reactions() || !rules() || !events() || !algebraic_rules()) return diagnostics_.already_reported();
  return std::move(out_);
}

}  // namespace

Quantity* Quantities::find(const std::string& id) {
  auto found = by_id.find(id);
  return found == by_id.end() ? nullptr : &all[found->second];
}

bool Quantities::has_variable_size(const std::string& compartment) const {
  const Quantity* c = find(compartment);
  return c && (c->assignment || c->rate || c->event_sets || c->is_algebraic);
}

void add_names(const ASTNode* node, std::set<std::string>& names) {
  if (!node) return;
  if (node->getType() == AST_NAME && node->getName()) names.insert(node->getName());
  for (unsigned k = 0; k < node->getNumChildren(); ++k) add_names(node->getChild(k), names);
}

Lines::Lines(SourceId file, const Sources& sources) : file_(file) {
  std::string_view text = sources.text(file);
  std::uint32_t begin = 0;
  for (std::uint32_t k = 0; k <= text.size(); ++k) {
    if (k < text.size() && text[k] != '\n') continue;
    std::uint32_t first = begin;
    while (first < k && (text[first] == ' ' || text[first] == '\t')) ++first;
    lines_.push_back({file, first, k});
    begin = k + 1;
  }
}

Span Lines::line(unsigned number) const {
  return number >= 1 && number <= lines_.size() ? lines_[number - 1] : Span{file_, 0, 0};
}
Span Lines::at(const SBase& element) const { return line(element.getLine()); }

Result<Quantities> collect(const Model& model, const Lines& lines, Diagnostics& diagnostics) {
  return Collector(model, lines, diagnostics).run();
}

}  // namespace bolza::sbml
