// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <utility>
#include <vector>

#include "compiler/derive/hessian.h"
#include "compiler/ir/program.h"

namespace bolza::codegen {

/// First and second derivatives of one shape by some of its slots.
struct ShapeDerivatives {
  std::vector<derive::JacobianEntry> jacobian;
  std::vector<std::uint8_t> constant;           ///< [jacobian] 1: depends on no slot by which we differentiate
  std::vector<derive::HessianEntry> hessian;    ///< of Σ_r weight(r)·root_r
  std::vector<derive::GradientEntry> gradient;  ///< the same sum's
};

/// Derivatives of shapes, each made once however many groups and instances there are.
class DerivativeTable {
 public:
  explicit DerivativeTable(ir::Expressions& expressions) : expressions_(expressions) {}

  /// @param by     [slots] 1: differentiate by this slot
  /// @param order  1: Jacobian only; 2: Hessian and gradient as well. What is returned stays, and is completed when more is
  ///               asked of it.
  const ShapeDerivatives& of(const std::vector<ir::ExprId>& roots, const std::vector<std::uint8_t>& by, int order);

  /// Jacobian times direction, per root.
  std::vector<ir::ExprId> jvp(const std::vector<ir::ExprId>& roots, const std::vector<std::uint8_t>& by);

 private:
  struct Known {
    int order = 0;
    ShapeDerivatives derivatives;
  };
  void make_first(const std::vector<ir::ExprId>& roots, const std::vector<std::uint8_t>& by, ShapeDerivatives& d);
  void make_second(const std::vector<ir::ExprId>& roots, const std::vector<std::uint8_t>& by, ShapeDerivatives& d);

  ir::Expressions& expressions_;
  std::map<std::pair<std::vector<ir::ExprId>, std::vector<std::uint8_t>>, Known> known_;
};

}  // namespace bolza::codegen
