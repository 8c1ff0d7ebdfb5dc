// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/model/model_internal.h"

namespace bolza::flatten {

/// Gives derivatives, timed values and auxiliary variables their places after the others, in all columns and terms.
void assign_variable_ids(Model& model);

}  // namespace bolza::flatten
