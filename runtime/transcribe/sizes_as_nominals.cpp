// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/sizes_as_nominals.h"

namespace bolza::transcribe {
namespace {

/// The variables with sizes in the place of nominal values that are not there.
std::vector<bolza_variable> with_nominals(const bolza_variable* variables, std::size_t n, const std::vector<double>& sizes) {
  std::vector<bolza_variable> own(variables, variables + n);
  for (std::size_t k = 0; k < n; ++k)
    if (!own[k].has_nominal && sizes[k] != 1) {
      own[k].nominal = sizes[k];
      own[k].has_nominal = 1;
    }
  return own;
}

}  // namespace

SizesAsNominals::SizesAsNominals(const bolza_problem& problem, std::size_t phase, const abi::PhaseSolution& solved)
    : model_(*problem.models[problem.phases[phase].model]),
      x_(model_.x),
      z_(model_.z),
      u_(model_.u) {
  auto take = [](const bolza_variable*& list, std::size_t n, const std::vector<double>& sizes,
                 std::vector<bolza_variable>& own) {
    if (n == 0 || sizes.size() != n) return;
    own = with_nominals(list, n, sizes);
    list = own.data();
  };
  take(model_.x, model_.n_x, solved.x_size, own_x_);
  take(model_.z, model_.n_z, solved.z_size, own_z_);
  take(model_.u, model_.n_u, solved.u_size, own_u_);
}

SizesAsNominals::~SizesAsNominals() {
  model_.x = x_;
  model_.z = z_;
  model_.u = u_;
}

}  // namespace bolza::transcribe
