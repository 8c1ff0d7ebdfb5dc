// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "compiler/codegen/kernels.h"
#include "compiler/ir/interpret.h"
#include "open_jit.h"

namespace bolza::codegen::test {

/// 64-byte aligned rows, filled with a value that would be noticed.
class Rows {
 public:
  Rows(std::size_t rows, std::size_t n, double fill = 1e300)
      : ld_((n + 7) / 8 * 8),
        size_(std::max<std::size_t>(8, rows * ld_)),
        data_(static_cast<double*>(std::aligned_alloc(64, size_ * 8)), &std::free) {
    std::fill(data_.get(), data_.get() + size_, fill);
  }
  double& at(std::size_t row, std::size_t point) { return data_.get()[row * ld_ + point]; }
  double* data() { return data_.get(); }
  std::size_t ld() const { return ld_; }

 private:
  std::size_t ld_, size_;
  std::unique_ptr<double, void (*)(void*)> data_;
};

/// A kernel with identity tables: slot k reads row k, output o goes to row o, weight r is row r.
struct PlainCall {
  std::vector<std::int32_t> index, out_index, weight_index;
  bolza_call call{};

  PlainCall(std::size_t slots, std::size_t outputs, std::size_t weights, std::size_t n, Rows& point, Rows& out) {
    for (std::size_t k = 0; k < slots; ++k) index.push_back(static_cast<std::int32_t>(k));
    for (std::size_t k = 0; k < outputs; ++k) out_index.push_back(static_cast<std::int32_t>(k));
    for (std::size_t k = 0; k < weights; ++k) weight_index.push_back(static_cast<std::int32_t>(k));
    call.n = n, call.ld = point.ld(), call.point = point.data(), call.out = out.data();
    call.index = index.data(), call.out_index = out_index.data(), call.weight_index = weight_index.data();
    call.instances = 1, call.first = 0, call.last = 1;
  }
};

/// Distance in units of the last place, 0 when both are NaN.
double ulps(double a, double b);

inline KernelShape plain_shape(std::vector<ir::ExprId> outputs, std::size_t slots, bool scalar = false) {
  KernelShape shape;
  shape.adds.assign(outputs.size(), 0);
  shape.outputs = std::move(outputs);
  shape.slots.assign(slots, SlotClass::point);
  shape.scalar = scalar;
  return shape;
}

}  // namespace bolza::codegen::test
