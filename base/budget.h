// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <limits>

#include "base/clock.h"

namespace bolza {

/// What work may take: time, and until somebody interrupts it. A copy shares the deadline and the interrupt, so whoever
/// hands work on hands his budget on, and nobody computes what is left.
/// Cost  `over` reads the clock, 20 ns; `interrupted` a flag.
class Budget {
 public:
  /// Without limits.
  Budget() = default;
  /// @param seconds    of wall time from now on; infinity: no limit     @param interrupt  true ends the work; may be null
  explicit Budget(double seconds, const volatile bool* interrupt = nullptr)
      : began_(Clock::now()),
        seconds_(seconds),
        interrupt_(interrupt) {}
  explicit Budget(const volatile bool* interrupt) : interrupt_(interrupt) {}

  bool is_limited() const { return seconds_ < std::numeric_limits<double>::infinity(); }
  double left() const { return is_limited() ? std::max(0.0, seconds_ - seconds_since(began_)) : seconds_; }  ///< seconds
  bool over() const { return over_by(0); }
  bool over_by(double grace) const { return is_limited() && seconds_since(began_) >= seconds_ + grace; }
  bool interrupted() const { return interrupt_ && *interrupt_; }
  bool ended() const { return interrupted() || over(); }
  /// At most so many seconds, from now on, of what is left.
  Budget part(double seconds) const { return seconds < left() ? Budget(seconds, interrupt_) : *this; }
  const volatile bool* interrupt() const { return interrupt_; }

 private:
  Clock::time_point began_ = Clock::now();
  double seconds_ = std::numeric_limits<double>::infinity();
  const volatile bool* interrupt_ = nullptr;
};

}  // namespace bolza
