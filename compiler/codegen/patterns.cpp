// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/expects.h"
#include "compiler/codegen/function_tables_internal.h"

namespace bolza::codegen {

void FunctionTables::differentiate(int order) {
  if (order <= order_) return;
  shape_derivatives_.clear();
  for (const PreparedGroup& group : groups_)
    shape_derivatives_.push_back(&derivatives_.of(group.group.roots, group.by, order));
  if (order_ < 1) make_jacobian_pattern();
  if (order == 2) {
    make_hessian_pattern();
    make_gradient_pattern();
  }
  order_ = order;
  verify_patterns();
}

void FunctionTables::make_jacobian_pattern() {
  PatternBuilder builder;
  for (std::size_t g = 0; g < groups_.size(); ++g)
    for (const derive::JacobianEntry& entry : shape_derivatives_[g]->jacobian)
      for (std::size_t i = 0; i < groups_[g].group.n; ++i)
        builder.add(static_cast<std::int32_t>(groups_[g].group.rows[entry.root][i].value),
                    static_cast<std::int32_t>(groups_[g].group.slots[entry.slot][i].value));
  std::vector<std::int32_t> entry_of = builder.finish(jac_row_, jac_col_);
  jac_constant_.assign(jac_row_.size(), 1);
  std::size_t next = 0;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    auto& columns = jacobian_entry_.emplace_back();
    for (std::size_t k = 0; k < shape_derivatives_[g]->jacobian.size(); ++k) {
      auto begin = entry_of.begin() + static_cast<std::ptrdiff_t>(next);
      next += groups_[g].group.n;
      columns.emplace_back(begin, entry_of.begin() + static_cast<std::ptrdiff_t>(next));
      if (shape_derivatives_[g]->constant[k]) continue;
      for (std::int32_t entry : columns.back()) jac_constant_[static_cast<std::size_t>(entry)] = 0;
    }
  }
  abi_.jac_nnz = jac_row_.size();
  abi_.jac_row = jac_row_.data();
  abi_.jac_col = jac_col_.data();
  abi_.jac_constant = jac_constant_.data();
}

void FunctionTables::make_hessian_pattern() {
  PatternBuilder builder;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const std::vector<ir::Column>& slots = groups_[g].group.slots;
    for (const derive::HessianEntry& entry : shape_derivatives_[g]->hessian)
      for (std::size_t i = 0; i < groups_[g].group.n; ++i) {
        auto a = static_cast<std::int32_t>(slots[entry.row][i].value),
             b = static_cast<std::int32_t>(slots[entry.column][i].value);
        builder.add(std::max(a, b), std::min(a, b));
      }
  }
  std::vector<std::int32_t> entry_of = builder.finish(hess_row_, hess_col_);
  auto next = entry_of.begin();
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    auto& columns = hessian_entry_.emplace_back();
    for (std::size_t k = 0; k < shape_derivatives_[g]->hessian.size(); ++k, next += groups_[g].group.n)
      columns.emplace_back(next, next + groups_[g].group.n);
  }
  abi_.hess_nnz = hess_row_.size();
  abi_.hess_row = hess_row_.data();
  abi_.hess_col = hess_col_.data();
}

void FunctionTables::make_gradient_pattern() {
  PatternBuilder builder;
  for (std::size_t g = 0; g < groups_.size(); ++g)
    for (const derive::GradientEntry& entry : shape_derivatives_[g]->gradient)
      for (std::size_t i = 0; i < groups_[g].group.n; ++i)
        builder.add(0, static_cast<std::int32_t>(groups_[g].group.slots[entry.slot][i].value));
  std::vector<std::int32_t> none;
  std::vector<std::int32_t> entry_of = builder.finish(none, grad_col_);
  auto next = entry_of.begin();
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    auto& columns = gradient_entry_.emplace_back();
    for (std::size_t k = 0; k < shape_derivatives_[g]->gradient.size(); ++k, next += groups_[g].group.n)
      columns.emplace_back(next, next + groups_[g].group.n);
  }
  abi_.grad_nnz = grad_col_.size();
  abi_.grad_col = grad_col_.data();
}

void FunctionTables::verify_patterns() const {
  auto n_columns = static_cast<std::int32_t>(abi_.n_point + abi_.n_global);
  for (std::size_t k = 0; k < jac_row_.size(); ++k)
    expects(jac_row_[k] < static_cast<std::int32_t>(abi_.n_rows) && jac_col_[k] < n_columns,
            "the Jacobian's entries are inside it");
  for (std::size_t k = 0; k < hess_row_.size(); ++k)
    expects(hess_col_[k] <= hess_row_[k] && hess_row_[k] < n_columns, "the Hessian's entries are a lower triangle");
}

}  // namespace bolza::codegen
