// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/result/table.h"
#include "runtime/verify/verify.h"
#include "workflow/model.h"
#include "workflow/solve/outcome/sensitivity.h"

namespace bolza::workflow {

/// A result file to be held against its model.
struct VerifyRequest {
  std::string result;  ///< .mat or .csv of `bolza solve`
  LoadRequest load;    ///< `file`, `class_name` and `settings` win over what the file says of its origin
  double tolerance = 1e-3;
  SensitivityRequest sensitivity = {};  ///< dJ*/dp, too
};

/// What is said of a result as a whole.
enum class Proof : std::uint8_t {
  verified,    ///< every condition of first order was checked and holds
  incomplete,  ///< nothing fails, but something could not be checked
  refused,     ///< a condition does not hold
};

/// "verified", "not verified in full", "refused".
const char* name_of(Proof proof);
/// "passed", "failed", "not checked".
const char* name_of(verify::CheckResult result);

struct VerifyOutcome {
  verify::Certificate certificate;
  Proof proof = Proof::incomplete;
  std::string class_name;
  std::vector<std::string> settings;  ///< with which the model was loaded
  std::vector<std::string> origin;    ///< what the file says of how it was made, "transcription=radau"
  OptimumSensitivity sensitivity;     ///< where it was asked for
};

struct VerifyRun {
  std::unique_ptr<Model> model;
  std::optional<VerifyOutcome> outcome;  ///< none: the input is wrong, a diagnostic of `model` says what
};

/// Reads the result, loads the model that it names, or the one given, and checks. Errors  E952 and others of reading a
/// result, E990 it does not say of which model it is, those of loading a model.
VerifyRun verify_result(const VerifyRequest& request);

/// The same for a solution at hand and the model that was solved.     @param whole  what is in its file, as it was read
/// back; of the request count the tolerance and slopes
Result<VerifyOutcome> verify_solution(Model& model, const result::ResultTable& whole, const VerifyRequest& request);

}  // namespace bolza::workflow
