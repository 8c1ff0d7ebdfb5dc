// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/numbers.h"
#include "compiler/sbml/codes.h"
#include "compiler/sbml/writer_internal.h"

namespace bolza::sbml {

using Text = Result<std::string>;

namespace {

/// What a file calls an element beside its identifier, as a description of Modelica.
std::string description_of(const SBase& element) {
  if (!element.isSetName() || element.getName() == element.getId()) return "";
  std::string out = " \"";
  for (char c : element.getName()) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return out + '"';
}

}  // namespace

std::string extent_name(const std::string& id) { return "'extent of " + id + " at the start'"; }
std::string amount_name(const std::string& id) { return "'amount of " + id + "'"; }

std::optional<std::string> ModelWriter::local_parameter(const Reaction* reaction, const std::string& id) const {
  const KineticLaw* law = reaction ? reaction->getKineticLaw() : nullptr;
  if (!law || (!law->getParameter(id) && !law->getLocalParameter(id))) return {};
  return "'" + reaction->getId() + "." + id + "'";
}

Expressions::Names ModelWriter::names_for(When when, const Reaction* local) {
  Expressions::Names names;
  if (when == When::initially) names.time = start_time_;
  bool stands = when == When::initially && start_time_ != "0";  // before the start
  names.value = [this, when, local](const std::string& id) -> std::optional<std::string> {
    if (auto own = local_parameter(local, id)) return own;
    if (when == When::initially) return initial_value_of(id);
    if (quantities_.find(id) || model_.getReaction(id)) return modelica_name(id);
    return {};
  };
  names.rate = [this, when, local, stands](const std::string& id) -> std::optional<std::string> {
    if (stands || local_parameter(local, id)) return "0.0";
    return derivative_of(id, names_for(when));
  };
  names.past = [this, when, local](const ASTNode& call, Span at) { return past(call, when, local, at); };
  return names;
}

/// Does a formula mean parameters alone?
bool ModelWriter::is_fixed(const ASTNode* node) const {
  if (node->getType() == AST_NAME_TIME || node->getType() == AST_FUNCTION_DELAY) return false;
  if (node->getType() == AST_NAME) {
    const Quantity* q = quantities_.find(node->getName());
    if (q ? q->assignment || q->is_algebraic || is_state(*q) : model_.getReaction(node->getName()) != nullptr) return false;
  }
  for (unsigned k = 0; k < node->getNumChildren(); ++k)
    if (!is_fixed(node->getChild(k))) return false;
  return true;
}

/// What a formula was before the start: initial values did not change, time went on.
Text ModelWriter::before_start(const ASTNode& node, const std::string& time, const Reaction* local, Span at) {
  std::string time_now = std::exchange(start_time_, time);
  Text out = Expressions{names_for(When::initially, local), at, diagnostics_}.number(node);
  start_time_ = std::move(time_now);
  return out;
}

/// A variable that is what a formula was a while ago.
Text ModelWriter::past(const ASTNode& call, When when, const Reaction* local, Span at) {
  if (!quantities_.fast.empty())
    return diagnostics_.error(
        not_supported, at, {"reaction `" + *quantities_.fast.begin() + "`", "it is fast, and values of the past are read"});
  Expressions expressions{names_for(when, local), at, diagnostics_};
  Text value = expressions.number(*call.getChild(0)), wait = expressions.number(*call.getChild(1));
  if (!value || !wait) return diagnostics_.already_reported();
  std::string now = when == When::initially ? start_time_ : "time";
  Text before = before_start(*call.getChild(0), "(" + now + " - (" + *wait + "))", local, at);
  Text at_start = before_start(*call.getChild(0), "0", local, at);
  if (!before || !at_start) return diagnostics_.already_reported();
  if (when == When::initially) return "(" + *before + ")";
  std::string what = "delay(" + *value + ", " + *wait + (is_fixed(call.getChild(1)) ? ")" : ", 1e9)");
  if (*before != *at_start) what = "if time < " + *wait + " then " + *before + " else " + what;
  auto [found, is_new] = past_.try_emplace(what);
  if (!is_new) return found->second;
  found->second = "'value of the past " + std::to_string(past_.size()) + "'";
  declarations_ += "  Real " + found->second + ";\n";
  equations_ += "  " + found->second + " = " + what + ";\n";
  return found->second;
}

Text ModelWriter::number(const ASTNode* node, const Expressions::Names& names, const SBase& element) {
  if (!node)
    return diagnostics_.error(not_supported, lines_.at(element), {"an element without a formula", "it says nothing"});
  return Expressions{names, lines_.at(element), diagnostics_}.number(*node);
}

Text ModelWriter::number(const ASTNode* node, When when, const SBase& element, const Reaction* local) {
  return number(node, names_for(when, local), element);
}

Text ModelWriter::condition(const ASTNode* node, const Expressions::Names& names, const SBase& element) {
  if (!node)
    return diagnostics_.error(not_supported, lines_.at(element), {"an element without a formula", "it says nothing"});
  return Expressions{names, lines_.at(element), diagnostics_}.condition(*node);
}

Text ModelWriter::condition(const ASTNode* node, When when, const SBase& element) {
  return condition(node, names_for(when), element);
}

/// How fast a quantity changes, by these names: the right side of its equation; absent: only the solver knows.
std::optional<std::string> ModelWriter::derivative_of(const std::string& id, const Expressions::Names& names) {
  const Quantity* q = quantities_.find(id);
  if (!q || q->assignment || q->is_algebraic) return {};
  if (!is_state(*q)) return "0.0";
  Text rate = rate_of(*q, names);
  if (!rate) return failed_value();
  if (!shrinks(*q)) return "(" + *rate + ")";
  std::optional<std::string> size = names.value(q->compartment), growth = derivative_of(q->compartment, names);
  std::optional<std::string> own = names.value(id);
  if (!size || !growth || !own) return {};
  return "((" + *rate + " - " + *own + "*" + *growth + ")/" + *size + ")";
}

/// Modelica's text for the value that an identifier has at the start, over parameters alone.
std::optional<std::string> ModelWriter::initial_value_of(const std::string& id) {
  const Reaction* reaction = model_.getReaction(id);
  const Quantity* q = quantities_.find(id);
  if (!q && !reaction) return {};
  if (q && q->initial && start_time_ != "0") {  // an initial assignment holds before the start, too
    Text before = number(q->initial, When::initially, *q->element);
    Text at_start = before_start(*q->initial, "0", nullptr, lines_.at(*q->element));
    if (!before || !at_start) return failed_value();
    if (*before != *at_start) return "(" + *before + ")";
  }
  if (q && q->is_algebraic) return solved_at_start(*q);
  if (q && !q->assignment) return is_state(*q) ? initial_name(id) : modelica_name(id);
  if (!inlining_.insert(id).second) return {};
  Text text = q ? number(q->assignment, When::initially, *q->element)
                : number(reaction->getKineticLaw() ? reaction->getKineticLaw()->getMath() : nullptr, When::initially,
                         *reaction, reaction);
  inlining_.erase(id);
  if (!text) return failed_value();
  return "(" + *text + ")";
}

std::optional<std::string> ModelWriter::failed_value() {
  failed_ = true;
  return "0";
}

namespace {

/// The degree of a formula in an identifier; 2 stands for all that is not linear.
int degree_of(const ASTNode& node, const std::string& id) {
  if (node.getType() == AST_NAME) return node.getName() == id ? 1 : 0;
  int sum = 0, highest = 0, last = 0;
  for (unsigned k = 0; k < node.getNumChildren(); ++k) {
    last = degree_of(*node.getChild(k), id);
    sum += last;
    highest = std::max(highest, last);
  }
  switch (node.getType()) {
    case AST_PLUS:
    case AST_MINUS:
      return highest;
    case AST_TIMES:
      return std::min(sum, 2);
    case AST_DIVIDE:
      return last == 0 ? sum : 2;
    default:
      return sum == 0 ? 0 : 2;
  }
}

}  // namespace

/// What an algebraic rule f = 0 makes of a variable in which it is linear, at the start: -f(0)/(f(1) - f(0)).
std::optional<std::string> ModelWriter::solved_at_start(const Quantity& q) {
  std::set<std::string> others;
  add_names(q.algebraic, others);
  others.erase(q.id);
  bool linear = degree_of(*q.algebraic, q.id) == 1;
  for (const std::string& other : others) {
    ASTNode name(AST_NAME);
    name.setName(other.c_str());
    linear = linear && !read_by(&name).contains(q.id);
  }
  auto with = [&](const char* value) {
    Expressions::Names names = names_for(When::initially);
    names.value = [&, value](const std::string& id) { return id == q.id ? std::optional(value) : initial_value_of(id); };
    return number(q.algebraic, names, *q.element);
  };
  if (!linear) {
    diagnostics_.error(not_supported, lines_.at(*q.element),
                       {"`" + q.id + "`", "its value at the start is needed, and its algebraic rule is not linear in it"});
    return failed_value();
  }
  Text at_zero = with("0.0"), at_one = with("1.0");
  if (!at_zero || !at_one) return failed_value();
  return "(-(" + *at_zero + ")/((" + *at_one + ") - (" + *at_zero + ")))";
}

/// The initial value in the unit of formulas.
Text ModelWriter::start_of(const Quantity& q) {
  if (q.initial) return number(q.initial, When::initially, *q.element);
  if (!q.value || std::isnan(*q.value)) return std::string();
  if (std::isinf(*q.value))
    return diagnostics_.error(not_supported, lines_.at(*q.element), {"`" + q.id + "`", "its value is infinite"});
  std::string value = exact_text(*q.value);
  if (!q.species || q.value_is_amount == q.is_amount) return value;
  std::optional<std::string> size = initial_value_of(q.compartment);
  if (!size) return diagnostics_.error(unknown_symbol, lines_.at(*q.element), {q.compartment});
  return value + (q.is_amount ? "*" : "/") + *size;
}

Text ModelWriter::stoichiometry(const Contribution& c, const Expressions::Names& names) {
  const SpeciesReference& r = *c.reference;
  if (r.isSetId() && quantities_.find(r.getId())) return *names.value(r.getId());
  if (r.isSetStoichiometryMath()) {
    Text text = number(r.getStoichiometryMath()->getMath(), names, r);
    if (!text) return diagnostics_.already_reported();
    return "(" + *text + ")";
  }
  if (!r.isSetStoichiometry() && r.getLevel() > 2) return diagnostics_.error(no_value, lines_.at(r), {"stoichiometry"});
  double value = r.getStoichiometry() / (r.getLevel() == 1 ? r.getDenominator() : 1);
  return exact_text(value);
}

/// Of the state: amount, or concentration in a compartment whose size stays.
Text ModelWriter::rate_of(const Quantity& q, const Expressions::Names& names) {
  if (q.rate) return number(q.rate, names, *q.element);
  std::string sum;
  for (const Contribution& c : q.contributions) {
    Text n = stoichiometry(c, names);
    if (!n) return diagnostics_.already_reported();
    sum += sum.empty() ? (c.consumed ? "-" : "") : (c.consumed ? " - " : " + ");
    sum += (*n == "1" ? "" : *n + "*") + names.value(c.reaction).value_or("0");
  }
  if (sum.empty()) return std::string("0");
  bool one = q.contributions.size() == 1;
  if (!q.conversion_factor.empty())
    sum = names.value(q.conversion_factor).value_or("1") + "*" + (one && sum[0] != '-' ? sum : "(" + sum + ")");
  if (!q.is_amount && !shrinks(q))
    sum = (q.conversion_factor.empty() && !one ? "(" + sum + ")" : sum) + "/" + names.value(q.compartment).value_or("1");
  return sum;
}

Result<Done> ModelWriter::parameter(const Quantity& q) {
  Text start = start_of(q);
  if (!start) return diagnostics_.already_reported();
  std::string name = modelica_name(q.id);
  declarations_ += "  parameter Real " + name + (start->empty() ? "" : " = " + *start) + description_of(*q.element) + ";\n";
  symbols_.push_back({SbmlSymbol::Kind::parameter, q.id, name, q.species ? name : "", !start->empty()});
  return Done{};
}

const EventAssignment* ModelWriter::assignment_in(const Event& event, const std::string& id) const {
  const EventAssignment* found = event.getEventAssignment(id);
  return found && found->isSetMath() ? found : nullptr;
}

/// What an event sets a quantity's state to.
Text ModelWriter::assigned_value(const Event& event, const Quantity& q, When when) {
  const EventAssignment& one = *assignment_in(event, q.id);
  return number(one.getMath(), when, one);
}

/// Events whose trigger may hold at the start and did not before change the values at the start.
Text ModelWriter::start_after_events(const Quantity& q, const std::string& start) {
  if (has_queue_) return start_after_queue(q, start);
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

/// Does a fast reaction change it?
bool ModelWriter::relaxes(const Quantity& q) const {
  return std::any_of(q.contributions.begin(), q.contributions.end(),
                     [&](const Contribution& c) { return quantities_.fast.contains(c.reaction); });
}

/// The start of what fast reactions change: they have gone as far as they go, each by an extent that is unknown.
Result<Done> ModelWriter::relax(const Quantity& q, const std::string& variable, const std::string& start) {
  Expressions::Names names = names_for(When::initially);
  auto value = names.value;
  names.value = [this, value](const std::string& id) -> std::optional<std::string> {
    if (!model_.getReaction(id)) return value(id);
    return quantities_.fast.contains(id) ? extent_name(id) : "0";
  };
  Text extents = rate_of(q, names);
  if (!extents) return diagnostics_.already_reported();
  initial_equations_ += "  " + variable + " = " + start + " + (" + *extents + ");\n";
  return Done{};
}

/// A fast reaction stays at an equilibrium to which it returns: its rate falls along what it makes.
Result<Done> ModelWriter::check_equilibrium(const Reaction& r) {
  std::string size = "1e-6*(0";
  for (const Quantity& q : quantities_.all)
    for (const Contribution& c : q.contributions)
      if (c.reaction == r.getId()) size += " + abs(" + modelica_name(q.id) + ")";
  auto moved_by = [&](const std::string& step) {
    Expressions::Names names = names_for(When::running, &r);
    auto value = names.value;
    names.value = [this, value, step, &r](const std::string& id) -> std::optional<std::string> {
      const Quantity* q = quantities_.find(id);
      if (!q) return value(id);
      int made = 0;
      for (const Contribution& c : q->contributions)
        if (c.reaction == r.getId()) made += c.consumed ? -1 : 1;
      std::optional<std::string> own = value(id);
      return made == 0 || !own ? own : "(" + *own + (made > 0 ? " + " : " - ") + step + ")";
    };
    return number(r.getKineticLaw()->getMath(), names, r);
  };
  Text after = moved_by(size + ")"), before = moved_by("(-" + size + "))");
  if (!after || !before) return diagnostics_.already_reported();
  equations_ += "  assert(noEvent(" + *after + " <= " + *before + "), \"the fast reaction " + r.getId() +
                " is at an equilibrium that it would leave\");\n";
  return Done{};
}

Result<Done> ModelWriter::state(const Quantity& q) {
  Text start = start_of(q), rate = rate_of(q, names_for(When::running));
  std::string name = modelica_name(q.id), initial = initial_name(q.id);
  if (!start || !rate) return diagnostics_.already_reported();
  Text after = start_after_events(q, initial);
  if (!after) return diagnostics_.already_reported();
  declarations_ += "  parameter Real " + initial + (start->empty() ? "" : " = " + *start) + ";\n";
  const char* fixed = relaxes(q) ? ")" : ", fixed = true)";
  if (shrinks(q)) {
    std::string amount = amount_name(q.id), size = modelica_name(q.compartment);
    const Quantity& c = *quantities_.find(q.compartment);
    std::optional<std::string> size_at_start = initial_value_of(q.compartment);
    Text size_after = start_after_events(c, size_at_start.value_or("1"));
    if (!size_after) return diagnostics_.already_reported();
    std::string factor = *after == initial && !has_queue_ ? size_at_start.value_or("1") : *size_after;
    std::string amount_after = "(" + *after + ")*(" + factor + ")";
    if (has_queue_) amount_after = *after == initial ? initial + "*" + size_at_start.value_or("1") : *after;
    declarations_ +=
        "  Real " + amount + "(start = " + amount_after + fixed + ";\n  Real " + name + description_of(*q.element) + ";\n";
    if (relaxes(q) && !relax(q, amount, amount_after)) return diagnostics_.already_reported();
    equations_ += "  der(" + amount + ") = " + *rate + ";\n  " + name + " = " + amount + "/" + size + ";\n";
  } else {
    declarations_ += "  Real " + name + "(start = " + *after + fixed + description_of(*q.element) + ";\n";
    if (relaxes(q) && !relax(q, name, *after)) return diagnostics_.already_reported();
    equations_ += "  der(" + name + ") = " + *rate + ";\n";
  }
  SbmlSymbol symbol{SbmlSymbol::Kind::state, q.id, name, initial, !start->empty()};
  if (shrinks(q)) {
    symbol.amount = amount_name(q.id);
    symbol.size = modelica_name(q.compartment);
  }
  symbols_.push_back(std::move(symbol));
  return Done{};
}

Result<Done> ModelWriter::assigned(const Quantity& q) {
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
    declarations_ += "  Real " + name + description_of(*q.element) + ";\n";
    equations_ += "  " + name + " = " + *value + ";\n";
  }
  symbols_.push_back({SbmlSymbol::Kind::assigned, q.id, name, "", true});
  return Done{};
}

Result<Done> ModelWriter::quantity(const Quantity& q) {
  if (q.assignment || q.is_algebraic) return assigned(q);
  return is_state(q) ? state(q) : parameter(q);
}

Result<Done> ModelWriter::reactions() {
  for (unsigned k = 0; k < model_.getNumReactions(); ++k) {
    const Reaction& r = *model_.getReaction(k);
    const KineticLaw* law = r.getKineticLaw();
    bool changes = r.getNumReactants() + r.getNumProducts() > 0;
    if (!law || !law->isSetMath()) {
      if (!changes && !quantities_.mentioned.contains(r.getId())) continue;
      const char* why = model_.isPackageEnabled("fbc")
                            ? "it has no kinetic law, as in models of flux balances (package `fbc`)"
                            : "it has no kinetic law";
      return diagnostics_.error(not_supported, lines_.at(r), {"reaction `" + r.getId() + "`", why});
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
    declarations_ += "  Real " + modelica_name(r.getId()) + description_of(r) + ";\n";
    bool is_fast = quantities_.fast.contains(r.getId());
    if (is_fast && !check_equilibrium(r)) return diagnostics_.already_reported();
    if (is_fast) declarations_ += "  parameter Real " + extent_name(r.getId()) + "(start = 0, fixed = false);\n";
    equations_ += "  " + (is_fast ? "0" : modelica_name(r.getId())) + " = " + *rate + ";\n";
    symbols_.push_back({SbmlSymbol::Kind::assigned, r.getId(), modelica_name(r.getId()), "", true});
  }
  return Done{};
}

Result<Done> ModelWriter::algebraic_rules() {
  for (unsigned k = 0; k < model_.getNumRules(); ++k) {
    const Rule& rule = *model_.getRule(k);
    if (!rule.isAlgebraic() || !rule.isSetMath()) continue;
    Text text = number(rule.getMath(), When::running, rule);
    if (!text) return diagnostics_.already_reported();
    equations_ += "  0 = " + *text + ";\n";
  }
  return Done{};
}

Result<Done> ModelWriter::constraints() {
  for (unsigned k = 0; k < model_.getNumConstraints(); ++k) {
    const Constraint& one = *model_.getConstraint(k);
    if (!one.isSetMath()) continue;
    Text text = condition(one.getMath(), When::running, one);
    if (!text) return diagnostics_.already_reported();
    equations_ += "  assert(" + *text + ", \"a constraint of the SBML model\", AssertionLevel.warning);\n";
  }
  return Done{};
}

Result<Translation> ModelWriter::run(const std::string& fallback_name) {
  decide_on_queue();
  for (const Quantity& q : quantities_.all)
    if (!quantity(q)) return diagnostics_.already_reported();
  if (!reactions() || !algebraic_rules() || !constraints() || !events() || failed_) return diagnostics_.already_reported();
  if ((declarations_ + equations_ + functions_).find(factorial_name) != std::string::npos)
    functions_ +=
        std::string("  function ") + factorial_name +
        "\n    input Real n;\n    output Real f;\n  algorithm\n    f := 1;\n    for k in 2:integer(floor(n + 0.5)) "
        "loop\n      f := f*k;\n    end for;\n  end " +
        factorial_name + ";\n";
  Translation out;
  std::string name = model_.isSetId() ? model_.getId() : fallback_name;
  bool taken = quantities_.find(name) || model_.getReaction(name);
  out.model_name = taken ? "'model " + name + "'" : modelica_name(name);
  out.text = "model " + out.model_name + "\n" + functions_ + declarations_ + "equation\n" + equations_ +
             (initial_equations_.empty() ? "" : "initial equation\n" + initial_equations_) +
             "  annotation(experiment(Tolerance = 1e-8));\nend " + out.model_name + ";\n";
  out.symbols = std::move(symbols_);
  return out;
}

}  // namespace bolza::sbml
