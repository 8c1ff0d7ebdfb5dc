// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>
#include <string>

namespace bolza::ir {

/// What a model does besides changing its variables, and the texts that are only known while it runs. The flat model names
/// them by number; who made the model knows how to perform them.
class ActionPerformer {
 public:
  struct Outcome {
    std::string text;     ///< of a message; "" of a call
    std::string failure;  ///< why there is none, in the words of the function that failed; "" when all is well
  };
  virtual ~ActionPerformer() = default;
  /// Performs an action with the values of its message, in the order of its terms. Not thread-safe.
  virtual Outcome perform(std::size_t action, std::span<const double> values) = 0;
};

}  // namespace bolza::ir
