// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/jit_library.h"

#include <llvm/Config/llvm-config.h>

#include "compiler/codegen/emit_internal.h"
#include "compiler/codegen/llvm/module_internal.h"
#include "compiler/codegen/llvm/object_internal.h"
#include "compiler/codegen/llvm/orc_loader_internal.h"

namespace bolza::codegen {
namespace {

std::string compile(const ir::Expressions& expressions, std::span<const std::string> names,
                    std::span<const KernelShape* const> shapes, const Machine& machine, unsigned small, Tier& tier) {
  ModuleBuilder module(expressions, machine, "bolza");
  for (std::size_t k = 0; k < names.size(); ++k) module.add_kernel(names[k], *shapes[k]);
  module.finish();
  if (module.module->getInstructionCount() <= small) tier = Tier::optimised;
  return translate(*module.module, tier, Form::object);
}

const char* version_text() { return LLVM_VERSION_STRING; }

constexpr JitLibrary library{jit_library_version, compile, emit, orc_loader, version_text};

}  // namespace
}  // namespace bolza::codegen

extern "C" __attribute__((visibility("default"))) const bolza::codegen::JitLibrary* bolza_jit_library() {
  return &bolza::codegen::library;
}
