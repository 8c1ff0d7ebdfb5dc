// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimization/least_squares.h"

#include <algorithm>
#include <map>
#include <optional>

#include "compiler/passes/system/parameter_values.h"

namespace bolza::passes {

using ir::Op;

namespace {

class Squares {
 public:
  explicit Squares(System& system) : dag_(system.dag()), system_(system), values_(system) {}

  /// Residuals of one part, or none when it is not a sum of squares.
  std::optional<std::vector<Applied>> residuals_of(const Applied& part) {
    std::vector<bool> fixed;
    for (VariableId v : part.slots) fixed.push_back(is_fixed(system_, std::span(&v, 1)));
    auto [at, is_new] = shapes_.try_emplace({part.root(), fixed});
    if (is_new) at->second = analyse(part.root(), fixed);
    const Shape& shape = at->second;
    if (!shape.is_sum) return {};
    std::vector<Applied> found;
    for (const Square& square : shape.squares) {
      double factor = values_.of(square.factor, part.slots, part.data);
      if (!(factor >= 0)) return {};
      if (factor > 0) found.push_back(instance_of_shape(square.residual, part));
    }
    return found;
  }

 private:
  /// factor·e, the factor fixed.
  struct Term {
    ExprId e, factor;
  };
  /// factor·e² = ½ (√(2 factor) e)², the residual in canonical form.
  struct Square {
    ir::CanonicalShape residual;
    ExprId factor;
  };
  struct Shape {
    bool is_sum = true;
    std::vector<Square> squares;
  };

  static Applied instance_of_shape(const ir::CanonicalShape& shape, const Applied& part) {
    Applied result{shape.roots, {}, {}};
    for (std::uint32_t slot : shape.slots) result.slots.push_back(part.slots[slot]);
    for (const auto& source : shape.data)
      result.data.push_back(source.is_literal ? source.literal : part.data[source.datum]);
    return result;
  }

  Shape analyse(ExprId root, const std::vector<bool>& fixed) {
    Shape shape;
    std::vector<Term> open{{root, dag_.one()}};
    while (!open.empty() && shape.is_sum) {
      Term term = open.back();
      open.pop_back();
      if (!is_fixed_expression(term.e, fixed)) shape.is_sum = step(term, fixed, open, shape.squares);
    }
    std::reverse(shape.squares.begin(), shape.squares.end());
    return shape;
  }

  bool is_fixed_expression(ExprId e, const std::vector<bool>& fixed) const {
    for (ExprId node : ir::reachable(dag_, std::span(&e, 1)))
      if (dag_.op(node) == Op::slot && !fixed[dag_.index(node)]) return false;
    return true;
  }

  bool step(const Term& term, const std::vector<bool>& fixed, std::vector<Term>& open, std::vector<Square>& found) {
    std::span<const ExprId> x = dag_.operands(term.e);
    switch (dag_.op(term.e)) {
      case Op::no_event:
        open.push_back({x[0], term.factor});
        return true;
      case Op::add:
        open.push_back({x[0], term.factor});
        open.push_back({x[1], term.factor});
        return true;
      case Op::sub:
        open.push_back({x[0], term.factor});
        open.push_back({x[1], dag_.neg(term.factor)});
        return true;
      case Op::neg:
        open.push_back({x[0], dag_.neg(term.factor)});
        return true;
      case Op::pow:
        return dag_.is_number(x[1], 2) && add_square(x[0], term.factor, found);
      case Op::div:
        if (!is_fixed_expression(x[1], fixed)) return false;
        open.push_back({x[0], dag_.div(term.factor, x[1])});
        return true;
      case Op::mul:
        if (x[0] == x[1]) return add_square(x[0], term.factor, found);
        if (is_fixed_expression(x[0], fixed)) {
          open.push_back({x[1], dag_.mul(x[0], term.factor)});
          return true;
        }
        if (is_fixed_expression(x[1], fixed)) {
          open.push_back({x[0], dag_.mul(x[1], term.factor)});
          return true;
        }
        return false;
      default:
        return false;
    }
  }

  bool add_square(ExprId e, ExprId factor, std::vector<Square>& found) {
    ExprId residual = dag_.mul(dag_.make(Op::sqrt, dag_.mul(dag_.number(2), factor)), e);
    found.push_back({ir::canonical_shape(dag_, std::span(&residual, 1)), factor});
    return true;
  }

  ir::Dag& dag_;
  System& system_;
  ParameterValues values_;
  std::map<std::pair<ExprId, std::vector<bool>>, Shape> shapes_;
};

bool residuals_of(Squares& squares, const LoweredRow& row, std::vector<LoweredRow>& residuals) {
  for (std::size_t k = 0; k < row.parts.size(); ++k) {
    std::optional<std::vector<Applied>> found = squares.residuals_of(row.parts[k]);
    if (!found) {
      residuals.clear();
      return false;
    }
    for (Applied& r : *found) residuals.push_back({{std::move(r)}, {row.origins[k]}, 0, 0, {}});
  }
  return true;
}

}  // namespace

void recognise_least_squares(System& system) {
  Lowered& lowered = system.lowered;
  Squares squares(system);
  bool points = residuals_of(squares, lowered.objective, lowered.point_residuals);
  bool integrand = true, any = !lowered.point_residuals.empty();
  lowered.integrand_residuals.resize(lowered.integrands.size());
  for (std::size_t k = 0; k < lowered.integrands.size(); ++k) {
    integrand = residuals_of(squares, lowered.integrands[k], lowered.integrand_residuals[k]) && integrand;
    any = any || !lowered.integrand_residuals[k].empty();
  }
  lowered.is_least_squares = points && integrand && any;
  if (!lowered.is_least_squares) lowered.point_residuals.clear();
}

}  // namespace bolza::passes
