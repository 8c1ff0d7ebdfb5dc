// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <map>

#include "compiler/passes/system/parameter_values.h"
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// A time Σ aᵢ pᵢ + c of free parameters and free ends of the horizon, or with `on_time` an expression that varies with
/// time.
struct AffineInParameters {
  std::map<VariableId, double> on;  ///< without zeros
  double offset = 0, on_time = 0;
  bool known = true;  ///< false: it is not of that form

  bool is_number() const { return known && on.empty() && on_time == 0; }
  /// Does it read a free parameter, not only ends of the horizon?
  bool is_free() const;
};

AffineInParameters scaled(const AffineInParameters& a, double by);
AffineInParameters plus(const AffineInParameters& a, const AffineInParameters& b, double sign);
/// The same time at all values of the parameters, up to rounding?
bool same_time(const AffineInParameters& a, const AffineInParameters& b);

/// An expression as what its slots are, or not known: sums, and products and quotients with numbers.
AffineInParameters affine_of(const System& system, ParameterValues& values, ExprId root, std::span<const VariableId> slots,
                             std::span<const double> data, const std::function<AffineInParameters(VariableId)>& leaf);

/// Times of a model whose parameters are evaluated, in its free parameters and the ends of its horizon where these are free.
class HorizonTimes {
 public:
  explicit HorizonTimes(const System& system) : system_(system), values_(system) {}

  AffineInParameters of(ExprId root, std::span<const VariableId> slots, std::span<const double> data);
  AffineInParameters of(const ir::Term& term) { return of(term.root, term.slots, term.data); }
  AffineInParameters start() { return leaf(VariableId(std::size_t{1})); }
  AffineInParameters final() { return leaf(VariableId(std::size_t{2})); }
  /// Between what the bounds of the parameters allow.
  Interval range(const AffineInParameters& time) const;
  double guess(const AffineInParameters& time) const;
  bool has_guess(const AffineInParameters& time) const;

 private:
  AffineInParameters leaf(VariableId v);

  const System& system_;
  ParameterValues values_;
};

}  // namespace bolza::passes
