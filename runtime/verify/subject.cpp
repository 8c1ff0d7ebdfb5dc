// SPDX-License-Identifier: Apache-2.0
#include "runtime/verify/subject.h"

#include <cmath>
#include <utility>

namespace bolza::verify {

void Worst::look(double value, const std::string& of, double time) {
  if (std::isnan(value_) || value <= value_) return;
  value_ = value;
  of_ = of;
  time_ = time;
}

ConditionCheck Worst::check(std::string_view name, double limit, std::string_view unit) const {
  ConditionCheck check{.name = name, .value = value_, .limit = limit, .unit = unit, .of = of_, .time = time_};
  check.result = value_ <= limit ? CheckResult::passed : CheckResult::failed;
  return check;
}

ConditionCheck Worst::check_sum(std::string_view name, double sum, double limit, std::string_view unit) const {
  ConditionCheck out = check(name, limit, unit);
  out.value = sum;
  out.result = sum <= limit ? CheckResult::passed : CheckResult::failed;
  return out;
}

ConditionCheck not_checked(std::string_view name, std::string why) {
  ConditionCheck check{.name = name};
  check.text = std::move(why);
  return check;
}

}  // namespace bolza::verify
