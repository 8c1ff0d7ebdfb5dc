// SPDX-License-Identifier: Apache-2.0
#include "runtime/nonlinear/kernel_at.h"

#include <cmath>

#include "runtime/abi/evaluate.h"

namespace bolza::nonlinear {
namespace {

// Scalar code needs no padding: then the point and the outputs are contiguous.
bool all_scalar(const bolza_kernels& kernels) {
  for (std::size_t k = 0; k < kernels.n_groups; ++k)
    if (!kernels.groups[k].single) return false;
  return true;
}

}  // namespace

KernelAt::KernelAt(const bolza_problem& problem, bolza_function* function, bolza_kind kind) : kind_(kind) {
  if (!function || !abi::ensure(problem, *function, kind)) return;
  function_ = function;
  ld_ = all_scalar(*function->kernels[kind]) ? 1 : abi::padded(1);
  point_ = abi::AlignedDoubles(function->n_point * ld_);
  out_ = abi::AlignedDoubles(function->kernels[kind]->n_out * ld_);
  if (kind == BOLZA_HESSIAN || kind == BOLZA_VJP) weight_ = abi::AlignedDoubles(function->n_rows * ld_);
}

void KernelAt::set_weight(std::span<const double> weight) {
  for (std::size_t r = 0; r < function_->n_rows; ++r) weight_[r * ld_] = r < weight.size() ? weight[r] : 0;
}

std::vector<double> KernelAt::point() const {
  std::vector<double> point(function_->n_point);
  for (std::size_t i = 0; i < point.size(); ++i) point[i] = point_[i * ld_];
  return point;
}

int KernelAt::run(const double* shared) {
  const bolza_kernels& kernels = *function_->kernels[kind_];
  if (evaluation_.kernels() != &kernels)  // at first, and when the provider has made better ones
    evaluation_ = {kernels, {.n = 1, .ld = ld_, .point = point_.data(), .weight = weight_.data(), .out = out_.data()}};
  int status = evaluation_.run(shared);
  std::size_t rows = kernels.n_out;
  double sum = 0;
  for (std::size_t r = 0; r < rows; ++r) sum += 0.0 * out_[r * ld_];
  return std::isfinite(sum) ? status : status | BOLZA_NONFINITE;
}

}  // namespace bolza::nonlinear
