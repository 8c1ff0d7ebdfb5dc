// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "runtime/integrate/variable_sizes.h"
#include "runtime/nonlinear/model_at.h"

namespace bolza::integrate {

/// The event indicators of a run as functions without jumps between events, for root finding.
///
/// Row k is the model's indicator moved away from zero by a small width on the side on which the remembered value of its
/// relation holds, so that a root means: the relation has changed for certain, and what was just crossed is not crossed
/// again by rounding. The width is 1e-4 · rtol · the largest |indicator| seen so far, well below the error of the solution.
/// Where that is too little because an indicator has been nothing but rounding yet, as the sign of a rate that is zero at
/// the start, events follow each other without time between them; `crossed` widens it then, up to the error that the
/// solution is allowed.
class Indicators {
 public:
  /// @param sizes  of the variables; outlives this
  Indicators(nonlinear::ModelAt& model, double rtol, const VariableSizes& sizes);

  std::size_t size() const { return raw_.size(); }
  /// Fixes sides and widths from the discrete values at a settled point. False: not finite.
  bool begin(const nonlinear::ModelAt::Point& point);
  /// After `begin`: a relation that is not as it is remembered, by more than the error of the solution.
  std::optional<std::size_t> contradicted() const { return contradicted_; }
  /// The moved indicators; rows that are located ahead, see TimeEvents, are 1. False: not finite.
  bool values(const nonlinear::ModelAt::Point& point, std::span<double> g);
  /// The model's indicators as they are, in a buffer of this object.
  bool raw(const nonlinear::ModelAt::Point& point);
  std::span<const double> raw_values() const { return raw_; }

  /// Notes an event by a row at a point. @param soon  seconds: events of a row that are closer are one change and rounding
  /// True: since its last event it has not left zero by more than the error that the solution may have.
  bool crossed(std::size_t row, const nonlinear::ModelAt::Point& point, double soon);

  /// After the event of a row: is it on its way back to where it came from? Of rows that read algebraics nothing is said.
  /// @param rates  [n_x] derivatives of the states at the point
  bool turns_back(std::size_t row, const nonlinear::ModelAt::Point& point, std::span<const double> rates);

  /// Where a row left its side: do the rates say that it is on its way back there? Then it was nothing but the error of the
  /// dense output, and until the next event it counts from that error on.
  bool is_rounding(std::size_t row, const nonlinear::ModelAt::Point& point, std::span<const double> rates);

  void ahead(std::size_t row, bool located) { ahead_[row] = located; }
  bool is_ahead(std::size_t row) const { return ahead_[row]; }
  /// Is there one whose roots are not located ahead?
  bool any_to_search() const { return std::find(ahead_.begin(), ahead_.end(), 0) != ahead_.end(); }
  /// After `raw`: is the indicator within `widths` of zero? Ten thousand of them are the error of the solution.
  bool is_undecided(std::size_t row, double widths) const {
    return std::fabs(raw_[row]) <= widths * std::max(width_[row], narrowest(row));
  }
  double width(std::size_t row) const { return width_[row]; }
  /// From zero, since the last event of the row; infinity when there was none.
  double farthest(std::size_t row) const { return farthest_[row]; }
  /// +1, -1: the side on which the remembered value holds.
  double side(std::size_t row) const { return side_[row]; }
  /// True when zero itself belongs to the other side.
  bool leaves_at_zero(std::size_t row) const;
  /// Is it the indicator of a relation?
  bool is_relation(std::size_t row) const;
  /// Is the relation of a row true where its indicator is g?
  bool holds(std::size_t row, double g) const;
  /// Of those of time alone: is it linear in it, for certain?
  bool is_linear_in_time(std::size_t row) const { return !curved_[row] && timed_[row]; }
  bool time_only(std::size_t row) const { return time_only_[row]; }
  /// Does it read algebraics? They jump where others' events are, so that what it came near of says nothing.
  bool reads_algebraics(std::size_t row) const { return algebraic_[row]; }
  /// [size] 1: not linear in time and variables, so that it may turn while these change steadily.
  std::span<const char> curved() const { return curved_; }
  /// The discrete variable that a row belongs to; n_m when none.
  std::size_t owner(std::size_t row) const { return owner_[row]; }

 private:
  /// Per second, along the rates; none where algebraics or inputs take part.
  std::optional<double> slope(std::size_t row, const nonlinear::ModelAt::Point& point, std::span<const double> rates);
  double narrowest(std::size_t row) const { return floor_[row] < 1e-15 ? 1e3 * floor_[row] : 1e-12; }
  void find_curved();
  double change_of(std::size_t row, const nonlinear::ModelAt::Point& point, double share);

  nonlinear::ModelAt& model_;
  const bolza_hybrid* hybrid_;
  double rtol_;
  const VariableSizes& sizes_;
  std::vector<double> raw_, side_, width_, largest_;
  std::vector<double> farthest_;  ///< from zero, since the last event of the row
  std::vector<double> wider_;     ///< of a relation that rounding left as it is: where it has to change
  std::optional<std::size_t> contradicted_;
  std::vector<double> last_;   ///< time of the last event of a row
  std::vector<double> least_;  ///< no width is smaller
  std::vector<double> floor_;  ///< nor than this, which is rounding; NaN: not known yet
  nonlinear::Derivative derivative_;
  std::vector<std::size_t> owner_;
  std::vector<char> ahead_, time_only_, curved_, timed_, algebraic_;
};

}  // namespace bolza::integrate
