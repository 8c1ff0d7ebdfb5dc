// SPDX-License-Identifier: Apache-2.0
#include "compiler/sbml/event_queue_internal.h"

#include <algorithm>

#include "base/replace_all.h"
#include "compiler/sbml/codes.h"

namespace bolza::sbml {
namespace {

// names that no identifier of SBML can be: they have blanks
constexpr const char *function_name = "'events of the model'", *memory_name = "'memory of events'",
                     *queue = "'all that waits'", *held_now = "'triggers that hold'", *start_name = "'events at the start'",
                     *memory_function = "'memory after events'", *value_function = "'value after events'";
constexpr const char* none = "1e300";
constexpr std::size_t undelayed_places = 16, all_delayed_places = 256, most_places = 32, least_places = 4;

std::string entry(const std::string& k) { return std::string(queue) + "[" + k + "]"; }
std::string entry(std::size_t k) { return entry(std::to_string(k)); }
std::string joined(const std::vector<std::string>& parts) {
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : ", ") + part;
  return out;
}
std::string value_name(std::size_t k) { return "'value " + std::to_string(k + 1) + "'"; }

/// What waits at the place of an event, `offset` behind its time.
std::string at_place(const std::string& event, const std::string& place, std::size_t offset = 0) {
  std::string index = "'first'[" + event + "] + (" + place + " - 1)*'width'[" + event + "]";
  return entry(offset > 0 ? index + " + " + std::to_string(offset) : index);
}

// What is the same for all events. {n}: how many, {next}, {random}: entries, {held}: the entry before those of triggers.
constexpr const char* note_all = R"(      for 'e' in 1:{n} loop
        'noted'['e'] := 0;
        if 'holds'['e'] and {q}[{held} + 'e'] < 0.5 then
          for 'k' in 1:'places'['e'] loop
            if 'noted'['e'] == 0 and {waits} > 1e299 then
              'noted'['e'] := 'k';
            end if;
          end for;
          assert('noted'['e'] > 0, "more executions of an event wait at a time than there is room for");
          {noted} := 'time of events' + 'delay'['e'];
        end if;
        if not 'holds'['e'] and 'falls'['e'] then
          for 'k' in 1:'places'['e'] loop
            {waits} := 1e300;
          end for;
        end if;
        {q}[{held} + 'e'] := if 'holds'['e'] then 1.0 else 0.0;
      end for;
)";
constexpr const char* choose_one = R"(      'chosen' := 0;
      'place' := 0;
      'equal ones' := 0;
      'highest' := 0;
      for 'e' in 1:{n} loop
        for 'k' in 1:'places'['e'] loop
          if {waits} <= 'now' then
            if 'equal ones' == 0 or 'priority'['e'] > 'highest' then
              'highest' := 'priority'['e'];
              'equal ones' := 1;
              'chosen' := 'e';
              'place' := 'k';
            elseif not 'priority'['e'] < 'highest' then
              'equal ones' := 'equal ones' + 1;
              {q}[{random}] := 16807*{q}[{random}] - 2147483647*floor(16807*{q}[{random}]/2147483647);
              if {q}[{random}]*'equal ones' < 2147483647 then
                'chosen' := 'e';
                'place' := 'k';
              end if;
            end if;
          end if;
        end for;
      end for;
)";
constexpr const char* go_on = R"(      'goes on' := 'chosen' > 0;
      'is first' := false;
      'steps' := 'steps' + 1;
      assert('steps' < 100000, "events set each other off without end at one instant");
)";
constexpr const char* find_next = R"(    {q}[{next}] := 1e300;
    for 'e' in 1:{n} loop
      for 'k' in 1:'places'['e'] loop
        {q}[{next}] := min({q}[{next}], {waits});
      end for;
    end for;
)";

}  // namespace

/// Where what is kept of an event lies: what waits without a delay is gone at the end of the instant, behind the memory.
void EventQueue::lay_out() {
  const Model& model = w_.model_;
  memory_ = w_.queued_.size() + 2;
  for (unsigned k = 0; k < model.getNumEvents(); ++k) {
    const Event& event = *model.getEvent(k);
    if (!event.isSetTrigger() || !event.getTrigger()->isSetMath()) continue;
    Queued q;
    q.number = k;
    q.event = &event;
    bool always = model.getLevel() < 3 && model.getVersion() < 4;
    q.keeps_values = always || event.getUseValuesFromTriggerTime();
    std::set<std::string> reads = w_.read_by(event.getTrigger()->getMath());
    q.looks_again = std::any_of(w_.queued_.begin(), w_.queued_.end(), [&](const auto& id) { return reads.contains(id); });
    for (unsigned i = 0; i < event.getNumEventAssignments(); ++i)
      if (event.getEventAssignment(i)->isSetMath()) q.assignments.push_back(event.getEventAssignment(i));
    q.width = 1 + (q.keeps_values ? q.assignments.size() : 0);
    q.is_delayed = event.isSetDelay() && event.getDelay()->isSetMath();
    events_.push_back(std::move(q));
  }
  std::size_t delayed = 0;
  for (const Queued& q : events_) delayed += q.is_delayed ? 1 : 0;
  for (Queued& q : events_)
    q.places = q.is_delayed ? std::clamp(all_delayed_places / delayed, least_places, most_places) : undelayed_places;
  memory_ += events_.size();
  all_ = memory_;
  for (bool delayed : {true, false}) {
    for (Queued& q : events_)
      if (q.is_delayed == delayed) {
        q.first = all_ + 1;
        all_ += q.places * q.width;
      }
    if (delayed) memory_ = all_;
  }
}

void EventQueue::base(const std::string& name, const std::string& at_start) {
  bool is_set = std::any_of(w_.queued_.begin(), w_.queued_.end(),
                            [&](const std::string& id) { return name == modelica_name(id) || name == amount_name(id); });
  std::string plain = name;
  std::erase(plain, '\'');
  inputs_.push_back({is_set ? "'" + plain + " before events'" : name, name, at_start});
  if (is_set) locals_ += "    Real " + name + " = " + inputs_.back().name + ";\n";
}

/// A name of the function for an identifier, an input, or computed from others anew after every execution.
std::optional<std::string> EventQueue::value(const std::string& id, const Reaction* local) {
  if (auto own = w_.local_parameter(local, id)) {
    if (known_.insert(*own).second) base(*own, *own);
    return own;
  }
  const Quantity* q = w_.quantities_.find(id);
  const Reaction* r = w_.model_.getReaction(id);
  if (!q && !r) return {};
  std::string name = modelica_name(id);
  if (!known_.insert(id).second) return name;
  if ((r && !q) || q->assignment || w_.shrinks(*q)) return derive(id) ? std::optional(name) : std::nullopt;
  base(name, at_start(id));
  return name;
}

/// An initial value; it matters where events are at the start alone.
std::string EventQueue::at_start(const std::string& id) {
  return w_.starts_with_events_ ? w_.initial_value_of(id).value_or("0") : "0";
}

bool EventQueue::derive(const std::string& id) {
  const Quantity* q = w_.quantities_.find(id);
  std::string name = modelica_name(id);
  Text text = std::string("0");
  if (!q) {
    const Reaction& r = *w_.model_.getReaction(id);
    text = w_.number(r.getKineticLaw() ? r.getKineticLaw()->getMath() : nullptr, names(&r), r);
  } else if (q->assignment) {
    text = w_.number(q->assignment, names(), *q->element);
  } else {
    std::string size = value(q->compartment, nullptr).value_or("1");
    base(amount_name(id), at_start(id) + "*" + at_start(q->compartment));
    text = amount_name(id) + "/" + size;
  }
  if (!text) return false;
  locals_ += "    Real " + name + ";\n";
  derived_ += "      " + name + " := " + *text + ";\n";
  return true;
}

Expressions::Names EventQueue::names(const Reaction* local) {
  Expressions::Names out;
  out.time = "'now'";
  out.value = [this, local](const std::string& id) { return value(id, local); };
  out.rate = [this, local](const std::string& id) -> std::optional<std::string> {
    if (w_.local_parameter(local, id)) return "0.0";
    return w_.derivative_of(id, names());
  };
  out.past = [this, local](const ASTNode& call, Span at) -> Text {
    Text now = w_.past(call, ModelWriter::When::running, local, at);
    Text at_start = w_.past(call, ModelWriter::When::initially, local, at);
    if (!now || !at_start) return w_.diagnostics_.already_reported();
    if (known_.insert(*now).second) base(*now, *at_start);
    return now;
  };
  return out;
}

/// What holds: at first as the integration found it, later as formulas say.
Result<Done> EventQueue::triggers(std::string& out) {
  for (std::size_t k = 0; k < events_.size(); ++k) {
    const Trigger& trigger = *events_[k].event->getTrigger();
    if (!events_[k].looks_again) continue;
    Text text = w_.condition(trigger.getMath(), names(), trigger);
    if (!text) return w_.diagnostics_.already_reported();
    out += "      if not 'is first' then\n        'holds'[" + std::to_string(k + 1) + "] := " + *text + ";\n      end if;\n";
  }
  return Done{};
}

/// Delays and priorities as they are now.
Result<Done> EventQueue::weights(std::string& out) {
  for (std::size_t k = 0; k < events_.size(); ++k) {
    const Event& event = *events_[k].event;
    std::string index = "[" + std::to_string(k + 1) + "] := ";
    const Delay* delay = event.isSetDelay() ? event.getDelay() : nullptr;
    const Priority* priority = event.isSetPriority() ? event.getPriority() : nullptr;
    Text later = std::string("0.0"), first = std::string("-1e299");
    if (delay && delay->isSetMath()) later = w_.number(delay->getMath(), names(), *delay);
    if (priority && priority->isSetMath()) first = w_.number(priority->getMath(), names(), *priority);
    if (!later || !first) return w_.diagnostics_.already_reported();
    out += "      'delay'" + index + *later + ";\n      'priority'" + index + *first + ";\n";
  }
  return Done{};
}

/// What is to be assigned later, by the values of now.
Result<Done> EventQueue::keep(const Queued& q, std::string& out) {
  if (!q.keeps_values || q.assignments.empty()) return Done{};
  std::string number = std::to_string(&q - events_.data() + 1), noted = "'noted'[" + number + "]";
  out += "      if " + noted + " > 0 then\n";
  for (std::size_t i = 0; i < q.assignments.size(); ++i) {
    Text value = w_.number(q.assignments[i]->getMath(), names(), *q.assignments[i]);
    if (!value) return w_.diagnostics_.already_reported();
    out += "        " + at_place(number, noted, i + 1) + " := " + *value + ";\n";
  }
  out += "      end if;\n";
  return Done{};
}

/// The assignments of an event, all by the values before them. What is in a compartment stays as much when its size is set:
/// concentrations are set before that, and change with it.
Result<Done> EventQueue::execute(const Queued& q, std::string& out) {
  std::string number = std::to_string(&q - events_.data() + 1), values, amounts, plain, dilutions;
  std::set<std::string> resized;
  for (std::size_t i = 0; i < q.assignments.size(); ++i) {
    const EventAssignment& one = *q.assignments[i];
    Text text = at_place(number, "'place'", i + 1);
    if (!q.keeps_values) text = w_.number(one.getMath(), names(), one);
    std::optional<std::string> target = value(one.getVariable(), nullptr);
    if (!text || !target) return w_.diagnostics_.already_reported();
    values += "        " + value_name(i) + " := " + *text + ";\n";
    const Quantity& set = *w_.quantities_.find(one.getVariable());
    if (set.kind == Quantity::Kind::compartment) resized.insert(set.id);
    if (w_.shrinks(set))
      amounts += "        " + amount_name(set.id) + " := " + value_name(i) + "*" + modelica_name(set.compartment) + ";\n";
    else (set.species ? amounts : plain) += "        " + *target + " := " + value_name(i) + ";\n";
  }
  for (const Quantity& s : w_.quantities_.all)
    if (w_.is_diluted(s) && resized.contains(s.compartment)) {
      std::string name = modelica_name(s.id), size = modelica_name(s.compartment);
      amounts += "        " + name + " := " + name + "*" + size + ";\n";
      dilutions += "        " + name + " := " + name + "/" + size + ";\n";
    }
  out += "      if 'chosen' == " + number + " then\n" + values + "        " + at_place(number, "'place'") + " := " + none +
         ";\n" + amounts + plain + dilutions + "      end if;\n";
  return Done{};
}

/// A text for all events with what it leaves open.
std::string EventQueue::filled(std::string text) const {
  replace_all(text, "{n}", std::to_string(events_.size()));
  replace_all(text, "{next}", std::to_string(w_.queued_.size() + events_.size() + 2));
  replace_all(text, "{random}", std::to_string(w_.queued_.size() + 1));
  replace_all(text, "{held}", std::to_string(w_.queued_.size() + 1));
  replace_all(text, "{waits}", at_place("'e'", "'k'"));
  replace_all(text, "{noted}", at_place("'e'", "'noted'['e']"));
  replace_all(text, "{q}", queue);
  return text;
}

/// Tables of the events: where what waits lies.
std::string EventQueue::tables() const {
  std::vector<std::string> first, places, width, falls;
  for (const Queued& q : events_) {
    first.push_back(std::to_string(q.first));
    places.push_back(std::to_string(q.places));
    width.push_back(std::to_string(q.width));
    bool persistent = w_.model_.getLevel() < 3 || q.event->getTrigger()->getPersistent();
    falls.push_back(persistent ? "false" : "true");
  }
  std::string n = "[" + std::to_string(events_.size()) + "]";
  return "    Integer 'first'" + n + " = {" + joined(first) + "};\n    Integer 'places'" + n + " = {" + joined(places) +
         "};\n    Integer 'width'" + n + " = {" + joined(width) + "};\n    Boolean 'falls'" + n + " = {" + joined(falls) +
         "};\n    Boolean 'holds'" + n + ";\n    Integer 'noted'" + n + ";\n    Real 'delay'" + n +
         ";\n    Real 'priority'" + n + ";\n";
}

/// What both functions are called with.
std::string EventQueue::inputs_text() const {
  std::string out = std::string("    input Real ") + memory_name + "[" + std::to_string(kept()) +
                    "];\n    input Real 'time of events';\n    input Boolean " + held_now + "[" +
                    std::to_string(events_.size()) + "];\n";
  for (const Input& input : inputs_) out += "    input Real " + input.name + ";\n";
  return out;
}

std::string EventQueue::function_text(const std::string& steps) const {
  std::string size = std::to_string(memory_), all = std::to_string(all_), set = std::to_string(w_.queued_.size());
  std::size_t values = 1;
  for (const Queued& q : events_) values = std::max(values, q.assignments.size());
  std::string out = std::string("  function ") + function_name + "\n" + inputs_text() + "    output Real 'after events'[" +
                    size + "];\n  protected\n" + locals_ + tables() + "    Real " + queue + "[" + all +
                    "];\n    Real 'now', 'highest';\n    Integer 'chosen', 'place', 'equal ones', 'steps';\n"
                    "    Boolean 'is first', 'goes on';\n";
  for (std::size_t k = 0; k < values; ++k) out += "    Real " + value_name(k) + ";\n";
  out += std::string("  algorithm\n    for 'k' in 1:") + all + " loop\n      " + entry("'k'") + " := " + none +
         ";\n    end for;\n    for 'k' in " + set + " + 1:" + set + " + " + std::to_string(kept()) + " loop\n      " +
         entry("'k'") + " := " + memory_name + "['k' - " + set + "];\n    end for;\n    'holds' := " + held_now +
         ";\n    'now' := 'time of events' + 1e-13*abs('time of events');\n    'is first' := true;\n    'goes on' := true;\n"
         "    'steps' := 0;\n    while 'goes on' loop\n" +
         derived_ + steps + go_on + "    end while;\n" + filled(find_next);
  for (std::size_t k = 0; k < w_.queued_.size(); ++k) {
    const Quantity& q = *w_.quantities_.find(w_.queued_[k]);
    out += "    " + entry(k + 1) + " := " + (w_.shrinks(q) ? amount_name(q.id) : modelica_name(q.id)) + ";\n";
  }
  return out + "    for 'k' in 1:" + size + " loop\n      'after events'['k'] := " + entry("'k'") +
         ";\n    end for;\n  end " + function_name + ";\n";
}

/// Functions for what the queue leaves: one value that events set, and what is kept, in whole numbers where nothing waits.
std::string EventQueue::parts_text() const {
  std::string set = std::to_string(w_.queued_.size()), size = std::to_string(kept());
  std::string given = joined({memory_name, "'time of events'", held_now}), value = "'all'['k' + " + set + "]";
  for (const Input& input : inputs_) given += ", " + input.name;
  std::string all = "  protected\n    Real 'all'[" + std::to_string(memory_) +
                    "];\n  algorithm\n    'all' := " + std::string(function_name) + "(" + given + ");\n";
  if (!w_.remembers_) value = "integer(floor(" + value + " + 0.5))";
  std::string out = std::string("  function ") + value_function + "\n    input Integer 'which';\n" + inputs_text() +
                    "    output Real 'value';\n" + all + "    'value' := 'all'['which'];\n  end " + value_function + ";\n";
  return out + "  function " + memory_function + "\n" + inputs_text() + "    output " + memory_type() + " 'kept'[" + size +
         "];\n" + all + "    for 'k' in 1:" + size + " loop\n      'kept'['k'] := " + value + ";\n    end for;\n  end " +
         memory_function + ";\n";
}

/// What the memory is at the start, before events: nothing waits. `holds` gets the triggers there.
Result<Done> EventQueue::remember_start(std::vector<std::string>& memory, std::vector<std::string>& holds) {
  const char *one = w_.remembers_ ? "1.0" : "1", *zero = w_.remembers_ ? "0.0" : "0";
  memory.emplace_back("mod(282475249*'seed of events', 2147483647)");
  for (const Queued& q : events_) {
    const Trigger& trigger = *q.event->getTrigger();
    Text initially = w_.condition(trigger.getMath(), ModelWriter::When::initially, trigger);
    if (!initially) return w_.diagnostics_.already_reported();
    bool held = w_.model_.getLevel() < 3 || trigger.getInitialValue();
    memory.push_back(w_.starts_with_events_ ? (held ? one : zero) : "if " + *initially + " then " + one + " else " + zero);
    holds.push_back(*initially);
  }
  memory.resize(kept(), none);
  return Done{};
}

/// The memory, with its start, and the `when`. What events set follows from the function directly, so that it has
/// derivatives.
Result<Done> EventQueue::declare() {
  std::vector<std::string> memory, holds, conditions, now, at_start, when;
  if (!remember_start(memory, conditions)) return w_.diagnostics_.already_reported();
  for (const Queued& q : events_) holds.push_back(trigger_name(q.number));
  for (const Input& input : inputs_) {
    now.push_back(input.in_model);
    at_start.push_back(input.at_start);
  }
  auto called = [&](const std::string& from, const std::string& time, const std::vector<std::string>& triggers,
                    const std::vector<std::string>& values) {
    return from + ", " + time + ", {" + joined(triggers) + "}" + (values.empty() ? "" : ", " + joined(values)) + ")";
  };
  std::string start = "{" + joined(memory) + "}", first = called(start, "0", conditions, at_start);
  std::string size = "[" + std::to_string(memory.size()) + "]";
  w_.declarations_ += "  parameter Integer 'seed of events' = 1;\n";
  if (w_.starts_with_events_) {
    w_.declarations_ += std::string("  parameter Real ") + start_name + "[" + std::to_string(memory_) +
                        "] = " + function_name + "(" + first + ";\n";
    start = memory_function + ("(" + first);
  }
  w_.declarations_ += std::string("  discrete ") + memory_type() + " " + memory_name + size + "(start = " + start +
                      ", each fixed = true);\n";
  for (const std::string& trigger : holds) when.insert(when.end(), {trigger, "not " + trigger});
  if (w_.remembers_)
    when.push_back(std::string("time >= pre(") + memory_name + "[" + std::to_string(events_.size() + 2) + "])");
  std::string after = called(std::string("pre(") + memory_name + ")", "time", holds, now);
  w_.equations_ += "  when {" + joined(when) + "} then\n    " + memory_name + " = " + memory_function + "(" + after + ";\n";
  for (std::size_t k = 0; k < w_.queued_.size(); ++k) {
    const Quantity& q = *w_.quantities_.find(w_.queued_[k]);
    w_.equations_ += "    reinit(" + (w_.shrinks(q) ? amount_name(q.id) : modelica_name(q.id)) + ", " + value_function +
                     "(" + std::to_string(k + 1) + ", " + after + ");\n";
  }
  w_.equations_ += "  end when;\n";
  return Done{};
}

Result<Done> EventQueue::write() {
  lay_out();
  std::string looks, weights_now, kept, executions;
  for (const std::string& id : w_.queued_) value(id, nullptr);
  if (!triggers(looks) || !weights(weights_now)) return w_.diagnostics_.already_reported();
  for (const Queued& q : events_)
    if (!keep(q, kept) || !execute(q, executions)) return w_.diagnostics_.already_reported();
  w_.functions_ += function_text(looks + weights_now + filled(note_all) + kept + filled(choose_one) + executions);
  w_.functions_ += parts_text();
  return declare();
}

Result<std::string> ModelWriter::start_after_queue(const Quantity& q, const std::string& start) const {
  auto own = std::find(queued_.begin(), queued_.end(), q.id);
  if (!starts_with_events_ || own == queued_.end()) return start;
  return std::string(start_name) + "[" + std::to_string(own - queued_.begin() + 1) + "]";
}

}  // namespace bolza::sbml
