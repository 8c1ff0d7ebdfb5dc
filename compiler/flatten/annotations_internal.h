// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/flatten.h"
#include "compiler/flatten/model/model_internal.h"

namespace bolza::flatten {

/// Options of the class, and its horizon.
void translate_annotations(Model& model, const GivenHorizon& horizon);

}  // namespace bolza::flatten
