// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/estimate/inversion/model_inversion.h"
#include "runtime/nlp/nlp.h"

namespace bolza::estimate {

/// The coefficients by a nonlinear least-squares problem of all data sets at once, min ½ Σ ‖r_i(T_i a)‖² within the bounds,
/// solved by an engine of the table with Gauss–Newton matrices: the second way, which shares nothing with `invert` but the
/// predictions.
/// @param engine  which, its tolerance and options; its Hessian becomes gauss_newton
/// Errors  as the result's status: what the engine says other than solved or acceptable is `stuck`; the start cannot be
/// evaluated: `not_evaluated`.
InversionResult fit_directly(Predictions& predictions, const CandidateTerms& terms, const std::vector<bool>& active,
                             const Eigen::VectorXd& start, nlp::EngineOptions engine);

}  // namespace bolza::estimate
