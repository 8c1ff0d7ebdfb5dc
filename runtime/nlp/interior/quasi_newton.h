// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

namespace bolza::nlp::interior {

class InteriorLoop;

class QuasiNewton {
 public:
  double curvature() const { return 1; }
  void update(const std::vector<double>&, const std::vector<double>&, InteriorLoop&) {}
};

}  // namespace bolza::nlp::interior
