#pragma once
#include <memory>

#include "compiler/codegen/cache.h"
#include "compiler/codegen/compile.h"

namespace bolza::codegen {

/// What libbolza_jit.so offers. It carries LLVM, so it is opened when first needed: dlopen(path, RTLD_NOW | RTLD_LOCAL),
/// then dlsym(handle, jit_library_symbol) gives a function `const JitLibrary *()`. Both sides are built together and share
/// class layouts; the version only catches a stale file. The library must stay open while a CompiledProblem lives.
struct JitLibrary {
  std::uint32_t version;
  std::unique_ptr<CompiledProblem> (*compile)(ir::Problem problem, const Sources& sources, const CompileOptions& options);
  const char* (*llvm_version)();
  std::string (*cache_directory)();  ///< Cache::default_directory
  Cache::Size (*cache_size)(const std::string& directory);
  Cache::Size (*cache_clear)(const std::string& directory);  ///< returns what was deleted
};

inline constexpr std::uint32_t jit_library_version = 1;
inline constexpr const char* jit_library_symbol = "bolza_jit_library";
inline constexpr const char* jit_library_file = "libbolza_jit.so";
using JitLibraryFunction = const JitLibrary* (*)();

}  // namespace bolza::codegen
