// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>

namespace bolza::integrate {

/// A position for Eigen, whose indices are signed.
inline Eigen::Index at(std::size_t i) { return static_cast<Eigen::Index>(i); }

}  // namespace bolza::integrate
