// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/outcome_internal.h"
#include "compiler/flatten/typing/typer_internal.h"

namespace bolza::flatten {

/// Two values that an equation sets equal: of equal type and size, no records.
struct Sides {
  const Node* left = nullptr;
  const Node* right = nullptr;
};

/// Takes records apart and checks types and sizes; parameters of records are left out.
Outcome<Done> sides_of(Typer& typer, const Node* left, const Node* right, Span span, std::vector<Sides>& out);

}  // namespace bolza::flatten
