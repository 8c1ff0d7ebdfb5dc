// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <vector>

#include "runtime/integrate/events/hybrid.h"
#include "runtime/integrate/events/indicators.h"
#include "runtime/integrate/events/time_scan.h"

namespace bolza::integrate {

/// Events whose times are known ahead: ticks of samples, and relations of time alone. Those that are linear in it have one
/// formula, the others are looked at over the whole run.
class TimeEvents {
 public:
  TimeEvents(nonlinear::ModelAt& model, Indicators& indicators, double t0, double tf);

  /// Locates the relations of time alone for the discrete values as they are now at `t`; the others among them are left to
  /// root finding. Call after every event.
  void look_ahead(const nonlinear::ModelAt::Point& point);
  /// The next one after t; infinity when there is none. Ticks and relations that differ by rounding are one event, at the
  /// last of their times.
  double next(double t) const;
  /// Sets the flags of the samples that tick at t; true when an event is due then.
  bool due(double t, Hybrid& hybrid);

 private:
  double crossing(std::size_t row, nonlinear::ModelAt::Point point);
  double tick(std::size_t sample) const;
  double room(double t) const;

  Indicators& indicators_;
  const bolza_hybrid* hybrid_;
  double t0_, tf_;
  std::vector<double> crossing_;    ///< of relations, this stretch
  std::optional<TimeScan> scan_;    ///< of relations that are not linear; none when all are
  std::vector<std::size_t> count_;  ///< [n_samples] the next tick
};

}  // namespace bolza::integrate
