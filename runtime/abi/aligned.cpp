// SPDX-License-Identifier: Apache-2.0
#include "runtime/abi/aligned.h"

#include <algorithm>

namespace bolza::abi {

AlignedDoubles::AlignedDoubles(std::size_t n)
    : data_(static_cast<double*>(::operator new[](std::max<std::size_t>(n, 1) * sizeof(double), std::align_val_t{64}))),
      size_(n) {
  std::fill(data_.get(), data_.get() + std::max<std::size_t>(n, 1), 0.0);
}

}  // namespace bolza::abi
