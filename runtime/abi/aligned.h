// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <memory>
#include <new>

namespace bolza::abi {

/// A fixed number of doubles at a 64-byte boundary, zero at first: what kernels read and write.
class AlignedDoubles {
 public:
  explicit AlignedDoubles(std::size_t n = 0);
  double* data() { return data_.get(); }
  const double* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  double& operator[](std::size_t i) { return data_[i]; }
  double operator[](std::size_t i) const { return data_[i]; }

 private:
  struct Free {
    void operator()(double* p) const { ::operator delete[](p, std::align_val_t{64}); }
  };
  std::unique_ptr<double[], Free> data_;
  std::size_t size_;
};

}  // namespace bolza::abi
