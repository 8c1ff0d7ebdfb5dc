// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/model/model_internal.h"

namespace bolza::flatten {

class Connections;

void translate_equations(Model& model, Connections& connections);

}  // namespace bolza::flatten
