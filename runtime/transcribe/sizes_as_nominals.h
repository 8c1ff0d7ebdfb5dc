// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "runtime/abi/bolza.h"
#include "runtime/abi/solution.h"

namespace bolza::transcribe {

/// While it lives, the variables of a phase's model that have no nominal value have what collocation divided them by in its
/// place: integrators take their absolute tolerances from nominal values. One at a time per model.     Cost linear in the
/// number of variables.
class SizesAsNominals {
 public:
  /// @param solved  whose sizes are taken; none known: nothing changes
  SizesAsNominals(const bolza_problem& problem, std::size_t phase, const abi::PhaseSolution& solved);
  ~SizesAsNominals();
  SizesAsNominals(const SizesAsNominals&) = delete;
  SizesAsNominals& operator=(const SizesAsNominals&) = delete;

 private:
  bolza_model& model_;
  const bolza_variable *x_, *z_, *u_;
  std::vector<bolza_variable> own_x_, own_z_, own_u_;
};

}  // namespace bolza::transcribe
