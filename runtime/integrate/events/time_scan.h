// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "runtime/abi/aligned.h"
#include "runtime/integrate/events/indicators.h"

namespace bolza::integrate {

/// Where relations of time alone change: the whole run is looked at before it is integrated, at 65,536 times (more where
/// there are many turns, fewer where there are very many indicators), between which places of least distance from zero are
/// sought.
class TimeScan {
 public:
  /// @param rows  indicators of relations of time alone, as functions of it without values that are not finite
  TimeScan(nonlinear::ModelAt& model, Indicators& indicators, std::vector<std::size_t> rows, double end);

  /// Makes sure that what is known holds for the discrete values as they are. False: it changes too often, or a value is
  /// not finite, and roots have to be searched for. Cost: 32 evaluations; a scan takes some milliseconds.
  bool hold(const nonlinear::ModelAt::Point& point);
  /// The first time after t at which the relation of rows()[k] is another, as it is there; infinity when there is none.
  double next(std::size_t k, double t) const;
  std::span<const std::size_t> rows() const { return rows_; }

 private:
  bool evaluate(const nonlinear::ModelAt::Point& point, std::span<const double> times);
  double value(std::size_t k, std::size_t i) const;
  bool scan(const nonlinear::ModelAt::Point& point);
  std::size_t look(const nonlinear::ModelAt::Point& point, std::size_t count);
  void add_between(std::size_t k, nonlinear::ModelAt::Point point, double from, double to);
  double least(std::size_t k, nonlinear::ModelAt::Point point, double from, double to, double sign);
  bool is_true(std::size_t k, double g) const;
  double at(std::size_t k, nonlinear::ModelAt::Point& point, double t);

  nonlinear::ModelAt& model_;
  Indicators& indicators_;
  std::vector<std::size_t> rows_;
  double end_;
  std::vector<std::vector<double>> changes_;  // [rows] ascending
  std::vector<double> probes_, known_;        // times, values there [probes × rows]
  std::size_t ld_ = 0, scans_ = 0;
  abi::AlignedDoubles points_, out_;
};

}  // namespace bolza::integrate
