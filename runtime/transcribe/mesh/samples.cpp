// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/mesh/samples.h"

#include "base/expects.h"

namespace bolza::transcribe {

Samples::Samples(const Scheme& scheme, std::size_t intervals, bool jumps) : N_(intervals), jumps_(jumps) {
  if (jumps) tau_.push_back(0);
  for (double c : scheme.c)
    if (c > 0 && c < 1) tau_.push_back(c);
  tau_.push_back(1);
}

Samples::Place Samples::place(std::size_t k) const {
  if (!jumps_ && k == 0) return {0, 0};
  std::size_t j = jumps_ ? k : k - 1;
  return {j / tau_.size(), tau_[j % tau_.size()]};
}

std::size_t Samples::index(std::size_t interval, double tau) const {
  if (!jumps_ && tau == 0) return interval * tau_.size();
  for (std::size_t j = 0; j < tau_.size(); ++j)
    if (tau_[j] == tau) return interval * tau_.size() + j + (jumps_ ? 0 : 1);
  expects(false, "only mesh points and collocation points are samples");
  return 0;
}

bool control_jumps(const Scheme& scheme, bool control_constant, std::size_t n_u) {
  return n_u > 0 && (control_constant || scheme.points == 1);
}

}  // namespace bolza::transcribe
