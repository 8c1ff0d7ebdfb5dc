// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>
#include <span>
#include <string>

namespace bolza::integrate {

/// What an action of a model came to: the text of a message, or why there is none.
struct ActionResult {
  std::string text, failure;
};
/// Performs an action of the model (bolza_message) with its values.
using Act = std::function<ActionResult(std::size_t action, std::span<const double> values)>;

}  // namespace bolza::integrate
