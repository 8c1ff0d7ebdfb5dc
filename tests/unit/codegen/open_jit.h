// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/codegen/jit_library.h"

extern "C" const bolza::codegen::JitLibrary* bolza_jit_library();

namespace bolza::codegen::test {

/// What needs LLVM; tests are linked to it.
inline const JitLibrary& open_jit() { return *bolza_jit_library(); }

}  // namespace bolza::codegen::test
