// SPDX-License-Identifier: Apache-2.0
#include "base/allocated.h"

#include <new>

namespace bolza {

void allocated(bool there_is_memory) {
  if (!there_is_memory) throw std::bad_alloc();
}

}  // namespace bolza
