// SPDX-License-Identifier: Apache-2.0
#include "compiler/sbml/translate.h"

#include <sbml/SBMLTypes.h>
#include <sbml/extension/SBasePlugin.h>

#include <algorithm>
#include <memory>

#include "base/numbers.h"
#include "compiler/sbml/codes.h"
#include "compiler/sbml/expression_internal.h"
#include "compiler/sbml/quantities_internal.h"

namespace bolza::sbml {
namespace {

using Text = Result<std::string>;

std::string amount_name(const std::string& id) { return "'amount of " + id + "'"; }
std::string trigger_name(std::size_t k) { return "'trigger of event " + std::to_string(k + 1) + "'"; }

class Writer {
 public:
  Writer(const Model& model, Quantities quantities, const Lines& lines, Diagnostics& diagnostics)
      : model_(model),
        quantities_(std::move(quantities)),
        lines_(lines),
        diagnostics_(diagnostics) {}

  Result<Translation> run(const std::string& fallback_name);

 private:
  enum class When : std::uint8_t { running, initially };

  bool is_state(const Quantity& q) const {
    return !q.assignment && !q.is_algebraic && (q.rate || !q.contributions.empty() || q.event_sets || shrinks(q));
  }
  /// Its concentration follows from the amount and the size of a compartment that changes.
  bool shrinks(const Quantity& q) const {
    return q.species && !q.is_amount && !q.assignment && !q.rate && !q.is_algebraic &&
           quantities_.has_variable_size(q.compartment);
  }
  Text number(const ASTNode* node, When when, const SBase& element, const Reaction* local = nullptr);
  Text condition(const ASTNode* node, When when, const SBase& element);
  Expressions expressions(When when, const SBase& element, const Reaction* local);
  std::optional<std::string> initial_value_of(const std::string& id);
  Text start_of(const Quantity& q);
  Text start_after_events(const Quantity& q, const std::string& start);
  Text stoichiometry(const Contribution& c);
  Text rate_of(const Quantity& q);
  Text assigned_value(const Event& event, const Quantity& q, When when);
  Result<Done> parameter(const Quantity& q);
  Result<Done> state(const Quantity& q);
  Result<Done> assigned(const Quantity& q);
  Result<Done> quantity(const Quantity& q);
  Result<Done> reactions();
  Result<Done> algebraic_rules();
  Result<Done> constraints();
  Result<Done> check_event(const Event& event);
  Result<Done> events();
  Result<Done> resets(const Quantity& q);
  const EventAssignment* assignment_in(const Event& event, const std::string& id) const;
  std::vector<std::size_t> by_priority() const;

  const Model& model_;
  Quantities quantities_;
  const Lines& lines_;
  Diagnostics& diagnostics_;
  std::string declarations_, equations_;
  std::set<std::string> inlining_;  ///< assigned variables whose initial value is being written
  std::vector<SbmlSymbol> symbols_;
};

Expressions Writer::expressions(When when, const SBase& element, const Reaction* local) {
  Expressions::Names names;
  if (when == When::initially) names.time = "0";
  names.value = [this, when, local](const std::string& id) -> std::optional<std::string> {
    if (local) {
      const KineticLaw* law = local->getKineticLaw();
      if (law && (law->getParameter(id) || law->getLocalParameter(id))) return "'" + local->getId() + "." + id + "'";
    }
    if (when == When::initially) return initial_value_of(id);
    if (quantities_.find(id) || model_.getReaction(id)) return modelica_name(id);
    return {};
  };
  return {std::move(names), lines_.at(element), diagnostics_};
}

Text Writer::number(const ASTNode* node, When when, const SBase& element, const Reaction* local) {
  if (!node)
    return diagnostics_.error(not_supported, lines_.at(element), {"an element without a formula", "it says nothing"});
  return expressions(when, element, local).number(*node);
}

Text Writer::condition(const ASTNode* node, When when, const SBase& element) {
  if (!node)
    return diagnostics_.error(not_supported, lines_.at(element), {"an element without a formula", "it says nothing"});
  return expressions(when, element, nullptr).condition(*node);
}

/// Modelica's text for the value that an identifier has at the start, over parameters alone.
std::optional<std::string> Writer::initial_value_of(const std::string& id) {
  const Reaction* reaction = model_.getReaction(id);
  const Quantity* q = quantities_.find(id);
  if (!q && !reaction) return {};
  if (q && !q->assignment) return is_state(*q) || q->is_algebraic ? initial_name(id) : modelica_name(id);
  if (!inlining_.insert(id).second) return {};
  Text text = q ? number(q->assignment, When::initially, *q->element)
                : number(reaction->getKineticLaw() ? reaction->getKineticLaw()->getMath() : nullptr, When::initially,
                         *reaction, reaction);
  inlining_.erase(id);
  if (!text) return "0";  // reported: nothing is made of it
  return "(" + *text + ")";
}

/// The initial value in the unit of formulas.
Text Writer::start_of(const Quantity& q) {
  if (q.initial) return number(q.initial, When::initially, *q.element);
  if (!q.value) return std::string();
  std::string value = exact_text(*q.value);
  if (!q.species || q.value_is_amount == q.is_amount) return value;
  std::optional<std::string> size = initial_value_of(q.compartment);
  if (!size) return diagnostics_.error(unknown_symbol, lines_.at(*q.element), {q.compartment});
  return value + (q.is_amount ? "*" : "/") + *size;
}

Text Writer::stoichiometry(const Contribution& c) {
  const SpeciesReference& r = *c.reference;
  if (r.isSetId() && quantities_.find(r.getId())) return modelica_name(r.getId());
  if (r.isSetStoichiometryMath()) {
    Text text = number(r.getStoichiometryMath()->getMath(), When::running, r);
    if (!text) return diagnostics_.already_reported();
    return "(" + *text + ")";
  }
  if (!r.isSetStoichiometry() && r.getLevel() > 2) return diagnostics_.error(no_value, lines_.at(r), {"stoichiometry"});
  double value = r.getStoichiometry() / (r.getLevel() == 1 ? r.getDenominator() : 1);
  return exact_text(value);
}

/// Of the state: amount, or concentration in a compartment whose size stays.
Text Writer::rate_of(const Quantity& q) {
  if (q.rate) return number(q.rate, When::running, *q.element);
  std::string sum;
  for (const Contribution& c : q.contributions) {
    Text n = stoichiometry(c);
    if (!n) return diagnostics_.already_reported();
    sum += sum.empty() ? (c.consumed ? "-" : "") : (c.consumed ? " - " : " + ");
    sum += (*n == "1" ? "" : *n + "*") + modelica_name(c.reaction);
  }
  if (sum.empty()) return std::string("0");
  bool one = q.contributions.size() == 1;
  if (!q.conversion_factor.empty())
    sum = modelica_name(q.conversion_factor) + "*" + (one && sum[0] != '-' ? sum : "(" + sum + ")");
  if (!q.is_amount && !shrinks(q))
    sum = (q.conversion_factor.empty() && !one ? "(" + sum + ")" : sum) + "/" + modelica_name(q.compartment);
  return sum;
}

Result<Done> Writer::parameter(const Quantity& q) {
  Text start = start_of(q);
  if (!start) return diagnostics_.already_reported();
  std::string name = modelica_name(q.id);
  declarations_ += "  parameter Real " + name + (start->empty() ? "" : " = " + *start) + ";\n";
  symbols_.push_back({SbmlSymbol::Kind::parameter, q.id, name, q.species ? name : "", !start->empty()});
  return Done{};
}

const EventAssignment* Writer::assignment_in(const Event& event, const std::string& id) const {
  const EventAssignment* found = event.getEventAssignment(id);
  return found && found->isSetMath() ? found : nullptr;
}

/// What an event sets a quantity's state to.
Text Writer::assigned_value(const Event& event, const Quantity& q, When when) {
  const EventAssignment& one = *assignment_in(event, q.id);
  return number(one.getMath(), when, one);
}

/// Events whose trigger may hold at the start and did not before change the values at the start.
Text Writer::start_after_events(const Quantity& q, const std::string& start) {
  std::string out = start;
  for (std::size_t k : by_priority()) {
    const Event& event = *model_.getEvent(static_cast<unsigned>(k));
    const Trigger* trigger = event.getTrigger();
    if (!assignment_in(event, q.id) || !trigger || model_.getLevel() < 3 || trigger->getInitialValue()) continue;
    Text when = condition(trigger->getMath(), When::initially, event);
    Text value = assigned_value(event, q, When::initially);
    if (!when || !value) return diagnostics_.already_reported();
    out = "if " + *when + " then " + *value + " else " + out;
  }
  return out;
}

Result<Done> Writer::state(const Quantity& q) {
  Text start = start_of(q), rate = rate_of(q);
  std::string name = modelica_name(q.id), initial = initial_name(q.id);
  if (!start || !rate) return diagnostics_.already_reported();
  Text after = start_after_events(q, initial);
  if (!after) return diagnostics_.already_reported();
  declarations_ += "  parameter Real " + initial + (start->empty() ? "" : " = " + *start) + ";\n";
  if (shrinks(q)) {
    std::string amount = amount_name(q.id), size = modelica_name(q.compartment);
    const Quantity& c = *quantities_.find(q.compartment);
    std::optional<std::string> size_at_start = initial_value_of(q.compartment);
    Text size_after = start_after_events(c, size_at_start.value_or("1"));
    if (!size_after) return diagnostics_.already_reported();
    std::string factor = *after == initial ? size_at_start.value_or("1") : *size_after;
    declarations_ +=
        "  Real " + amount + "(start = (" + *after + ")*(" + factor + "), fixed = true);\n  Real " + name + ";\n";
    equations_ += "  der(" + amount + ") = " + *rate + ";\n  " + name + " = " + amount + "/" + size + ";\n";
  } else {
    declarations_ += "  Real " + name + "(start = " + *after + ", fixed = true);\n";
    equations_ += "  der(" + name + ") = " + *rate + ";\n";
  }
  symbols_.push_back({SbmlSymbol::Kind::state, q.id, name, initial, !start->empty()});
  return Done{};
}

Result<Done> Writer::assigned(const Quantity& q) {
  std::string name = modelica_name(q.id);
  if (q.is_algebraic) {
    Text start = start_of(q);
    if (!start) return diagnostics_.already_reported();
    std::string initial = initial_name(q.id);
    declarations_ += "  parameter Real " + initial + " = " + (start->empty() ? "0" : *start) + ";\n  Real " + name +
                     "(start = " + initial + ");\n";
  } else {
    Text value = number(q.assignment, When::running, *q.element);
    if (!value) return diagnostics_.already_reported();
    declarations_ += "  Real " + name + ";\n";
    equations_ += "  " + name + " = " + *value + ";\n";
  }
  symbols_.push_back({SbmlSymbol::Kind::assigned, q.id, name, "", true});
  return Done{};
}

Result<Done> Writer::quantity(const Quantity& q) {
  if (q.assignment || q.is_algebraic) return assigned(q);
  return is_state(q) ? state(q) : parameter(q);
}

Result<Done> Writer::reactions() {
  for (unsigned k = 0; k < model_.getNumReactions(); ++k) {
    const Reaction& r = *model_.getReaction(k);
    const KineticLaw* law = r.getKineticLaw();
    bool changes = r.getNumReactants() + r.getNumProducts() > 0;
    if (!law || !law->isSetMath()) {
      if (!changes && !quantities_.mentioned.contains(r.getId())) continue;
      return diagnostics_.error(not_supported, lines_.at(r), {"reaction `" + r.getId() + "`", "it has no kinetic law"});
    }
    auto local = [&](const Parameter& p) {
      std::string name = "'" + r.getId() + "." + p.getId() + "'";
      declarations_ += "  parameter Real " + name + (p.isSetValue() ? " = " + exact_text(p.getValue()) : "") + ";\n";
      symbols_.push_back({SbmlSymbol::Kind::parameter, r.getId() + "." + p.getId(), name, "", p.isSetValue()});
    };
    if (model_.getLevel() < 3)
      for (unsigned i = 0; i < law->getNumParameters(); ++i) local(*law->getParameter(i));
    else
      for (unsigned i = 0; i < law->getNumLocalParameters(); ++i) local(*law->getLocalParameter(i));
    Text rate = number(law->getMath(), When::running, *law, &r);
    if (!rate) return diagnostics_.already_reported();
    declarations_ += "  Real " + modelica_name(r.getId()) + ";\n";
    equations_ += "  " + modelica_name(r.getId()) + " = " + *rate + ";\n";
    symbols_.push_back({SbmlSymbol::Kind::assigned, r.getId(), modelica_name(r.getId()), "", true});
  }
  return Done{};
}

Result<Done> Writer::algebraic_rules() {
  for (unsigned k = 0; k < model_.getNumRules(); ++k) {
    const Rule& rule = *model_.getRule(k);
    if (!rule.isAlgebraic() || !rule.isSetMath()) continue;
    Text text = number(rule.getMath(), When::running, rule);
    if (!text) return diagnostics_.already_reported();
    equations_ += "  0 = " + *text + ";\n";
  }
  return Done{};
}

Result<Done> Writer::constraints() {
  for (unsigned k = 0; k < model_.getNumConstraints(); ++k) {
    const Constraint& one = *model_.getConstraint(k);
    if (!one.isSetMath()) continue;
    Text text = condition(one.getMath(), When::running, one);
    if (!text) return diagnostics_.already_reported();
    equations_ += "  assert(" + *text + ", \"a constraint of the SBML model\", AssertionLevel.warning);\n";
  }
  return Done{};
}

Result<Done> Writer::check_event(const Event& event) {
  auto refuse = [&](const char* why) {
    std::string name = event.isSetId() ? "event `" + event.getId() + "`" : "an event";
    return diagnostics_.error(not_supported, lines_.at(event), {name, why});
  };
  const ASTNode* delay = event.isSetDelay() ? event.getDelay()->getMath() : nullptr;
  if (delay && !(delay->isNumber() && delay->getValue() == 0)) return refuse("its assignments are delayed");
  const ASTNode* priority = event.isSetPriority() ? event.getPriority()->getMath() : nullptr;
  if (priority && !priority->isNumber()) return refuse("its priority is not a number");
  return Done{};
}

/// In the order of execution: the highest priority comes first.
std::vector<std::size_t> Writer::by_priority() const {
  auto priority = [&](std::size_t k) {
    const Event& e = *model_.getEvent(static_cast<unsigned>(k));
    const ASTNode* node = e.isSetPriority() ? e.getPriority()->getMath() : nullptr;
    return node ? node->getValue() : -infinity;
  };
  std::vector<std::size_t> order(model_.getNumEvents());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return priority(a) > priority(b); });
  return order;
}

/// One `when` for each quantity that events set. Of events at the same instant the one of lowest priority has the last word.
Result<Done> Writer::resets(const Quantity& q) {
  std::vector<std::size_t> setters;
  for (std::size_t k : by_priority()) {
    const Event& event = *model_.getEvent(static_cast<unsigned>(k));
    if (event.isSetTrigger() && event.getTrigger()->isSetMath() && assignment_in(event, q.id)) setters.push_back(k);
  }
  if (setters.empty()) return Done{};
  std::string value, triggers;
  for (std::size_t i = 0; i < setters.size(); ++i) {
    const Event& event = *model_.getEvent(static_cast<unsigned>(setters[i]));
    Text one = assigned_value(event, q, When::running);
    if (!one) return diagnostics_.already_reported();
    if (shrinks(q)) {
      const Quantity& c = *quantities_.find(q.compartment);
      Text size = assignment_in(event, c.id) ? assigned_value(event, c, When::running) : Text(modelica_name(c.id));
      if (!size) return diagnostics_.already_reported();
      one = "(" + *one + ")*(" + *size + ")";
    }
    std::string name = trigger_name(setters[i]);
    value = i == 0 ? *one : "if edge(" + name + ") then " + *one + " else " + value;
    triggers += (i ? ", " : "") + name;
  }
  if (setters.size() > 1) triggers = "{" + triggers + "}";
  std::string target = shrinks(q) ? amount_name(q.id) : modelica_name(q.id);
  equations_ += "  when " + triggers + " then\n    reinit(" + target + ", " + value + ");\n  end when;\n";
  return Done{};
}

Result<Done> Writer::events() {
  for (unsigned k = 0; k < model_.getNumEvents(); ++k) {
    const Event& event = *model_.getEvent(k);
    if (!check_event(event)) return diagnostics_.already_reported();
    if (!event.isSetTrigger() || !event.getTrigger()->isSetMath()) continue;
    Text when = condition(event.getTrigger()->getMath(), When::running, event);
    if (!when) return diagnostics_.already_reported();
    declarations_ += "  Boolean " + trigger_name(k) + " = " + *when + ";\n";
  }
  for (const Quantity& q : quantities_.all)
    if (q.event_sets && !resets(q)) return diagnostics_.already_reported();
  return Done{};
}

Result<Translation> Writer::run(const std::string& fallback_name) {
  for (const Quantity& q : quantities_.all)
    if (!quantity(q)) return diagnostics_.already_reported();
  if (!reactions() || !algebraic_rules() || !constraints() || !events()) return diagnostics_.already_reported();
  Translation out;
  std::string name = model_.isSetId() ? model_.getId() : fallback_name;
  bool taken = quantities_.find(name) || model_.getReaction(name);
  out.model_name = taken ? "'model " + name + "'" : modelica_name(name);
  out.text = "model " + out.model_name + "\n" + declarations_ + "equation\n" + equations_ + "end " + out.model_name + ";\n";
  out.symbols = std::move(symbols_);
  return out;
}

/// The name of the file as an identifier.
std::string stem_of(const std::string& path) {
  std::size_t slash = path.find_last_of('/');
  std::string stem = path.substr(slash == std::string::npos ? 0 : slash + 1);
  stem = stem.substr(0, stem.find('.'));
  for (char& c : stem)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return stem.empty() || std::isdigit(static_cast<unsigned char>(stem[0])) ? "model_" + stem : stem;
}

Result<Done> check_document(SBMLDocument& document, const std::string& path, std::string_view text, const Lines& lines,
                            Diagnostics& diagnostics) {
  for (unsigned k = 0; k < document.getNumErrors(); ++k) {
    const SBMLError& error = *document.getError(k);
    if (error.getSeverity() < LIBSBML_SEV_ERROR) continue;
    std::string message = error.getMessage();
    message = message.substr(0, message.find('\n'));
    while (!message.empty() && (message.back() == ' ' || message.back() == '.')) message.pop_back();
    return diagnostics.error(not_sbml, lines.line(error.getLine()), {path, message});
  }
  if (!document.getModel()) return diagnostics.error(not_sbml, {}, {path, "it contains no model"});
  for (unsigned k = 0; document.getLevel() > 2 && k < document.getNumPlugins(); ++k) {
    std::string package = document.getPlugin(k)->getPackageName();
    bool used = package != "comp" || text.find("submodel") != std::string_view::npos;
    if (document.getPackageRequired(package) && package != "l3v2extendedmath" && used)
      return diagnostics.error(not_supported, lines.line(2), {path, "it requires the package `" + package + "`"});
  }
  return Done{};
}

}  // namespace

Result<Translation> translate(const std::string& path, const std::string& text, Sources& sources, Diagnostics& diagnostics) {
  Lines lines(sources.add(path, text), sources);
  std::unique_ptr<SBMLDocument> document(readSBMLFromString(text.c_str()));
  if (!check_document(*document, path, text, lines, diagnostics)) return diagnostics.already_reported();
  if (document->getModel()->getNumFunctionDefinitions() > 0 && !document->expandFunctionDefinitions())
    return diagnostics.error(not_supported, lines.line(1), {path, "its function definitions could not be expanded"});
  const Model& model = *document->getModel();
  Result<Quantities> quantities = collect(model, lines, diagnostics);
  if (!quantities) return diagnostics.already_reported();
  return Writer(model, *std::move(quantities), lines, diagnostics).run(stem_of(path));
}

}  // namespace bolza::sbml
