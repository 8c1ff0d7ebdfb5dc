// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "compiler/instance/build/instantiate.h"
#include "compiler/instance/value.h"

namespace bolza::instance {

/// A function of numbers, and of records of numbers, that the interpreter runs while a model runs, at events: it may work on
/// Strings and on arrays of any size inside, print, write files, give another result each time. Each call in the model runs
/// once for a time and the same arguments, however often the iteration of the event asks. The instance tree has to stay
/// where it is.
class InterpretedFunction {
 public:
  static constexpr double never = -1e300;  ///< seconds: the call is not due, its outputs are 0

  using Objects = std::vector<std::shared_ptr<void>>;
  struct Input {
    const Instance* component = nullptr;
    Value value;  ///< of the sizes that it has in all calls, with any numbers; its texts and objects are those of all calls
  };
  /// @param inputs     in their order
  /// @param objects    that are in them
  /// @param n_outputs  numbers of all outputs
  InterpretedFunction(InstanceTree& tree, const Instance& function, std::vector<Input> inputs, Objects objects,
                      std::size_t n_outputs);

  /// @param arguments  numbers of the inputs (row by row, of records field by field), then the number of the call, then the
  /// time in seconds
  /// @param outputs    numbers of the outputs, the same way
  /// False when it failed: foreign::last_failure() says why. Cost: that of interpreting the call. Thread-safe.
  bool run(const double* arguments, double* outputs) const;

 private:
  bool interpret(const std::vector<double>& arguments, std::vector<double>& outputs) const;

  InstanceTree& tree_;
  const Instance& function_;
  std::vector<Input> inputs_;
  Objects objects_;
  std::size_t n_arguments_ = 0, n_outputs_ = 0;
  mutable std::mutex mutex_;
  mutable std::map<std::vector<std::uint64_t>, std::vector<double>> known_;  ///< of the last time, which ends every key
};

}  // namespace bolza::instance
