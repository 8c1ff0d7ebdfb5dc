// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/nlp/nlp.h"

namespace bolza::nlp {

/// Where an engine was called several times.
inline void add(LinearAlgebra& to, const LinearAlgebra& more) {
  to.chain += more.chain;
  to.pivots += more.pivots;
  to.mumps += more.mumps;
  to.is_chain = to.is_chain && more.is_chain;
  to.seconds_analysis += more.seconds_analysis;
  to.seconds_factorisation += more.seconds_factorisation;
  to.seconds_back_solve += more.seconds_back_solve;
}

}  // namespace bolza::nlp
