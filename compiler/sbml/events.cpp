// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>

#include "base/numbers.h"
#include "compiler/sbml/codes.h"
#include "compiler/sbml/event_queue_internal.h"
#include "compiler/sbml/writer_internal.h"

namespace bolza::sbml {

using Text = Result<std::string>;

std::string trigger_name(std::size_t event) { return "'trigger of event " + std::to_string(event + 1) + "'"; }

/// In the order of execution: the highest priority comes first.
std::vector<std::size_t> ModelWriter::by_priority() const {
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
Result<Done> ModelWriter::resets(const Quantity& q) {
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
      one = "(" + *one + ")*" + modelica_name(q.compartment);
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

Result<Done> ModelWriter::events() {
  for (unsigned k = 0; k < model_.getNumEvents(); ++k) {
    const Event& event = *model_.getEvent(k);
    if (!event.isSetTrigger() || !event.getTrigger()->isSetMath()) continue;
    Text when = condition(event.getTrigger()->getMath(), When::running, event);
    if (!when) return diagnostics_.already_reported();
    declarations_ += "  Boolean " + trigger_name(k) + " = " + *when + ";\n";
  }
  if (has_queue_) return EventQueue(*this).write();
  for (const Quantity& q : quantities_.all)
    if (q.event_sets && !resets(q)) return diagnostics_.already_reported();
  return Done{};
}

/// Everything that a formula reads, through rules, rates of reactions and sizes of compartments.
std::set<std::string> ModelWriter::read_by(const ASTNode* node) const {
  std::set<std::string> names, before;
  add_names(node, names);
  while (names != before) {
    before = names;
    for (const std::string& id : before) {
      const Quantity* q = quantities_.find(id);
      if (q) add_names(q->assignment, names);
      if (q) add_names(q->algebraic, names);
      if (q && shrinks(*q)) names.insert(q->compartment);
      const Reaction* r = model_.getReaction(id);
      if (r && r->isSetKineticLaw()) add_names(r->getKineticLaw()->getMath(), names);
    }
  }
  return names;
}

namespace {

const ASTNode* delay_of(const Event& event) { return event.isSetDelay() ? event.getDelay()->getMath() : nullptr; }
const ASTNode* priority_of(const Event& event) { return event.isSetPriority() ? event.getPriority()->getMath() : nullptr; }
bool is_zero(const ASTNode& node) { return node.isNumber() && node.getValue() == 0; }
bool happens(const Event& event) { return event.isSetTrigger() && event.getTrigger()->isSetMath(); }

std::string formula_of(const ASTNode* node) {
  char* text = SBML_formulaToL3String(node);
  std::string out = text ? text : "";
  std::free(text);
  return out;
}

}  // namespace

/// Can what one of two events does at an instant matter for the other one? Triggers that wait for different times do not
/// meet.
bool ModelWriter::may_meet(const Event& a, const Event& b) const {
  auto sets = [&](const Event& e) {
    std::set<std::string> ids;
    for (unsigned i = 0; i < e.getNumEventAssignments(); ++i) ids.insert(e.getEventAssignment(i)->getVariable());
    return ids;
  };
  auto reads = [&](const Event& e) {
    std::set<std::string> ids = read_by(e.getTrigger()->getMath());
    for (unsigned i = 0; i < e.getNumEventAssignments(); ++i) ids.merge(read_by(e.getEventAssignment(i)->getMath()));
    return ids;
  };
  auto changes = [&](const Event& e) {
    std::set<std::string> ids = read_by(e.getTrigger()->getMath());
    return std::any_of(ids.begin(), ids.end(), [&](const std::string& id) {
      const Quantity* q = quantities_.find(id);
      return q && (is_state(*q) || q->is_algebraic);
    });
  };
  auto share = [](const std::set<std::string>& x, const std::set<std::string>& y) {
    return std::any_of(x.begin(), x.end(), [&](const std::string& id) { return y.contains(id); });
  };
  std::set<std::string> of_a = sets(a), of_b = sets(b);
  if (!share(of_a, of_b) && !share(of_a, reads(b)) && !share(of_b, reads(a))) return false;
  return changes(a) || changes(b) || formula_of(a.getTrigger()->getMath()) == formula_of(b.getTrigger()->getMath());
}

/// Events that wait, whose priority changes, or that meet are executed one by one, from a queue.
void ModelWriter::decide_on_queue() {
  unsigned n = model_.getNumEvents();
  for (unsigned k = 0; k < n; ++k) {
    const Event& event = *model_.getEvent(k);
    if (!happens(event)) continue;
    const ASTNode *delay = delay_of(event), *priority = priority_of(event);
    bool waits = delay && !is_zero(*delay);
    remembers_ = remembers_ || waits;
    has_queue_ = has_queue_ || waits || (priority && !priority->isNumber());
    for (unsigned i = 0; i < k && !has_queue_; ++i)
      has_queue_ = happens(*model_.getEvent(i)) && may_meet(event, *model_.getEvent(i));
  }
  for (const Quantity& q : quantities_.all) has_queue_ = has_queue_ || is_diluted(q);
  if (!has_queue_) return;
  for (unsigned k = 0; k < n; ++k) {
    const Event& event = *model_.getEvent(k);
    starts_with_events_ =
        starts_with_events_ || (happens(event) && model_.getLevel() > 2 && !event.getTrigger()->getInitialValue());
  }
  for (const Quantity& q : quantities_.all)
    if (q.event_sets || is_diluted(q)) queued_.push_back(q.id);
}

}  // namespace bolza::sbml
