#include "compiler/passes/least_squares.h"

#include <optional>

#include "compiler/passes/values.h"

namespace bolza::passes {

using ir::Op;

namespace {

class Squares {
 public:
  Squares(System& system, Composer& composer) : dag_(system.dag()), composer_(composer), system_(system), values_(system) {}

  /// Residuals of one part, or none when it is not a sum of squares.
  std::optional<std::vector<Applied>> residuals_of(const Applied& part) {
    std::vector<Applied> found;
    std::vector<Term> open{{part.root(), dag_.one()}};
    while (!open.empty()) {
      Term term = open.back();
      open.pop_back();
      if (is_fixed_expression(term.e, part)) continue;
      if (!step(term, part, open, found)) return {};
    }
    std::vector<Applied> in_order(found.rbegin(), found.rend());
    return in_order;
  }

 private:
  /// factor·e, the factor fixed.
  struct Term {
    ExprId e, factor;
  };

  bool is_fixed_expression(ExprId e, const Applied& part) {
    for (ExprId node : ir::reachable(dag_, std::span(&e, 1)))
      if (dag_.op(node) == Op::slot && !is_fixed(system_, std::span(&part.slots[dag_.index(node)], 1))) return false;
    return true;
  }

  bool step(const Term& term, const Applied& part, std::vector<Term>& open, std::vector<Applied>& found) {
    std::span<const ExprId> x = dag_.operands(term.e);
    switch (dag_.op(term.e)) {
      case Op::no_event: open.push_back({x[0], term.factor}); return true;
      case Op::add:
        open.push_back({x[0], term.factor});
        open.push_back({x[1], term.factor});
        return true;
      case Op::sub:
        open.push_back({x[0], term.factor});
        open.push_back({x[1], dag_.neg(term.factor)});
        return true;
      case Op::neg: open.push_back({x[0], dag_.neg(term.factor)}); return true;
      case Op::pow: return dag_.is_number(x[1], 2) && add_square(x[0], term.factor, part, found);
      case Op::div:
        if (!is_fixed_expression(x[1], part)) return false;
        open.push_back({x[0], dag_.div(term.factor, x[1])});
        return true;
      case Op::mul:
        if (x[0] == x[1]) return add_square(x[0], term.factor, part, found);
        if (is_fixed_expression(x[0], part)) {
          open.push_back({x[1], dag_.mul(x[0], term.factor)});
          return true;
        }
        if (is_fixed_expression(x[1], part)) {
          open.push_back({x[0], dag_.mul(x[1], term.factor)});
          return true;
        }
        return false;
      default: return false;
    }
  }

  /// factor·e² = ½ (√(2 factor) e)²
  bool add_square(ExprId e, ExprId factor, const Applied& part, std::vector<Applied>& found) {
    double value = values_.of(factor, part.slots, part.data);
    if (!(value >= 0)) return false;
    if (value == 0) return true;
    ExprId root = dag_.make(Op::sqrt, dag_.mul(dag_.number(2), factor));
    found.push_back(composer_.canonical({{dag_.mul(root, e)}, part.slots, part.data}));
    return true;
  }

  ir::Dag& dag_;
  Composer& composer_;
  System& system_;
  Values values_;
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

void recognise_least_squares(System& system, Composer& composer) {
  Lowered& lowered = system.lowered;
  Squares squares(system, composer);
  bool points = residuals_of(squares, lowered.objective, lowered.point_residuals);
  bool integrand = residuals_of(squares, lowered.integrand, lowered.integrand_residuals);
  lowered.is_least_squares = points && integrand && !(lowered.point_residuals.empty() && lowered.integrand_residuals.empty());
  if (!lowered.is_least_squares) lowered.point_residuals.clear();
}

}  // namespace bolza::passes
