#include "compiler/codegen/jit_library.h"

#include <llvm/Config/llvm-config.h>

namespace {

using bolza::codegen::Cache;

Cache::Size cache_size(const std::string& directory) { return Cache(directory).size(); }
Cache::Size cache_clear(const std::string& directory) { return Cache(directory).clear(); }

const char* version_text() { return LLVM_VERSION_STRING; }

constexpr bolza::codegen::JitLibrary library{bolza::codegen::jit_library_version,
                                             bolza::codegen::compile,
                                             version_text,
                                             Cache::default_directory,
                                             cache_size,
                                             cache_clear};

}  // namespace

extern "C" __attribute__((visibility("default"))) const bolza::codegen::JitLibrary* bolza_jit_library() { return &library; }
