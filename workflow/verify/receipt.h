// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "workflow/verify/verify_result.h"

namespace bolza::workflow {

/// The text of a receipt: SHA-256 of the model's files and of the result, options, tolerance, verdict, checks, and the
/// SHA-256 of all of that.     Errors  E952 a file cannot be read.
Result<std::string> receipt_of(Model& model, const VerifyRequest& request, const VerifyOutcome& outcome);

/// What a receipt says, checked again.
struct ReceiptRun {
  VerifyRun run;                       ///< the verification made again; its outcome is absent where it was not begun
  std::vector<std::string> different;  ///< why it does not hold any more; empty: it holds
};

/// Compares the hashes with the files as they are now and verifies again. Errors  E952, E992 it is no receipt.
ReceiptRun check_receipt(const std::string& file, const LoadRequest& load);

}  // namespace bolza::workflow
