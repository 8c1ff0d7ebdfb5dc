#pragma once
#include <map>

#include "compiler/ir/apply.h"
#include "compiler/passes/system/parameter_values.h"
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// A time Σ aᵢ pᵢ + c of free parameters and free ends of the horizon, or with `on_time` an expression that varies with
/// time.
struct AffineTime {
  std::map<VariableId, double> on;  ///< without zeros
  double offset = 0, on_time = 0;
  bool known = true;  ///< false: it is not of that form

  bool is_number() const { return known && on.empty() && on_time == 0; }
  /// Does it read a free parameter, not only ends of the horizon?
  bool is_free() const;
};

AffineTime scaled(const AffineTime& a, double by);
AffineTime plus(const AffineTime& a, const AffineTime& b, double sign);
/// The same time at all values of the parameters, up to rounding?
bool same_time(const AffineTime& a, const AffineTime& b);

/// Makes affine times of expressions of a model whose parameters are evaluated.
class AffineTimes {
 public:
  explicit AffineTimes(const System& system) : system_(system), values_(system) {}

  AffineTime of(ExprId root, std::span<const VariableId> slots, std::span<const double> data);
  AffineTime of(const ir::Term& term) { return of(term.root, term.slots, term.data); }
  AffineTime start() { return leaf(VariableId(std::size_t{1})); }
  AffineTime final() { return leaf(VariableId(std::size_t{2})); }
  /// Between what the bounds of the parameters allow.
  Interval range(const AffineTime& time) const;
  double guess(const AffineTime& time) const;
  bool has_guess(const AffineTime& time) const;

 private:
  AffineTime leaf(VariableId v);
  AffineTime combine(ExprId e, std::span<const AffineTime> x, std::span<const VariableId> slots,
                     std::span<const double> data);

  const System& system_;
  ParameterValues values_;
};

}  // namespace bolza::passes
