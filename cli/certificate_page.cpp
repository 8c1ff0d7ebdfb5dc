// SPDX-License-Identifier: Apache-2.0
#include "cli/certificate_page.h"

#include <cmath>
#include <cstdio>

#include "base/numbers.h"
#include "base/printable.h"
#include "cli/print.h"

namespace bolza::cli {
namespace {

using verify::CheckResult;

std::string place_of(const verify::ConditionCheck& check) {
  std::string text = check.of.empty() ? "" : " (`" + check.of + "`";
  if (std::isfinite(check.time)) text += (text.empty() ? " (" : " ") + ("at t = " + shown(check.time, 4));
  return text.empty() ? "" : text + ")";
}

void print_check(const verify::ConditionCheck& check) {
  std::string name(check.name);
  if (check.result == CheckResult::not_checked)
    return void(std::printf("  %-12s %-28s %s\n", workflow::name_of(check.result), name.c_str(), check.text.c_str()));
  std::printf("  %-12s %-28s %s %s, at most %s%s%s%s\n", workflow::name_of(check.result), name.c_str(),
              shown(check.value, 2).c_str(), std::string(check.unit).c_str(), shown(check.limit, 2).c_str(),
              check.value == 0 ? "" : place_of(check).c_str(), check.text.empty() ? "" : "; ", check.text.c_str());
}

}  // namespace

void print_certificate(const std::string& result, const workflow::VerifyOutcome& outcome) {
  const verify::Certificate& c = outcome.certificate;
  std::printf("%s: %s%s\n", printable(result).c_str(), workflow::name_of(outcome.proof),
              outcome.proof == workflow::Proof::verified && c.is_global ? ", a global optimum" : "");
  for (const verify::ConditionCheck& check : c.checks) print_check(check);
  std::printf("  effort       %.3f s\n", c.seconds);
}

}  // namespace bolza::cli
