// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bolza {

/// Throws std::bad_alloc where a library in C did not get the memory that it asked for.
void allocated(bool there_is_memory);

}  // namespace bolza
