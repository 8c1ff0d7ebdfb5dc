// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/hybrid_tables_internal.h"

#include <array>
#include <string_view>

namespace bolza::codegen {
namespace {

constexpr std::array names{"update", "indicators", "reinit", "initial update", "conditions", "delays"};

// Integrators read where indicators and delays depend on what. What happens at an event has derivatives in gradients only,
// and they are dear: a Fourier transform has thousands of arguments and as many results.
Patterns patterns_of(std::string_view name) {
  return name == "indicators" || name == "delays" ? Patterns::at_once : Patterns::on_demand;
}

bolza_discrete_role role_of(ir::DiscreteRole role) {
  switch (role) {
    case ir::DiscreteRole::variable:
      return BOLZA_DISCRETE_VARIABLE;
    case ir::DiscreteRole::relation:
      return BOLZA_DISCRETE_RELATION;
    case ir::DiscreteRole::part:
      return BOLZA_DISCRETE_PART;
  }
  return BOLZA_DISCRETE_VARIABLE;
}

std::int32_t entry(const std::optional<std::uint32_t>& k) { return k ? static_cast<std::int32_t>(*k) : -1; }

std::vector<std::int32_t> signed_list(const std::vector<std::uint32_t>& list) { return {list.begin(), list.end()}; }

}  // namespace

HybridTables::HybridTables(const ir::Problem& problem, const ir::FlatModel& flat, const std::vector<bolza_variable>& shared,
                           const Makers& makers) {
  const ir::EventPart& h = *problem.hybrid;
  fill_discrete(problem, flat, shared, makers);
  for (const ir::EventPart::Previous& p : h.previous)
    previous_.push_back({static_cast<std::int32_t>(p.position), static_cast<std::int32_t>(p.before)});
  for (const ir::EventPart::Sample& s : h.samples)
    samples_.push_back({static_cast<std::int32_t>(s.entry), s.start, s.interval, makers.place(s.span)});
  for (const ir::EventPart::Transport& t : h.transports)
    transports_.push_back({static_cast<std::int32_t>(t.first), static_cast<std::int32_t>(t.n_places)});
  assertions_ = messages(h.assertions, makers);
  terminations_ = messages(h.terminations, makers);
  reinit_state_ = signed_list(h.reinit_states);
  initial_target_ = signed_list(h.initial_targets);
  std::vector<ir::Function ir::EventPart::*> members = ir::hybrid_functions();
  for (std::size_t k = 0; k < members.size(); ++k) {
    const ir::Function& function = h.*members[k];
    functions_.push_back(function.section.n_rows ? makers.function(function, names[k], patterns_of(names[k])) : nullptr);
    rows_.push_back(makers.rows(function));
  }
  name_rows(problem, flat, makers);
  bolza_hybrid& a = abi_;
  a.n_m = discrete_.size();
  a.n_previous = previous_.size();
  a.n_samples = samples_.size();
  a.n_delays = ir::delays_of(h);
  a.n_transports = transports_.size();
  a.n_reinits = reinit_state_.size();
  a.n_assertions = assertions_.size();
  a.n_terminations = terminations_.size();
  a.n_initial_updates = initial_target_.size();
  a.n_indicators = h.indicators.section.n_rows;
  a.discrete = discrete_.data();
  a.previous = previous_.data();
  a.samples = samples_.data();
  a.initial = entry(h.initial_flag);
  a.terminal = entry(h.terminal_flag);
  a.homotopy = entry(h.homotopy);
  a.update = functions_[0];
  a.indicators = functions_[1];
  a.reinit = functions_[2];
  a.reinit_state = reinit_state_.data();
  a.initial_update = functions_[3];
  a.initial_target = initial_target_.data();
  a.conditions = functions_[4];
  a.delays = functions_[5];
  a.transports = transports_.data();
  a.assertions = assertions_.data();
  a.terminations = terminations_.data();
  a.is_literal = h.is_literal;
}

void HybridTables::fill_discrete(const ir::Problem& problem, const ir::FlatModel& flat,
                                 const std::vector<bolza_variable>& shared, const Makers& makers) {
  for (const ir::DiscreteValue& m : problem.hybrid->discrete) {
    bolza_discrete& d = discrete_.emplace_back();
    d.variable = shared[m.now];
    if (!m.text.empty()) d.variable.name = makers.text(m.text);
    d.role = role_of(m.role);
    d.type = static_cast<std::uint8_t>(ir::variable_of(flat, m.variable).type);
    d.now = static_cast<std::int32_t>(m.now);
    d.before = entry(m.before);
    d.indicator = entry(m.indicator);
    d.positive_is_true = m.positive_is_true;
    d.closed = m.closed;
    d.time_only = m.time_only;
  }
}

std::vector<bolza_message> HybridTables::messages(const std::vector<ir::EventMessage>& from, const Makers& makers) {
  std::vector<bolza_message> result;
  for (const ir::EventMessage& m : from)
    result.push_back({makers.text(m.text), makers.place(m.span), static_cast<std::uint8_t>(m.level),
                      static_cast<std::int32_t>(m.n_values), static_cast<std::int32_t>(m.first_value), entry(m.action)});
  return result;
}

void HybridTables::name_rows(const ir::Problem& problem, const ir::FlatModel& flat, const Makers& makers) {
  const ir::EventPart& h = *problem.hybrid;
  for (std::size_t k = 0; k < h.discrete.size(); ++k) rows_[0][k].name = discrete_[k].variable.name;
  for (const bolza_discrete& d : discrete_)
    for (std::int32_t row = d.indicator; row >= 0 && row <= d.indicator + (d.role == BOLZA_DISCRETE_PART); ++row)
      rows_[1][static_cast<std::size_t>(row)].name = d.variable.name;
  std::size_t n = h.reinit_states.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::string state = ir::name_of(flat, problem.x[h.reinit_states[k]]);
    rows_[2][k].name = makers.text("reinit(" + state + ") fires");
    rows_[2][n + k].name = makers.text("reinit(" + state + ")");
  }
  for (std::size_t k = 0; k < h.initial_targets.size(); ++k)
    rows_[3][k].name = makers.text(ir::name_of(flat, problem.shared[h.initial_targets[k]]));
  for (std::size_t f = 0; f < rows_.size(); ++f)
    if (functions_[f]) functions_[f]->rows = rows_[f].data();
}

void HybridTables::set_numbers(const ir::EventPart& hybrid, const std::vector<bolza_variable>& shared) {
  for (bolza_discrete& d : discrete_) {
    const char* name = d.variable.name;
    d.variable = shared[static_cast<std::size_t>(d.now)];
    d.variable.name = name;
  }
  for (std::size_t k = 0; k < samples_.size(); ++k) {
    samples_[k].start = hybrid.samples[k].start;
    samples_[k].interval = hybrid.samples[k].interval;
  }
}

}  // namespace bolza::codegen
