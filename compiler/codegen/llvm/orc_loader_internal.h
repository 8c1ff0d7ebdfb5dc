// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/codegen/object_loader.h"

namespace bolza::codegen {

/// LLVM's, for machines whose objects `native_loader` cannot read, and its oracle in tests.
std::unique_ptr<ObjectLoader> orc_loader();

}  // namespace bolza::codegen
