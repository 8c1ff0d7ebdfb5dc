// SPDX-License-Identifier: Apache-2.0
#include "runtime/nonlinear/row_hessians.h"

#include <algorithm>
#include <cmath>

#include "runtime/abi/evaluate.h"

namespace bolza::nonlinear {

RowHessians::RowHessians(const bolza_problem& problem, bolza_function* function) {
  if (!function || !abi::ensure(problem, *function, BOLZA_HESSIAN)) return;
  function_ = function;
  ld_ = abi::padded(std::min(function->n_rows, most));
  point_ = abi::AlignedDoubles(function->n_point * ld_);
  weight_ = abi::AlignedDoubles(function->n_rows * ld_);
  out_ = abi::AlignedDoubles(function->kernels[BOLZA_HESSIAN]->n_out * ld_);
}

int RowHessians::run(const bolza_model& m, const ModelAt::Point& p, const double* shared, std::size_t first,
                     std::size_t count) {
  auto set = [&](std::size_t row, double value) { std::fill_n(point_.data() + row * ld_, ld_, value); };
  set(0, p.t);
  for (std::size_t i = 0; i < m.n_x; ++i) set(1 + i, p.x[i]);
  for (std::size_t i = 0; i < m.n_z; ++i) set(1 + m.n_x + i, p.z[i]);
  for (std::size_t i = 0; i < m.n_u; ++i) set(1 + m.n_x + m.n_z + i, p.u[i]);
  std::fill_n(weight_.data(), weight_.size(), 0.0);
  for (std::size_t r = 0; r < count; ++r) weight_[(first + r) * ld_ + r] = 1;
  int status = abi::evaluate(
      *function_, BOLZA_HESSIAN,
      {.n = count, .ld = ld_, .point = point_.data(), .shared = shared, .weight = weight_.data(), .out = out_.data()});
  double sum = 0;
  for (std::size_t e = 0; e < function_->hess_nnz; ++e)
    for (std::size_t r = 0; r < count; ++r) sum += 0.0 * entry(e, r);
  return std::isfinite(sum) ? status : status | BOLZA_NONFINITE;
}

}  // namespace bolza::nonlinear
