// SPDX-License-Identifier: Apache-2.0
#include <sbml/SBMLTypes.h>

#include <cmath>
#include <cstdlib>
#include <memory>
#include <utility>

#include "compiler/sbml/codes.h"
#include "compiler/sbml/expression_internal.h"
#include "compiler/sbml/unit_measure_internal.h"
#include "compiler/sbml/units_internal.h"

namespace bolza::sbml {
namespace {

/// A number that hardly converts between units.
bool is_plain(double x) {
  double a = std::abs(x);
  return a == 0.5 || (a == std::floor(a) && a > 0 && a <= 8);
}

std::string text_of(const ASTNode& node) {
  constexpr std::size_t most = 60;
  std::unique_ptr<char, decltype(&std::free)> text(SBML_formulaToL3String(&node), &std::free);
  std::string out = text ? text.get() : "the formula";
  if (out.size() > most) out = out.substr(0, most) + "…";
  return "`" + out + "`";
}

class UnitCheck {
 public:
  UnitCheck(const Model& model, UnitFindings findings, const Lines& lines, Diagnostics& diagnostics)
      : model_(model),
        declared_(model),
        findings_(findings),
        lines_(lines),
        diagnostics_(diagnostics) {}

  bool run();

 private:
  /// What a formula is given to: its unit, and how a message calls it.
  struct Target {
    Known unit;
    std::string name;
  };
  Target quantity(const std::string& id) const;
  void formula(const ASTNode* node, const SBase& element, const Target& target = {}, const Reaction* local = nullptr);
  bool lacks_size(const Measure& rate, const Measure& wanted) const;
  void rules();
  void reactions();
  void contributions(const Reaction& reaction);
  void events();

  Known measure(const ASTNode& node);
  Known of_name(const std::string& id) const;
  Known of_number(const ASTNode& node) const;
  Known agreement(const ASTNode& node, unsigned first, unsigned step);
  Known product(const ASTNode& node);
  Known raised(const ASTNode& node);
  Known root(const ASTNode& node);
  Known piecewise(const ASTNode& node);
  Known number_function(const ASTNode& node);
  Known others(const ASTNode& node);
  static bool is_bare(const ASTNode& node);
  void tell(const std::string& a, const Measure& of_a, const std::string& b, const Measure& of_b);

  const Model& model_;
  DeclaredUnits declared_;
  UnitFindings findings_;
  const Lines& lines_;
  Diagnostics& diagnostics_;
  const SBase* element_ = nullptr;   ///< whose formula is looked at
  const Reaction* local_ = nullptr;  ///< whose parameters it may mean
  const char* remedy_ = nullptr;
  bool told_ = false, failed_ = false;
};

void UnitCheck::tell(const std::string& a, const Measure& of_a, const std::string& b, const Measure& of_b) {
  if (std::exchange(told_, true)) return;
  const char* usual = "correct the formula, or the `units` of what it means; `--units ignore` leaves this check out";
  std::vector<Note> notes{{{}, remedy_ ? remedy_ : usual}};
  Span at = lines_.at(*element_);
  std::string left = to_text(of_a), right = to_text(of_b);
  if (findings_ == UnitFindings::error) {
    diagnostics_.error(sbml_units_differ, at, {a, b, left, right}, std::move(notes));
    failed_ = true;
  } else {
    diagnostics_.warning(sbml_units_differ, at, {a, b, left, right}, std::move(notes));
  }
}

// ---------------------------------------------------------------- formulas

Known UnitCheck::of_name(const std::string& id) const {
  const KineticLaw* law = local_ ? local_->getKineticLaw() : nullptr;
  const Parameter* p = law ? law->getParameter(id) : nullptr;
  if (!p && law) p = law->getLocalParameter(id);
  return p ? declared_.named(p->getUnits()) : quantity(id).unit;
}

UnitCheck::Target UnitCheck::quantity(const std::string& id) const {
  std::string name = "`" + id + "`";
  if (const Species* s = model_.getSpecies(id)) return {declared_.of_species(*s), name};
  if (model_.getCompartment(id)) return {declared_.of_compartment(id), name};
  if (const Parameter* p = model_.getParameter(id)) return {declared_.named(p->getUnits()), name};
  Known extent = declared_.extent(), time = declared_.time();
  if (model_.getReaction(id) && extent && time) return {*extent / *time, name};
  return {{}, name};
}

/// A number without a unit, or what is computed from such alone.
bool UnitCheck::is_bare(const ASTNode& node) {
  if (node.isNumber()) return !node.isSetUnits();
  if (!node.isOperator() || node.getNumChildren() == 0) return false;
  for (unsigned k = 0; k < node.getNumChildren(); ++k)
    if (!is_bare(*node.getChild(k))) return false;
  return true;
}

/// Numbers without a unit: plain ones are factors of no unit, others may convert.
Known UnitCheck::of_number(const ASTNode& node) const {
  if (node.isSetUnits()) return declared_.named(node.getUnits());
  double value = node.getValue();
  if (!is_plain(value)) return {};
  Measure one;
  one.exact = std::abs(value) == 1;
  return one;
}

/// All of every `step`-th child have one unit, which is that of the whole.
Known UnitCheck::agreement(const ASTNode& node, unsigned first, unsigned step) {
  Known common;
  const ASTNode* from = nullptr;
  bool open = false, inexact = false;
  for (unsigned k = first; k < node.getNumChildren(); k += step) {
    const ASTNode& child = *node.getChild(k);
    if (is_bare(child)) {
      inexact |= !child.isNumber() || child.getValue() != 0;
      continue;
    }
    Known own = measure(child);
    open |= !own;
    if (!own) continue;
    if (common && !fits(*common, *own)) {
      tell(text_of(*from), *common, text_of(child), *own);
      return {};
    }
    if (common) own->exact = own->exact && common->exact;
    common = own;
    from = &child;
  }
  if (open && !common) return {};
  if (common && (inexact || open)) common->exact = false;
  return common;
}

Known UnitCheck::product(const ASTNode& node) {
  Measure out;
  bool known = true;
  for (unsigned k = 0; k < node.getNumChildren(); ++k) {
    const ASTNode& child = *node.getChild(k);
    Known own = measure(child);
    known = known && own;
    if (own) out = k > 0 && node.getType() == AST_DIVIDE ? out / *own : out * *own;
  }
  return known ? Known(out) : Known();
}

Known UnitCheck::raised(const ASTNode& node) {
  if (node.getNumChildren() != 2) return {};
  Known base = measure(*node.getChild(0)), exponent = measure(*node.getChild(1));
  if (exponent && !exponent->is_number()) tell(text_of(*node.getChild(1)), *exponent, "an exponent", Measure{});
  if (!base) return {};
  if (node.getChild(1)->isNumber()) return power(*base, node.getChild(1)->getValue());
  return base->is_number() && !is_bare(*node.getChild(0)) ? base : Known();
}

Known UnitCheck::root(const ASTNode& node) {
  const ASTNode& inner = *node.getChild(node.getNumChildren() - 1);
  bool has_degree = node.getNumChildren() == 2;
  if (has_degree && !node.getChild(0)->isNumber()) return {};
  Known own = measure(inner);
  return own ? Known(power(*own, 1 / (has_degree ? node.getChild(0)->getValue() : 2))) : Known();
}

Known UnitCheck::piecewise(const ASTNode& node) {
  unsigned n = node.getNumChildren();
  for (unsigned k = 1; k < n; k += 2) measure(*node.getChild(k));
  return agreement(node, 0, 2);
}

/// exp, ln, sin, …: of a number.
Known UnitCheck::number_function(const ASTNode& node) {
  for (unsigned k = 0; k < node.getNumChildren(); ++k) {
    Known own = measure(*node.getChild(k));
    if (own && !own->is_number()) tell(text_of(*node.getChild(k)), *own, "the argument of a function of numbers", Measure{});
  }
  Measure out;
  out.exact = false;
  return out;
}

/// Conditions and whatever has no rule of its own.
Known UnitCheck::others(const ASTNode& node) {
  for (unsigned k = 0; k < node.getNumChildren(); ++k) measure(*node.getChild(k));
  return {};
}

Known UnitCheck::measure(const ASTNode& node) {
  if (node.isNumber()) return of_number(node);
  if (node.isRelational()) {
    agreement(node, 0, 1);
    return {};
  }
  switch (node.getType()) {
    case AST_NAME:
      return node.getName() ? of_name(node.getName()) : Known();
    case AST_PLUS:
    case AST_MINUS:
    case AST_FUNCTION_MIN:
    case AST_FUNCTION_MAX:
    case AST_FUNCTION_REM:
      return agreement(node, 0, 1);
    case AST_FUNCTION_ABS:
    case AST_FUNCTION_FLOOR:
    case AST_FUNCTION_CEILING:
      return node.getNumChildren() == 1 ? measure(*node.getChild(0)) : others(node);
    case AST_TIMES:
    case AST_DIVIDE:
      return product(node);
    case AST_POWER:
    case AST_FUNCTION_POWER:
      return raised(node);
    case AST_FUNCTION_ROOT:
      return node.getNumChildren() > 0 ? root(node) : Known();
    case AST_FUNCTION_PIECEWISE:
      return piecewise(node);
    case AST_FUNCTION_RATE_OF: {
      Known own = node.getNumChildren() == 1 ? measure(*node.getChild(0)) : Known(), time = declared_.time();
      return own && time ? Known(*own / *time) : Known();
    }
    case AST_FUNCTION_DELAY:
      return node.getNumChildren() == 2 ? measure(*node.getChild(0)) : Known();
    default:
      break;
  }
  bool of_numbers = node.isFunction() && node.getType() != AST_FUNCTION && node.getType() != AST_FUNCTION_QUOTIENT &&
                    node.getType() != AST_FUNCTION_FACTORIAL;
  return of_numbers ? number_function(node) : others(node);
}

// ---------------------------------------------------------------- elements with formulas

/// Is it a concentration per time where an amount per time is meant?
bool UnitCheck::lacks_size(const Measure& rate, const Measure& wanted) const {
  for (unsigned k = 0; k < model_.getNumCompartments(); ++k) {
    Known size = declared_.of_compartment(model_.getCompartment(k)->getId());
    if (size && fits(rate * *size, wanted)) return true;
  }
  return false;
}

void UnitCheck::formula(const ASTNode* node, const SBase& element, const Target& target, const Reaction* local) {
  if (!node) return;
  element_ = &element;
  local_ = local;
  remedy_ = nullptr;
  told_ = false;
  Known own = measure(*node);
  if (!own || !target.unit || is_bare(*node) || fits(*own, *target.unit)) return;
  if (local && lacks_size(*own, *target.unit))
    remedy_ = "a kinetic law is an amount per time: multiply it by the size of the compartment";
  tell(text_of(*node), *own, target.name, *target.unit);
}

void UnitCheck::rules() {
  Known time = declared_.time();
  for (unsigned k = 0; k < model_.getNumRules(); ++k) {
    const Rule& rule = *model_.getRule(k);
    Target target;
    if (!rule.isAlgebraic()) target = quantity(rule.getVariable());
    if (rule.isRate()) {
      target.unit = target.unit && time ? Known(*target.unit / *time) : Known();
      target.name = "the rate of " + target.name;
    }
    formula(rule.getMath(), rule, target);
  }
  for (unsigned k = 0; k < model_.getNumInitialAssignments(); ++k) {
    const InitialAssignment& one = *model_.getInitialAssignment(k);
    formula(one.getMath(), one, quantity(one.getSymbol()));
  }
  for (unsigned k = 0; k < model_.getNumConstraints(); ++k) {
    const Constraint& one = *model_.getConstraint(k);
    formula(one.getMath(), one);
  }
}

/// What a reaction adds to its species: its extent, by a conversion factor.
void UnitCheck::contributions(const Reaction& reaction) {
  Known extent = declared_.extent();
  auto one = [&](const SpeciesReference& r) {
    const Species* s = model_.getSpecies(r.getSpecies());
    if (!s || s->getBoundaryCondition() || s->getConstant() || !extent) return;
    bool own = s->isSetConversionFactor();
    Known amount = declared_.amount_of(*s), added = extent;
    if (own || model_.isSetConversionFactor()) {
      Known factor = quantity(own ? s->getConversionFactor() : model_.getConversionFactor()).unit;
      added = factor ? Known(*factor * *extent) : Known();
    }
    if (!amount || !added || fits(*amount, *added)) return;
    element_ = &r;
    remedy_ = "give the species a `conversionFactor`, or the model other `extentUnits`";
    told_ = false;
    tell("the amount of `" + s->getId() + "`", *amount, "the extent of `" + reaction.getId() + "`", *added);
  };
  for (unsigned i = 0; i < reaction.getNumReactants(); ++i) one(*reaction.getReactant(i));
  for (unsigned i = 0; i < reaction.getNumProducts(); ++i) one(*reaction.getProduct(i));
}

void UnitCheck::reactions() {
  for (unsigned k = 0; k < model_.getNumReactions(); ++k) {
    const Reaction& reaction = *model_.getReaction(k);
    const KineticLaw* law = reaction.getKineticLaw();
    if (!law) continue;
    Target rate{quantity(reaction.getId()).unit, "the rate of `" + reaction.getId() + "`"};
    if (law->isSetSubstanceUnits() || law->isSetTimeUnits()) rate.unit = {};  // units of its own: levels 1 and 2
    formula(law->getMath(), *law, rate, &reaction);
    contributions(reaction);
  }
}

void UnitCheck::events() {
  for (unsigned k = 0; k < model_.getNumEvents(); ++k) {
    const Event& event = *model_.getEvent(k);
    if (event.isSetTrigger()) formula(event.getTrigger()->getMath(), event);
    if (event.isSetDelay()) formula(event.getDelay()->getMath(), event, {declared_.time(), "a delay"});
    if (event.isSetPriority()) formula(event.getPriority()->getMath(), event);
    for (unsigned i = 0; i < event.getNumEventAssignments(); ++i) {
      const EventAssignment& one = *event.getEventAssignment(i);
      formula(one.getMath(), one, quantity(one.getVariable()));
    }
  }
}

bool UnitCheck::run() {
  rules();
  reactions();
  events();
  return !failed_;
}

}  // namespace

Result<Done> check_units(const Model& model, UnitFindings findings, const Lines& lines, Diagnostics& diagnostics) {
  if (findings == UnitFindings::none || UnitCheck(model, findings, lines, diagnostics).run()) return Done{};
  return diagnostics.already_reported();
}

}  // namespace bolza::sbml
