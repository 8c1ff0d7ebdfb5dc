// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace bolza::verify {

/// What became of one check: measured and within its limit, beyond it, or not measured, for a reason that is said.
enum class CheckResult : std::uint8_t { passed, failed, not_checked };

/// One condition of an optimum: what was measured, what is allowed, and where the largest value was found.
struct ConditionCheck {
  std::string_view name;  ///< as in docs/verify.md: "dynamics", "costates", …
  CheckResult result = CheckResult::not_checked;
  double value = 0, limit = 0;
  std::string_view unit;                                   ///< "of its size", "of the objective", …
  std::string of;                                          ///< the variable, row or parameter, "" none
  double time = std::numeric_limits<double>::quiet_NaN();  ///< NaN: at no time
  std::string text;                                        ///< what was found in words, or why it was not checked
};

/// The checks of a result, in the order of docs/verify.md.
struct Certificate {
  std::vector<ConditionCheck> checks;
  double objective = std::numeric_limits<double>::quiet_NaN();  ///< by our own quadrature, with the user's sign
  double stored = std::numeric_limits<double>::quiet_NaN();     ///< in the file; NaN: it has none
  bool is_convex = false;                                       ///< the problem is, by its structure
  bool is_global = false;  ///< it is, and the gap is small: a verified result is a global optimum
  double gap = std::numeric_limits<double>::quiet_NaN();  ///< where it is: the objective is no farther from the least
  double seconds = 0;
};

}  // namespace bolza::verify
