// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "compiler/codegen/compile.h"
#include "compiler/codegen/kernel_shape.h"
#include "compiler/codegen/machine.h"
#include "compiler/codegen/object_loader.h"

namespace bolza::codegen {

class ProblemTables;

/// What libbolza_jit.so offers: everything that needs LLVM, and nothing else. Opening it costs more than a small solve, so
/// it is opened when a kernel is compiled that is not in the cache: dlopen(path, RTLD_NOW | RTLD_LOCAL), then dlsym(handle,
/// jit_library_symbol) gives a function `const JitLibrary *()`. Both sides are built together and share class layouts; the
/// version only catches a stale file. The library stays open until the process ends.
struct JitLibrary {
  std::uint32_t version;
  /// Kernels of the given shapes, as one ELF object that defines them under the given names. `tier` becomes `optimised` when
  /// the module has no more than `small` instructions.
  std::string (*compile)(const ir::Expressions& expressions, std::span<const std::string> names,
                         std::span<const KernelShape* const> shapes, const Machine& machine, unsigned small, Tier& tier);
  /// See CompiledProblem::emit.
  std::string (*emit)(ProblemTables& tables, const Machine& machine, ModuleForm form, std::span<const bolza_kind> kinds,
                      bool single);
  /// LLVM's loader of objects, for machines without `native_loader`.
  std::unique_ptr<ObjectLoader> (*loader)();
  const char* (*llvm_version)();
};

inline constexpr std::uint32_t jit_library_version = 2;
inline constexpr const char* jit_library_symbol = "bolza_jit_library";
inline constexpr const char* jit_library_file = "libbolza_jit.so";
using JitLibraryFunction = const JitLibrary* (*)();

}  // namespace bolza::codegen
