// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <set>
#include <string>
#include <vector>

#include "compiler/sbml/writer_internal.h"

namespace bolza::sbml {

/// The queue of events as a function of Modelica, and the `when` that calls it [SBML, 4.11]: at every instant at which a
/// trigger changes or an execution is due, the function notes triggers that have begun to hold, with the time of their
/// execution and, where they are those of that time, the values to be assigned; then executes what is due, one by one, the
/// highest priority first, and looks at all triggers again after each. Of equal priorities one is drawn.
///
/// What the function returns, an array: what events set; the state of the random numbers; whether each trigger held when it
/// was looked at; the next time of an execution; for each event with a delay its executions that wait, each with its time
/// (1e300: none) and values. The memory is what follows the first of these; where no event has a delay, only random numbers
/// and triggers, in whole numbers, so that derivatives go through the states alone.
class EventQueue {
 public:
  explicit EventQueue(ModelWriter& writer) : w_(writer) {}
  /// Writes the function, the memory and the `when`.
  Result<Done> write();

 private:
  using Text = Result<std::string>;
  struct Queued {
    std::size_t number = 0;
    const Event* event = nullptr;
    std::size_t first = 0;  ///< entry of its executions
    std::size_t places = 0, width = 1;
    bool is_delayed = false, keeps_values = false, looks_again = false;
    std::vector<const EventAssignment*> assignments;
  };
  struct Input {
    std::string name, in_model, at_start;
  };

  void lay_out();
  Expressions::Names names(const Reaction* local = nullptr);
  std::optional<std::string> value(const std::string& id, const Reaction* local);
  void base(const std::string& name, const std::string& at_start);
  std::string at_start(const std::string& id);
  bool derive(const std::string& id);
  Result<Done> triggers(std::string& out);
  Result<Done> weights(std::string& out);
  Result<Done> keep(const Queued& q, std::string& out);
  Result<Done> execute(const Queued& q, std::string& out);
  std::string filled(std::string text) const;
  std::string tables() const;
  std::string inputs_text() const;
  std::string function_text(const std::string& steps) const;
  std::string parts_text() const;
  std::size_t kept() const { return w_.remembers_ ? memory_ - w_.queued_.size() : 1 + events_.size(); }
  const char* memory_type() const { return w_.remembers_ ? "Real" : "Integer"; }
  Result<Done> remember_start(std::vector<std::string>& memory, std::vector<std::string>& holds);
  Result<Done> declare();

  ModelWriter& w_;
  std::vector<Queued> events_;
  std::size_t memory_ = 0, all_ = 0;  ///< entries that are returned, and with those of executions without a delay
  std::vector<Input> inputs_;
  std::set<std::string> known_;   ///< ids that are inputs or derived
  std::string derived_, locals_;  ///< statements; declarations
};

}  // namespace bolza::sbml
