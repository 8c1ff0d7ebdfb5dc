// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "compiler/passes/parameters/affine_in_parameters.h"

namespace bolza::passes {

/// A time within the horizon at which variables are read, or a relation with time changes.
struct InteriorTime {
  AffineInParameters time;
  Span span;         ///< where it was met first
  std::string text;  ///< for messages: "t1", "t1 + 0.3"
};

/// A node whose value depends on which side of a time it is on: a relation, or |e|, min, max, sign.
struct Kink {
  ExprId node;
  AffineInParameters time;
  bool rises = true;  ///< its difference is positive after the time
};

/// The times at which a horizon is cut.
class InteriorTimes {
 public:
  explicit InteriorTimes(const System& system) : system_(system), times_(system) {}

  /// Looks at timed variables, and at relations of `time` with what is free.
  void collect();
  /// Does any read a free parameter? Then the horizon is to be cut, at all of them.
  bool any_is_free() const;
  /// Relations of one instance that change at a time which is not a number and no end of the horizon.
  std::vector<Kink> kinks_of(std::span<const ExprId> roots, std::span<const VariableId> slots, std::span<const double> data);
  bool is_start(const AffineInParameters& time) { return same_time(time, times_.start()); }
  bool is_final(const AffineInParameters& time) { return same_time(time, times_.final()); }
  /// Is a variable read inside the horizon?
  bool reads_inside() const { return !all_.empty(); }
  std::optional<std::size_t> find(const AffineInParameters& time) const;
  /// Is a variable read at a free time, other than an end of the horizon?
  bool reads_at_free_time() const { return reads_at_free_time_; }
  /// The first variable that is read at a time which is not affine.
  VariableId not_affine() const { return not_affine_; }

  HorizonTimes& times() { return times_; }
  const std::vector<InteriorTime>& all() const { return all_; }
  std::vector<InteriorTime>& all() { return all_; }

 private:
  void look_at_timed();
  void add(const AffineInParameters& time, Span span);
  std::string text_of(const AffineInParameters& time) const;

  const System& system_;
  HorizonTimes times_;
  std::vector<InteriorTime> all_;
  VariableId not_affine_;
  bool reads_at_free_time_ = false;
};

}  // namespace bolza::passes
