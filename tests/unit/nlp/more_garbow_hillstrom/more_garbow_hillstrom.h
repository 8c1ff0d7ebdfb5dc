// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "tests/unit/nlp/formulas.h"

namespace bolza::nlp::testing {

/// A sum of squares without constraints from [MGH1981], with the number it has there.
struct MoreGarbowHillstrom {
  int number = 0;
  std::string_view name;
  Formulas formulas;
  double optimum = 0;
  std::vector<double> other_optima;  ///< values at local minima, or what the sum approaches far away
};

std::vector<MoreGarbowHillstrom> more_garbow_hillstrom();

}  // namespace bolza::nlp::testing
