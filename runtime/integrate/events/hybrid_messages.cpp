// SPDX-License-Identifier: Apache-2.0
// Assertions, terminations, and calls that a model makes for their effect.
#include <algorithm>

#include "base/numbers.h"
#include "runtime/integrate/events/hybrid.h"
#include "runtime/integrate/failure.h"

namespace bolza::integrate {
namespace {

bool is_call(const bolza_message& message) { return message.level >= BOLZA_LEVEL_CALL; }

abi::Finding finding_at(double t, const bolza_message& message, std::string text) {
  abi::Finding f;
  f.time = t;
  f.name = text;
  f.text = std::move(text);
  place(f, message.source);
  return f;
}

}  // namespace

std::span<const double> Hybrid::values_of(const bolza_message& message) const {
  std::size_t first =
      hybrid_->n_assertions + hybrid_->n_terminations + static_cast<std::size_t>(std::max(0, message.first_value));
  auto n = static_cast<std::size_t>(std::max(0, message.n_values));
  return first + n <= conditions_.size() ? std::span(conditions_).subspan(first, n) : std::span<const double>();
}

std::string Hybrid::text_of(const bolza_message& message) const {
  std::span<const double> values = values_of(message);
  std::string out = message.text ? message.text : "", why;
  if (message.action >= 0 && act_) {
    ActionResult made = act_(static_cast<std::size_t>(message.action), values);
    if (made.failure.empty()) return made.text;
    why = " (" + made.failure + ")";
  }
  for (std::size_t k = 0; k < values.size(); ++k) {
    std::string value = shown(values[k]);
    std::string mark = "{" + std::to_string(k) + "}";
    for (std::size_t at = out.find(mark); at != std::string::npos; at = out.find(mark, at)) {
      out.replace(at, mark.size(), value);
      at += value.size();
    }
  }
  return out + why;
}

SimulateStatus Hybrid::check(const State& s, std::span<const double> u) {
  if (!hybrid_ || conditions_.empty()) return SimulateStatus::finished;
  if (!values(Part::conditions, s, u, conditions_))
    return hybrid_->is_literal ? SimulateStatus::finished : not_finite(s);  // the controls are given: goes on as it can
  for (std::size_t k = 0; k < hybrid_->n_assertions; ++k) {
    const bolza_message& message = hybrid_->assertions[k];
    if (conditions_[k] > 0.5 || is_call(message)) continue;
    if (message.level == BOLZA_LEVEL_WARNING || hybrid_->is_literal) {
      if (!warned_[k]) report_.warnings.push_back(finding_at(s.t, message, text_of(message)));
      warned_[k] = 1;
      continue;
    }
    return violated(k, s.t);
  }
  for (std::size_t k = 0; k < hybrid_->n_terminations && !terminated_; ++k) {
    const bolza_message& message = hybrid_->terminations[k];
    if (conditions_[hybrid_->n_assertions + k] > 0.5) {
      terminated_ = true;
      report_.termination = finding_at(s.t, message, text_of(message));
    }
  }
  return SimulateStatus::finished;
}

SimulateStatus Hybrid::violated(std::size_t assertion, double t) {
  const bolza_message& message = hybrid_->assertions[assertion];
  report_.finding = finding_at(t, message, text_of(message));
  report_.message = "an assertion does not hold: " + report_.finding.text;
  return SimulateStatus::assertion;
}

SimulateStatus Hybrid::begin(const State& s, std::span<const double> u, bool goes_on) {
  if (!hybrid_ || goes_on) return SimulateStatus::finished;
  if (hybrid_->initial >= 0) shared(hybrid_->initial) = 1;
  SimulateStatus status = check(s, u);
  if (status == SimulateStatus::finished) status = call(s.t, Calls::of_when);
  if (hybrid_->initial >= 0) shared(hybrid_->initial) = 0;
  return status;
}

// Makes the calls whose conditions became false; `check` has evaluated these.
SimulateStatus Hybrid::call(double t, Calls which) {
  if (!act_ || conditions_.empty()) return SimulateStatus::finished;
  for (std::size_t k = 0; k < hybrid_->n_assertions; ++k) {
    const bolza_message& message = hybrid_->assertions[k];
    bool of_when = message.level == BOLZA_LEVEL_CALL;
    bool due = is_call(message) && !(conditions_[k] > 0.5) && (which == Calls::of_when) == of_when;
    if (!due || message.action < 0) continue;
    ActionResult made = act_(static_cast<std::size_t>(message.action), values_of(message));
    if (made.failure.empty()) continue;
    report_.finding = finding_at(t, message, std::move(made.failure));
    report_.message = "a call failed: " + report_.finding.text;
    return SimulateStatus::assertion;
  }
  return SimulateStatus::finished;
}

}  // namespace bolza::integrate
