// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/integrate/method_table.h"

namespace bolza::integrate {

/// Stands in for an integrator where a model has no states: its steps are `length` long, the algebraics are solved wherever
/// they are asked for.
std::unique_ptr<Integrator> make_instants(const Setup& setup, double length);

}  // namespace bolza::integrate
