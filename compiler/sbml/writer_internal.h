// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sbml/SBMLTypes.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compiler/sbml/expression_internal.h"
#include "compiler/sbml/quantities_internal.h"
#include "compiler/sbml/translate.h"

namespace bolza::sbml {

std::string amount_name(const std::string& id);
std::string extent_name(const std::string& id);
std::string trigger_name(std::size_t event);

/// Writes the declarations and equations of an SBML model in Modelica.
class ModelWriter {
 public:
  ModelWriter(const Model& model, Quantities quantities, const Lines& lines, Diagnostics& diagnostics)
      : model_(model),
        quantities_(std::move(quantities)),
        lines_(lines),
        diagnostics_(diagnostics) {}

  Result<Translation> run(const std::string& fallback_name);

 private:
  using Text = Result<std::string>;
  enum class When : std::uint8_t { running, initially };

  bool is_state(const Quantity& q) const {
    return !q.assignment && !q.is_algebraic && (q.rate || !q.contributions.empty() || q.event_sets || shrinks(q));
  }
  /// Its concentration follows from the amount and the size of a compartment that changes.
  bool shrinks(const Quantity& q) const {
    return q.species && !q.is_amount && !q.assignment && !q.rate && !q.is_algebraic &&
           quantities_.has_variable_size(q.compartment);
  }
  /// A concentration with a rate of its own, in a compartment whose size events set: what there is of it stays then.
  bool is_diluted(const Quantity& q) const {
    const Quantity* c = q.species && !q.is_amount && q.rate ? quantities_.find(q.compartment) : nullptr;
    return c && c->event_sets;
  }
  Text number(const ASTNode* node, When when, const SBase& element, const Reaction* local = nullptr);
  Text number(const ASTNode* node, const Expressions::Names& names, const SBase& element);
  Text condition(const ASTNode* node, When when, const SBase& element);
  Text condition(const ASTNode* node, const Expressions::Names& names, const SBase& element);
  Expressions::Names names_for(When when, const Reaction* local = nullptr);
  Text before_start(const ASTNode& node, const std::string& time, const Reaction* local, Span at);
  Text past(const ASTNode& call, When when, const Reaction* local, Span at);
  bool is_fixed(const ASTNode* node) const;
  std::optional<std::string> local_parameter(const Reaction* reaction, const std::string& id) const;
  std::optional<std::string> initial_value_of(const std::string& id);
  std::optional<std::string> failed_value();  ///< for a text that could not be made, which was reported
  std::optional<std::string> solved_at_start(const Quantity& q);
  Text start_of(const Quantity& q);
  Text start_after_events(const Quantity& q, const std::string& start);
  std::optional<std::string> derivative_of(const std::string& id, const Expressions::Names& names);
  Text stoichiometry(const Contribution& c, const Expressions::Names& names);
  Text rate_of(const Quantity& q, const Expressions::Names& names);
  Text assigned_value(const Event& event, const Quantity& q, When when);
  bool relaxes(const Quantity& q) const;
  Result<Done> check_equilibrium(const Reaction& r);
  Result<Done> relax(const Quantity& q, const std::string& variable, const std::string& start);
  Result<Done> parameter(const Quantity& q);
  Result<Done> state(const Quantity& q);
  Result<Done> assigned(const Quantity& q);
  Result<Done> quantity(const Quantity& q);
  Result<Done> reactions();
  Result<Done> algebraic_rules();
  Result<Done> constraints();
  Result<Done> events();
  Result<Done> resets(const Quantity& q);
  const EventAssignment* assignment_in(const Event& event, const std::string& id) const;
  std::vector<std::size_t> by_priority() const;
  std::set<std::string> read_by(const ASTNode* node) const;
  bool may_meet(const Event& a, const Event& b) const;
  void decide_on_queue();
  Text start_after_queue(const Quantity& q, const std::string& start) const;

  const Model& model_;
  Quantities quantities_;
  const Lines& lines_;
  Diagnostics& diagnostics_;
  std::string declarations_, equations_, initial_equations_;
  std::string start_time_ = "0";             ///< the time that initial values mean; others are before the start
  std::map<std::string, std::string> past_;  ///< names of variables that are values of the past, by what they are
  std::set<std::string> inlining_;           ///< assigned variables whose initial value is being written
  std::vector<SbmlSymbol> symbols_;
  std::string functions_;
  bool has_queue_ = false, starts_with_events_ = false;  ///< the queue may change initial values
  bool failed_ = false;
  bool remembers_ = false;           ///< some event has a delay: times and values wait
  std::vector<std::string> queued_;  ///< ids of what the queue sets, in the order of its values
  friend class EventQueue;
};

}  // namespace bolza::sbml
