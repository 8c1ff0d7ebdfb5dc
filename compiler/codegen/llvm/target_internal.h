// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace bolza::codegen {

/// This machine in LLVM's words.
struct Target {
  std::string triple;
  std::string cpu;
  std::string features;  ///< "+avx2,-sse4a,…", sorted
};

/// Found once in a process.
const Target& host_target();

}  // namespace bolza::codegen
