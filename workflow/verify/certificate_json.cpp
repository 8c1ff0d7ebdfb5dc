// SPDX-License-Identifier: Apache-2.0
#include "workflow/verify/certificate_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace bolza::workflow {
namespace {

nlohmann::json number_or_none(double value) { return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(); }

nlohmann::json check_json(const verify::ConditionCheck& check) {
  nlohmann::json o{{"name", check.name}, {"result", name_of(check.result)}};
  if (!check.text.empty()) o["text"] = check.text;
  if (check.result == verify::CheckResult::not_checked) return o;
  o.update({{"value", number_or_none(check.value)}, {"limit", check.limit}, {"unit", check.unit}});
  if (!check.of.empty()) o["of"] = check.of;
  if (std::isfinite(check.time)) o["time"] = check.time;
  return o;
}

}  // namespace

nlohmann::json certificate_json(const VerifyOutcome& outcome) {
  const verify::Certificate& c = outcome.certificate;
  nlohmann::json o{{"verdict", name_of(outcome.proof)},
                   {"class", outcome.class_name},
                   {"objective", number_or_none(c.objective)},
                   {"stored_objective", number_or_none(c.stored)},
                   {"convex", c.is_convex},
                   {"seconds", c.seconds}};
  o["global"] = outcome.proof == Proof::verified && c.is_global;
  if (std::isfinite(c.gap)) o["gap"] = c.gap;
  o["checks"] = nlohmann::json::array();
  for (const verify::ConditionCheck& check : c.checks) o["checks"].push_back(check_json(check));
  return o;
}

}  // namespace bolza::workflow
