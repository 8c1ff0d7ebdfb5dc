// SPDX-License-Identifier: Apache-2.0
#include "runtime/nonlinear/series_at.h"

#include <cmath>

#include "runtime/abi/evaluate.h"

namespace bolza::nonlinear {

SeriesAt::SeriesAt(const bolza_problem& problem, bolza_function* function, bolza_kind kind, std::size_t order) {
  if (!function || !abi::ensure(problem, *function, kind)) return;
  function_ = function;
  kernels_ = function->kernels[kind];
  order_ = order;
  ld_ = (order + 8) / 8 * 8;
  point_ = abi::AlignedDoubles(function->n_point * ld_);
  if (kind == BOLZA_TAYLOR_HESSIAN) weight_ = abi::AlignedDoubles(function->n_rows * ld_);
  out_ = abi::AlignedDoubles(kernels_->n_out * ld_);
  std::size_t size = 0;
  for (std::size_t g = 0; g < kernels_->n_groups; ++g) {
    first_.push_back(size);
    size += kernels_->groups[g].scratch * kernels_->groups[g].instances * ld_;
  }
  scratch_ = abi::AlignedDoubles(size);
}

int SeriesAt::run(std::size_t k, const double* shared) {
  for (std::size_t r = 0; r < kernels_->n_zero; ++r) out_[static_cast<std::size_t>(kernels_->zero[r]) * ld_ + k] = 0;
  int status = 0;
  for (std::size_t g = 0; g < kernels_->n_groups; ++g) {
    const bolza_group& group = kernels_->groups[g];
    bolza_call call{};
    call.n = k + 1;
    call.ld = ld_;
    call.point = point_.data();
    call.shared = shared;
    call.datum = group.datum;
    call.index = group.index;
    call.instances = group.instances;
    call.first = 0;
    call.last = group.instances;
    call.weight = weight_.data();
    call.weight_index = group.weight_index;
    call.out = out_.data();
    call.out_index = group.out_index;
    call.scratch = scratch_.data() + first_[g];
    call.scratch_size = group.scratch * group.instances * ld_;
    status |= group.points(&call);
  }
  return status;
}

}  // namespace bolza::nonlinear
