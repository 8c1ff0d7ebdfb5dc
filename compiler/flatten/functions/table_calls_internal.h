// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/nodes/node_internal.h"

namespace bolza::flatten {

/// Whether an external object is one of the library's tables.
bool is_table_object(const Instance& object);

}  // namespace bolza::flatten
