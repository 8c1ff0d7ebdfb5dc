// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <limits>

#include "base/clock.h"

namespace bolza::workflow {

/// What a run may take: time, and until somebody interrupts it. Copies share the deadline and the interrupt.
class Budget {
 public:
  /// Without limits.
  Budget() = default;
  /// @param seconds    from now on; infinity: no limit     @param interrupt  nonzero ends the run; may be null
  explicit Budget(double seconds, const volatile bool* interrupt = nullptr)
      : began_(Clock::now()),
        seconds_(seconds),
        interrupt_(interrupt) {}

  bool is_limited() const { return seconds_ < std::numeric_limits<double>::infinity(); }
  double left() const { return is_limited() ? std::max(0.0, seconds_ - seconds_since(began_)) : seconds_; }  ///< seconds
  bool over() const { return is_limited() && left() <= 0; }
  bool interrupted() const { return interrupt_ && *interrupt_; }
  /// At most so many seconds of what is left.
  Budget part(double seconds) const { return Budget(std::min(seconds, left()), interrupt_); }
  const volatile bool* interrupt() const { return interrupt_; }

 private:
  Clock::time_point began_ = Clock::now();
  double seconds_ = std::numeric_limits<double>::infinity();
  const volatile bool* interrupt_ = nullptr;
};

}  // namespace bolza::workflow
