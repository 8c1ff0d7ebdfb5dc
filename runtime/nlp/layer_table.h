// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/nlp/layer.h"

namespace bolza::nlp {

/// Between a problem and its engine, in this order. docs/architecture.md says what each row does.
LayerRows layers();
/// Requires  there is such a row.
const LayerRow& layer_named(std::string_view name);

}  // namespace bolza::nlp
