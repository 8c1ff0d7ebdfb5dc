#pragma once
#include <map>

#include "compiler/ir/apply.h"
#include "compiler/passes/system/parameter_values.h"
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// A time Σ aᵢ pᵢ + c of free parameters and free ends of the horizon, or with `on_time` an expression that varies with
/// time.
struct InteriorInstant {
  std::map<VariableId, double> on;  ///< without zeros
  double offset = 0, on_time = 0;
  bool known = true;  ///< false: it is not of that form

  bool is_number() const { return known && on.empty() && on_time == 0; }
  /// Does it read a free parameter, not only ends of the horizon?
  bool is_free() const;
};

InteriorInstant scaled(const InteriorInstant& a, double by);
InteriorInstant plus(const InteriorInstant& a, const InteriorInstant& b, double sign);
/// The same time at all values of the parameters, up to rounding?
bool same_time(const InteriorInstant& a, const InteriorInstant& b);

/// Makes affine times of expressions of a model whose parameters are evaluated.
class InteriorInstants {
 public:
  explicit InteriorInstants(const System& system) : system_(system), values_(system) {}

  InteriorInstant of(ExprId root, std::span<const VariableId> slots, std::span<const double> data);
  InteriorInstant of(const ir::Term& term) { return of(term.root, term.slots, term.data); }
  InteriorInstant start() { return leaf(VariableId(std::size_t{1})); }
  InteriorInstant final() { return leaf(VariableId(std::size_t{2})); }
  /// Between what the bounds of the parameters allow.
  Interval range(const InteriorInstant& time) const;
  double guess(const InteriorInstant& time) const;
  bool has_guess(const InteriorInstant& time) const;

 private:
  InteriorInstant leaf(VariableId v);
  InteriorInstant combine(ExprId e, std::span<const InteriorInstant> x, std::span<const VariableId> slots,
                          std::span<const double> data);

  const System& system_;
  ParameterValues values_;
};

}  // namespace bolza::passes
