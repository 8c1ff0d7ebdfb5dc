// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "tests/unit/nlp/formulas.h"

namespace bolza::nlp::testing {

/// One of the test examples of [HS1981]: as printed there, with the printed optimum where it has enough digits, else the
/// value of its closed form.
struct HockSchittkowski {
  int number = 0;
  Formulas formulas;
  double optimum = 0;
  std::vector<double> point;         ///< of the optimum; empty where it is not unique, or not printed here
  std::vector<double> other_optima;  ///< values at local minima that are none of the whole problem
};

/// In the order of their numbers.
std::vector<HockSchittkowski> hock_schittkowski();

/// Parts of it, in files of their own.
std::vector<HockSchittkowski> hock_schittkowski_1_to_40();
std::vector<HockSchittkowski> hock_schittkowski_41_to_81();
std::vector<HockSchittkowski> hock_schittkowski_83_to_119();

}  // namespace bolza::nlp::testing
