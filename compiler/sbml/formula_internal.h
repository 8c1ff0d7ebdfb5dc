// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sbml/math/ASTNode.h>

#include <memory>
#include <string>

#include "base/result.h"

namespace bolza::sbml {

/// The tree of a formula in the infix notation of PEtab. Errors  E805 at the span.
Result<std::unique_ptr<ASTNode>> parsed_formula(const std::string& formula, Span at, Diagnostics& diagnostics);

}  // namespace bolza::sbml
