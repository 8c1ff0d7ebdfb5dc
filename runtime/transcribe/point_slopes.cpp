// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/point_slopes.h"

#include "runtime/abi/aligned.h"
#include "runtime/abi/evaluate.h"

namespace bolza::transcribe {

std::vector<double> point_slopes(const bolza_problem& problem, const std::vector<double>& parameters) {
  const bolza_function& f = *problem.point;
  std::size_t ld = abi::padded(1);
  abi::AlignedDoubles point((f.n_point + 1) * ld), out(f.kernels[BOLZA_JACOBIAN]->n_out * ld);
  std::vector<double> shared(parameters);
  for (std::size_t k = problem.n_parameters; k < f.n_shared; ++k)
    shared.push_back(problem.point_data[k - problem.n_parameters]);
  abi::evaluate(f, BOLZA_JACOBIAN, {.n = 1, .ld = ld, .point = point.data(), .shared = shared.data(), .out = out.data()});
  std::vector<double> slope;
  for (std::size_t e = 0; e < f.jac_nnz; ++e) slope.push_back(out.data()[(f.n_rows + e) * ld]);
  return slope;
}

}  // namespace bolza::transcribe
