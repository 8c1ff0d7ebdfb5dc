// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/model/model_internal.h"

namespace bolza::flatten {

void translate_optimization(Model& model);

}  // namespace bolza::flatten
