// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include "runtime/result/table.h"
#include "workflow/model.h"

namespace bolza::workflow {

/// A value of a result that is infinite or not a number.
struct NonfiniteValue {
  std::string name;
  double value = 0, time = 0;
};

/// The first one in time; of several at once the first in the order of the model. Rates and multipliers, which are missing
/// where nothing gives them, and parameters do not count.
/// Cost: one look at every number.
std::optional<NonfiniteValue> first_nonfinite(const result::ResultTable& table);

/// E974 at the declaration of the variable; false when all values are finite and all Integers exact.
bool report_nonfinite_value(Model& model, const result::ResultTable& table);

}  // namespace bolza::workflow
